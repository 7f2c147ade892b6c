// Tasks of graphs that decide what comes next.
#include "acl/acl.h"

#include <cstdio>
#include <string>

#define CHECK(Call)                                                            \
  if (int Code = (Call))                                                       \
  std::printf("%s: %d\n", #Call, Code)

static std::string Order;
static void note(aclrtStream S, const char *What) {
  CHECK(aclrtLaunchHostFunc(
      S, [](void *Text) { Order += (const char *)Text; }, (void *)What));
}

template <typename T> static void *deviceNumber(T Value) {
  void *P = nullptr;
  CHECK(aclrtMalloc(&P, sizeof(T), ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(
      aclrtMemcpy(P, sizeof(T), &Value, sizeof(T), ACL_MEMCPY_HOST_TO_DEVICE));
  return P;
}
template <typename T> static void set(void *P, T Value) {
  CHECK(
      aclrtMemcpy(P, sizeof(T), &Value, sizeof(T), ACL_MEMCPY_HOST_TO_DEVICE));
}

static void show(const char *What, aclmdlRI Graph) {
  Order.clear();
  int Code = aclmdlRIExecute(Graph, -1);
  std::printf("%s: '%s' %d\n", What, Order.c_str(), Code);
}

static aclrtStream bind(aclmdlRI Graph, uint32_t Flag) {
  aclrtStream S = nullptr;
  CHECK(aclrtCreateStreamWithConfig(&S, 0, ACL_STREAM_PERSISTENT));
  CHECK(aclmdlRIBindStream(Graph, S, Flag));
  return S;
}

// Jumps over what stands between; an index that is too large means the last.
static void labels() {
  aclmdlRI Graph = nullptr;
  CHECK(aclmdlRIBuildBegin(&Graph, 0));
  aclrtStream S = bind(Graph, ACL_MODEL_STREAM_FLAG_HEAD), Plain = nullptr;
  CHECK(aclrtCreateStream(&Plain));
  void *Index = deviceNumber<uint32_t>(0);
  aclrtLabel Labels[2];
  aclrtLabelList List = nullptr;
  CHECK(aclrtCreateLabel(&Labels[0]));
  CHECK(aclrtCreateLabel(&Labels[1]));
  CHECK(aclrtCreateLabelList(Labels, 0, &List));
  CHECK(aclrtCreateLabelList(Labels, 2, &List));
  CHECK(aclrtSetLabel(Labels[0], Plain)); // not bound
  note(S, "<");
  CHECK(aclrtSwitchLabelByIndex(Index, 2, List, S));
  note(S, "never");
  CHECK(aclrtSetLabel(Labels[0], S));
  note(S, "a");
  CHECK(aclrtSetLabel(Labels[1], S));
  note(S, "b>");
  CHECK(aclmdlRIEndTask(Graph, S));
  CHECK(aclmdlRIBuildEnd(Graph, nullptr));
  show("label 0", Graph);
  set<uint32_t>(Index, 1);
  show("label 1", Graph);
  set<uint32_t>(Index, 7);
  show("label 7", Graph);
  CHECK(aclmdlRIUnbindStream(Graph, S));
  CHECK(aclmdlRIDestroy(Graph));
  CHECK(aclrtDestroyLabelList(List));
  for (aclrtLabel Each : Labels)
    CHECK(aclrtDestroyLabel(Each));
  CHECK(aclrtDestroyStream(S));
  CHECK(aclrtDestroyStream(Plain));
  CHECK(aclrtFree(Index));
}

// A stream that goes on elsewhere does not go on where it was.
static void streams() {
  aclmdlRI Graph = nullptr;
  CHECK(aclmdlRIBuildBegin(&Graph, 0));
  aclrtStream A = bind(Graph, ACL_MODEL_STREAM_FLAG_HEAD);
  aclrtStream B = bind(Graph, ACL_MODEL_STREAM_FLAG_DEFAULT);
  aclrtStream C = bind(Graph, ACL_MODEL_STREAM_FLAG_DEFAULT);
  void *Left = deviceNumber<int64_t>(-1), *Right = deviceNumber<int64_t>(1);
  note(A, "a");
  CHECK(aclrtSwitchStream(Left, ACL_RT_LESS, Right, ACL_RT_SWITCH_INT64, B, C,
                          A));
  CHECK(aclrtSwitchStream(Left, ACL_RT_LESS, Right, ACL_RT_SWITCH_INT64, B,
                          nullptr, A));
  CHECK(aclrtSwitchStream(Left, ACL_RT_EQUAL, Right, ACL_RT_SWITCH_INT64, C,
                          nullptr, A));
  note(A, "!");
  note(B, "b");
  CHECK(aclrtActiveStream(C, B));
  note(C, "c");
  CHECK(aclmdlRIEndTask(Graph, C));
  CHECK(aclmdlRIBuildEnd(Graph, nullptr));
  show("less", Graph);
  set<int64_t>(Left, 1);
  show("equal", Graph);
  set<int64_t>(Left, 2);
  show("greater, no end", Graph);
  for (aclrtStream Each : {A, B, C}) {
    CHECK(aclmdlRIUnbindStream(Graph, Each));
    CHECK(aclrtDestroyStream(Each));
  }
  CHECK(aclmdlRIDestroy(Graph));
  CHECK(aclrtFree(Left));
  CHECK(aclrtFree(Right));
}

static void condition(int Type, uint32_t Size, int Flag, const char *What) {
  aclrtStream S = nullptr, Sub = nullptr;
  CHECK(aclrtCreateStream(&S));
  CHECK(aclrtCreateStream(&Sub));
  void *Zero = deviceNumber<uint64_t>(0);
  CHECK(aclmdlRICaptureBegin(S, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
  int Status = 0;
  aclmdlRI Graph = nullptr;
  CHECK(aclmdlRICaptureGetInfo(S, &Status, &Graph));
  aclmdlRICondHandle Handle = nullptr;
  CHECK(aclmdlRICondHandleCreate(Graph, 1, Flag, &Handle));
  uint64_t *Word = nullptr;
  CHECK(aclmdlRICondHandleGetCondPtr(Handle, &Word));
  aclmdlRI Bodies[3] = {};
  aclmdlRICondTaskParams Params = {Handle, Type, Size, Bodies};
  if (int Code = aclmdlRIAddCondTask(Params, S, 0)) {
    std::printf("%s: %d\n", What, Code);
    CHECK(aclmdlRICaptureEnd(S, &Graph));
  } else {
    for (uint32_t N = 0; N < Size; ++N) {
      CHECK(aclmdlRICaptureToModelRIBegin(Sub, Bodies[N],
                                          ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
      note(Sub, N == 0 ? "0" : N == 1 ? "1" : "2");
      if (Type == ACL_MODEL_RI_COND_TYPE_WHILE)
        CHECK(aclrtMemcpyAsync(Word, 8, Zero, 8, ACL_MEMCPY_DEVICE_TO_DEVICE,
                               Sub));
      CHECK(aclmdlRICaptureEnd(Sub, &Bodies[N]));
    }
    note(S, ".");
    CHECK(aclmdlRICaptureEnd(S, &Graph));
    for (uint64_t Value = 0; Value < 4; ++Value) {
      set<uint64_t>(Word, Value);
      show(What, Graph);
    }
    CHECK(aclmdlRIExecute(Bodies[0], -1));
    CHECK(aclmdlRIDestroy(Bodies[0]));
  }
  CHECK(aclmdlRIDestroy(Graph));
  CHECK(aclrtDestroyStream(S));
  CHECK(aclrtDestroyStream(Sub));
  CHECK(aclrtFree(Zero));
}

// Tasks that are replaced between two executions, and during one.
static void update() {
  aclrtStream S = nullptr, Updates = nullptr;
  aclrtEvent Ready = nullptr;
  CHECK(aclrtCreateStream(&S));
  CHECK(aclrtCreateStream(&Updates));
  CHECK(aclrtCreateEventWithFlag(&Ready, ACL_EVENT_EXTERNAL));
  aclmdlRI Graph = nullptr;
  aclrtTaskGrp Group = nullptr;
  CHECK(aclmdlRICaptureTaskGrpBegin(S)); // not captured
  CHECK(aclmdlRICaptureBegin(S, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
  note(S, "x");
  CHECK(aclrtStreamWaitEvent(S, Ready));
  CHECK(aclrtResetEvent(Ready, S));
  CHECK(aclmdlRICaptureTaskGrpBegin(S));
  note(S, "old");
  CHECK(aclmdlRICaptureTaskGrpEnd(S, &Group));
  note(S, ".");
  CHECK(aclmdlRICaptureEnd(S, &Graph));
  for (const char *New : {"", "new", "newer"}) {
    CHECK(aclmdlRIExecuteAsync(Graph, S));
    if (*New) {
      CHECK(aclmdlRICaptureTaskUpdateBegin(Updates, Group));
      note(Updates, New);
      CHECK(aclmdlRICaptureTaskUpdateEnd(Updates));
    }
    CHECK(aclrtRecordEvent(Ready, Updates));
    CHECK(aclrtSynchronizeStream(S));
  }
  std::printf("updates: '%s'\n", Order.c_str());
  CHECK(aclmdlRICaptureTaskUpdateBegin(Updates, Group));
  CHECK(aclmdlRICaptureTaskUpdateEnd(Updates)); // one is missing
  CHECK(aclmdlRIDestroy(Graph));
  CHECK(aclmdlRICaptureTaskUpdateBegin(Updates, Group));
  CHECK(aclrtDestroyEvent(Ready));
  CHECK(aclrtDestroyStream(S));
  CHECK(aclrtDestroyStream(Updates));
}

int main() {
  CHECK(aclrtSetDevice(0));
  labels();
  streams();
  condition(ACL_MODEL_RI_COND_TYPE_IF, 2, 0, "if");
  condition(ACL_MODEL_RI_COND_TYPE_IF, 1,
            ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT, "if, default 1");
  condition(ACL_MODEL_RI_COND_TYPE_WHILE, 1, 0, "while");
  condition(ACL_MODEL_RI_COND_TYPE_WHILE, 2, 0, "while of 2");
  condition(ACL_MODEL_RI_COND_TYPE_SWITCH, 3, 0, "switch");
  Order.clear();
  update();
  CHECK(aclrtResetDevice(0));
}
