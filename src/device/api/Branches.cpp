//===- Branches.cpp - Tasks of graphs that decide what comes next ---------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Labels and jumps to them, streams that are activated or gone on with, and
// conditions whose branches are graphs.
//
//===----------------------------------------------------------------------===//

#include "device/api/Api.h"
#include "device/core/Graph.h"

#include <cstring>

using namespace belay::device;

namespace {

constexpr size_t MostLabels = 65535;

struct LabelList {
  std::vector<uint64_t> Labels;
};

/// The stream, if it is bound to a graph that is being built.
std::shared_ptr<Stream> boundStream(Call &This, void *Handle) {
  auto S = Handle ? This.stream(Handle) : nullptr;
  if (S && S->BoundTo)
    return S;
  if (This)
    This.fail(RtParam, "the stream is not bound to a graph "
                       "(aclmdlRIBindStream)");
  return nullptr;
}

int keep(Call &This, Stream &S, Branch B, const char *Kind) {
  Stream::Kept K;
  K.Kind = Kind;
  K.Where = std::make_shared<const Branch>(std::move(B));
  return S.keep(std::move(K))
             ? Success
             : This.fail(RtParam, "the stream's graph is complete");
}

/// The device whose memory the bytes are; null and an error told if they are
/// none of the stream's.
Device *deviceOf(Call &This, const Stream &S, const void *Pointer,
                 size_t Bytes) {
  Where Place = runtime().locate(Pointer);
  if (Place.On && Place.On->Id == S.Device) {
    AllocationTable &Table = Place.On->Memory.Table;
    std::shared_lock<std::shared_mutex> Lock(Table.Mutex);
    if (Table.find(reinterpret_cast<uint64_t>(Pointer), Bytes) !=
        Table.Live.end())
      return Place.On;
  }
  This.mistake(RtParam, DiagId::DeviceBadCopy,
               "this is not the address of " + std::to_string(Bytes) +
                   " bytes in device memory");
  return nullptr;
}

/// A number in device memory, when the stream has come to it.
template <typename T>
Outcome readNumber(Device &D, const void *Pointer, T &Value) {
  auto Address = reinterpret_cast<uint64_t>(Pointer);
  std::shared_lock<std::shared_mutex> Lock(D.Memory.Table.Mutex);
  if (D.Memory.Table.find(Address, sizeof(T)) == D.Memory.Table.Live.end())
    return {RtParam, "memory that a graph reads was freed"};
  std::memcpy(&Value, D.Memory.bytes(Address), sizeof(T));
  return {};
}

} // namespace

//===----------------------------------------------------------------------===//
// Labels
//===----------------------------------------------------------------------===//

int aclrtCreateLabel(void **Handle) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Handle);
  if (runtime().Objects.all(HandleKind::Label).size() >= MostLabels)
    return This.fail(RtParam, "a process has at most 65535 labels");
  uint64_t Id = runtime().Objects.reserve();
  *Handle = runtime().Objects.add(Id, HandleKind::Label,
                                  std::make_shared<uint64_t>(Id));
  return Success;
}

static std::shared_ptr<uint64_t> labelOf(Call &This, void *Handle) {
  return runtime().Objects.find<uint64_t>(Handle, HandleKind::Label, This.Name,
                                          This.Site, RtParam);
}

int aclrtDestroyLabel(void *Handle) {
  BELAY_BEGIN(CurrentContext);
  if (!labelOf(This, Handle))
    return RtParam;
  runtime().Objects.remove(Handle, This.Name, This.Site);
  return Success;
}

int aclrtSetLabel(void *Handle, void *StreamHandle) {
  BELAY_BEGIN(CurrentContext);
  auto Label = labelOf(This, Handle);
  if (!Label)
    return RtParam;
  auto S = boundStream(This, StreamHandle);
  if (!S)
    return This.error();
  return keep(This, *S, {Branch::Kind::Label, *Label}, "LABEL_SET");
}

