//===- processes.cpp - What ranks in two processes get wrong --------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// hccl-processes CASE wrong|right: as mistakes.cpp, but every rank is a
// process. Ends with the worse status of both.
//
//===----------------------------------------------------------------------===//

#include "hccl/hccl.h"

#include <cstdio>
#include <map>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

constexpr uint64_t N = 64;
constexpr int Float = HCCL_DATA_TYPE_FP32, Sum = HCCL_REDUCE_SUM;
uint32_t Number;       // of this process
int ReadEnd, WriteEnd; // of a pipe from process 0 to process 1

void check(int Error, const char *What) {
  if (Error)
    std::printf("process %u: %s: %d\n", Number, What, Error);
}
#define CHECK(Call) check(Call, #Call)

struct Session {
  Session() {
    CHECK(aclInit(nullptr));
    CHECK(aclrtSetDevice(0));
    CHECK(aclrtCreateStream(&Stream));
    CHECK(aclrtMalloc(&X, N * sizeof(float), ACL_MEM_MALLOC_HUGE_FIRST));
    CHECK(aclrtMemset(X, N * sizeof(float), 0, N * sizeof(float)));
    if (Number == 0) {
      CHECK(HcclGetRootInfo(&Root));
      if (write(WriteEnd, &Root, sizeof(Root)) != sizeof(Root))
        _exit(3);
    } else if (read(ReadEnd, &Root, sizeof(Root)) != sizeof(Root)) {
      _exit(3);
    }
  }
  ~Session() {
    CHECK(aclrtSynchronizeStream(Stream));
    if (Comm)
      CHECK(HcclCommDestroy(Comm));
    CHECK(aclrtFree(X));
    CHECK(aclrtDestroyStream(Stream));
    CHECK(aclrtResetDevice(0));
    CHECK(aclFinalize());
  }
  void join(uint32_t Ranks, uint32_t Rank) {
    CHECK(HcclCommInitRootInfo(Ranks, &Root, Rank, &Comm));
  }
  void allReduce(uint64_t Count = N) {
    CHECK(HcclAllReduce(X, X, Count, Float, Sum, Comm, Stream));
  }

  aclrtStream Stream = nullptr;
  void *X = nullptr;
  HcclRootInfo Root = {};
  HcclComm Comm = nullptr;
};

void count(bool Wrong) {
  Session S;
  S.join(2, Number);
  S.allReduce();
  S.allReduce(Wrong && Number ? N - 1 : N);
}

void died(bool Wrong) {
  Session S;
  S.join(2, Number);
  S.allReduce();
  CHECK(aclrtSynchronizeStream(S.Stream));
  if (Wrong && Number)
    _exit(0);
  S.allReduce();
}

/// A rank that ends after its last collective is missed by nobody.
void leftEarly(bool) {
  Session S;
  S.join(2, Number);
  S.allReduce();
  if (Number) {
    CHECK(aclrtSynchronizeStream(S.Stream));
    _exit(0);
  }
  usleep(300000);
  CHECK(aclrtSynchronizeStream(S.Stream));
}

void sameRank(bool Wrong) {
  Session S;
  S.join(2, Wrong ? 0 : Number);
}

void numberOfRanks(bool Wrong) {
  Session S;
  S.join(Wrong && Number ? 3 : 2, Number);
}

const std::map<std::string, void (*)(bool)> Cases = {
    {"count", count},        {"died", died},           {"left", leftEarly},
    {"same-rank", sameRank}, {"ranks", numberOfRanks},
};

} // namespace

int main(int Count, char **Arguments) {
  auto Case = Count == 3 ? Cases.find(Arguments[1]) : Cases.end();
  int Pipe[2];
  if (Case == Cases.end() || pipe(Pipe) != 0)
    return 2;
  ReadEnd = Pipe[0];
  WriteEnd = Pipe[1];
  pid_t Child = fork();
  Number = Child == 0;
  Case->second(std::string(Arguments[2]) == "wrong");
  std::fflush(nullptr);
  if (Number)
    return 0;
  int Status = 0;
  waitpid(Child, &Status, 0);
  return WIFEXITED(Status) ? WEXITSTATUS(Status) : 1;
}
