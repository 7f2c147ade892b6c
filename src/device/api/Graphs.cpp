//===- Graphs.cpp - Tasks that are kept and run often ---------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A graph is what streams were given between two calls: one stream that was
// captured, or several that were bound to a graph while it was built.
//
//===----------------------------------------------------------------------===//

#include "device/api/Api.h"
#include "device/core/Graph.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <utility>

using namespace belay::device;

namespace {

std::shared_ptr<Graph> graphOf(Call &This, void *Handle) {
  return runtime().Objects.find<Graph>(Handle, HandleKind::Graph, This.Name,
                                       This.Site, RtParam);
}

std::shared_ptr<Graph> addGraph(void **Handle) {
  auto G = std::make_shared<Graph>();
  G->Id = runtime().Objects.reserve();
  *Handle = runtime().Objects.add(G->Id, HandleKind::Graph, G);
  return G;
}

} // namespace

//===----------------------------------------------------------------------===//
// Capture
//===----------------------------------------------------------------------===//

/// Handle is that of the graph; null makes one.
static int beginCapture(Call &This, void *StreamHandle, int Mode,
                        void *Handle) {
  auto S = This.stream(StreamHandle);
  if (!S)
    return This.error();
  if (S->IsDefault)
    return This.fail(RtParam, "the default stream cannot be captured");
  if (Mode < 0 || Mode > static_cast<int>(CaptureMode::Relaxed))
    return This.fail(RtParam, "there is no mode " + std::to_string(Mode));
  if (!S->beginCapture())
    return This.fail(RtParam, "the stream is captured already");
  if (!Handle)
    addGraph(&Handle)->Building = true;
  S->CaptureTo = Handle;
  S->CaptureMode = Mode;
  countCapture(static_cast<CaptureMode>(Mode), +1);
  return Success;
}

int aclmdlRICaptureBegin(void *StreamHandle, int Mode) {
  BELAY_BEGIN(CurrentContext);
  return beginCapture(This, StreamHandle, Mode, nullptr);
}

int aclmdlRICaptureToModelRIBegin(void *StreamHandle, void *Handle, int Mode) {
  BELAY_BEGIN(CurrentContext);
  auto G = graphOf(This, Handle);
  if (!G)
    return RtParam;
  {
    std::lock_guard<std::mutex> Lock(G->Mutex);
    if (!G->IsBody || !G->Lanes.empty())
      return This.fail(RtParam, "only the branch of a condition that has no "
                                "tasks yet can be captured to");
  }
  return beginCapture(This, StreamHandle, Mode, Handle);
}

int aclmdlRICaptureEnd(void *StreamHandle, void **Handle) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Handle);
  auto S = This.stream(StreamHandle);
  if (!S)
    return This.error();
  if (!S->CaptureTo)
    return This.fail(RtParam, "the stream is not captured");
  if (S->GroupStart != Stream::NoGroup)
    return This.fail(RtParam, "a group of tasks has not ended "
                              "(aclmdlRICaptureTaskGrpEnd)");
  std::vector<Stream::Kept> Tasks;
  S->endCapture(Tasks);
  countCapture(static_cast<CaptureMode>(S->CaptureMode), -1);
  *Handle = std::exchange(S->CaptureTo, nullptr);
  auto G = graphOf(This, *Handle);
  if (!G)
    return RtParam;
  std::lock_guard<std::mutex> Lock(G->Mutex);
  G->Building = false;
  G->Lanes.push_back({nullptr, S->Id, true, std::move(Tasks)});
  return Success;
}

int aclmdlRICaptureGetInfo(void *StreamHandle, int *Status, void **Handle) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Status);
  auto S = This.stream(StreamHandle);
  if (!S)
    return This.error();
  *Status = S->isCapturing() ? 1 : 0; // active, none
  if (Handle)
    *Handle = S->CaptureTo;
  return Success;
}

int aclmdlRICaptureThreadExchangeMode(int *Mode) {
  BELAY_BEGIN(Initialised);
  BELAY_NOT_NULL(Mode);
  if (*Mode < 0 || *Mode > static_cast<int>(CaptureMode::Relaxed))
    return This.fail(RtParam, "there is no mode " + std::to_string(*Mode));
  CaptureMode Before = threadCaptureMode();
  threadCaptureMode() = static_cast<CaptureMode>(*Mode);
  *Mode = static_cast<int>(Before);
  return Success;
}

//===----------------------------------------------------------------------===//
// Tasks that can be replaced
//===----------------------------------------------------------------------===//

int aclmdlRICaptureTaskGrpBegin(void *StreamHandle) {
  BELAY_BEGIN(CurrentContext);
  auto S = This.stream(StreamHandle);
  if (!S)
    return This.error();
  if (!S->CaptureTo || S->GroupStart != Stream::NoGroup)
    return This.fail(RtParam, S->CaptureTo ? "a group has begun already"
                                           : "the stream is not captured");
  S->GroupStart = S->numCaptured();
  return Success;
}