int aclrtCreateLabelList(void **Labels, size_t Count, void **Handle) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Labels);
  BELAY_NOT_NULL(Handle);
  if (Count == 0 || Count > MostLabels)
    return This.fail(RtParam, "a list has 1 to 65535 labels");
  auto List = std::make_shared<LabelList>();
  for (size_t N = 0; N < Count; ++N) {
    auto Label = labelOf(This, Labels[N]);
    if (!Label)
      return RtParam;
    List->Labels.push_back(*Label);
  }
  *Handle = runtime().Objects.add(runtime().Objects.reserve(),
                                  HandleKind::LabelList, List);
  return Success;
}

static std::shared_ptr<LabelList> listOf(Call &This, void *Handle) {
  return runtime().Objects.find<LabelList>(Handle, HandleKind::LabelList,
                                           This.Name, This.Site, RtParam);
}

int aclrtDestroyLabelList(void *Handle) {
  BELAY_BEGIN(CurrentContext);
  if (!listOf(This, Handle))
    return RtParam;
  runtime().Objects.remove(Handle, This.Name, This.Site);
  return Success;
}

int aclrtSwitchLabelByIndex(void *Index, uint32_t Count, void *ListHandle,
                            void *StreamHandle) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Index);
  auto List = listOf(This, ListHandle);
  if (!List)
    return RtParam;
  if (Count != List->Labels.size())
    return This.fail(RtParam, "the list has " +
                                  std::to_string(List->Labels.size()) +
                                  " labels, not " + std::to_string(Count));
  auto S = boundStream(This, StreamHandle);
  if (!S)
    return This.error();
  Device *D = deviceOf(This, *S, Index, sizeof(uint32_t));
  if (!D)
    return This.error();
  Branch B = {Branch::Kind::ToLabel, 0, List->Labels};
  B.Choose = [D, Index](uint64_t &Choice) {
    uint32_t Value = 0;
    Outcome O = readNumber(*D, Index, Value);
    Choice = Value;
    return O;
  };
  return keep(This, *S, std::move(B), "LABEL_SWITCH");
}

//===----------------------------------------------------------------------===//
// Other streams of a graph
//===----------------------------------------------------------------------===//

/// Both streams of one graph; false and an error told otherwise.
static bool areTogether(Call &This, const std::shared_ptr<Stream> &A,
                        const std::shared_ptr<Stream> &B) {
  if (!A || !B)
    return false;
  if (A->BoundTo == B->BoundTo)
    return true;
  This.fail(RtParam, "the streams are bound to two graphs");
  return false;
}

int aclrtActiveStream(void *Other, void *StreamHandle) {
  BELAY_BEGIN(CurrentContext);
  auto S = boundStream(This, StreamHandle);
  auto To = S ? boundStream(This, Other) : nullptr;
  if (!areTogether(This, S, To))
    return This.error();
  return keep(This, *S, {Branch::Kind::Activate, To->Id}, "STREAM_ACTIVE");
}

/// aclrtCondition.
template <typename T> static bool compare(int Condition, T Left, T Right) {
  switch (Condition) {
  case 0:
    return Left == Right;
  case 1:
    return Left != Right;
  case 2:
    return Left > Right;
  case 3:
    return Left >= Right;
  case 4:
    return Left < Right;
  default:
    return Left <= Right;
  }
}

template <typename T>
static Outcome decide(Device &D, const void *Left, int Condition,
                      const void *Right, uint64_t &Choice) {
  T A{}, B{};
  if (Outcome O = readNumber(D, Left, A); O.Error)
    return O;
  if (Outcome O = readNumber(D, Right, B); O.Error)
    return O;
  Choice = compare(Condition, A, B);
  return {};
}

