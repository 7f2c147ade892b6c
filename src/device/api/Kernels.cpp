//===- Kernels.cpp - Binaries, arguments, launches ------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/api/Api.h"

#include "device/core/Configuration.h"

#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace belay;
using namespace belay::device;

//===----------------------------------------------------------------------===//
// Binaries
//===----------------------------------------------------------------------===//

/// A file in memory that the runner opens through this process.
static int writeObject(const uint8_t *Data, uint64_t Bytes) {
  int Fd = memfd_create("belay-kernel", MFD_CLOEXEC);
  for (uint64_t Done = 0; Fd >= 0 && Done < Bytes;) {
    ssize_t Written = write(Fd, Data + Done, Bytes - Done);
    if (Written <= 0) {
      close(Fd);
      return -1;
    }
    Done += static_cast<uint64_t>(Written);
  }
  return Fd;
}

static std::string pathOf(int Fd) {
  return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(Fd);
}

static bool inside(uint64_t Offset, uint64_t Bytes, size_t Total) {
  return Offset <= Total && Bytes <= Total - Offset;
}

static int load(Call &This, const uint8_t *Data, size_t Bytes, void **Handle) {
  BELAY_NOT_NULL(Handle);
  sim::DeviceObjectHeader Header;
  if (Bytes < sizeof(Header) ||
      std::memcmp(Data, sim::DeviceObjectMagic, sizeof(Header.Magic)) != 0)
    return This.fail(
        InvalidFile,
        "this is no object for the simulated device; make one with 'belay "
        "object kernel.cpp -o kernel.o' (objects of the vendor's compiler "
        "hold NPU code)");
  std::memcpy(&Header, Data, sizeof(Header));
  if (Header.Arch != configuration().Soc->arch->number)
    return This.fail(InvalidFile, std::string("the object was made for ") +
                                      Header.Soc + ", but the device is a " +
                                      configuration().Soc->name +
                                      " (BELAY_SOC)");
  auto B = std::make_shared<Binary>();
  for (uint32_t N = 0; N < Header.NumKernels; ++N) {
    sim::DeviceObjectKernel K;
    size_t At = sizeof(Header) + N * sizeof(K);
    if (!inside(At, sizeof(K), Bytes))
      return This.fail(WrongFileContent, "the object is cut off");
    std::memcpy(&K, Data + At, sizeof(K));
    if (!inside(K.Offset, K.Bytes, Bytes) ||
        !inside(K.CubeOffset, K.CubeBytes, Bytes) ||
        K.NumParams > sim::MaxServedArgs)
      return This.fail(WrongFileContent, "the object is cut off");
    auto Made = std::make_shared<Kernel>();
    Made->Name.assign(K.Name, strnlen(K.Name, sizeof(K.Name)));
    B->Fds.push_back(writeObject(Data + K.Offset, K.Bytes));
    Made->ObjectPath = pathOf(B->Fds.back());
    if (K.CubeBytes) {
      B->Fds.push_back(writeObject(Data + K.CubeOffset, K.CubeBytes));
      Made->CubeObjectPath = pathOf(B->Fds.back());
    }
    Made->Params.assign(K.Params, K.Params + K.NumParams);
    B->Kernels.push_back(std::move(Made));
  }
  B->Id = runtime().Objects.reserve();
  // Stubs load in static constructors, before there is a context.
  B->Context = Handles::toId(currentContextHandle());
  *Handle = runtime().Objects.add(B->Id, HandleKind::Binary, B);
  return Success;
}

static bool readFile(const std::string &Path, std::vector<uint8_t> &Data) {
  FILE *File = std::fopen(Path.c_str(), "rbe");
  if (!File)
    return false;
  uint8_t Buffer[1 << 16];
  size_t Read;
  while ((Read = std::fread(Buffer, 1, sizeof(Buffer), File)) > 0)
    Data.insert(Data.end(), Buffer, Buffer + Read);
  std::fclose(File);
  return true;
}

int aclrtBinaryLoadFromFile(const char *Path, void *, void **Handle) {
  Call This(__func__, BELAY_SITE, Call::Nothing);
  if (!This)
    return This.error();
  BELAY_NOT_NULL(Path);
  std::vector<uint8_t> Data;
  // NPU code may have a twin for the simulated device beside it.
  if (!readFile(std::string(Path) + ".belay", Data) && !readFile(Path, Data))
    return This.fail(InvalidFile,
                     std::string(Path) + ": " + std::strerror(errno));
  return load(This, Data.data(), Data.size(), Handle);
}