int aclmdlRICaptureTaskGrpEnd(void *StreamHandle, void **Handle) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Handle);
  auto S = This.stream(StreamHandle);
  if (!S)
    return This.error();
  if (S->GroupStart == Stream::NoGroup)
    return This.fail(RtParam, "no group has begun in this stream");
  auto G = graphOf(This, S->CaptureTo);
  if (!G)
    return RtParam;
  auto Group = std::make_shared<TaskGroup>();
  Group->Of = G;
  Group->First = std::exchange(S->GroupStart, Stream::NoGroup);
  Group->Count = S->numCaptured() - Group->First;
  *Handle = runtime().Objects.add(runtime().Objects.reserve(),
                                  HandleKind::TaskGroup, Group);
  return Success;
}

static std::shared_ptr<TaskGroup> groupOf(Call &This, void *Handle) {
  return runtime().Objects.find<TaskGroup>(Handle, HandleKind::TaskGroup,
                                           This.Name, This.Site, RtParam);
}

int aclmdlRICaptureTaskUpdateBegin(void *StreamHandle, void *Handle) {
  BELAY_BEGIN(CurrentContext);
  auto S = This.stream(StreamHandle);
  if (!S)
    return This.error();
  auto Group = groupOf(This, Handle);
  if (!Group)
    return RtParam;
  if (!Group->Of.lock())
    return This.fail(RtParam, "the graph of these tasks was destroyed");
  if (!S->beginCapture())
    return This.fail(RtParam, "the stream is captured");
  S->Replaces = Handle;
  return Success;
}

/// Whether one list of tasks may stand for the other.
static bool haveSameKinds(const std::vector<Stream::Kept> &New,
                          const Stream::Kept *Old, size_t Count) {
  return New.size() == Count &&
         std::equal(New.begin(), New.end(), Old,
                    [](const Stream::Kept &A, const Stream::Kept &B) {
                      return std::strcmp(A.Kind, B.Kind) == 0;
                    });
}

int aclmdlRICaptureTaskUpdateEnd(void *StreamHandle) {
  BELAY_BEGIN(CurrentContext);
  auto S = This.stream(StreamHandle);
  if (!S)
    return This.error();
  if (!S->Replaces)
    return This.fail(RtParam, "no tasks are being replaced in this stream");
  std::vector<Stream::Kept> Tasks;
  S->endCapture(Tasks);
  auto Group = groupOf(This, std::exchange(S->Replaces, nullptr));
  auto G = Group ? Group->Of.lock() : nullptr;
  if (!G)
    return This.fail(RtParam, "the graph of these tasks was destroyed");
  std::lock_guard<std::mutex> Lock(G->Mutex);
  if (G->Lanes.empty() ||
      !haveSameKinds(Tasks, G->Lanes[0].Tasks.data() + Group->First,
                     Group->Count))
    return This.fail(RtParam, "the tasks are not of the number and the kinds "
                              "of those that they replace");
  // After what the stream was told before.
  S->submit(
      [G, Group, Tasks] {
        std::lock_guard<std::mutex> Locked(G->Mutex);
        std::copy(Tasks.begin(), Tasks.end(),
                  G->Lanes[0].Tasks.begin() +
                      static_cast<ptrdiff_t>(Group->First));
        return Outcome();
      },
      "UPDATE");
  return Success;
}

//===----------------------------------------------------------------------===//
// Building of several streams
//===----------------------------------------------------------------------===//

int aclmdlRIBuildBegin(void **Handle, uint32_t) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Handle);
  addGraph(Handle)->Building = true;
  return Success;
}

int aclmdlRIBindStream(void *Handle, void *StreamHandle, uint32_t Flag) {
  BELAY_BEGIN(CurrentContext);
  auto G = graphOf(This, Handle);
  if (!G)
    return RtParam;
  if (!StreamHandle)
    return This.fail(RtParam, "the default stream cannot be bound");
  auto S = This.stream(StreamHandle);
  if (!S)
    return This.error();
  constexpr uint32_t Head = 0, WhenActivated = 0x7fffffff;
  if (Flag != Head && Flag != WhenActivated)
    return This.fail(RtParam, "there is no flag " + std::to_string(Flag));
  std::lock_guard<std::mutex> Lock(G->Mutex);
  if (!G->Building)
    return This.fail(RtParam, "the graph is complete");
  if (!S->beginCapture())
    return This.fail(RtParam, "the stream is captured, or bound already");
  S->BoundTo = G->Id;
  G->Lanes.push_back({S, S->Id, Flag == Head, {}});
  return Success;
}

/// The lane of a stream; null and an error told if it is not bound. The graph
/// is locked.
static Graph::Lane *laneOf(Call &This, Graph &G, void *StreamHandle) {
  auto S = This.stream(StreamHandle);
  if (!S)
    return nullptr;
  for (Graph::Lane &L : G.Lanes)
    if (L.Bound == S)
      return &L;
  This.fail(RtParam, "the stream is not bound to this graph");
  return nullptr;
}

