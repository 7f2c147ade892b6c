//===- stubs.cpp - Launches through libruntime ----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// stubs OBJECT: as launchers do that other compilers make.
//
//===----------------------------------------------------------------------===//

#include "acl/acl.h"

#include <cstdio>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" {
#define BELAY_RT(Result, Name, Params) Result Name Params;
#include "belay/host/runtime.def"
}

#define CHECK(Call)                                                            \
  if (int Code = (Call))                                                       \
  std::printf("%s: %d\n", #Call, Code)

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  std::ifstream File(argv[1], std::ios::binary);
  std::vector<char> Object((std::istreambuf_iterator<char>(File)), {});
  struct {
    uint32_t Magic, Version;
    const void *Data;
    uint64_t Bytes;
  } Binary = {0x41415246, 0, Object.data(), Object.size()};
  static const char Stub = 0, Unknown = 0;
  CHECK(rtSetDevice(0));
  void *Handle = nullptr, *Stream = nullptr;
  CHECK(rtStreamCreate(&Stream, 0));
  CHECK(rtDevBinaryRegister(&Binary, &Handle));
  CHECK(rtFunctionRegister(Handle, &Stub, "add", "add", 0));
  CHECK(rtFunctionRegister(Handle, &Stub, "absent", "absent", 0));
  std::vector<float> Ones(1024, 1);
  void *X = nullptr, *Z = nullptr;
  CHECK(aclrtMalloc(&X, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclrtMalloc(&Z, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclrtMemcpy(X, 4096, Ones.data(), 4096, ACL_MEMCPY_HOST_TO_DEVICE));
  struct {
    void *X, *Y, *Z;
    int Count;
  } Args = {X, X, Z, 1024};
  CHECK(rtKernelLaunch(&Unknown, 8, &Args, sizeof(Args), nullptr, Stream));
  CHECK(rtKernelLaunch(&Stub, 8, &Args, sizeof(Args), nullptr, Stream));
  CHECK(rtStreamSynchronize(Stream));
  CHECK(aclrtMemcpy(Ones.data(), 4096, Z, 4096, ACL_MEMCPY_DEVICE_TO_HOST));
  std::printf("%g\n", Ones.back());

  // The other form, with a structure after the arguments: y *= 3.
  static const char Scale = 0;
  CHECK(rtFunctionRegister(Handle, &Scale, "scale", "scale", 0));
  struct {
    void *Y, *Parameters;
    float Factor;
    int Count;
  } Scaled = {Z, nullptr, 3, 1024};
  struct {
    uint32_t Address, Data;
  } Input = {8, 16};
  struct {
    void *Data, *Inputs;
    uint32_t Bytes, TilingAddress, TilingData;
    uint16_t NumInputs;
    uint8_t HasTiling, OnDevice, Reserved[4];
  } WithInputs = {&Scaled, &Input, sizeof(Scaled), 0, 0, 1, 0, 0, {}},
    Tiled = {&Scaled, nullptr, sizeof(Scaled), 8, 16, 0, 1, 0, {}};
  CHECK(rtKernelLaunchWithFlagV2(&Unknown, 1, &WithInputs, nullptr, Stream, 0,
                                 nullptr));
  CHECK(rtKernelLaunchWithFlagV2(&Scale, 1, &WithInputs, nullptr, Stream, 0,
                                 nullptr));
  CHECK(rtKernelLaunchWithFlag(&Scale, 1, &Tiled, nullptr, Stream, 0));
  CHECK(rtStreamSynchronize(Stream));
  CHECK(aclrtMemcpy(Ones.data(), 4096, Z, 4096, ACL_MEMCPY_DEVICE_TO_HOST));
  std::printf("%g\n", Ones.back());

  CHECK(rtDevBinaryUnRegister(Handle));
  CHECK(rtKernelLaunch(&Stub, 8, &Args, sizeof(Args), nullptr, Stream));
  CHECK(aclrtFree(X));
  CHECK(aclrtFree(Z));
  CHECK(rtStreamDestroy(Stream));
  CHECK(aclrtResetDevice(0));
}
