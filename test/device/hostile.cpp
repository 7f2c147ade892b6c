//===- hostile.cpp - Arguments that no program should give ----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// hostile CASE: sizes that leave 64 bits, structures that are none, devices in
// the place of files, calls after a fork. Each call has to come back with an
// error; ends with 0 if all did.
//
//===----------------------------------------------------------------------===//

#include "acl/acl.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

int Wrong = 0;
char Garbage[4096], Host[64];

void refused(const char *Call, int Result) {
  if (Result != 0)
    return;
  ++Wrong;
  std::printf("%s was accepted\n", Call);
}
#define REFUSED(Call) refused(#Call, static_cast<int>(Call))

void *allocate() {
  void *P = nullptr;
  aclrtMalloc(&P, 64, ACL_MEM_MALLOC_HUGE_FIRST);
  return P;
}

void sizes() {
  void *P = allocate();
  auto Kind = ACL_MEMCPY_HOST_TO_DEVICE;
  REFUSED(aclrtMemcpy2d(P, 1ul << 63, Host, 1ul << 63, 8, 3, Kind));
  REFUSED(aclrtMemcpy2d(P, SIZE_MAX, Host, SIZE_MAX, 8, SIZE_MAX, Kind));
  REFUSED(aclrtMemcpy2d(P, SIZE_MAX - 7, Host, SIZE_MAX - 7, 8, 2, Kind));
  void *Q = nullptr;
  for (size_t Bytes :
       {SIZE_MAX, SIZE_MAX - 32, SIZE_MAX - 4096, size_t(1) << 62})
    REFUSED(aclrtMallocHost(&Q, Bytes));
  int64_t Extents[] = {int64_t(1) << 62, int64_t(1) << 62};
  aclTensorDesc *Desc =
      aclCreateTensorDesc(ACL_FLOAT, 2, Extents, ACL_FORMAT_ND);
  if (aclGetTensorDescSize(Desc) != 0)
    ++Wrong;
  aclDestroyTensorDesc(Desc);
}

void structures() {
  aclrtStream Stream = nullptr;
  aclrtCreateStream(&Stream);
  for (void *None :
       {static_cast<void *>(Garbage), Stream, static_cast<void *>(nullptr)}) {
    REFUSED(aclrtDestroyBinary(static_cast<aclrtBinary>(None)));
    REFUSED(aclDestroyDataBuffer(static_cast<aclDataBuffer *>(None)));
    REFUSED(aclmdlDestroyDesc(static_cast<aclmdlDesc *>(None)));
    REFUSED(aclmdlDestroyDataset(static_cast<aclmdlDataset *>(None)));
    if (aclmdlGetNumInputs(static_cast<aclmdlDesc *>(None)) != 0 ||
        aclGetDataBufferAddr(static_cast<aclDataBuffer *>(None)))
      ++Wrong;
  }
  aclDataBuffer *Buffer = aclCreateDataBuffer(Host, sizeof(Host));
  aclDestroyDataBuffer(Buffer);
  REFUSED(aclDestroyDataBuffer(Buffer));
  aclmdlDesc *Model = aclmdlCreateDesc();
  aclmdlDestroyDesc(Model);
  REFUSED(aclmdlDestroyDesc(Model));
  aclmdlDataset *Set = aclmdlCreateDataset();
  aclmdlDestroyDataset(Set);
  REFUSED(aclmdlDestroyDataset(Set));
  aclrtDestroyStream(Stream);
}

void files() {
  void *Binary = nullptr;
  REFUSED(aclrtBinaryLoadFromFile("/dev/zero", nullptr, &Binary));
  REFUSED(aclrtBinaryLoadFromFile("/", nullptr, &Binary));
  uint32_t Id;
  REFUSED(aclmdlLoadFromFile("/dev/zero", &Id));
}

void forks() {
  aclrtStream Stream = nullptr;
  aclrtCreateStream(&Stream);
  void *P = allocate();
  pid_t Child = fork();
  if (Child == 0) {
    alarm(20);
    REFUSED(
        aclrtMemcpyAsync(P, 64, Host, 64, ACL_MEMCPY_HOST_TO_DEVICE, Stream));
    REFUSED(aclrtSynchronizeStream(Stream));
    REFUSED(aclrtResetDeviceForce(0));
    _exit(Wrong);
  }
  int Status = 0;
  waitpid(Child, &Status, 0);
  Wrong += Status != 0;
  // The parent goes on.
  Wrong += aclrtMemcpy(P, 64, Host, 64, ACL_MEMCPY_HOST_TO_DEVICE) != 0;
  aclrtFree(P);
  aclrtDestroyStream(Stream);
}

/// Of a machine that has no room for the memory of a device.
void addresses() {
  void *P = nullptr;
  REFUSED(aclrtMalloc(&P, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  REFUSED(aclrtMalloc(&P, 1 << 20, ACL_MEM_MALLOC_HUGE_FIRST));
}

} // namespace

int main(int Argc, char **Argv) {
  std::map<std::string, std::function<void()>> Cases = {
      {"sizes", sizes},
      {"structures", structures},
      {"files", files},
      {"forks", forks},
      {"addresses", addresses}};
  auto Case = Cases.find(Argc == 2 ? Argv[1] : "");
  if (Case == Cases.end())
    return 2;
  if (Case->first == "addresses") {
    constexpr rlim_t Bytes = rlim_t(8) << 30;
    rlimit Few = {Bytes, Bytes};
    setrlimit(RLIMIT_AS, &Few);
  }
  aclInit(nullptr);
  aclrtSetDevice(0);
  Case->second();
  std::fflush(nullptr);
  _exit(Wrong ? 1 : 0);
}
