//===- Kernels.cpp - Arguments and launches -------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/api/Api.h"

#include "device/core/Dump.h"

#include <cstring>

using namespace belay;
using namespace belay::device;

//===----------------------------------------------------------------------===//
// Argument lists
//===----------------------------------------------------------------------===//

int aclrtKernelArgsInit(void *FunctionHandle, void **Handle) {
  BELAY_BEGIN(Initialised);
  BELAY_NOT_NULL(Handle);
  auto F = runtime().Objects.find<Function>(
      FunctionHandle, HandleKind::Function, This.Name, This.Site);
  if (!F)
    return RtInvalidHandle;
  auto A = std::make_shared<KernelArgs>();
  A->What = F->What;
  *Handle =
      runtime().Objects.add(runtime().Objects.reserve(), HandleKind::Args, A);
  return Success;
}

/// The list that a handle names; null and an error if there is none.
static std::shared_ptr<KernelArgs> argsOf(Call &This, void *Handle) {
  return runtime().Objects.find<KernelArgs>(Handle, HandleKind::Args, This.Name,
                                            This.Site);
}

static int append(Call &This, void *Handle, bool IsPlaceholder,
                  const void *Value, size_t Bytes, void **ParamHandle) {
  auto A = argsOf(This, Handle);
  if (!A)
    return RtInvalidHandle;
  if (A->Final)
    return This.fail(RtParam, "the list is final");
  if (A->Items.size() == sim::MaxServedArgs)
    return This.fail(RtParam, "a list has at most " +
                                  std::to_string(sim::MaxServedArgs) +
                                  " arguments");
  auto Item = std::make_unique<KernelArgs::Item>();
  Item->IsPlaceholder = IsPlaceholder;
  auto *From = static_cast<const uint8_t *>(Value);
  Item->Bytes.assign(From, From + Bytes);
  if (ParamHandle)
    *ParamHandle = Item.get();
  A->Items.push_back(std::move(Item));
  return Success;
}

int aclrtKernelArgsAppend(void *Handle, void *Value, size_t Bytes,
                          void **ParamHandle) {
  BELAY_BEGIN(Initialised);
  BELAY_NOT_NULL(Value);
  return append(This, Handle, false, Value, Bytes, ParamHandle);
}
int aclrtKernelArgsAppendPlaceHolder(void *Handle, void **ParamHandle) {
  BELAY_BEGIN(Initialised);
  return append(This, Handle, true, nullptr, 0, ParamHandle);
}

/// The item that a parameter handle of the list names.
static KernelArgs::Item *itemOf(const KernelArgs &A, void *ParamHandle) {
  for (const auto &Item : A.Items)
    if (Item.get() == ParamHandle)
      return Item.get();
  return nullptr;
}

int aclrtKernelArgsGetPlaceHolderBuffer(void *Handle, void *ParamHandle,
                                        size_t Bytes, void **Buffer) {
  BELAY_BEGIN(Initialised);
  BELAY_NOT_NULL(Buffer);
  auto A = argsOf(This, Handle);
  if (!A)
    return RtInvalidHandle;
  KernelArgs::Item *Item = itemOf(*A, ParamHandle);
  if (!Item || !Item->IsPlaceholder)
    return This.fail(RtParam, "this is no placeholder of the list");
  Item->Bytes.resize(Bytes);
  *Buffer = Item->Bytes.data();
  return Success;
}

int aclrtKernelArgsParaUpdate(void *Handle, void *ParamHandle, void *Value,
                              size_t Bytes) {
  BELAY_BEGIN(Initialised);
  BELAY_NOT_NULL(Value);
  auto A = argsOf(This, Handle);
  if (!A)
    return RtInvalidHandle;
  KernelArgs::Item *Item = itemOf(*A, ParamHandle);
  if (!Item || Item->IsPlaceholder || Item->Bytes.size() != Bytes)
    return This.fail(RtParam, "this is no argument of that size in the list");
  std::memcpy(Item->Bytes.data(), Value, Bytes);
  A->Final = false;
  return Success;
}

