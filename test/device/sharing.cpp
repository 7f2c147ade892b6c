//===- sharing.cpp - Memory, notifies and events of two processes ---------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// sharing OBJECT [CASE]: gives memory, a notify and an event to another process
// (itself, started with the keys), whose kernel adds to the memory. CASE is a
// mistake that one of the two makes.
//
//===----------------------------------------------------------------------===//

#include "Mistakes.h"

#include <cstring>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern char **environ;

namespace {

constexpr int N = 1024;
constexpr size_t Bytes = N * sizeof(float);
constexpr size_t KeyBytes = 65;
/// Descriptors of the second process.
constexpr int Reads = 10, Writes = 11;

struct Keys {
  char Memory[KeyBytes] = {}, Notify[KeyBytes] = {};
  aclrtIpcEventHandle Event = {};
};

void say(int Fd, int32_t Word) {
  if (write(Fd, &Word, sizeof(Word)) != sizeof(Word))
    std::_Exit(3);
}
int32_t hear(int Fd) {
  int32_t Word = -1;
  if (read(Fd, &Word, sizeof(Word)) != sizeof(Word))
    std::_Exit(4);
  return Word;
}

/// The second process.
int take(const char *Object, const std::string &Case) {
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  int32_t Pid = 0;
  CHECK(aclrtDeviceGetBareTgid(&Pid));
  say(Writes, Pid);
  Keys Theirs;
  if (read(Reads, &Theirs, sizeof(Theirs)) != sizeof(Theirs))
    return 5;
  aclrtStream S = nullptr;
  CHECK(aclrtCreateStream(&S));
  void *Shared = nullptr;
  CHECK(aclrtIpcMemImportByKey(&Shared, Theirs.Memory,
                               ACL_RT_IPC_MEM_IMPORT_FLAG_DEFAULT));
  if (!Shared) {
    say(Writes, 0);
    CHECK(aclrtDestroyStream(S));
    return 0;
  }
  aclrtNotify Done = nullptr;
  CHECK(aclrtNotifyImportByKey(&Done, Theirs.Notify,
                               ACL_RT_NOTIFY_IMPORT_FLAG_DEFAULT));
  aclrtEvent Filled = nullptr;
  CHECK(aclrtIpcOpenEventHandle(Theirs.Event, &Filled));

  aclrtBinHandle Binary = nullptr;
  aclrtFuncHandle Add = nullptr;
  CHECK(aclrtBinaryLoadFromFile(Object, nullptr, &Binary));
  CHECK(aclrtBinaryGetFunction(Binary, "add", &Add));
  struct {
    void *X, *Y, *Z;
    int Count;
  } Args = {Shared, Shared, Shared, N};
  CHECK(aclrtStreamWaitEvent(S, Filled));
  CHECK(aclrtLaunchKernelWithHostArgs(Add, 8, S, nullptr, &Args, sizeof(Args),
                                      nullptr, 0));
  CHECK(aclrtRecordNotify(Done, S));
  CHECK(aclrtSynchronizeStream(S));
  float First = 0;
  CHECK(aclrtMemcpy(&First, 4, Shared, 4, ACL_MEMCPY_DEVICE_TO_HOST));
  std::printf("the second process sees %g\n", First);
  if (Case == "free")
    CHECK(aclrtFree(Shared));
  if (Case == "close") {
    say(Writes, 0);
    hear(Reads);
  }
  CHECK(aclrtIpcMemClose(Theirs.Memory));
  if (Case == "twice")
    CHECK(aclrtIpcMemClose(Theirs.Memory));
  if (Case != "close")
    say(Writes, 0);
  CHECK(aclrtBinaryUnLoad(Binary));
  CHECK(aclrtDestroyEvent(Filled));
  CHECK(aclrtDestroyNotify(Done));
  CHECK(aclrtDestroyStream(S));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
  return 0;
}

pid_t start(char *Object, const std::string &Case, int &To, int &From) {
  int There[2], Back[2];
  if (pipe(There) || pipe(Back))
    std::_Exit(6);
  posix_spawn_file_actions_t Actions;
  posix_spawn_file_actions_init(&Actions);
  posix_spawn_file_actions_adddup2(&Actions, There[0], Reads);
  posix_spawn_file_actions_adddup2(&Actions, Back[1], Writes);
  std::string Role = "second", Self = "/proc/self/exe", Kept = Case;
  char *Args[] = {Self.data(), Object, Kept.data(), Role.data(), nullptr};
  pid_t Child = -1;
  if (posix_spawn(&Child, Self.c_str(), &Actions, nullptr, Args, environ))
    std::_Exit(7);
  posix_spawn_file_actions_destroy(&Actions);
  close(There[0]);
  close(Back[1]);
  To = There[1];
  From = Back[0];
  return Child;
}

int give(char *Object, const std::string &Case) {
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  aclrtStream S = nullptr;
  CHECK(aclrtCreateStream(&S));
  void *Memory = nullptr;
  CHECK(aclrtMalloc(&Memory, Bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  aclrtNotify Done = nullptr;
  CHECK(aclrtCreateNotify(&Done, 0));
  aclrtEvent Filled = nullptr;
  CHECK(aclrtCreateEventExWithFlag(&Filled, ACL_EVENT_IPC));

  int To, From;
  pid_t Child = start(Object, Case, To, From);
  int32_t Pid = hear(From);
  Keys Mine;
  CHECK(aclrtIpcMemGetExportKey(Memory, Bytes, Mine.Memory, KeyBytes,
                                ACL_RT_IPC_MEM_EXPORT_FLAG_DEFAULT));
  if (Case != "not-allowed")
    CHECK(aclrtIpcMemSetImportPid(Mine.Memory, &Pid, 1));
  CHECK(aclrtNotifyGetExportKey(
      Done, Mine.Notify, KeyBytes,
      ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION));
  CHECK(aclrtIpcGetEventHandle(Filled, &Mine.Event));
  std::vector<float> Values(N, 21);
  CHECK(aclrtMemcpyAsync(Memory, Bytes, Values.data(), Bytes,
                         ACL_MEMCPY_HOST_TO_DEVICE, S));
  CHECK(aclrtRecordEvent(Filled, S));
  if (write(To, &Mine, sizeof(Mine)) != sizeof(Mine))
    return 8;
  if (Case != "not-allowed") {
    CHECK(aclrtWaitAndResetNotify(Done, S, 0));
    CHECK(aclrtSynchronizeStream(S));
    CHECK(aclrtMemcpy(Values.data(), Bytes, Memory, Bytes,
                      ACL_MEMCPY_DEVICE_TO_HOST));
    hear(From);
    std::printf("the first process has %g to %g\n", Values[0], Values[N - 1]);
  } else {
    hear(From);
  }
  CHECK(aclrtIpcMemClose(Mine.Memory));
  if (Case == "close")
    say(To, 0);
  int Status = 0;
  waitpid(Child, &Status, 0);
  CHECK(aclrtDestroyEvent(Filled));
  CHECK(aclrtDestroyNotify(Done));
  CHECK(aclrtFree(Memory));
  CHECK(aclrtDestroyStream(S));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
  return WEXITSTATUS(Status);
}

} // namespace

int main(int argc, char **argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  std::string Case = argc > 2 ? argv[2] : "";
  return argc > 3 ? take(argv[1], Case) : give(argv[1], Case);
}
