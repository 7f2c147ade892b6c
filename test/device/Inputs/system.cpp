// What is installed, streams made from a list of attributes, and where dumps
// go.
#include "acl/acl.h"

#include <cstdio>

#define CHECK(Call)                                                            \
  if (int Code = (Call))                                                       \
  std::printf("%s: %d\n", #Call, Code)

int main(int argc, char **argv) {
  CHECK(aclInit(nullptr));
  char Runtime[] = "runtime", Other[] = "other";
  char Version[ACL_PKG_VERSION_MAX_SIZE] = {};
  int32_t Number = 0;
  CHECK(aclsysGetVersionStr(Runtime, Version));
  CHECK(aclsysGetVersionNum(Runtime, &Number));
  std::printf("version %s, %d\n", Version, Number);
  CHECK(aclsysGetVersionNum(Other, &Number));

  const aclCannAttr *List = nullptr;
  size_t Count = 0;
  int32_t Bf16 = -1, Jit = -1, Same = -1, Fits = -1;
  CHECK(aclGetCannAttributeList(&List, &Count));
  CHECK(aclGetCannAttribute(ACL_CANN_ATTR_BF16, &Bf16));
  CHECK(aclGetCannAttribute(ACL_CANN_ATTR_JIT_COMPILE, &Jit));
  CHECK(aclrtCheckArchCompatibility("Ascend910B1", &Same));
  CHECK(aclrtCheckArchCompatibility("Ascend310P3", &Fits));
  std::printf("%zu attributes, bf16 %d, jit %d; as 910B1 %d, as 310P3 %d\n",
              Count, Bf16, Jit, Same, Fits);

  CHECK(aclrtSetDevice(0));
  aclrtStreamConfigHandle *Config = aclrtCreateStreamConfigHandle();
  uint32_t Priority = 3, Flags = ACL_STREAM_FAST_SYNC;
  CHECK(aclrtSetStreamConfigOpt(Config, ACL_RT_STREAM_PRIORITY, &Priority, 4));
  CHECK(aclrtSetStreamConfigOpt(Config, ACL_RT_STREAM_FLAG, &Flags, 4));
  CHECK(aclrtSetStreamConfigOpt(Config, 9, &Flags, 4));
  aclrtStream S = nullptr;
  CHECK(aclrtCreateStreamV2(&S, Config));
  CHECK(aclrtDestroyStreamConfigHandle(Config));
  aclrtStreamAttrValue Value = {};
  Value.userCustomTag = 7;
  CHECK(aclrtSetStreamAttribute(S, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &Value));
  Value.failureMode = ACL_STOP_ON_FAILURE;
  CHECK(aclrtSetStreamAttribute(S, ACL_STREAM_ATTR_FAILURE_MODE, &Value));
  aclrtStreamAttrValue Tag = {}, Mode = {}, Level = {};
  CHECK(aclrtGetStreamAttribute(S, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &Tag));
  CHECK(aclrtGetStreamAttribute(S, ACL_STREAM_ATTR_FAILURE_MODE, &Mode));
  CHECK(aclrtGetStreamAttribute(S, ACL_STREAM_ATTR_PRIORITY, &Level));
  CHECK(aclrtGetStreamAttribute(S, 99, &Level));
  uint32_t Told = 0;
  CHECK(aclrtStreamGetFlags(S, &Told));
  std::printf("tag %u, mode %d, priority %u, flags %u\n", Tag.userCustomTag,
              (int)Mode.failureMode, Level.streamPriority, Told);

  void *Memory = nullptr;
  CHECK(aclrtMalloc(&Memory, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclrtCmoAsync(Memory, 4096, ACL_RT_CMO_TYPE_PREFETCH, S));
  CHECK(aclrtCmoAsync(Memory, 4096, ACL_RT_CMO_TYPE_FLUSH, S));
  if (argc > 2)
    CHECK(aclrtCmoAsync(Memory, 8192, ACL_RT_CMO_TYPE_PREFETCH, S));
  CHECK(aclrtSynchronizeStream(S));
  CHECK(aclrtFree(Memory));

  // Sums in memory, and cores that a stream and its thread may use.
  int32_t Numbers[4] = {1, 2, 3, 4}, *Sum = nullptr;
  CHECK(aclrtMalloc((void **)&Sum, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclrtMemcpy(Sum, 16, Numbers, 16, ACL_MEMCPY_HOST_TO_DEVICE));
  CHECK(aclrtReduceAsync(Sum, Sum, 16, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM,
                         ACL_INT32, S, nullptr));
  CHECK(aclrtReduceAsync(Sum, Sum, 16, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM,
                         ACL_DOUBLE, S, nullptr));
  uint32_t Last = 0, Own = 0, Ours = 0, Vectors = 0;
  CHECK(aclrtGetThreadLastTaskId(&Last));
  CHECK(aclrtSynchronizeStream(S));
  CHECK(aclrtMemcpy(Numbers, 16, Sum, 16, ACL_MEMCPY_DEVICE_TO_HOST));
  CHECK(aclrtFree(Sum));
  CHECK(aclrtSetStreamResLimit(S, ACL_RT_DEV_RES_CUBE_CORE, 4));
  CHECK(aclrtSetStreamResLimit(S, ACL_RT_DEV_RES_CUBE_CORE, 100));
  CHECK(aclrtUseStreamResInCurrentThread(S));
  CHECK(aclrtGetResInCurrentThread(ACL_RT_DEV_RES_CUBE_CORE, &Own));
  CHECK(aclrtUnuseStreamResInCurrentThread(S));
  CHECK(aclrtGetResInCurrentThread(ACL_RT_DEV_RES_CUBE_CORE, &Ours));
  CHECK(aclrtGetStreamResLimit(S, ACL_RT_DEV_RES_VECTOR_CORE, &Vectors));
  std::printf("sums %d to %d, last task %s, cores %u of %u, %u\n", Numbers[0],
              Numbers[3], Last ? "known" : "unknown", Own, Ours, Vectors);
  CHECK(aclrtProcessHostFunc(1));

  unsigned char *Pinned = nullptr, Fresh[2] = {};
  CHECK(aclrtMalloc(&Memory, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclrtMallocHost((void **)&Pinned, 64));
  CHECK(aclrtMemcpy(Fresh, 2, Memory, 2, ACL_MEMCPY_DEVICE_TO_HOST));
  std::printf("new memory holds %d and %d\n", Fresh[1], Pinned[63]);
  CHECK(aclrtFreeHost(Pinned));
  CHECK(aclrtFree(Memory));

  const char *Path = acldumpGetPath(DATA_DUMP);
  std::printf("dumps go %s\n", Path ? Path : "nowhere");
  CHECK(aclmdlInitDump());
  CHECK(aclmdlSetDump(argc > 1 ? argv[1] : "nothing"));
  Path = acldumpGetPath(DATA_DUMP);
  std::printf("dumps go to %s\n", Path ? Path : "nowhere");
  CHECK(aclmdlFinalizeDump());
  std::printf("%s\n", acldumpGetPath(DATA_DUMP) ? "still" : "no more");

  CHECK(aclrtDestroyStream(S));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
}