int aclrtKernelArgsFinalize(void *Handle) {
  BELAY_BEGIN(Initialised);
  auto A = argsOf(This, Handle);
  if (!A)
    return RtInvalidHandle;
  A->Final = true;
  return Success;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static uint32_t roundUp(uint32_t Value, uint32_t Unit) {
  return (Value + Unit - 1) / Unit * Unit;
}

/// Lays arguments out as a structure of the kernel's parameters; returns its
/// size. Arguments take at least four bytes.
static uint32_t layOut(const Kernel &K, std::vector<sim::ServedArg> &Args) {
  uint32_t At = 0;
  for (const sim::Param &P : K.Params) {
    At = roundUp(At, std::max(P.Alignment, uint32_t(4)));
    Args.push_back({At, P.Bytes});
    At += std::max(P.Bytes, uint32_t(4));
  }
  return At;
}

/// What the kernel would read as addresses.
static std::vector<uint64_t> pointersOf(const LaunchRequest &R) {
  std::vector<uint64_t> Result;
  for (size_t N = 0; N < R.Args.size(); ++N) {
    if (R.What->Params[N].Kind != sim::ParamKind::Pointer)
      continue;
    bool Placeholder = false;
    for (const sim::ServedPlaceholder &P : R.Placeholders)
      Placeholder |= P.AddressOffset == R.Args[N].Offset;
    uint64_t Address = 0;
    if (!Placeholder)
      std::memcpy(&Address, R.Blob.data() + R.Args[N].Offset, sizeof(Address));
    Result.push_back(Address);
  }
  return Result;
}

/// Tells pointers that the kernel cannot follow. Returns what is to be told of
/// host memory if the launch fails: the device does not look at a pointer that
/// the kernel does not use.
static std::vector<Mistake>
checkPointers(Call &This, const LaunchRequest &R,
              const std::vector<uint64_t> &Pointers) {
  std::vector<Mistake> IfUsed;
  for (size_t N = 0; N < Pointers.size(); ++N) {
    if (!Pointers[N])
      continue;
    Where Place = runtime().locate(reinterpret_cast<void *>(Pointers[N]));
    std::string Which = "kernel '" + R.What->Name + "', pointer argument " +
                        std::to_string(N) + ": ";
    if (!Place.On) {
      IfUsed.push_back({DiagId::DeviceBadLaunch,
                        std::string(This.Name) + ": " + Which +
                            "this is host memory, which kernels cannot touch",
                        This.Site,
                        {},
                        nullptr,
                        "copy the data to memory of aclrtMalloc"});
    } else if (Place.On->Id != This.context().Device) {
      This.mistake(Success, DiagId::DeviceBadLaunch,
                   Which + "this is memory of device " +
                       std::to_string(Place.On->Id) +
                       ", but the kernel runs on device " +
                       std::to_string(This.context().Device));
    } else {
      AllocationTable &Table = Place.On->Memory.Table;
      std::shared_lock<std::shared_mutex> Lock(Table.Mutex);
      if (Table.find(Pointers[N]) != Table.Live.end())
        continue;
      auto Gone = Table.Dead.find(Pointers[N]);
      const void *Site = Gone == Table.Dead.end() ? nullptr : Gone->second.Site;
      std::string What = Table.describe(Pointers[N]);
      Lock.unlock();
      This.mistake(Success, DiagId::DeviceBadLaunch, Which + What, {},
                   Site ? "freed" : "", Site);
    }
  }
  return IfUsed;
}

static void remember(Call &This, Stream &S, Binary &B, uint64_t Sequence,
                     const std::vector<uint64_t> &Pointers) {
  Use U = {Sequence, "the launch", This.Site};
  AllocationTable &Table = This.device().Memory.Table;
  {
    std::unique_lock<std::shared_mutex> Lock(Table.Mutex);
    for (uint64_t Address : Pointers)
      if (auto It = Table.find(Address); It != Table.Live.end())
        It->second.Uses[S.Id] = U;
  }
  std::lock_guard<std::mutex> Lock(B.Mutex);
  B.Uses[S.Id] = U;
}

/// What the arguments of a kernel that failed point to, from there to the end
/// of the allocation. Shapes and types are not known of a kernel's arguments,
/// nor which of them it writes: all are inputs. The text of what went wrong.
static std::string dumpException(Device &D, const LaunchRequest &R,
                                 const std::vector<uint64_t> &Pointers,
                                 uint32_t StreamId) {
  std::string Folder = dumps().exceptionFolder(D.Id);
  if (Folder.empty())
    return {};
  Dump To;
  To.Name = R.What->Name;
  {
    AllocationTable &Table = D.Memory.Table;
    std::shared_lock<std::shared_mutex> Held(Table.Mutex);
    for (uint64_t Address : Pointers) {
      auto It = Table.find(Address);
      if (It == Table.Live.end())
        continue;
      uint64_t Bytes = It->first + It->second.Bytes - Address;
      const uint8_t *At = D.Memory.bytes(Address);
      To.Tensors.push_back({DumpRole::Input,
                            -1,
                            2,
                            {Bytes},
                            {Bytes},
                            Address,
                            {At, At + Bytes}});
    }
  }
  std::string Problem =
      writeDumpFile(Folder + "exception_info." + std::to_string(StreamId) +
                        "." + R.What->Name + "." + dumpTimestamp(),
                    To.encode());
  return Problem.empty() ? "" : "the exception was not dumped: " + Problem;
}

int belay::device::launchKernel(Call &This, Function &F, void *StreamHandle,
                                LaunchRequest R) {
  auto S = This.stream(StreamHandle);
  if (!S)
    return This.error();
  if (R.NumBlocks == 0)
    return This.fail(RtParam, "0 blocks were asked for");
  if (R.Blob.size() > sim::MaxBlobBytes)
    return This.fail(RtParam, "arguments and their data take at most " +
                                  std::to_string(sim::MaxBlobBytes) + " bytes");
  R.What = F.What;
  std::vector<uint64_t> Pointers;
  std::vector<Mistake> IfUsed;
  if (!R.DeviceArgs) {
    Pointers = pointersOf(R);
    IfUsed = checkPointers(This, R, Pointers);
  }
  Device &D = This.device();
  auto StreamId = static_cast<uint32_t>(S->Id);
  R.SaturateFloats = S->SaturatesFloats;
  R.WatchOverflow = S->OverflowSwitch;
  std::shared_ptr<Binary> Code = F.From;
  uint64_t Sequence = S->submit(
      [&D, R = std::move(R), Pointers, IfUsed, StreamId, Code,
       Group = S->UserTag]() mutable {
        if (R.DeviceArgs) {
          std::memcpy(R.Blob.data(), R.DeviceArgs, R.Blob.size());
          Pointers = pointersOf(R);
        }
        if (Outcome Refused = D.Runner.admit(R); Refused.Error)
          return Refused;
        bool Overflowed = false;
        Outcome Result = D.Runner.launch(R, &Overflowed);
        D.Memory.markWritten(Pointers);
        if (Overflowed)
          D.noteOverflow(Group);
        if (!Result.Error)
          return Result;
        for (const Mistake &M : IfUsed)
          report(M);
        Result.Text += dumpException(D, R, Pointers, StreamId);
        raiseException({ExceptionInfo::Alive, 0, StreamId,
                        static_cast<uint32_t>(syscall(SYS_gettid)),
                        static_cast<uint32_t>(D.Id),
                        static_cast<uint32_t>(Result.Error),
                        Code->handleOf(*R.What)});
        return Result;
      },
      "KERNEL");
  remember(This, *S, *F.From, Sequence, Pointers);
  return Success;
}

static std::shared_ptr<Function> functionOf(Call &This, void *Handle) {
  return runtime().Objects.find<Function>(Handle, HandleKind::Function,
                                          This.Name, This.Site);
}

/// Too few bytes for the kernel's parameters are a mistake: it would read what
/// follows.
static int checkSize(Call &This, const Kernel &K, uint32_t Needed,
                     size_t Provided) {
  if (Provided >= Needed)
    return Success;
  return This.mistake(RtParam, DiagId::DeviceBadLaunch,
                      "kernel '" + K.Name + "' takes " +
                          std::to_string(K.Params.size()) + " arguments, " +
                          std::to_string(Needed) + " bytes; got " +
                          std::to_string(Provided) + " bytes");
}

/// Refuses what a kernel would notice: another UB, other block indices, another
/// core. How a device schedules it, and for how long, is not simulated.
static int checkConfig(Call &This, const void *Config) {
  struct Attribute {
    uint32_t Id, Value[4];
  };
  struct Attributes {
    const Attribute *First;
    size_t Count;
  };
  constexpr const char *Noticed[] = {"", "", "dynUBufSize", "engineType",
                                     "blockDimOffset"};
  auto *All = static_cast<const Attributes *>(Config);
  for (size_t N = 0; All && N < All->Count; ++N)
    if (uint32_t Id = All->First[N].Id; Id < std::size(Noticed) && *Noticed[Id])
      return This.fail(RtFeatureNotSupported,
                       std::string("a launch with the attribute ") +
                           Noticed[Id] + " is not simulated");
  return 0;
}

int aclrtLaunchKernelWithHostArgs(void *FunctionHandle, uint32_t NumBlocks,
                                  void *StreamHandle, void *Config, void *Args,
                                  size_t Bytes, void *PlaceHolders,
                                  size_t NumPlaceHolders) {
  BELAY_BEGIN(CurrentContext);
  if (int E = checkConfig(This, Config))
    return E;
  auto F = functionOf(This, FunctionHandle);
  if (!F)
    return RtInvalidHandle;
  LaunchRequest R;
  R.NumBlocks = NumBlocks;
  uint32_t Needed = layOut(*F->What, R.Args);
  if (int E = checkSize(This, *F->What, Needed, Bytes))
    return E;
  if (Bytes)
    R.Blob.assign(static_cast<uint8_t *>(Args),
                  static_cast<uint8_t *>(Args) + Bytes);
  auto *Holders = static_cast<sim::ServedPlaceholder *>(PlaceHolders);
  for (size_t N = 0; N < NumPlaceHolders; ++N) {
    if (Holders[N].AddressOffset + sizeof(void *) > Bytes ||
        Holders[N].DataOffset >= Bytes)
      return This.fail(RtParam, "placeholder " + std::to_string(N) +
                                    " lies outside the arguments");
    R.Placeholders.push_back(Holders[N]);
  }
  return launchKernel(This, *F, StreamHandle, std::move(R));
}

static int launchFromDevice(Call &This, void *FunctionHandle,
                            uint32_t NumBlocks, const void *Args, size_t Bytes,
                            void *StreamHandle) {
  auto F = functionOf(This, FunctionHandle);
  if (!F)
    return RtInvalidHandle;
  LaunchRequest R;
  R.NumBlocks = NumBlocks;
  uint32_t Needed = layOut(*F->What, R.Args);
  if (int E = checkSize(This, *F->What, Needed, Bytes))
    return E;
  Where Place = runtime().locate(Args);
  if (!Place.On)
    return This.mistake(RtParam, DiagId::DeviceBadLaunch,
                        "the arguments have to lie in device memory",
                        "copy them there, or use "
                        "aclrtLaunchKernelWithHostArgs");
  auto Address = reinterpret_cast<uint64_t>(Args);
  {
    AllocationTable &Table = Place.On->Memory.Table;
    std::shared_lock<std::shared_mutex> Lock(Table.Mutex);
    if (Table.find(Address, Bytes) == Table.Live.end())
      return This.fail(RtParam, "the arguments: " + Table.describe(Address));
  }
  // Work before it in the stream may still write them.
  R.DeviceArgs = Place.On->Memory.bytes(Address);
  R.Blob.resize(Bytes);
  return launchKernel(This, *F, StreamHandle, std::move(R));
}

int aclrtLaunchKernel(void *FunctionHandle, uint32_t NumBlocks,
                      const void *Args, size_t Bytes, void *StreamHandle) {
  BELAY_BEGIN(CurrentContext);
  return launchFromDevice(This, FunctionHandle, NumBlocks, Args, Bytes,
                          StreamHandle);
}
int aclrtLaunchKernelV2(void *FunctionHandle, uint32_t NumBlocks,
                        const void *Args, size_t Bytes, void *Config,
                        void *StreamHandle) {
  BELAY_BEGIN(CurrentContext);
  if (int E = checkConfig(This, Config))
    return E;
  return launchFromDevice(This, FunctionHandle, NumBlocks, Args, Bytes,
                          StreamHandle);
}

int aclrtLaunchKernelWithConfig(void *FunctionHandle, uint32_t NumBlocks,
                                void *StreamHandle, void *Config,
                                void *ArgsHandle, void *) {
  BELAY_BEGIN(CurrentContext);
  if (int E = checkConfig(This, Config))
    return E;
  auto F = functionOf(This, FunctionHandle);
  auto A = F ? argsOf(This, ArgsHandle) : nullptr;
  if (!A)
    return RtInvalidHandle;
  if (!A->Final)
    return This.fail(RtParam, "call aclrtKernelArgsFinalize first");
  const Kernel &K = *F->What;
  if (A->Items.size() != K.Params.size())
    return This.mistake(
        RtParam, DiagId::DeviceBadLaunch,
        "kernel '" + K.Name + "' takes " + std::to_string(K.Params.size()) +
            " arguments; got " + std::to_string(A->Items.size()));
  LaunchRequest R;
  R.NumBlocks = NumBlocks;
  R.Blob.resize(roundUp(layOut(K, R.Args), 8));
  for (size_t N = 0; N < A->Items.size(); ++N) {
    const KernelArgs::Item &Item = *A->Items[N];
    sim::ServedArg &To = R.Args[N];
    if (Item.IsPlaceholder) {
      R.Placeholders.push_back(
          {To.Offset, roundUp(static_cast<uint32_t>(R.Blob.size()), 64)});
      R.Blob.resize(R.Placeholders.back().DataOffset);
      R.Blob.insert(R.Blob.end(), Item.Bytes.begin(), Item.Bytes.end());
      continue;
    }
    if (Item.Bytes.size() != To.Bytes)
      return This.mistake(RtParam, DiagId::DeviceBadLaunch,
                          "kernel '" + K.Name + "', argument " +
                              std::to_string(N) + " has " +
                              std::to_string(To.Bytes) + " bytes; got " +
                              std::to_string(Item.Bytes.size()));
    std::memcpy(R.Blob.data() + To.Offset, Item.Bytes.data(), To.Bytes);
  }
  return launchKernel(This, *F, StreamHandle, std::move(R));
}

int aclrtLaunchKernelWithArgsArray(void *FunctionHandle, uint32_t NumBlocks,
                                   void *StreamHandle, void *Config,
                                   void **Args) {
  BELAY_BEGIN(CurrentContext);
  if (int E = checkConfig(This, Config))
    return E;
  auto F = functionOf(This, FunctionHandle);
  if (!F)
    return RtInvalidHandle;
  LaunchRequest R;
  R.NumBlocks = NumBlocks;
  R.Blob.resize(layOut(*F->What, R.Args));
  for (size_t N = 0; N < R.Args.size(); ++N) {
    if (!Args || !Args[N])
      return This.mistake(RtParam, DiagId::DeviceBadLaunch,
                          "kernel '" + F->What->Name + "', argument " +
                              std::to_string(N) + " is missing");
    std::memcpy(R.Blob.data() + R.Args[N].Offset, Args[N], R.Args[N].Bytes);
  }
  return launchKernel(This, *F, StreamHandle, std::move(R));
}
