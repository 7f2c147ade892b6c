// Tasks of a stream are captured, and run three times.
#include "acl/acl.h"

#include <cstdio>
#include <cstring>
#include <string>

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

  // While a stream is captured, what waits for the device is forbidden; a
  // thread may allow it for itself.
  int Mode = ACL_MODEL_RI_CAPTURE_MODE_RELAXED;
  CHECK(aclmdlRICaptureBegin(Stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
  CHECK(aclrtMemset(Memory, 8, 'y', 8));
  CHECK(aclmdlRICaptureThreadExchangeMode(&Mode));
  CHECK(aclrtMemset(Memory, 8, 0, 8));
  CHECK(aclmdlRICaptureThreadExchangeMode(&Mode));
  aclmdlRI Empty = nullptr;
  CHECK(aclmdlRICaptureEnd(Stream, &Empty));
  CHECK(aclmdlRIDestroy(Empty));
  std::printf("mode %d\n", Mode);

  // Two streams that wait for each other by an event, in every run.
  aclrtStream First = nullptr, Second = nullptr;
  CHECK(aclrtCreateStreamWithConfig(&First, 0, ACL_STREAM_PERSISTENT));
  CHECK(aclrtCreateStreamWithConfig(&Second, 0, ACL_STREAM_PERSISTENT));
  aclrtEvent Half = nullptr;
  CHECK(aclrtCreateEventExWithFlag(&Half, ACL_EVENT_SYNC));
  aclmdlRI Two = nullptr;
  CHECK(aclmdlRIBuildBegin(&Two, 0));
  CHECK(aclmdlRIBindStream(Two, First, ACL_MODEL_STREAM_FLAG_HEAD));
  CHECK(aclmdlRIBindStream(Two, Second, ACL_MODEL_STREAM_FLAG_HEAD));
  CHECK(aclmdlRIExecute(Two, -1)); // not complete
  static std::string Order;
  auto Note = [](aclrtStream S, const char *What) {
    CHECK(aclrtLaunchHostFunc(
        S, [](void *Text) { Order += (const char *)Text; }, (void *)What));
  };
  Note(First, "a");
  CHECK(aclrtRecordEvent(Half, First));
  CHECK(aclmdlRIEndTask(Two, First));
  CHECK(aclrtStreamWaitEvent(Second, Half));
  Note(Second, "b");
  CHECK(aclmdlRIEndTask(Two, Second));
  CHECK(aclmdlRIBuildEnd(Two, nullptr));
  for (int Run = 0; Run < 20; ++Run) {
    CHECK(aclmdlRIExecute(Two, -1));
    Order += ' ';
  }
  bool InOrder = true;
  for (size_t At = 0; At < Order.size(); ++At)
    InOrder &= Order[At] == "ab "[At % 3];
  std::printf("two streams: %s, %zu steps\n", InOrder ? "in order" : "mixed",
              Order.size());
  CHECK(aclmdlRIDebugJsonPrint(Two, "graph.json", 0));
  CHECK(aclmdlRIUnbindStream(Two, First));
  CHECK(aclmdlRIUnbindStream(Two, Second));
  CHECK(aclmdlRIUnbindStream(Two, Stream)); // never bound
  CHECK(aclmdlRIDestroy(Two));
  CHECK(aclrtDestroyEvent(Half));
  CHECK(aclrtDestroyStream(First));
  CHECK(aclrtDestroyStream(Second));

  CHECK(aclmdlRIDestroy(Graph));
  if (argc > 1)
    CHECK(aclmdlRIExecuteAsync(Graph, Stream));
  CHECK(aclrtFree(Memory));
  CHECK(aclrtDestroyStream(Stream));
  CHECK(aclrtResetDevice(0));
}
