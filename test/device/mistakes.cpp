//===- mistakes.cpp - What host programs get wrong, in C ------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// mistakes OBJECT CASE wrong|right: one mistake, or the same program without
// it. The simulated device has to report the one and keep silent about the
// other. The names are those of docs/host.md.
//
//===----------------------------------------------------------------------===//

#include "Mistakes.h"

#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace {

const char *Object;
constexpr int N = 1024;
constexpr size_t Bytes = N * sizeof(float);

/// What every program begins and ends with.
struct Session {
  Session() {
    CHECK(aclInit(nullptr));
    CHECK(aclrtSetDevice(0));
  }
  ~Session() {
    CHECK(aclrtResetDevice(0));
    CHECK(aclFinalize());
  }
};

aclrtStream createStream() {
  aclrtStream S = nullptr;
  CHECK(aclrtCreateStream(&S));
  return S;
}

void *allocate() {
  void *P = nullptr;
  CHECK(aclrtMalloc(&P, Bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  return P;
}

void *allocateFilled() {
  void *P = allocate();
  std::vector<float> Ones(N, 1);
  CHECK(aclrtMemcpy(P, Bytes, Ones.data(), Bytes, ACL_MEMCPY_HOST_TO_DEVICE));
  return P;
}

struct Add {
  aclrtBinHandle Binary = nullptr;
  aclrtFuncHandle Function = nullptr;
  Add() {
    CHECK(aclrtBinaryLoadFromFile(Object, nullptr, &Binary));
    CHECK(aclrtBinaryGetFunction(Binary, "add", &Function));
  }
  ~Add() { CHECK(aclrtBinaryUnLoad(Binary)); }
  void launch(aclrtStream S, void *X, void *Y, void *Z, int Count = N) {
    struct {
      void *X, *Y, *Z;
      int Count;
    } Args = {X, Y, Z, Count};
    CHECK(aclrtLaunchKernelWithHostArgs(Function, 8, S, nullptr, &Args,
                                        sizeof(Args), nullptr, 0));
  }
};

//===----------------------------------------------------------------------===//
// One function per mistake
//===----------------------------------------------------------------------===//

void resetWithChildren(bool Wrong) {
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  aclrtStream S = createStream();
  if (!Wrong)
    CHECK(aclrtDestroyStream(S));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
}

void contextBeforeStream(bool Wrong) {
  Session All;
  aclrtContext C = nullptr;
  CHECK(aclrtCreateContext(&C, 0));
  aclrtStream S = createStream();
  if (!Wrong) {
    CHECK(aclrtDestroyStream(S));
    CHECK(aclrtDestroyContext(C));
    return;
  }
  CHECK(aclrtDestroyContext(C));
  CHECK(aclrtSetDevice(0));
  CHECK(aclrtSynchronizeStream(S));
  CHECK(aclrtResetDevice(0));
}

void finalizeWhileBusy(bool Wrong) {
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  aclrtStream S = createStream();
  CHECK(aclrtLaunchHostFunc(
      S,
      [](void *) {
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
      },
      nullptr));
  if (Wrong) {
    CHECK(aclFinalize());
    CHECK(aclrtSynchronizeStream(S));
    return;
  }
  CHECK(aclrtSynchronizeStream(S));
  CHECK(aclrtDestroyStream(S));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
}

void freeInFlight(bool Wrong) {
  Session All;
  Add K;
  aclrtStream S = createStream();
  void *X = allocateFilled(), *Y = allocateFilled(), *Z = allocate();
  K.launch(S, X, Y, Z);
  if (Wrong)
    CHECK(aclrtFree(X));
  CHECK(aclrtSynchronizeStream(S));
  if (!Wrong)
    CHECK(aclrtFree(X));
  CHECK(aclrtFree(Y));
  CHECK(aclrtFree(Z));
  CHECK(aclrtDestroyStream(S));
}

void freeHostInFlight(bool Wrong) {
  Session All;
  aclrtStream S = createStream();
  void *Host = nullptr, *X = allocate();
  CHECK(aclrtMallocHost(&Host, Bytes));
  CHECK(aclrtMemcpyAsync(X, Bytes, Host, Bytes, ACL_MEMCPY_HOST_TO_DEVICE, S));
  if (Wrong)
    CHECK(aclrtFreeHost(Host));
  CHECK(aclrtSynchronizeStream(S));
  if (!Wrong)
    CHECK(aclrtFreeHost(Host));
  CHECK(aclrtFree(X));
  CHECK(aclrtDestroyStream(S));
}

void destroyForce(bool Wrong) {
  Session All;
  aclrtStream S = createStream();
  for (int Times = 0; Times < 2; ++Times)
    CHECK(aclrtLaunchHostFunc(
        S,
        [](void *) {
          std::this_thread::sleep_for(std::chrono::milliseconds(200));
        },
        nullptr));
  CHECK(Wrong ? aclrtDestroyStreamForce(S) : aclrtDestroyStream(S));
}

void otherDevice(bool Wrong) {
  Session All;
  aclrtStream S = createStream();
  void *X = allocate();
  CHECK(aclrtSetDevice(1));
  if (!Wrong)
    CHECK(aclrtSetDevice(0));
  CHECK(aclrtMemsetAsync(X, Bytes, 0, Bytes, S));
  CHECK(aclrtSetDevice(0));
  CHECK(aclrtSynchronizeStream(S));
  CHECK(aclrtDestroyStream(S));
  CHECK(aclrtFree(X));
  for (int Extra = 0; Extra < (Wrong ? 1 : 2); ++Extra)
    CHECK(aclrtResetDevice(0));
  CHECK(aclrtResetDevice(1));
}

void noContextInThread(bool Wrong) {
  Session All;
  std::thread([&] {
    if (!Wrong)
      CHECK(aclrtSetDevice(0));
    void *X = allocate();
    CHECK(Wrong ? 0 : aclrtFree(X));
    if (!Wrong)
      CHECK(aclrtResetDevice(0));
  }).join();
}

void contextOfResetDevice(bool Wrong) {
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  aclrtContext C = nullptr;
  CHECK(aclrtGetCurrentContext(&C));
  if (!Wrong)
    CHECK(aclrtSetCurrentContext(C));
  CHECK(aclrtResetDevice(0));
  if (Wrong)
    CHECK(aclrtSetCurrentContext(C));
  CHECK(aclFinalize());
}

void eventKinds(bool Wrong) {
  Session All;
  aclrtStream S = createStream();
  aclrtEvent Start = nullptr, End = nullptr;
  auto Create = [&](aclrtEvent *E) {
    return Wrong ? aclrtCreateEventExWithFlag(E, ACL_EVENT_SYNC)
                 : aclrtCreateEvent(E);
  };
  CHECK(Create(&Start));
  CHECK(Create(&End));
  CHECK(aclrtRecordEvent(Start, S));
  CHECK(aclrtRecordEvent(End, S));
  CHECK(aclrtSynchronizeEvent(End));
  float Milliseconds;
  CHECK(aclrtEventElapsedTime(&Milliseconds, Start, End));
  if (Wrong)
    CHECK(aclrtResetEvent(End, S));
  CHECK(aclrtDestroyEvent(Start));
  CHECK(aclrtDestroyEvent(End));
  CHECK(aclrtDestroyStream(S));
}

void ignoredError(bool Wrong) {
  Session All;
  Add K;
  aclrtStream S = createStream();
  void *X = allocateFilled(), *Y = allocateFilled(), *Z = allocate();
  K.launch(S, X, Y, Z, 2 * N); // out of bounds
  if (!Wrong)
    std::printf("synchronize: %d\n", aclrtSynchronizeStream(S));
  CHECK(aclrtDestroyStream(S));
  CHECK(aclrtFree(X));
  CHECK(aclrtFree(Y));
  CHECK(aclrtFree(Z));
}

void keptMessage(bool Wrong) {
  Session All;
  (void)aclrtFree(nullptr);
  const char *Kept = aclGetRecentErrMsg();
  std::string Copied = Kept;
  (void)aclrtMemset(nullptr, 0, 0, 0);
  (void)aclGetRecentErrMsg();
  std::printf("%s\n", Wrong ? Kept : Copied.c_str());
}

void aclInCallback(bool Wrong) {
  Session All;
  aclrtStream S = createStream();
  void *X = allocate();
  if (Wrong)
    CHECK(aclrtLaunchHostFunc(
        S, [](void *P) { CHECK(aclrtMemset(P, Bytes, 0, Bytes)); }, X));
  else
    CHECK(aclrtMemsetAsync(X, Bytes, 0, Bytes, S));
  CHECK(aclrtSynchronizeStream(S));
  CHECK(aclrtFree(X));
  CHECK(aclrtDestroyStream(S));
}

void *KeptInfo;
uint32_t KeptDevice = 99;
void keptException(bool Wrong) {
  Session All;
  CHECK(aclrtSetExceptionInfoCallback([](void *Info) {
    KeptInfo = Info;
    KeptDevice = aclrtGetDeviceIdFromExceptionInfo(Info);
  }));
  Add K;
  aclrtStream S = createStream();
  void *X = allocateFilled(), *Y = allocateFilled(), *Z = allocate();
  K.launch(S, X, Y, Z, 2 * N);
  std::printf("synchronize: %d\n", aclrtSynchronizeStream(S));
  std::printf("device: %u\n",
              Wrong ? aclrtGetDeviceIdFromExceptionInfo(KeptInfo) : KeptDevice);
  CHECK(aclrtDestroyStream(S));
  CHECK(aclrtFree(X));
  CHECK(aclrtFree(Y));
  CHECK(aclrtFree(Z));
}

void unloadInFlight(bool Wrong) {
  Session All;
  aclrtStream S = createStream();
  void *X = allocateFilled(), *Y = allocateFilled(), *Z = allocate();
  {
    Add K;
    K.launch(S, X, Y, Z);
    if (!Wrong)
      CHECK(aclrtSynchronizeStream(S));
  }
  CHECK(aclrtSynchronizeStream(S));
  CHECK(aclrtFree(X));
  CHECK(aclrtFree(Y));
  CHECK(aclrtFree(Z));
  CHECK(aclrtDestroyStream(S));
}

void wrongArguments(bool Wrong) {
  Session All;
  Add K;
  aclrtStream S = createStream();
  void *X = allocateFilled(), *Y = allocateFilled(), *Z = allocate();
  int Count = N;
  std::vector<float> Host(N, 1);
  void *HostData = Host.data();
  void *Right[] = {&X, &Y, &Z, &Count},
       *HostPointer[] = {&HostData, &Y, &Z, &Count};
  CHECK(aclrtLaunchKernelWithArgsArray(K.Function, 8, S, nullptr,
                                       Wrong ? HostPointer : Right));
  if (Wrong) {
    void *TooFew[] = {X, Y, Z};
    CHECK(aclrtLaunchKernelWithHostArgs(K.Function, 8, S, nullptr, TooFew,
                                        sizeof(TooFew), nullptr, 0));
  }
  int Failed = aclrtSynchronizeStream(S);
  std::printf("synchronize: %d\n", Failed);
  CHECK(aclrtFree(X));
  CHECK(aclrtFree(Y));
  CHECK(aclrtFree(Z));
  CHECK(aclrtDestroyStream(S));
}

void uninitialised(bool Wrong) {
  Session All;
  Add K;
  aclrtStream S = createStream();
  void *X = Wrong ? allocate() : allocateFilled(), *Y = allocateFilled(),
       *Z = allocate();
  K.launch(S, X, Y, Z);
  CHECK(aclrtSynchronizeStream(S));
  CHECK(aclrtFree(X));
  CHECK(aclrtFree(Y));
  CHECK(aclrtFree(Z));
  CHECK(aclrtDestroyStream(S));
}

void profilingOrder(bool Wrong) {
  Session All;
  CHECK(aclprofInit("folder", 6));
  uint32_t Device = 0;
  aclprofConfig *Config = aclprofCreateConfig(&Device, 1, 0, nullptr, 0);
  CHECK(aclprofStart(Config));
  if (!Wrong)
    CHECK(aclprofStop(Config));
  CHECK(aclprofFinalize());
  if (Wrong)
    CHECK(aclprofStop(Config));
  CHECK(aclprofDestroyConfig(Config));
}

void doubleFree(bool Wrong) {
  Session All;
  void *X = allocate();
  CHECK(aclrtFree(X));
  if (Wrong)
    CHECK(aclrtFree(X));
}

void copyTooMuch(bool Wrong) {
  Session All;
  void *X = allocate();
  std::vector<float> Host(2 * N, 1);
  size_t Count = Wrong ? 2 * Bytes : Bytes;
  CHECK(aclrtMemcpy(X, Count, Host.data(), Count, ACL_MEMCPY_HOST_TO_DEVICE));
  CHECK(aclrtFree(X));
}

void leak(bool Wrong) {
  Session All;
  void *X = allocate();
  if (!Wrong)
    CHECK(aclrtFree(X));
}

const MistakeCases Cases = {
    {"H1", resetWithChildren},
    {"H2", contextBeforeStream},
    {"H3", finalizeWhileBusy},
    {"H4", freeInFlight},
    {"H5", freeHostInFlight},
    {"H6", destroyForce},
    {"H7", otherDevice},
    {"H8", noContextInThread},
    {"H9", contextOfResetDevice},
    {"H10", eventKinds},
    {"H11", ignoredError},
    {"H12", keptMessage},
    {"H13", aclInCallback},
    {"H14", keptException},
    {"H15", unloadInFlight},
    {"H16", wrongArguments},
    {"H17", uninitialised},
    {"H25", profilingOrder},
    {"double-free", doubleFree},
    {"copy", copyTooMuch},
    {"leak", leak},
};

} // namespace

int main(int Argc, char **Argv) {
  if (Argc != 4)
    return 2;
  Object = Argv[1];
  return runMistake(Cases, Argv[2], Argv[3]);
}