int aclmdlRIEndTask(void *Handle, void *StreamHandle) {
  BELAY_BEGIN(CurrentContext);
  auto G = graphOf(This, Handle);
  if (!G)
    return RtParam;
  std::lock_guard<std::mutex> Lock(G->Mutex);
  Graph::Lane *L = laneOf(This, *G, StreamHandle);
  if (!L)
    return This.error();
  Stream::Kept End;
  End.Kind = "END";
  End.Where = std::make_shared<const Branch>(Branch{Branch::Kind::End});
  L->Bound->keep(std::move(End));
  return Success;
}

int aclmdlRIBuildEnd(void *Handle, void *) {
  BELAY_BEGIN(CurrentContext);
  auto G = graphOf(This, Handle);
  if (!G)
    return RtParam;
  std::lock_guard<std::mutex> Lock(G->Mutex);
  if (!G->Building)
    return This.fail(RtParam, "the graph is complete already");
  G->Building = false;
  for (Graph::Lane &L : G->Lanes)
    L.Bound->endCapture(L.Tasks);
  return Success;
}

int aclmdlRIUnbindStream(void *Handle, void *StreamHandle) {
  BELAY_BEGIN(CurrentContext);
  auto G = graphOf(This, Handle);
  if (!G)
    return RtParam;
  std::lock_guard<std::mutex> Lock(G->Mutex);
  Graph::Lane *L = laneOf(This, *G, StreamHandle);
  if (!L)
    return This.error();
  if (G->Building)
    L->Bound->endCapture(L->Tasks);
  L->Bound->BoundTo = 0;
  G->Lanes.erase(G->Lanes.begin() + (L - G->Lanes.data()));
  return Success;
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

static int execute(Call &This, void *Handle, Stream &S) {
  auto G = graphOf(This, Handle);
  if (!G)
    return RtParam;
  std::lock_guard<std::mutex> Lock(G->Mutex);
  if (G->IsBody)
    return This.fail(RtParam, "the branch of a condition runs with its graph");
  if (G->Building)
    return This.fail(RtParam, "the graph is not complete; call "
                              "aclmdlRIBuildEnd first");
  S.submit([G, Stop = S.StopOnFailure] { return G->run(Stop); }, "GRAPH");
  return Success;
}

int aclmdlRIExecuteAsync(void *Handle, void *StreamHandle) {
  BELAY_BEGIN(CurrentContext);
  auto S = This.stream(StreamHandle);
  return S ? execute(This, Handle, *S) : This.error();
}

int aclmdlRIExecute(void *Handle, int32_t Timeout) {
  BELAY_BEGIN(CurrentContext);
  Stream &S = *This.context().DefaultStream;
  if (int E = execute(This, Handle, S))
    return E;
  return synchronize(S, Timeout < 0 ? Forever
                                    : std::chrono::milliseconds(Timeout));
}

/// Graphs of conditions, and the handles of these, end with the graph.
static void end(Call &This, Graph &G, void *Handle) {
  std::lock_guard<std::mutex> Lock(G.Mutex);
  for (const auto &[Word, Of] : G.Conditions)
    runtime().Objects.remove(Of, This.Name, This.Site);
  for (const Graph::Lane &L : G.Lanes)
    for (const Stream::Kept &K : L.Tasks)
      if (K.Where)
        for (const std::shared_ptr<Graph> &Body : K.Where->Bodies)
          end(This, *Body, Handles::toHandle(Body->Id));
  runtime().Objects.remove(Handle, This.Name, This.Site);
}

int aclmdlRIDestroy(void *Handle) {
  BELAY_BEGIN(Initialised);
  auto G = graphOf(This, Handle);
  if (!G)
    return RtParam;
  if (G->IsBody)
    return This.fail(RtParam, "the branch of a condition ends with its graph");
  end(This, *G, Handle);
  return Success;
}

/// In the format of chrome://tracing: one row for each stream, the tasks in
/// order.
int aclmdlRIDebugJsonPrint(void *Handle, const char *Path, uint32_t) {
  BELAY_BEGIN(Initialised);
  BELAY_NOT_NULL(Path);
  auto G = graphOf(This, Handle);
  if (!G)
    return RtParam;
  std::ofstream File(Path);
  std::lock_guard<std::mutex> Lock(G->Mutex);
  File << "[";
  const char *Separator = "\n";
  for (const Graph::Lane &L : G->Lanes)
    for (size_t N = 0; N < L.Tasks.size(); ++N) {
      File << Separator << R"(  {"name": ")" << L.Tasks[N].Kind
           << R"(", "ph": "X", "ts": )" << N << R"(, "dur": 1, "pid": "graph )"
           << G->Id << R"(", "tid": "stream )" << L.StreamId
           << R"(", "args": {"task": )" << N << "}}";
      Separator = ",\n";
    }
  File << "\n]\n";
  return File.flush() ? Success
                      : This.fail(InvalidFile, std::string("'") + Path +
                                                   "' cannot be written");
}
