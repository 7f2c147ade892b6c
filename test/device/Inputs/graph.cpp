// Tasks of a stream are captured, and run three times.
#include "acl/acl.h"

#include <cstdio>
#include <cstring>

#define CHECK(Call)                                                            \
  if (int Code = (Call))                                                       \
  std::printf("%s: %d\n", #Call, Code)

static int Runs = 0;

int main(int argc, char **) {
  CHECK(aclrtSetDevice(0));
  aclrtStream Stream = nullptr;
  CHECK(aclrtCreateStream(&Stream));
  char *Memory = nullptr, Text[8] = {};
  CHECK(aclrtMalloc((void **)&Memory, 8, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclrtMemset(Memory, 8, 0, 8));

  aclmdlRI Graph = nullptr;
  int Status = -1;
  CHECK(aclmdlRICaptureEnd(Stream, &Graph)); // nothing was begun
  CHECK(aclmdlRICaptureBegin(Stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
  CHECK(aclrtMemsetAsync(Memory, 8, 'x', 4, Stream));
  CHECK(aclrtLaunchHostFunc(Stream, [](void *) { ++Runs; }, nullptr));
  CHECK(aclmdlRICaptureGetInfo(Stream, &Status, nullptr));
  CHECK(aclmdlRICaptureEnd(Stream, &Graph));
  CHECK(aclrtSynchronizeStream(Stream));
  CHECK(aclrtMemcpy(Text, 8, Memory, 8, ACL_MEMCPY_DEVICE_TO_HOST));
  std::printf("captured: status %d, %d runs, '%s'\n", Status, Runs, Text);

  CHECK(aclmdlRIExecuteAsync(Graph, Stream));
  CHECK(aclmdlRIExecuteAsync(Graph, Stream));
  CHECK(aclrtSynchronizeStream(Stream));
  CHECK(aclmdlRIExecute(Graph, -1));
  CHECK(aclrtMemcpy(Text, 8, Memory, 8, ACL_MEMCPY_DEVICE_TO_HOST));
  std::printf("executed: %d runs, '%s'\n", Runs, Text);
  CHECK(aclmdlRIDestroy(Graph));
  if (argc > 1)
    CHECK(aclmdlRIExecuteAsync(Graph, Stream));
  CHECK(aclrtFree(Memory));
  CHECK(aclrtDestroyStream(Stream));
  CHECK(aclrtResetDevice(0));
}