int aclrtBinaryLoadFromData(const void *Data, size_t Bytes, const void *,
                            void **Handle) {
  Call This(__func__, BELAY_SITE, Call::Nothing);
  if (!This)
    return This.error();
  BELAY_NOT_NULL(Data);
  return load(This, static_cast<const uint8_t *>(Data), Bytes, Handle);
}

// The older way: a description first, then the load.
void *aclrtCreateBinary(const void *Data, size_t Bytes) {
  return new std::pair<const void *, size_t>(Data, Bytes);
}
int aclrtDestroyBinary(void *Description) {
  delete static_cast<std::pair<const void *, size_t> *>(Description);
  return Success;
}
int aclrtBinaryLoad(void *Description, void **Handle) {
  BELAY_BEGIN(Initialised);
  BELAY_NOT_NULL(Description);
  auto &D = *static_cast<std::pair<const void *, size_t> *>(Description);
  return load(This, static_cast<const uint8_t *>(D.first), D.second, Handle);
}

int aclrtBinaryUnLoad(void *Handle) {
  Call This(__func__, BELAY_SITE, Call::Nothing); // also after aclFinalize
  if (!This)
    return This.error();
  auto B = runtime().Objects.find<Binary>(Handle, HandleKind::Binary, This.Name,
                                          This.Site);
  if (!B)
    return RtInvalidHandle;
  std::map<std::string, void *> Functions;
  {
    std::lock_guard<std::mutex> Lock(B->Mutex);
    for (const auto &[StreamId, U] : B->Uses)
      if (!HostKnowledge::knows(StreamId, U.Sequence)) {
        This.mistake(Success, DiagId::DeviceFreedInFlight,
                     "the code is unloaded while a kernel of it may still run",
                     "synchronise with the stream first",
                     "the kernel was launched", U.Site);
        break;
      }
    Functions = B->Functions;
  }
  for (const auto &[Name, Function] : Functions)
    runtime().Objects.remove(Function, This.Name, This.Site);
  runtime().Objects.remove(Handle, This.Name, This.Site);
  return Success;
}

static int getFunction(Call &This, Binary &B, std::shared_ptr<Binary> Owner,
                       const std::shared_ptr<const Kernel> &K, void **Handle) {
  std::lock_guard<std::mutex> Lock(B.Mutex);
  void *&Known = B.Functions[K->Name];
  if (!Known) {
    auto F = std::make_shared<Function>();
    F->From = std::move(Owner);
    F->What = K;
    Known = runtime().Objects.add(runtime().Objects.reserve(),
                                  HandleKind::Function, F);
  }
  *Handle = Known;
  return Success;
}

int aclrtBinaryGetFunction(void *BinaryHandle, const char *Name,
                           void **Handle) {
  BELAY_BEGIN(Initialised);
  BELAY_NOT_NULL(Name);
  BELAY_NOT_NULL(Handle);
  auto B = runtime().Objects.find<Binary>(BinaryHandle, HandleKind::Binary,
                                          This.Name, This.Site);
  if (!B)
    return RtInvalidHandle;
  std::string Known;
  for (const auto &K : B->Kernels) {
    if (K->Name == Name)
      return getFunction(This, *B, B, K, Handle);
    Known += (Known.empty() ? "" : ", ") + K->Name;
  }
  return This.fail(KernelNotFound, std::string("there is no kernel '") + Name +
                                       "'; the object has " + Known);
}

int aclrtBinaryGetFunctionByEntry(void *BinaryHandle, uint64_t Entry,
                                  void **Handle) {
  BELAY_BEGIN(Initialised);
  BELAY_NOT_NULL(Handle);
  auto B = runtime().Objects.find<Binary>(BinaryHandle, HandleKind::Binary,
                                          This.Name, This.Site);
  if (!B)
    return RtInvalidHandle;
  if (Entry >= B->Kernels.size())
    return This.fail(KernelNotFound,
                     "there is no entry " + std::to_string(Entry));
  return getFunction(This, *B, B, B->Kernels[Entry], Handle);
}

int aclrtGetFunctionName(void *Handle, uint32_t Room, char *Name) {
  BELAY_BEGIN(Initialised);
  BELAY_NOT_NULL(Name);
  auto F = runtime().Objects.find<Function>(Handle, HandleKind::Function,
                                            This.Name, This.Site);
  if (!F)
    return RtInvalidHandle;
  std::snprintf(Name, Room, "%s", F->What->Name.c_str());
  return Success;
}

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

