//===- mistakes.cpp - What ranks get wrong, in C --------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// hccl-mistakes CASE wrong|right: one mistake, or the same program without it,
// with two ranks in two threads. The simulated device has to report the one and
// keep silent about the other.
//
//===----------------------------------------------------------------------===//

#include "../Mistakes.h"
#include "hccl/hccl.h"

#include <atomic>
#include <cstdio>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr uint64_t N = 64;
constexpr size_t Bytes = N * sizeof(float);
constexpr int Float = HCCL_DATA_TYPE_FP32, Sum = HCCL_REDUCE_SUM;

void *allocate(size_t Size = Bytes) {
  void *P = nullptr;
  CHECK(aclrtMalloc(&P, Size, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclrtMemset(P, Size, 0, Size));
  return P;
}

/// One rank in its thread: a device, a communicator, a stream, two buffers.
struct Rank {
  Rank(uint32_t Number, const HcclRootInfo &Root) : Number(Number) {
    CHECK(aclrtSetDevice(static_cast<int>(Number)));
    CHECK(HcclCommInitRootInfo(2, &Root, Number, &Comm));
    CHECK(aclrtCreateStream(&Stream));
    X = allocate();
    Y = allocate();
  }
  ~Rank() {
    CHECK(aclrtSynchronizeStream(Stream));
    if (Comm)
      CHECK(HcclCommDestroy(Comm));
    CHECK(aclrtDestroyStream(Stream));
    CHECK(aclrtFree(X));
    CHECK(aclrtFree(Y));
    CHECK(aclrtResetDevice(static_cast<int>(Number)));
  }
  void allReduce() { CHECK(HcclAllReduce(X, Y, N, Float, Sum, Comm, Stream)); }

  uint32_t Number;
  HcclComm Comm = nullptr;
  aclrtStream Stream = nullptr;
  void *X = nullptr, *Y = nullptr;
};

/// Rank 0 has come to where the other may go on.
std::atomic<bool> FirstIsDone{false};
void awaitFirst() {
  while (!FirstIsDone)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

void onBoth(const std::function<void(Rank &)> &Work) {
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  HcclRootInfo Root;
  CHECK(HcclGetRootInfo(&Root));
  std::vector<std::thread> Threads;
  for (uint32_t Number = 0; Number < 2; ++Number)
    Threads.emplace_back([&, Number] {
      Rank Mine(Number, Root);
      Work(Mine);
    });
  for (std::thread &T : Threads)
    T.join();
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
}

//===----------------------------------------------------------------------===//
// One function per mistake
//===----------------------------------------------------------------------===//

void order(bool Wrong) {
  onBoth([&](Rank &R) {
    R.allReduce();
    if (Wrong && R.Number == 1)
      CHECK(HcclBroadcast(R.X, N, Float, 0, R.Comm, R.Stream));
    else
      R.allReduce();
  });
}

void count(bool Wrong) {
  onBoth([&](Rank &R) {
    CHECK(HcclAllReduce(R.X, R.Y, Wrong ? N - R.Number : N, Float, Sum, R.Comm,
                        R.Stream));
  });
}

void type(bool Wrong) {
  onBoth([&](Rank &R) {
    CHECK(HcclAllReduce(R.X, R.Y, N,
                        Wrong && R.Number ? HCCL_DATA_TYPE_INT32 : Float, Sum,
                        R.Comm, R.Stream));
  });
}

void reduction(bool Wrong) {
  onBoth([&](Rank &R) {
    CHECK(HcclAllReduce(R.X, R.Y, N, Float,
                        Wrong && R.Number ? HCCL_REDUCE_MAX : Sum, R.Comm,
                        R.Stream));
  });
}

void root(bool Wrong) {
  onBoth([&](Rank &R) {
    CHECK(HcclBroadcast(R.X, N, Float, Wrong ? R.Number : 0, R.Comm, R.Stream));
  });
}

void alltoallCounts(bool Wrong) {
  onBoth([&](Rank &R) {
    uint64_t Gives[] = {8, 8}, Takes[] = {8, Wrong && !R.Number ? 9u : 8u};
    uint64_t At[] = {0, 16};
    CHECK(HcclAlltoAllV(R.X, Gives, At, Float, R.Y, Takes, At, Float, R.Comm,
                        R.Stream));
  });
}

void messageCount(bool Wrong) {
  onBoth([&](Rank &R) {
    if (R.Number)
      CHECK(HcclRecv(R.X, Wrong ? N - 1 : N, Float, 0, R.Comm, R.Stream));
    else
      CHECK(HcclSend(R.X, N, Float, 1, R.Comm, R.Stream));
  });
}

void messageType(bool Wrong) {
  onBoth([&](Rank &R) {
    if (R.Number)
      CHECK(HcclRecv(R.X, N, Wrong ? HCCL_DATA_TYPE_INT32 : Float, 0, R.Comm,
                     R.Stream));
    else
      CHECK(HcclSend(R.X, N, Float, 1, R.Comm, R.Stream));
  });
}

void missing(bool Wrong) {
  onBoth([&](Rank &R) {
    R.allReduce();
    if (!Wrong || R.Number == 0)
      R.allReduce();
    CHECK(aclrtSynchronizeStream(R.Stream));
    int Error = 0;
    CHECK(HcclGetCommAsyncError(R.Comm, &Error));
    if (R.Number == 0 && Error)
      std::printf("asynchronous error %d\n", Error);
    if (R.Number == 0)
      FirstIsDone = true;
    // A program that only comes later does nothing wrong.
    if (!Wrong && R.Number) {
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      R.allReduce();
    } else if (!Wrong) {
      R.allReduce();
    } else if (R.Number) {
      awaitFirst();
    }
  });
}

void left(bool Wrong) {
  onBoth([&](Rank &R) {
    if (R.Number == 1 && Wrong) {
      CHECK(HcclCommDestroy(R.Comm));
      R.Comm = nullptr;
      return;
    }
    R.allReduce();
  });
}

void notJoined(bool Wrong) {
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  HcclRootInfo Root;
  CHECK(HcclGetRootInfo(&Root));
  HcclComm Comm = nullptr;
  CHECK(HcclCommInitRootInfo(Wrong ? 2 : 1, &Root, 0, &Comm));
  if (Comm)
    CHECK(HcclCommDestroy(Comm));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
}

void unpaired(bool Wrong) {
  onBoth([&](Rank &R) {
    if (R.Number == 0) {
      CHECK(HcclSend(R.X, N, Float, 1, R.Comm, R.Stream));
      CHECK(aclrtSynchronizeStream(R.Stream));
      FirstIsDone = true;
    } else if (!Wrong) {
      CHECK(HcclRecv(R.X, N, Float, 0, R.Comm, R.Stream));
    } else {
      awaitFirst();
    }
  });
}

void circle(bool Wrong) {
  onBoth([&](Rank &R) {
    uint32_t Other = 1 - R.Number;
    if (!Wrong && R.Number) {
      CHECK(HcclRecv(R.Y, N, Float, Other, R.Comm, R.Stream));
      CHECK(HcclSend(R.X, N, Float, Other, R.Comm, R.Stream));
    } else {
      CHECK(HcclSend(R.X, N, Float, Other, R.Comm, R.Stream));
      CHECK(HcclRecv(R.Y, N, Float, Other, R.Comm, R.Stream));
    }
  });
}

/// A buffer that one rank passes; right is its own.
void buffer(bool Wrong, const std::function<void *(Rank &)> &Bad) {
  onBoth([&](Rank &R) {
    void *Other = Wrong && R.Number == 0 ? Bad(R) : R.X;
    CHECK(HcclAllReduce(Other, R.Y, N, Float, Sum, R.Comm, R.Stream));
    // So that the other rank does not wait.
    if (Other != R.X)
      R.allReduce();
  });
}

void hostMemory(bool Wrong) {
  static float Values[N];
  buffer(Wrong, [](Rank &) { return Values; });
}
void tooSmall(bool Wrong) {
  buffer(Wrong, [](Rank &R) { return static_cast<char *>(R.X) + 4; });
}
void notAligned(bool Wrong) {
  buffer(Wrong,
         [](Rank &) { return static_cast<char *>(allocate(Bytes + 4)) + 2; });
}
void otherDevice(bool Wrong) {
  buffer(Wrong, [](Rank &) {
    CHECK(aclrtSetDevice(1));
    void *P = allocate();
    CHECK(aclrtSetDevice(0));
    CHECK(aclrtResetDevice(0));
    return P;
  });
}

void overlap(bool Wrong) {
  onBoth([&](Rank &R) {
    char *All = static_cast<char *>(allocate(2 * Bytes));
    // In place is allowed where the rank's own part goes.
    uint32_t Own = Wrong ? 1 - R.Number : R.Number;
    CHECK(HcclAllGather(All + Own * Bytes, All, N, Float, R.Comm, R.Stream));
    CHECK(aclrtSynchronizeStream(R.Stream));
    CHECK(aclrtFree(All));
  });
}

void unwritten(bool Wrong) {
  onBoth([&](Rank &R) {
    void *P = nullptr;
    CHECK(aclrtMalloc(&P, Bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    if (!Wrong || R.Number)
      CHECK(aclrtMemsetAsync(P, Bytes, 0, Bytes, R.Stream));
    CHECK(HcclAllReduce(P, R.Y, N, Float, Sum, R.Comm, R.Stream));
    CHECK(aclrtSynchronizeStream(R.Stream));
    CHECK(aclrtFree(P));
  });
}

void freed(bool Wrong) {
  onBoth([&](Rank &R) {
    void *Result = allocate();
    CHECK(HcclAllReduce(R.X, Result, N, Float, Sum, R.Comm, R.Stream));
    if (!Wrong || R.Number)
      CHECK(aclrtSynchronizeStream(R.Stream));
    // The other rank has got what it needs by then.
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    CHECK(aclrtFree(Result));
  });
}

void destroyedInFlight(bool Wrong) {
  onBoth([&](Rank &R) {
    R.allReduce();
    if (!Wrong || R.Number)
      CHECK(aclrtSynchronizeStream(R.Stream));
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    CHECK(HcclCommDestroy(R.Comm));
    R.Comm = nullptr;
  });
}

void destroyedWhileRunning(bool Wrong) {
  onBoth([&](Rank &R) {
    if (Wrong && R.Number == 1)
      awaitFirst();
    R.allReduce();
    if (!Wrong || R.Number)
      CHECK(aclrtSynchronizeStream(R.Stream));
    int Result = HcclCommDestroy(R.Comm);
    if (R.Number == 0)
      FirstIsDone = true;
    if (R.Number == 0)
      std::printf("destroyed: %s\n", HcclGetErrorString(Result));
    if (Result == HCCL_SUCCESS)
      R.Comm = nullptr;
  });
}

void usedAfterDestroy(bool Wrong) {
  onBoth([&](Rank &R) {
    HcclComm Kept = R.Comm;
    uint32_t Size = 0;
    if (!Wrong)
      CHECK(HcclGetRankSize(Kept, &Size));
    CHECK(HcclCommDestroy(R.Comm));
    R.Comm = nullptr;
    if (Wrong && R.Number == 0)
      CHECK(HcclBarrier(Kept, R.Stream));
  });
}

void resetWithCommunicator(bool Wrong) {
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  int32_t Devices[] = {0};
  HcclComm Comm = nullptr;
  CHECK(HcclCommInitAll(1, Devices, &Comm));
  if (!Wrong)
    CHECK(HcclCommDestroy(Comm));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
}

void streamOfOtherDevice(bool Wrong) {
  CHECK(aclInit(nullptr));
  int32_t Devices[] = {0};
  HcclComm Comm = nullptr;
  CHECK(HcclCommInitAll(1, Devices, &Comm));
  CHECK(aclrtSetDevice(Wrong ? 1 : 0));
  aclrtStream Stream = nullptr;
  CHECK(aclrtCreateStream(&Stream));
  CHECK(HcclBarrier(Comm, Stream));
  CHECK(aclrtSynchronizeStream(Stream));
  CHECK(HcclCommDestroy(Comm));
  CHECK(aclrtDestroyStream(Stream));
  CHECK(aclrtResetDevice(Wrong ? 1 : 0));
  CHECK(aclFinalize());
}

const MistakeCases Cases = {
    {"order", order},
    {"count", count},
    {"type", type},
    {"reduction", reduction},
    {"root", root},
    {"alltoall-counts", alltoallCounts},
    {"message-count", messageCount},
    {"message-type", messageType},
    {"missing", missing},
    {"left", left},
    {"not-joined", notJoined},
    {"unpaired", unpaired},
    {"circle", circle},
    {"host-memory", hostMemory},
    {"too-small", tooSmall},
    {"not-aligned", notAligned},
    {"other-device", otherDevice},
    {"overlap", overlap},
    {"unwritten", unwritten},
    {"freed", freed},
    {"destroyed", destroyedInFlight},
    {"destroyed-running", destroyedWhileRunning},
    {"used-after-destroy", usedAfterDestroy},
    {"reset", resetWithCommunicator},
    {"stream", streamOfOtherDevice},
};

} // namespace

int main(int Argc, char **Argv) {
  return Argc == 3 ? runMistake(Cases, Argv[1], Argv[2]) : 2;
}