int aclrtSwitchStream(void *Left, int Condition, void *Right, int Type,
                      void *Other, void *Reserved, void *StreamHandle) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Left);
  BELAY_NOT_NULL(Right);
  if (Condition < 0 || Condition > 5 || Type < 0 || Type > 1)
    return This.fail(RtParam, "there is no such condition or type");
  if (Reserved)
    return This.fail(RtParam, "falseStream is reserved: it must be null");
  auto S = boundStream(This, StreamHandle);
  auto To = S ? boundStream(This, Other) : nullptr;
  if (!areTogether(This, S, To))
    return This.error();
  bool Wide = Type == 1;
  size_t Bytes = Wide ? sizeof(int64_t) : sizeof(int32_t);
  Device *D = deviceOf(This, *S, Left, Bytes);
  if (!D || !deviceOf(This, *S, Right, Bytes))
    return This.error();
  Branch B = {Branch::Kind::ToStream, To->Id};
  B.Choose = [=](uint64_t &Choice) {
    return Wide ? decide<int64_t>(*D, Left, Condition, Right, Choice)
                : decide<int32_t>(*D, Left, Condition, Right, Choice);
  };
  return keep(This, *S, std::move(B), "STREAM_SWITCH");
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

static std::shared_ptr<Graph> graphOf(Call &This, void *Handle) {
  return runtime().Objects.find<Graph>(Handle, HandleKind::Graph, This.Name,
                                       This.Site, RtParam);
}

static std::shared_ptr<ConditionWord> wordOf(Call &This, void *Handle) {
  return runtime().Objects.find<ConditionWord>(Handle, HandleKind::Condition,
                                               This.Name, This.Site, RtParam);
}

int aclmdlRICondHandleCreate(void *GraphHandle, uint32_t Default, int Flag,
                             void **Handle) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Handle);
  auto G = graphOf(This, GraphHandle);
  if (!G)
    return RtParam;
  constexpr int AssignDefault = 1;
  if (Flag != 0 && Flag != AssignDefault)
    return This.fail(RtParam, "there is no flag " + std::to_string(Flag));
  DeviceMemory &Memory = This.device().Memory;
  void *Word = Memory.allocate(sizeof(uint64_t), /*Extra=*/true, This.Site);
  if (!Word)
    return This.fail(RtMemoryAllocation, "no room for the condition");
  auto Address = reinterpret_cast<uint64_t>(Word);
  uint64_t Value = Default;
  std::memcpy(Memory.bytes(Address), &Value, sizeof(Value));
  Memory.markWritten({Address});
  auto Made = std::make_shared<ConditionWord>(This.context().Device, Address,
                                              Default, Flag == AssignDefault);
  *Handle = runtime().Objects.add(runtime().Objects.reserve(),
                                  HandleKind::Condition, Made);
  std::lock_guard<std::mutex> Lock(G->Mutex);
  G->Conditions.push_back({Made, *Handle});
  return Success;
}

int aclmdlRICondHandleGetCondPtr(void *Handle, uint64_t **Pointer) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Pointer);
  auto Word = wordOf(This, Handle);
  if (!Word)
    return RtParam;
  *Pointer = reinterpret_cast<uint64_t *>(Word->Address);
  return Success;
}

int aclmdlRIAddCondTask(aclmdlRICondTaskParams Params, void *StreamHandle,
                        uint32_t Flags) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Params.modelRIArray);
  if (Flags != 0)
    return This.fail(RtParam, "the flags are reserved: they must be 0");
  auto Word = wordOf(This, Params.handle);
  if (!Word)
    return RtParam;
  auto S = This.stream(StreamHandle);
  if (!S)
    return This.error();
  if (!S->isCapturing())
    return This.fail(RtParam, "the stream is not captured");
  enum { If, While, Switch };
  bool Fits = Params.type == If       ? Params.size == 1 || Params.size == 2
              : Params.type == While  ? Params.size == 1
              : Params.type == Switch ? Params.size > 0
                                      : false;
  if (!Fits)
    return This.fail(RtParam, "if has 1 or 2 branches, while has 1, switch has "
                              "1 or more");
  Branch B = {Branch::Kind::Condition};
  B.Type = Params.type;
  B.Choose = [Word](uint64_t &Choice) { return Word->read(Choice); };
  for (uint32_t N = 0; N < Params.size; ++N) {
    auto Body = std::make_shared<Graph>();
    Body->Id = runtime().Objects.reserve();
    Body->IsBody = true;
    Params.modelRIArray[N] =
        runtime().Objects.add(Body->Id, HandleKind::Graph, Body);
    B.Bodies.push_back(std::move(Body));
  }
  return keep(This, *S, std::move(B), "CONDITION");
}