/// The list behind a handle; null and an error if there is none.
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

/// Tells pointers that the kernel cannot follow.
static void checkPointers(Call &This, const LaunchRequest &R,
                          const std::vector<uint64_t> &Pointers) {
  for (size_t N = 0; N < Pointers.size(); ++N) {
    if (!Pointers[N])
      continue;
    Where Place = runtime().locate(reinterpret_cast<void *>(Pointers[N]));
    std::string Which = "kernel '" + R.What->Name + "', pointer argument " +
                        std::to_string(N) + ": ";
    if (!Place.On) {
      This.mistake(Success, DiagId::DeviceBadLaunch,
                   Which + "this is host memory, which kernels cannot touch",
                   "copy the data to memory of aclrtMalloc");
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

/// Enqueues; the request is complete.
static int launch(Call &This, Function &F, void *StreamHandle,
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
  if (!R.DeviceArgs) {
    Pointers = pointersOf(R);
    checkPointers(This, R, Pointers);
  }
  Device &D = This.device();
  auto StreamId = static_cast<uint32_t>(S->Id);
  std::shared_ptr<Binary> Code = F.From;
  uint64_t Sequence =
      S->submit([&D, R = std::move(R), Pointers, StreamId, Code]() mutable {
        if (R.DeviceArgs) {
          std::memcpy(R.Blob.data(), R.DeviceArgs, R.Blob.size());
          Pointers = pointersOf(R);
        }
        Outcome Result = D.Runner.launch(R);
        D.Memory.markWritten(Pointers);
        if (Result.Error)
          raiseException({ExceptionInfo::Alive, 0, StreamId,
                          static_cast<uint32_t>(syscall(SYS_gettid)),
                          static_cast<uint32_t>(D.Id),
                          static_cast<uint32_t>(Result.Error)});
        return Result;
      });
  remember(This, *S, *F.From, Sequence, Pointers);
  return Success;
}

static std::shared_ptr<Function> functionOf(Call &This, void *Handle) {
  return runtime().Objects.find<Function>(Handle, HandleKind::Function,
                                          This.Name, This.Site);
}

/// Too few bytes for the kernel's parameters are a mistake: it would read what
/// lies behind.
static int checkSize(Call &This, const Kernel &K, uint32_t Needed,
                     size_t Given) {
  if (Given >= Needed)
    return Success;
  return This.mistake(RtParam, DiagId::DeviceBadLaunch,
                      "kernel '" + K.Name + "' takes " +
                          std::to_string(K.Params.size()) + " arguments, " +
                          std::to_string(Needed) + " bytes; got " +
                          std::to_string(Given) + " bytes");
}

int aclrtLaunchKernelWithHostArgs(void *FunctionHandle, uint32_t NumBlocks,
                                  void *StreamHandle, void *, void *Args,
                                  size_t Bytes, void *PlaceHolders,
                                  size_t NumPlaceHolders) {
  BELAY_BEGIN(CurrentContext);
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
  return launch(This, *F, StreamHandle, std::move(R));
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
  return launch(This, *F, StreamHandle, std::move(R));
}

int aclrtLaunchKernel(void *FunctionHandle, uint32_t NumBlocks,
                      const void *Args, size_t Bytes, void *StreamHandle) {
  BELAY_BEGIN(CurrentContext);
  return launchFromDevice(This, FunctionHandle, NumBlocks, Args, Bytes,
                          StreamHandle);
}
int aclrtLaunchKernelV2(void *FunctionHandle, uint32_t NumBlocks,
                        const void *Args, size_t Bytes, void *,
                        void *StreamHandle) {
  BELAY_BEGIN(CurrentContext);
  return launchFromDevice(This, FunctionHandle, NumBlocks, Args, Bytes,
                          StreamHandle);
}

int aclrtLaunchKernelWithConfig(void *FunctionHandle, uint32_t NumBlocks,
                                void *StreamHandle, void *, void *ArgsHandle,
                                void *) {
  BELAY_BEGIN(CurrentContext);
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
  return launch(This, *F, StreamHandle, std::move(R));
}

int aclrtLaunchKernelWithArgsArray(void *FunctionHandle, uint32_t NumBlocks,
                                   void *StreamHandle, void *, void **Args) {
  BELAY_BEGIN(CurrentContext);
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
  return launch(This, *F, StreamHandle, std::move(R));
}
