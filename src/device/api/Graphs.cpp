//===- Graphs.cpp - Tasks that are captured once and run often ------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/api/Api.h"

using namespace belay::device;

namespace {

/// Behind an aclmdlRI.
struct Graph {
  std::vector<Stream::Task> Tasks;
};

std::shared_ptr<Graph> graphOf(Call &This, void *Handle) {
  return runtime().Objects.find<Graph>(Handle, HandleKind::Graph, This.Name,
                                       This.Site, RtParam);
}

} // namespace

int aclmdlRICaptureBegin(void *StreamHandle, int) {
  BELAY_BEGIN(CurrentContext);
  auto S = This.stream(StreamHandle);
  if (!S)
    return This.error();
  if (S->IsDefault)
    return This.fail(RtParam, "the default stream cannot be captured");
  return S->beginCapture()
             ? Success
             : This.fail(RtParam, "the stream is captured already");
}

int aclmdlRICaptureEnd(void *StreamHandle, void **Handle) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Handle);
  auto S = This.stream(StreamHandle);
  if (!S)
    return This.error();
  auto G = std::make_shared<Graph>();
  if (!S->endCapture(G->Tasks))
    return This.fail(RtParam, "the stream is not captured");
  *Handle =
      runtime().Objects.add(runtime().Objects.reserve(), HandleKind::Graph, G);
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

static int execute(Call &This, void *Handle, Stream &S) {
  auto G = graphOf(This, Handle);
  if (!G)
    return RtParam;
  for (const Stream::Task &Each : G->Tasks)
    S.submit(Each);
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
