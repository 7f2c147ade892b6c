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

#include <fstream>

using namespace belay::device;

namespace {

/// What an aclmdlRI refers to.
struct Graph {
  uint64_t Id = 0;
  /// What one stream was given.
  struct Lane {
    std::shared_ptr<Stream> Bound; // null: captured
    uint64_t StreamId = 0;
    std::vector<Stream::Kept> Tasks;
  };
  std::mutex Mutex;
  std::vector<Lane> Lanes;
  bool Building = false;
};

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

int aclmdlRICaptureBegin(void *StreamHandle, int Mode) {
  BELAY_BEGIN(CurrentContext);
  auto S = This.stream(StreamHandle);
  if (!S)
    return This.error();
  if (S->IsDefault)
    return This.fail(RtParam, "the default stream cannot be captured");
  if (Mode < 0 || Mode > static_cast<int>(CaptureMode::Relaxed))
    return This.fail(RtParam, "there is no mode " + std::to_string(Mode));
  if (!S->beginCapture())
    return This.fail(RtParam, "the stream is captured already");
  S->CaptureMode = Mode;
  countCapture(static_cast<CaptureMode>(Mode), +1);
  return Success;
}

int aclmdlRICaptureEnd(void *StreamHandle, void **Handle) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Handle);
  auto S = This.stream(StreamHandle);
  if (!S)
    return This.error();
  std::vector<Stream::Kept> Tasks;
  if (!S->endCapture(Tasks))
    return This.fail(RtParam, "the stream is not captured");
  countCapture(static_cast<CaptureMode>(S->CaptureMode), -1);
  auto G = addGraph(Handle);
  G->Lanes.push_back({nullptr, S->Id, std::move(Tasks)});
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
    *Handle = nullptr; // it gets one at the end
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
  constexpr uint32_t Head = 0;
  if (Flag != Head)
    return This.fail(RtFeatureNotSupported,
                     "the simulated device runs all streams of a graph from "
                     "its start on");
  std::lock_guard<std::mutex> Lock(G->Mutex);
  if (!G->Building)
    return This.fail(RtParam, "the graph is complete");
  if (!S->beginCapture())
    return This.fail(RtParam, "the stream is captured, or bound already");
  G->Lanes.push_back({S, S->Id, {}});
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
  L->Bound->submit([] { return Outcome(); }, "END");
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
  G->Lanes.erase(G->Lanes.begin() + (L - G->Lanes.data()));
  return Success;
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

/// Events that the graph records have not happened in this run.
static void restartEvents(const Graph &G, Stream &S) {
  std::vector<std::shared_ptr<Recording>> Events;
  for (const Graph::Lane &L : G.Lanes)
    for (const Stream::Kept &K : L.Tasks)
      if (K.Records)
        Events.push_back(K.Records);
  if (!Events.empty())
    S.submit([Events] {
      for (const std::shared_ptr<Recording> &Each : Events)
        Each->restart();
      return Outcome();
    });
}

static int execute(Call &This, void *Handle, Stream &S) {
  auto G = graphOf(This, Handle);
  if (!G)
    return RtParam;
  std::lock_guard<std::mutex> Lock(G->Mutex);
  if (G->Building)
    return This.fail(RtParam, "the graph is not complete; call "
                              "aclmdlRIBuildEnd first");
  restartEvents(*G, S);
  auto Start = std::make_shared<Recording>();
  S.record(Start);
  std::vector<std::shared_ptr<Recording>> Ends;
  for (const Graph::Lane &L : G->Lanes) {
    Stream &In = L.Bound ? *L.Bound : S;
    if (L.Bound)
      In.waitFor(Start);
    for (const Stream::Kept &K : L.Tasks)
      In.submit(K.Run, K.Kind);
    if (L.Bound) {
      Ends.push_back(std::make_shared<Recording>());
      In.record(Ends.back());
    }
  }
  for (const std::shared_ptr<Recording> &End : Ends)
    S.waitFor(End);
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

int aclmdlRIDestroy(void *Handle) {
  BELAY_BEGIN(Initialised);
  if (!graphOf(This, Handle))
    return RtParam;
  runtime().Objects.remove(Handle, This.Name, This.Site);
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
