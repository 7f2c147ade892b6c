// Marks and ranges of profiling, and an allocator of the program's own.
#include "acl/acl.h"
#include "acl/acl_prof.h"
#include "acl/acl_rt_allocator.h"
#include <cstdio>
#include <cstdlib>

static int allocated;
static void *allocate(aclrtAllocator object, size_t bytes) {
  ++*static_cast<int *>(object);
  return std::malloc(bytes);
}
static void release(aclrtAllocator, aclrtAllocatorBlock block) {
  std::free(block);
}
static void *address(aclrtAllocatorBlock block) { return block; }

int main(int argc, char **) {
  aclInit(nullptr);
  aclrtSetDevice(0);
  aclrtStream stream;
  aclrtCreateStream(&stream);

  void *stamp = aclprofCreateStamp();
  uint32_t range = 0;
  aclprofStepInfo *step = aclprofCreateStepInfo();
  int wrong = aclprofSetStampTraceMessage(stamp, "load", 4);
  wrong += aclprofGetStepTimestamp(step, ACL_STEP_START, stream);
  wrong += aclprofMark(stamp) + aclprofPush(stamp);
  wrong += aclprofRangeStart(stamp, &range) + aclprofRangeStop(range);
  wrong += aclprofPop() + aclprofGetStepTimestamp(step, ACL_STEP_END, stream);
  std::printf("stamps: %d\n", wrong);

  aclprofTensor tensor{0, ACL_FORMAT_ND, ACL_FLOAT, 1, {64}};
  aclprofTensorInfo info{
      aclprofStr2Id("add"), aclprofStr2Id("Add"), 0, 1, 0, 1, stream, &tensor};
  aclprofEventAttributes told{ACL_PROF_EVENT_ATTR_VERSION,
                              sizeof(aclprofEventAttributes::message),
                              ACL_PROF_MESSAGE_TYPE_TENSOR_INFO,
                              {&info}};
  wrong = aclprofMarkEx("mark", 4, stream) + aclprofRangePushEx(&told);
  wrong += aclprofRangePop();
  std::printf("tensors: %d %d\n", wrong, info.opNameId != info.opTypeId);
  if (argc > 1) {
    int second = aclprofRangeStop(range), popped = aclprofPop();
    int again = aclprofRangePop();
    std::printf("unpaired: %d %d %d\n", second != 0, popped != 0, again != 0);
  }
  aclprofDestroyStepInfo(step);
  aclprofDestroyStamp(stamp);

  aclrtAllocatorDesc said = aclrtAllocatorCreateDesc(), found = nullptr;
  wrong = aclrtAllocatorSetObjToDesc(said, &allocated);
  wrong += aclrtAllocatorSetAllocFuncToDesc(said, allocate);
  wrong += aclrtAllocatorSetFreeFuncToDesc(said, release);
  wrong += aclrtAllocatorSetGetAddrFromBlockFuncToDesc(said, address);
  wrong += aclrtAllocatorRegister(stream, said);
  aclrtAllocator object = nullptr;
  aclrtAllocatorAllocFunc take = nullptr;
  aclrtAllocatorFreeFunc give = nullptr;
  aclrtAllocatorAllocAdviseFunc near = nullptr;
  aclrtAllocatorGetAddrFromBlockFunc where = nullptr;
  wrong += aclrtAllocatorGetByStream(stream, &found, &object, &take, &give,
                                     &near, &where);
  void *block = take(object, 16);
  bool same = found == said && where(block) == block && !near;
  give(object, block);
  wrong += aclrtAllocatorUnregister(stream);
  int gone = aclrtAllocatorGetByStream(stream, &found, &object, &take, &give,
                                       &near, &where);
  wrong += aclrtAllocatorDestroyDesc(said);
  std::printf("allocators: %d %d %d %d\n", wrong, same, allocated, gone != 0);
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  aclFinalize();
}
