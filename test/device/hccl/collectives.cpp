//===- collectives.cpp - Collectives, one case after another --------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// hccl-collectives HOW RANKS FOLDER [RANK]: runs the cases of FOLDER/cases.R as
// rank R, with data from FOLDER/in.R, and writes what it received to
// FOLDER/out.R. HOW:
//   threads   every rank a thread
//   single    all ranks in one thread, which only calls and then waits
//   parts     every rank a thread; the even and the odd ones of twice as many
//             are communicators of their own, and do the same
//   process   only RANK; root information goes through FOLDER/root
//   table     only RANK; the rank table is FOLDER/table.json
// A case is a line: name type op root count in-bytes out-bytes in-place, and
// numbers for each rank where counts differ.
//
//===----------------------------------------------------------------------===//

#include "hccl/hccl.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

std::string Folder;

#define CHECK(Call)                                                            \
  do {                                                                         \
    if (int Error = Call) {                                                    \
      const char *Text = aclGetRecentErrMsg();                                 \
      std::fprintf(stderr, "%s: %d %s\n", #Call, Error, Text ? Text : "");     \
      std::exit(1);                                                            \
    }                                                                          \
  } while (0)

struct Case {
  std::string Name;
  int Type = 0, Op = 0;
  uint32_t Root = 0;
  uint64_t Count = 0, In = 0, Out = 0;
  int InPlace = 0;
  std::vector<uint64_t> Numbers;
};

std::vector<Case> readCases(uint32_t Rank) {
  std::ifstream File(Folder + "/cases." + std::to_string(Rank));
  std::vector<Case> Result;
  for (std::string Line; std::getline(File, Line);) {
    std::istringstream Words(Line);
    Case C;
    Words >> C.Name >> C.Type >> C.Op >> C.Root >> C.Count >> C.In >> C.Out >>
        C.InPlace;
    for (uint64_t Number; Words >> Number;)
      C.Numbers.push_back(Number);
    Result.push_back(C);
  }
  return Result;
}

/// One rank on its way through the cases.
class Worker {
public:
  Worker(HcclComm Comm, int Device, const std::string &Suffix)
      : Comm(Comm), Device(Device) {
    CHECK(aclrtSetDevice(Device));
    CHECK(HcclGetRankId(Comm, &Rank));
    CHECK(HcclGetRankSize(Comm, &Ranks));
    CHECK(aclrtCreateStream(&Stream));
    Input.open(Folder + "/in." + std::to_string(Rank), std::ios::binary);
    Output.open(Folder + "/out." + std::to_string(Rank) + Suffix,
                std::ios::binary);
  }
  void begin(const Case &C);
  void finish();
  void end() {
    CHECK(aclrtSetDevice(Device));
    CHECK(HcclCommDestroy(Comm));
    CHECK(aclrtDestroyStream(Stream));
    CHECK(aclrtResetDevice(Device));
  }
  uint32_t rank() const { return Rank; }

private:
  int call(const Case &C);
  int messages(const Case &C);

  HcclComm Comm;
  int Device;
  uint32_t Rank = 0, Ranks = 0;
  aclrtStream Stream = nullptr;
  std::ifstream Input;
  std::ofstream Output;
  void *Send = nullptr, *Recv = nullptr;
  char *From = nullptr, *To = nullptr;
  uint64_t OutBytes = 0;
};

/// What is received is all ones before, so that gaps are seen to stay.
void Worker::begin(const Case &C) {
  CHECK(aclrtSetDevice(Device));
  std::vector<char> Data(C.In);
  Input.read(Data.data(), static_cast<std::streamsize>(C.In));
  CHECK(aclrtMalloc(&Send, std::max<uint64_t>(C.In, 1), 0));
  CHECK(aclrtMalloc(&Recv, std::max<uint64_t>(C.Out, 1), 0));
  From = static_cast<char *>(Send);
  To = static_cast<char *>(Recv);
  if (C.InPlace) {
    // The rank's own part of the larger of the two is the smaller.
    if (C.Out > C.In)
      From = To + C.In * Rank;
    else if (C.Out < C.In)
      To = From + C.Out * Rank;
    else
      From = To;
  }
  if (C.In)
    CHECK(aclrtMemcpy(From, C.In, Data.data(), C.In, 1));
  OutBytes = C.Out;
  CHECK(call(C));
}

void Worker::finish() {
  CHECK(aclrtSetDevice(Device));
  CHECK(aclrtSynchronizeStream(Stream));
  std::vector<char> Data(OutBytes);
  if (OutBytes)
    CHECK(aclrtMemcpy(Data.data(), OutBytes, To, OutBytes, 2));
  Output.write(Data.data(), static_cast<std::streamsize>(OutBytes));
  CHECK(aclrtFree(Send));
  CHECK(aclrtFree(Recv));
}

int Worker::messages(const Case &C) {
  uint32_t Next = (Rank + 1) % Ranks, Before = (Rank + Ranks - 1) % Ranks;
  if (C.Name == "batch") {
    HcclSendRecvItem Items[] = {
        {HCCL_SEND, From, C.Count, C.Type, Next},
        {HCCL_RECV, To, C.Count, C.Type, Before},
    };
    return HcclBatchSendRecv(Items, 2, Comm, Stream);
  }
  if (C.Name == "group") {
    int Error = HcclGroupStart();
    Error += HcclSend(From, C.Count, C.Type, Next, Comm, Stream);
    Error += HcclRecv(To, C.Count, C.Type, Before, Comm, Stream);
    return Error + HcclGroupEnd();
  }
  // From even ranks to the next.
  if (Rank % 2 == 0)
    return HcclSend(From, C.Count, C.Type, Rank + 1, Comm, Stream);
  return HcclRecv(To, C.Count, C.Type, Rank - 1, Comm, Stream);
}

int Worker::call(const Case &C) {
  const uint64_t *Numbers = C.Numbers.data();
  if (C.Name == "allreduce")
    return HcclAllReduce(From, To, C.Count, C.Type, C.Op, Comm, Stream);
  if (C.Name == "broadcast")
    return HcclBroadcast(To = From, C.Count, C.Type, C.Root, Comm, Stream);
  if (C.Name == "allgather")
    return HcclAllGather(From, To, C.Count, C.Type, Comm, Stream);
  if (C.Name == "reducescatter")
    return HcclReduceScatter(From, To, C.Count, C.Type, C.Op, Comm, Stream);
  if (C.Name == "reduce")
    return HcclReduce(From, Rank == C.Root ? To : nullptr, C.Count, C.Type,
                      C.Op, C.Root, Comm, Stream);
  if (C.Name == "scatter")
    return HcclScatter(Rank == C.Root ? From : nullptr, To, C.Count, C.Type,
                       C.Root, Comm, Stream);
  if (C.Name == "alltoall")
    return HcclAlltoAll(From, C.Count, C.Type, To, C.Count, C.Type, Comm,
                        Stream);
  if (C.Name == "alltoallv")
    return HcclAlltoAllV(From, Numbers, Numbers + Ranks, C.Type, To,
                         Numbers + 2 * Ranks, Numbers + 3 * Ranks, C.Type, Comm,
                         Stream);
  if (C.Name == "alltoallvc")
    return HcclAlltoAllVC(From, Numbers, C.Type, To, C.Type, Comm, Stream);
  if (C.Name == "allgatherv")
    return HcclAllGatherV(From, C.Count, To, Numbers, Numbers + Ranks, C.Type,
                          Comm, Stream);
  if (C.Name == "reducescatterv")
    return HcclReduceScatterV(From, Numbers, Numbers + Ranks, To, C.Count,
                              C.Type, C.Op, Comm, Stream);
  if (C.Name == "barrier")
    return HcclBarrier(Comm, Stream);
  // Refused, with the code in Root.
  if (C.Name == "refused")
    return HcclAllReduce(From, To, C.Count, C.Type, C.Op, Comm, Stream) !=
           static_cast<int>(C.Root);
  return messages(C);
}

void runAll(HcclComm Comm, int Device, const std::string &Suffix = "") {
  Worker W(Comm, Device, Suffix);
  for (const Case &C : readCases(W.rank())) {
    W.begin(C);
    W.finish();
  }
  W.end();
}

void threads(uint32_t Ranks, bool Parts) {
  uint32_t World = Parts ? 2 * Ranks : Ranks;
  CHECK(aclrtSetDevice(0));
  HcclRootInfo Root;
  CHECK(HcclGetRootInfo(&Root));
  std::vector<std::thread> All;
  for (uint32_t Rank = 0; Rank < World; ++Rank)
    All.emplace_back([=] {
      int Device = static_cast<int>(Rank);
      HcclComm Parent, Part;
      CHECK(aclrtSetDevice(Device));
      CHECK(HcclCommInitRootInfo(World, &Root, Rank, &Parent));
      if (!Parts)
        return runAll(Parent, Device);
      std::vector<uint32_t> Members;
      for (uint32_t Other = Rank % 2; Other < World; Other += 2)
        Members.push_back(Other);
      HcclCommConfig Config;
      HcclCommConfigInit(&Config);
      CHECK(HcclCreateSubCommConfig(&Parent, Ranks, Members.data(), Rank % 2,
                                    Rank / 2, &Config, &Part));
      runAll(Part, Device, Rank % 2 ? ".odd" : "");
      CHECK(HcclCommDestroy(Parent));
    });
  for (std::thread &T : All)
    T.join();
  CHECK(aclrtResetDevice(0));
}

void single(uint32_t Ranks) {
  std::vector<int32_t> Devices;
  for (uint32_t Rank = 0; Rank < Ranks; ++Rank)
    Devices.push_back(static_cast<int32_t>(Rank));
  std::vector<HcclComm> Comms(Ranks);
  CHECK(HcclCommInitAll(Ranks, Devices.data(), Comms.data()));
  std::vector<Worker> Workers;
  std::vector<std::vector<Case>> Cases;
  for (uint32_t Rank = 0; Rank < Ranks; ++Rank) {
    Workers.emplace_back(Comms[Rank], Devices[Rank], "");
    Cases.push_back(readCases(Rank));
  }
  for (size_t I = 0; I < Cases[0].size(); ++I) {
    for (uint32_t Rank = 0; Rank < Ranks; ++Rank)
      Workers[Rank].begin(Cases[Rank][I]);
    for (Worker &W : Workers)
      W.finish();
  }
  for (Worker &W : Workers)
    W.end();
}

HcclRootInfo exchangeRoot(uint32_t Rank) {
  HcclRootInfo Root;
  std::string Path = Folder + "/root";
  if (Rank == 0) {
    CHECK(HcclGetRootInfo(&Root));
    std::ofstream(Path + ".new", std::ios::binary)
        .write(Root.internal, sizeof(Root.internal));
    std::rename((Path + ".new").c_str(), Path.c_str());
    return Root;
  }
  for (;;) {
    std::ifstream File(Path, std::ios::binary);
    if (File.read(Root.internal, sizeof(Root.internal)))
      return Root;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

/// Processes may use the same device number: each has its own simulated ones.
void process(uint32_t Ranks, uint32_t Rank, bool Table) {
  CHECK(aclrtSetDevice(0));
  HcclComm Comm;
  if (Table) {
    CHECK(
        HcclCommInitClusterInfo((Folder + "/table.json").c_str(), Rank, &Comm));
  } else {
    HcclRootInfo Root = exchangeRoot(Rank);
    CHECK(HcclCommInitRootInfo(Ranks, &Root, Rank, &Comm));
  }
  runAll(Comm, 0);
  CHECK(aclrtResetDevice(0));
}

} // namespace

int main(int Count, char **Arguments) {
  if (Count < 4)
    return 2;
  std::string How = Arguments[1];
  auto Ranks = static_cast<uint32_t>(std::atoi(Arguments[2]));
  Folder = Arguments[3];
  CHECK(aclInit(nullptr));
  if (How == "single")
    single(Ranks);
  else if (Count == 5)
    process(Ranks, static_cast<uint32_t>(std::atoi(Arguments[4])),
            How == "table");
  else
    threads(Ranks, How == "parts");
  CHECK(aclFinalize());
}
