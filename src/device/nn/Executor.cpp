//===- Executor.cpp - Operators between their two phases ------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/nn/Executor.h"

#include "device/core/Dump.h"

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

/// One operator in a stream.
struct Job {
  std::string Operator; // "aclnnAdd"
  std::vector<Operand> Operands;
  Body Compute;
  Attributes Params;
  uint64_t Stream;
  bool Saturate, WatchOverflow;
  uint32_t Group; // of the stream, for overflow
  DumpOrder Dumped;
};

/// Without what all of them begin with: "Add".
std::string typeOf(const std::string &Operator) {
  return Operator.rfind("aclnn", 0) == 0 ? Operator.substr(5) : Operator;
}

/// Whether a float overflowed.
bool settleFloats(const Job &J, const std::vector<View> &Views) {
  bool Any = false;
  if (J.Saturate || J.WatchOverflow || J.Dumped.AfterOverflow)
    for (size_t N = 0; N < Views.size(); ++N)
      if (J.Operands[N].Writes)
        Any |= findOverflow(Views[N], J.Saturate);
  return Any;
}

void dumpTensors(const Job &J, const std::vector<View> &Views, bool Outputs,
                 Dump &To) {
  for (size_t N = 0; N < Views.size(); ++N) {
    const Operand &O = J.Operands[N];
    if (O.Writes != Outputs || !O.Handle)
      continue; // the workspace holds nothing
    const Shape &Storage = O.What->Storage;
    To.Tensors.push_back(
        {Outputs ? DumpRole::Output : DumpRole::Input,
         O.What->Of.Type,
         O.What->Format,
         {O.What->Of.Extents.begin(), O.What->Of.Extents.end()},
         {Storage.begin(), Storage.end()},
         reinterpret_cast<uint64_t>(O.What->Data),
         gather(Views[N])});
  }
}

/// Runs in the stream.
Outcome compute(Device &D, const Job &J) {
  std::vector<uint64_t> Written;
  Dump Dumped = {J.Operator, {}, J.Params};
  bool Overflowed;
  {
    AllocationTable &Table = D.Memory.Table;
    std::shared_lock<std::shared_mutex> Held(Table.Mutex);
    std::vector<View> Views;
    for (const Operand &O : J.Operands) {
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
    if (J.Dumped.Inputs) // they may be written over
      dumpTensors(J, Views, /*Outputs=*/false, Dumped);
    J.Compute(Views);
    Overflowed = settleFloats(J, Views);
    if (J.Dumped.Outputs)
      dumpTensors(J, Views, /*Outputs=*/true, Dumped);
  }
  D.Memory.markWritten(Written);
  if (Overflowed && J.WatchOverflow)
    D.noteOverflow(J.Group);
  if (J.Dumped.Always || (J.Dumped.AfterOverflow && Overflowed))
    if (std::string Problem =
            dumps().emit(Dumped, typeOf(J.Operator), D.Id, J.Stream);
        !Problem.empty())
      return {RtInternal, J.Operator + " was not dumped: " + Problem};
  return {};
}

std::string quoted(const std::string &Text) { return "\"" + Text + "\""; }

std::string listOf(const Shape &Extents) {
  std::string Text;
  for (int64_t Each : Extents)
    Text += (Text.empty() ? "" : ", ") + std::to_string(Each);
  return "[" + Text + "]";
}

/// The file of aclopStartDumpArgs: one for each operator and its shapes.
int describe(Call &This, const std::vector<Operand> &Operands,
             const Attributes &Params) {
  std::string Folder = dumps().descriptionFolder();
  if (Folder.empty())
    return Success;
  std::string Type = typeOf(This.Name), Tensors, Attrs;
  for (const Operand &O : Operands) {
    if (!O.Handle)
      continue;
    const Tensor &T = *O.What;
    Tensors += std::string(Tensors.empty() ? "" : ",") +
               "\n    {\"name\": " + quoted(O.Name) +
               ", \"role\": " + quoted(O.Writes ? "output" : "input") +
               ", \"type\": " + quoted(nameOfType(T.Of.Type)) +
               ", \"format\": " + std::to_string(T.Format) +
               ", \"shape\": " + listOf(T.Of.Extents) +
               ", \"storage_shape\": " + listOf(T.Storage) + "}";
  }
  for (const auto &[Name, Value] : Params)
    Attrs += std::string(Attrs.empty() ? "" : ", ") + quoted(Name) + ": " +
             quoted(Value);
  std::string Text = "{\n  \"op_type\": " + quoted(Type) +
                     ",\n  \"attributes\": {" + Attrs + "},\n  \"tensors\": [" +
                     Tensors + "\n  ]\n}\n";
  // The same operator with the same shapes is the same file.
  std::string Path = Folder + "/" + Type + "_" +
                     std::to_string(std::hash<std::string>()(Text)) + ".json";
  std::string Problem = writeDumpFile(Path, Text);
  return Problem.empty() ? Success : This.fail(InnerError, Problem);
}

} // namespace

int enqueue(Call &This, void *StreamHandle,
            const std::vector<Operand> &Operands, const Body &Compute,
            const Attributes &Params) {
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
  if (int E = describe(This, Kept, Params))
    return E;
  Device &D = This.device();
  Job J = {This.Name,
           Kept,
           Compute,
           Params,
           S->Id,
           S->SaturatesFloats,
           S->OverflowSwitch != 0,
           S->UserTag,
           dumps().orderForOperators()};
  uint64_t Sequence =
      S->submit([&D, J = std::move(J)] { return compute(D, J); }, "KERNEL");
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
  else
    Result->Params.push_back({Name, isReal(S->Type)
                                        ? std::to_string(S->Real)
                                        : std::to_string(S->Integer)});
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
  else
    Result->Params.push_back({Name, listOf(A->Integers)});
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
  if (int Error = enqueue(This, StreamHandle, Operands, E->Compute, E->Params))
    return Error;
  if (!E->Repeatable)
    runtime().Objects.remove(Handle, Function, Site);
  return Success;
}

} // namespace belay::device::nn
