//===- options.cpp - How binaries are loaded and kernels launched ---------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// options OBJECT: as launchers do that other compilers make.
//
//===----------------------------------------------------------------------===//

#include "acl/acl.h"

#include <cstdio>
#include <vector>

#define CHECK(Call)                                                            \
  if (int Code = (Call))                                                       \
  std::printf("%s: %d\n", #Call, Code)

// The binary interface of the real one.
static_assert(sizeof(aclrtBinaryLoadOption) == 20);
static_assert(sizeof(aclrtBinaryLoadOptions) == 16);
static_assert(sizeof(aclrtLaunchKernelAttr) == 20);
static_assert(sizeof(aclrtLaunchKernelCfg) == 16);

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  aclrtStream Stream = nullptr;
  CHECK(aclrtCreateStream(&Stream));

  aclrtBinaryLoadOption Option[2] = {};
  Option[0].type = ACL_RT_BINARY_LOAD_OPT_LAZY_LOAD;
  Option[1].type = ACL_RT_BINARY_LOAD_OPT_MAGIC;
  Option[1].value.magic = ACL_RT_BINARY_MAGIC_ELF_VECTOR_CORE;
  aclrtBinaryLoadOptions Options = {Option, 2};
  aclrtBinHandle Binary = nullptr;
  aclrtFuncHandle Add = nullptr;
  CHECK(aclrtBinaryLoadFromFile(argv[1], &Options, &Binary));
  CHECK(aclrtBinaryGetFunction(Binary, "add", &Add));

  std::vector<float> Values(1024, 1);
  void *X = nullptr, *Z = nullptr;
  CHECK(aclrtMalloc(&X, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclrtMalloc(&Z, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclrtMemcpy(X, 4096, Values.data(), 4096, ACL_MEMCPY_HOST_TO_DEVICE));
  struct {
    void *X, *Y, *Z;
    int Count;
  } Args = {X, X, Z, 1024};
  aclrtLaunchKernelAttr Attributes[2] = {};
  Attributes[0].id = ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE;
  Attributes[0].value.schemMode = 1;
  Attributes[1].id = ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT;
  Attributes[1].value.timeout = 10;
  aclrtLaunchKernelCfg Config = {Attributes, 2};
  CHECK(aclrtLaunchKernelWithHostArgs(Add, 8, Stream, &Config, &Args,
                                      sizeof(Args), nullptr, 0));
  CHECK(aclrtSynchronizeStream(Stream));
  CHECK(aclrtMemcpy(Values.data(), 4096, Z, 4096, ACL_MEMCPY_DEVICE_TO_HOST));
  std::printf("%g\n", Values.back());

  // The kernel would see other indices of blocks.
  Attributes[1].id = ACL_RT_LAUNCH_KERNEL_ATTR_BLOCKDIM_OFFSET;
  Attributes[1].value.blockDimOffset = 8;
  CHECK(aclrtLaunchKernelWithHostArgs(Add, 8, Stream, &Config, &Args,
                                      sizeof(Args), nullptr, 0));
  std::printf("%s\n", aclGetRecentErrMsg());
  CHECK(aclrtLaunchKernelV2(Add, 8, Z, sizeof(Args), &Config, Stream));

  CHECK(aclrtFree(X));
  CHECK(aclrtFree(Z));
  CHECK(aclrtBinaryUnLoad(Binary));
  CHECK(aclrtDestroyStream(Stream));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
}
