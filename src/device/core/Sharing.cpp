//===- Sharing.cpp - What processes share of a device ---------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/core/Sharing.h"

#include <cinttypes>
#include <cstdio>
#include <fcntl.h>
#include <new>
#include <random>
#include <sys/mman.h>
#include <unistd.h>

namespace belay::device {

namespace {

ShareBlock *map(int Fd) {
  void *Place = mmap(nullptr, sizeof(ShareBlock), PROT_READ | PROT_WRITE,
                     MAP_SHARED, Fd, 0);
  return Place == MAP_FAILED ? nullptr : static_cast<ShareBlock *>(Place);
}

int openFileOf(int Pid, int Fd) {
  char Path[64];
  std::snprintf(Path, sizeof(Path), "/proc/%d/fd/%d", Pid, Fd);
  return open(Path, O_RDWR | O_CLOEXEC);
}

} // namespace

std::shared_ptr<Share> Share::create(ShareKind Kind, bool AnyProcess) {
  std::shared_ptr<Share> Result(new Share);
  Result->Fd = memfd_create("belay-share", MFD_CLOEXEC);
  if (Result->Fd < 0 || ftruncate(Result->Fd, sizeof(ShareBlock)) != 0)
    return nullptr;
  ShareBlock *Block = map(Result->Fd);
  if (!Block)
    return nullptr;
  Result->Block = new (Block) ShareBlock();
  std::random_device Random;
  Block->Nonce = uint64_t(Random()) << 32 | Random();
  Block->Kind = Kind;
  Block->AnyProcess = AnyProcess;
  Result->Giver = true;
  Result->Pid = getpid();
  char Key[KeyBytes];
  std::snprintf(Key, sizeof(Key), "belay.%d.%d.%016" PRIx64, Result->Pid,
                Result->Fd, Block->Nonce);
  Result->Key = Key;
  return Result;
}

std::shared_ptr<Share> Share::join(const std::string &Key, ShareKind Kind,
                                   std::string &Why) {
  int Pid = 0, Fd = -1;
  uint64_t Nonce = 0;
  if (std::sscanf(Key.c_str(), "belay.%d.%d.%" SCNx64, &Pid, &Fd, &Nonce) != 3)
    return Why = "'" + Key + "' is no key of the simulated device", nullptr;
  std::string Gone = "process " + std::to_string(Pid) +
                     ", which gave the key, has ended or closed it";
  int Opened = openFileOf(Pid, Fd);
  if (Opened < 0)
    return Why = Gone, nullptr;
  // The number of a file may have gone to another one.
  bool Complete = lseek(Opened, 0, SEEK_END) == sizeof(ShareBlock);
  ShareBlock *Block = Complete ? map(Opened) : nullptr;
  close(Opened);
  if (!Block)
    return Why = Gone, nullptr;
  std::shared_ptr<Share> Result(new Share);
  Result->Block = Block;
  Result->Key = Key;
  Result->Pid = Pid;
  if (Block->Nonce != Nonce || Block->Closed)
    return Why = Gone, nullptr;
  if (Block->Kind != Kind)
    return Why = "the key stands for another kind of thing", nullptr;
  bool Allowed = Block->AnyProcess;
  for (uint32_t N = 0; N < Block->NumPids; ++N)
    Allowed |= Block->Pids[N] == getpid();
  if (!Allowed)
    return Why = "process " + std::to_string(getpid()) +
                 " is not among those that process " + std::to_string(Pid) +
                 " allows",
           nullptr;
  return Result;
}

bool Share::allow(const int32_t *Pids, size_t Count) const {
  for (size_t N = 0; N < Count; ++N) {
    uint32_t At = Block->NumPids;
    if (At == ShareBlock::MaxPids)
      return false;
    Block->Pids[At] = Pids[N];
    Block->NumPids = At + 1;
  }
  return true;
}

int Share::openGivers(int Fd) const { return openFileOf(Pid, Fd); }

Share::~Share() {
  if (Block)
    munmap(Block, sizeof(ShareBlock));
  if (Fd >= 0)
    close(Fd);
}

} // namespace belay::device
