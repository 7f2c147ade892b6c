//===- Runtime.cpp - Functions below AscendCL -----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libruntime.so, for launchers that other compilers make. Each function is one
// of AscendCL with another face; what programs get wrong is reported by those.
//
//===----------------------------------------------------------------------===//

#include "device/api/Api.h"

extern "C" {
#define BELAY_RT(Result, Name, Params)                                         \
  __attribute__((visibility("default"))) Result Name Params;
#include "belay/host/runtime.def"
}

using namespace belay::device;

namespace {

/// What rtDevBinaryRegister is given.
struct RegisteredBinary {
  uint32_t Magic, Version;
  const void *Data;
  uint64_t Bytes;
};

/// Functions by the address that stands for them on the host.
struct Stubs {
  std::mutex Mutex;
  struct Stub {
    void *Binary, *Function;
  };
  std::map<const void *, Stub> ByAddress;
};
Stubs &stubs() {
  static auto &Only = *new Stubs;
  return Only;
}

} // namespace

int rtSetDevice(int32_t Id) { return aclrtSetDevice(Id); }
int rtStreamCreate(void **Handle, int32_t) { return aclrtCreateStream(Handle); }
int rtStreamDestroy(void *Handle) { return aclrtDestroyStream(Handle); }
int rtStreamSynchronize(void *Handle) { return aclrtSynchronizeStream(Handle); }

int rtGetC2cCtrlAddr(uint64_t *Address, uint32_t *Bytes) {
  void *Place = nullptr;
  if (!Address || !Bytes)
    return fail(RtParam, "rtGetC2cCtrlAddr: a pointer is null");
  int Code = aclrtGetHardwareSyncAddr(&Place);
  *Address = reinterpret_cast<uint64_t>(Place);
  *Bytes = 0; // nobody may write there
  return Code;
}

int rtDevBinaryRegister(const void *Binary, void **Handle) {
  if (!Binary)
    return fail(RtParam, "rtDevBinaryRegister: the binary is null");
  auto *B = static_cast<const RegisteredBinary *>(Binary);
  return aclrtBinaryLoadFromData(B->Data, B->Bytes, nullptr, Handle);
}

int rtDevBinaryUnRegister(void *Handle) {
  {
    std::lock_guard<std::mutex> Lock(stubs().Mutex);
    std::erase_if(stubs().ByAddress, [&](const auto &Each) {
      return Each.second.Binary == Handle;
    });
  }
  return aclrtBinaryUnLoad(Handle);
}

int rtFunctionRegister(void *Binary, const void *Stub, const char *StubName,
                       const void *DeviceName, uint32_t) {
  // The name on the device, or that of the stub.
  auto *Name = DeviceName ? static_cast<const char *>(DeviceName) : StubName;
  void *Function = nullptr;
  if (int Code = aclrtBinaryGetFunction(Binary, Name, &Function))
    return Code;
  std::lock_guard<std::mutex> Lock(stubs().Mutex);
  stubs().ByAddress[Stub] = {Binary, Function};
  return Success;
}

/// Null, and an error told, if nothing is registered for it.
static void *functionOf(const char *Caller, const void *Stub) {
  std::lock_guard<std::mutex> Lock(stubs().Mutex);
  auto It = stubs().ByAddress.find(Stub);
  if (It != stubs().ByAddress.end())
    return It->second.Function;
  fail(KernelNotFound,
       std::string(Caller) + ": no function is registered for this stub");
  return nullptr;
}

int rtKernelLaunch(const void *Stub, uint32_t Blocks, void *Args,
                   uint32_t Bytes, void *, void *Stream) {
  void *Function = functionOf(__func__, Stub);
  return Function
             ? aclrtLaunchKernelWithHostArgs(Function, Blocks, Stream, nullptr,
                                             Args, Bytes, nullptr, 0)
             : KernelNotFound;
}

namespace {

/// An address among the arguments that is that of data after them.
struct HostInput {
  uint32_t AddressOffset, DataOffset;
};

/// rtArgsEx_t.
struct Arguments {
  void *Data;
  const HostInput *Inputs;
  uint32_t Bytes;
  uint32_t TilingAddressOffset, TilingDataOffset;
  uint16_t NumInputs;
  uint8_t HasTiling, IsOnDevice;
  uint8_t Reserved[4];
};

} // namespace

static int launchWith(const char *Caller, const void *Stub, uint32_t Blocks,
                      void *Pointer, void *Stream) {
  if (!Pointer)
    return fail(RtParam, std::string(Caller) + ": the arguments are null");
  void *Function = functionOf(Caller, Stub);
  if (!Function)
    return KernelNotFound;
  auto *A = static_cast<const Arguments *>(Pointer);
  if (A->IsOnDevice)
    return aclrtLaunchKernel(Function, Blocks, A->Data, A->Bytes, Stream);
  std::vector<HostInput> Inputs(A->Inputs, A->Inputs + A->NumInputs);
  if (A->HasTiling)
    Inputs.push_back({A->TilingAddressOffset, A->TilingDataOffset});
  return aclrtLaunchKernelWithHostArgs(
      Function, Blocks, Stream, nullptr, A->Data, A->Bytes,
      Inputs.empty() ? nullptr : Inputs.data(), Inputs.size());
}

int rtKernelLaunchWithFlag(const void *Stub, uint32_t Blocks, void *Args,
                           void *, void *Stream, uint32_t) {
  return launchWith(__func__, Stub, Blocks, Args, Stream);
}
int rtKernelLaunchWithFlagV2(const void *Stub, uint32_t Blocks, void *Args,
                             void *, void *Stream, uint32_t, const void *) {
  return launchWith(__func__, Stub, Blocks, Args, Stream);
}
