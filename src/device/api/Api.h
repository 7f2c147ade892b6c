//===- Api.h - The C functions of the simulated device ----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_DEVICE_API_API_H
#define BELAY_DEVICE_API_API_H

#include "device/core/Runtime.h"

struct aclDataBuffer;
struct aclTensorDesc;
struct aclmdlDataset;
struct aclmdlDesc;
struct acldumpChunk;
struct acldumpTensorInfo;
struct aclprofConfig;
struct aclprofStepInfo;
struct aclprofSubscribeConfig;
struct aclrtStreamConfigHandle;

/// The names are the vendor's: programs use them.
struct aclrtIpcEventHandle {
  char reserved[64];
};
struct aclrtRandomParaInfo {
  uint8_t isAddr;
  uint8_t valueOrAddr[8];
  uint8_t size;
  uint8_t rsv[6];
};
struct aclrtRandomNumFuncParaInfo {
  int funcType;
  union {
    struct {
      aclrtRandomParaInfo dropoutRation;
    } dropoutBitmaskInfo;
    struct {
      aclrtRandomParaInfo min, max;
    } uniformDisInfo;
    struct {
      aclrtRandomParaInfo mean, stddev;
    } normalDisInfo;
  } paramInfo;
};
struct aclrtRandomNumTaskInfo {
  int dataType;
  aclrtRandomNumFuncParaInfo randomNumFuncParaInfo;
  void *randomParaAddr, *randomResultAddr, *randomCounterAddr;
  aclrtRandomParaInfo randomSeed, randomNum;
  uint8_t rsv[8];
};
struct aclmdlRICondTaskParams {
  void *handle;
  int type;
  uint32_t size;
  void **modelRIArray;
};
struct aclprofEventAttributes {
  uint16_t version, size;
  uint32_t messageType;
  void *tensorInfo;
};
struct aclmdlIODims {
  char name[128];
  size_t dimCount;
  int64_t dims[128];
};

/// Definitions have to agree with what programs and the host library believe.
extern "C" {
#define BELAY_ACL(Result, Name, Params)                                        \
  __attribute__((visibility("default"))) Result Name Params;
#include "belay/host/acl.def"
}

namespace belay::device {
/// What programs give as milliseconds.
inline std::chrono::milliseconds waitTime(int32_t Timeout) {
  return Timeout < 0 ? Forever : std::chrono::milliseconds(Timeout);
}
/// Enqueues a launch whose arguments are complete.
int launchKernel(Call &This, Function &F, void *StreamHandle, LaunchRequest R);
/// Other processes lose what they have taken.
void reportMembers(Call &This, const Share &S, const char *How);
} // namespace belay::device

/// Begins a function: checks what it needs, returns if that is not there.
#define BELAY_BEGIN(Need)                                                      \
  ::belay::device::Call This(__func__, BELAY_SITE,                             \
                             ::belay::device::Call::Need);                     \
  if (!This)                                                                   \
  return This.error()

/// Arguments that the function writes through or reads.
#define BELAY_NOT_NULL(Pointer)                                                \
  if (!(Pointer))                                                              \
  return This.fail(::belay::device::RtParam, #Pointer " is null")

#endif // BELAY_DEVICE_API_API_H
