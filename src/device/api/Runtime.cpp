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

int rtKernelLaunch(const void *Stub, uint32_t Blocks, void *Args,
                   uint32_t Bytes, void *, void *Stream) {
  void *Function = nullptr;
  {
    std::lock_guard<std::mutex> Lock(stubs().Mutex);
    auto It = stubs().ByAddress.find(Stub);
    if (It == stubs().ByAddress.end())
      return fail(KernelNotFound,
                  "rtKernelLaunch: no function is registered for this stub");
    Function = It->second.Function;
  }
  return aclrtLaunchKernelWithHostArgs(Function, Blocks, Stream, nullptr, Args,
                                       Bytes, nullptr, 0);
}
