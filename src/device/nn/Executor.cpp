//===- Executor.cpp - Operators between their two phases ------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/nn/Executor.h"

#include <algorithm>

namespace belay::device::nn {

namespace {

/// Bytes that an operand reaches.
struct Reach {
  uint64_t Address = 0, Bytes = 0;
};

Reach reachOf(const Tensor &T) {
  if (countOf(T.Of.Extents) == 0)
    return {};
  auto Bytes = static_cast<int64_t>(sizeOf(T.Of.Type));
  int64_t Low = T.Of.lowest(), High = T.Of.highest();
  return {reinterpret_cast<uint64_t>(T.Data) +
              static_cast<uint64_t>(Low * Bytes),
          static_cast<uint64_t>((High - Low + 1) * Bytes)};
}

/// Says what is wrong with the memory of an operand.
int checkMemory(Call &This, const Operand &O) {
  Reach R = reachOf(*O.What);
  if (R.Bytes == 0)
    return Success;
  std::string Which = std::string("tensor '") + O.Name + "': ";
  Where Place = runtime().locate(reinterpret_cast<void *>(R.Address));
  if (!Place.On)
    return This.mistake(InvalidParameter, DiagId::DeviceBadLaunch,
                        Which +
                            "this is host memory, which operators cannot touch",
                        "copy the data to memory of aclrtMalloc");
  if (Place.On->Id != This.context().Device)
    return This.mistake(InvalidParameter, DiagId::DeviceBadLaunch,
                        Which + "this is memory of device " +
                            std::to_string(Place.On->Id) +
                            ", but the operator runs on device " +
                            std::to_string(This.context().Device));
  AllocationTable &Table = Place.On->Memory.Table;
  std::shared_lock<std::shared_mutex> Lock(Table.Mutex);
  if (Table.find(R.Address, R.Bytes) != Table.Live.end())
    return Success;
  std::string What = Table.describe(R.Address);
  auto Gone = Table.Dead.find(R.Address);
  const void *Site = Gone == Table.Dead.end() ? nullptr : Gone->second.Site;
  Lock.unlock();
  return This.mistake(InvalidParameter, DiagId::DeviceBadLaunch,
                      Which + "its extents and strides reach " +
                          std::to_string(R.Bytes) + " bytes from " + What,
                      "make the memory as large as the tensor says",
                      Site ? "freed" : "", Site);
}

void remember(Call &This, const Stream &S, uint64_t Sequence,
              const std::vector<Operand> &Operands) {
  AllocationTable &Table = This.device().Memory.Table;
  std::unique_lock<std::shared_mutex> Lock(Table.Mutex);
  for (const Operand &O : Operands)
    if (auto It = Table.find(reachOf(*O.What).Address); It != Table.Live.end())
      It->second.Uses[S.Id] = {Sequence, "the operator", This.Site};
}

/// Runs in the stream.
Outcome compute(Device &D, const std::vector<Operand> &Operands,
                const Body &Compute) {
  std::vector<uint64_t> Written;
  {
    AllocationTable &Table = D.Memory.Table;
    std::shared_lock<std::shared_mutex> Held(Table.Mutex);
    std::vector<View> Views;
    for (const Operand &O : Operands) {
      Reach R = reachOf(*O.What);
      if (R.Bytes && Table.find(R.Address, R.Bytes) == Table.Live.end())
        return {RtAicoreException, std::string("tensor '") + O.Name +
                                       "' touched memory that is gone: " +
                                       Table.describe(R.Address)};
      Views.push_back({O.What->Of, D.Memory.bytes(reinterpret_cast<uint64_t>(
                                       O.What->Data))});
      if (O.Writes)
        Written.push_back(R.Address);
    }
    Compute(Views);
  }
  D.Memory.markWritten(Written);
  return {};
}

} // namespace

int enqueue(Call &This, void *StreamHandle,
            const std::vector<Operand> &Operands, const Body &Compute) {
  auto S = This.stream(StreamHandle);
  if (!S)
    return This.error();
  // As they are now: the program may change or destroy its tensors.
  std::vector<Operand> Kept = Operands;
  for (Operand &O : Kept) {
    if (int E = checkMemory(This, O))
      return E;
    O.What = std::make_shared<Tensor>(*O.What);
  }
  Device &D = This.device();
  uint64_t Sequence = S->submit(
      [&D, Kept, Compute] { return compute(D, Kept, Compute); }, "KERNEL");
  remember(This, *S, Sequence, Kept);
  return Success;
}

//===----------------------------------------------------------------------===//
// The first phase
//===----------------------------------------------------------------------===//

Preparation::Preparation(const char *Function, const void *Site,
                         uint64_t *WorkspaceBytes, aclOpExecutor **Made)
    : This(Function, Site, Call::Initialised), Bytes(WorkspaceBytes),
      Made(Made), Result(std::make_shared<Executor>()) {
  Error = This.error();
  constexpr size_t Suffix = sizeof("GetWorkspaceSize") - 1;
  Result->Operator = Function;
  Result->Operator.resize(Result->Operator.size() - Suffix);
  Result->Site = Site;
  if (good() && (!WorkspaceBytes || !Made))
    refuse("workspaceSize or executor is null", NullPointer);
}

int Preparation::refuse(const std::string &Why, int Code) {
  if (good())
    Error = This.fail(Code, Why);
  return Error;
}

const Layout *Preparation::operand(const char *Name, const aclTensor *Handle,
                                   bool Writes) {
  if (!good())
    return nullptr;
  if (!Handle) {
    refuse(std::string("tensor '") + Name + "' is null", NullPointer);
    return nullptr;
  }
  auto T = runtime().Objects.find<Tensor>(Handle, HandleKind::Tensor, This.Name,
                                          This.Site, InvalidParameter);
  if (!T) {
    Error = InvalidParameter;
    return nullptr;
  }
  if (!isKnown(T->Of.Type)) {
    refuse(std::string("tensor '") + Name + "' has type " +
           std::to_string(T->Of.Type) +
           ", with which the simulated operators do not compute");
    return nullptr;
  }
  Result->Operands.push_back({Name, T, Handle, Writes});
  return &T->Of;
}

std::shared_ptr<Scalar> Preparation::scalar(const char *Name,
                                            const aclScalar *Handle) {
  if (!good())
    return nullptr;
  if (!Handle) {
    refuse(std::string("scalar '") + Name + "' is null", NullPointer);
    return nullptr;
  }
  auto S = runtime().Objects.find<Scalar>(Handle, HandleKind::Scalar, This.Name,
                                          This.Site, InvalidParameter);
  if (!S)
    Error = InvalidParameter;
  return S;
}

std::shared_ptr<Array> Preparation::integers(const char *Name,
                                             const aclIntArray *Handle) {
  if (!good())
    return nullptr;
  if (!Handle) {
    refuse(std::string("array '") + Name + "' is null", NullPointer);
    return nullptr;
  }
  auto A = runtime().Objects.find<Array>(Handle, HandleKind::Array, This.Name,
                                         This.Site, InvalidParameter);
  if (!A)
    Error = InvalidParameter;
  return A;
}

bool Preparation::wants(const Layout *Out, const Shape &Extents) {
  if (good() && Out->Extents != Extents)
    refuse("the output is " + toString(Out->Extents) + ", but the result is " +
           toString(Extents));
  return good();
}

int Preparation::finish(uint64_t WorkspaceBytes, Body Compute) {
  if (!good())
    return Error;
  Result->WorkspaceBytes = *Bytes = WorkspaceBytes;
  Result->Compute = std::move(Compute);
  *Made = static_cast<aclOpExecutor *>(runtime().Objects.add(
      runtime().Objects.reserve(), HandleKind::Executor, Result));
  return Success;
}

bool resolveDimension(int64_t &Dimension, size_t Rank) {
  auto Count = static_cast<int64_t>(std::max<size_t>(Rank, 1));
  if (Dimension < -Count || Dimension >= Count)
    return false;
  Dimension += Dimension < 0 ? Count : 0;
  return true;
}

//===----------------------------------------------------------------------===//
// The second phase
//===----------------------------------------------------------------------===//

/// Tensors that the first phase was given have to be there still.
static int checkTensors(Call &This, const Executor &E) {
  for (const Operand &O : E.Operands)
    if (!runtime().Objects.peek(O.Handle, HandleKind::Tensor))
      return This.mistake(
          InvalidParameter, DiagId::DeviceUseAfterDestroy,
          std::string("tensor '") + O.Name +
              "' was destroyed after the executor was made of it",
          "destroy tensors when the operator has been enqueued",
          "the executor was made", E.Site);
  return Success;
}

static int checkWorkspace(Call &This, const Executor &E, void *Workspace,
                          uint64_t Bytes) {
  if (E.WorkspaceBytes == 0 || (Workspace && Bytes >= E.WorkspaceBytes))
    return Success;
  return This.mistake(
      InvalidParameter, DiagId::DeviceBadLaunch,
      "the operator needs a workspace of " + std::to_string(E.WorkspaceBytes) +
          " bytes; got " + std::to_string(Workspace ? Bytes : 0),
      "allocate what the first phase asked for", "it was asked for", E.Site);
}

int run(const char *Function, const void *Site, void *Workspace,
        uint64_t WorkspaceBytes, aclOpExecutor *Handle, void *StreamHandle) {
  Call This(Function, Site, Call::CurrentContext);
  if (!This)
    return This.error();
  auto E = runtime().Objects.find<Executor>(Handle, HandleKind::Executor,
                                            Function, Site, InvalidParameter);
  if (!E)
    return InvalidParameter;
  if (E->Operator != Function)
    return This.mistake(InvalidParameter, DiagId::DeviceBadHandle,
                        "this is an executor of " + E->Operator,
                        "call the second phase of the same operator",
                        "it was made", E->Site);
  if (int Error = checkTensors(This, *E))
    return Error;
  if (int Error = checkWorkspace(This, *E, Workspace, WorkspaceBytes))
    return Error;
  std::vector<Operand> Operands = E->Operands;
  if (E->WorkspaceBytes) {
    auto Space = std::make_shared<Tensor>();
    Space->Of = {U8, {static_cast<int64_t>(E->WorkspaceBytes)}, {1}, 0};
    Space->Data = Workspace;
    Operands.push_back({"workspace", Space, nullptr, /*Writes=*/true});
  }
  if (int Error = enqueue(This, StreamHandle, Operands, E->Compute))
    return Error;
  if (!E->Repeatable)
    runtime().Objects.remove(Handle, Function, Site);
  return Success;
}

} // namespace belay::device::nn
