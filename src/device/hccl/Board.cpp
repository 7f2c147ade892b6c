//===- Board.cpp - What the ranks of a communicator share -----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/hccl/Board.h"

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <linux/futex.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace belay::device::hccl {

struct Board::Header {
  uint32_t Ranks;
  std::atomic<uint32_t> Changed; // a futex
  enum : uint32_t { Fine, BeingWritten, Written };
  std::atomic<uint32_t> FailureState;
  int32_t FailureError;
  char FailureText[1024];
};

namespace {

constexpr uint64_t Page = 4096;
uint64_t pages(uint64_t Bytes) { return (Bytes + Page - 1) / Page * Page; }

/// Where the parts begin.
struct Layout {
  uint64_t Slots, Counts, Channels, Windows, End;
  explicit Layout(uint64_t Ranks)
      : Slots(Page), Counts(Slots + pages(Ranks * sizeof(RankSlot))),
        Channels(Counts +
                 pages(Ranks * NumPhases * 2 * Ranks * sizeof(uint64_t))),
        Windows(Channels + pages(Ranks * Ranks * sizeof(Channel))),
        End(Windows + Ranks * NumPhases * Board::WindowBytes) {}
};

} // namespace

std::string CallRecord::describe() const {
  std::string Text = nameOf(What);
  if (What == Kind::Barrier || What == Kind::None)
    return Text;
  Text += " (";
  switch (What) {
  case Kind::AllGatherV:
  case Kind::ReduceScatterV:
  case Kind::AlltoAllV:
  case Kind::AlltoAllVC:
    Text += nameOf(Type);
    break;
  default:
    Text += std::to_string(Count) + " x " + nameOf(Type);
  }
  if (reduces(What))
    Text += std::string(", ") + nameOf(Op);
  if (hasRoot(What))
    Text += ", root " + std::to_string(Root);
  return Text + ")";
}

std::shared_ptr<Board> Board::create(uint32_t Ranks) {
  auto Result = std::shared_ptr<Board>(new Board);
  Result->Fd = memfd_create("belay-hccl", MFD_CLOEXEC);
  // The file is sparse: what no rank uses takes no memory. Zeros are a good
  // state for all of it.
  if (Result->Fd < 0 ||
      ftruncate(Result->Fd, static_cast<off_t>(Layout(Ranks).End)) != 0 ||
      !Result->mapFile())
    return nullptr;
  Result->header().Ranks = Ranks;
  return Result;
}

std::shared_ptr<Board> Board::map(int Fd) {
  auto Result = std::shared_ptr<Board>(new Board);
  Result->Fd = Fd;
  return Result->mapFile() ? Result : nullptr;
}

bool Board::mapFile() {
  struct stat Info;
  if (fstat(Fd, &Info) != 0)
    return false;
  Size = static_cast<uint64_t>(Info.st_size);
  void *Where = mmap(nullptr, Size, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_NORESERVE, Fd, 0);
  if (Where == MAP_FAILED)
    return false;
  Base = static_cast<uint8_t *>(Where);
  return true;
}

Board::~Board() {
  if (Base)
    munmap(Base, Size);
  if (Fd >= 0)
    close(Fd);
  for (int Peer : Peers)
    if (Peer >= 0)
      close(Peer);
}

uint32_t Board::ranks() const { return header().Ranks; }

RankSlot &Board::slot(uint32_t Rank) const {
  return reinterpret_cast<RankSlot *>(Base + Layout(ranks()).Slots)[Rank];
}
Channel &Board::channel(uint32_t From, uint32_t To) const {
  uint64_t Index = uint64_t(From) * ranks() + To;
  return reinterpret_cast<Channel *>(Base + Layout(ranks()).Channels)[Index];
}
uint64_t *Board::gives(uint32_t Rank, unsigned Phase) const {
  auto *Counts = reinterpret_cast<uint64_t *>(Base + Layout(ranks()).Counts);
  return Counts + (uint64_t(Rank) * NumPhases + Phase) * 2 * ranks();
}
uint64_t *Board::takes(uint32_t Rank, unsigned Phase) const {
  return gives(Rank, Phase) + ranks();
}
uint8_t *Board::window(uint32_t Rank, unsigned Phase) const {
  return Base + Layout(ranks()).Windows +
         (uint64_t(Rank) * NumPhases + Phase) * WindowBytes;
}

bool Board::join(uint32_t Rank) {
  uint32_t Expected = RankSlot::Absent;
  RankSlot &Mine = slot(Rank);
  if (!Mine.Where.compare_exchange_strong(Expected, RankSlot::Present))
    return false;
  Mine.Process = getpid();
  notify();
  return true;
}

bool Board::allJoined() const {
  for (uint32_t Rank = 0; Rank < ranks(); ++Rank)
    if (slot(Rank).Where == RankSlot::Absent)
      return false;
  return true;
}

void Board::leave(uint32_t Rank) {
  slot(Rank).Where = RankSlot::Left;
  notify();
}

bool Board::isGone(uint32_t Rank) {
  RankSlot &Other = slot(Rank);
  if (Other.Where != RankSlot::Present)
    return Other.Where == RankSlot::Left;
  int32_t Process = Other.Process;
  if (Process == 0 || Process == getpid()) // it is just joining
    return false;
  std::lock_guard<std::mutex> Lock(PeersMutex);
  Peers.resize(ranks(), -1);
  int &Peer = Peers[Rank];
  if (Peer < 0)
    Peer = static_cast<int>(syscall(SYS_pidfd_open, Process, 0));
  if (Peer < 0) // the process is gone, or the kernel is older than pidfds
    return kill(Process, 0) != 0 && errno == ESRCH;
  pollfd Ended = {Peer, POLLIN, 0};
  return poll(&Ended, 1, 0) > 0;
}

void Board::notify() {
  header().Changed.fetch_add(1);
  syscall(SYS_futex, &header().Changed, FUTEX_WAKE, INT_MAX, nullptr, nullptr,
          0);
}

Board::Wait Board::wait(const std::function<bool()> &Done, Time Until,
                        const std::function<bool(uint32_t)> &NeededRank) {
  for (;;) {
    uint32_t Seen = header().Changed;
    if (Done())
      return Wait::Done;
    if (failure())
      return Wait::Failed;
    // Woken by whoever changes something; now and then to see who died.
    constexpr timespec Nap = {0, 20'000'000};
    if (syscall(SYS_futex, &header().Changed, FUTEX_WAIT, Seen, &Nap, nullptr,
                0) == 0 ||
        errno != ETIMEDOUT)
      continue;
    if (Done())
      return Wait::Done;
    for (uint32_t Rank = 0; Rank < ranks(); ++Rank)
      // What a rank did before it left counts.
      if (NeededRank(Rank) && isGone(Rank) && NeededRank(Rank))
        return Wait::Gone;
    if (std::chrono::steady_clock::now() >= Until)
      return Wait::TimedOut;
  }
}

bool Board::fail(int Error, const std::string &Text) {
  Header &H = header();
  uint32_t Expected = Header::Fine;
  if (!H.FailureState.compare_exchange_strong(Expected, Header::BeingWritten))
    return false;
  H.FailureError = Error;
  std::snprintf(H.FailureText, sizeof(H.FailureText), "%s", Text.c_str());
  H.FailureState = Header::Written;
  notify();
  return true;
}

int Board::failure() const {
  // Short: the text is being written.
  while (header().FailureState == Header::BeingWritten)
    std::this_thread::yield();
  return header().FailureState == Header::Written ? header().FailureError : 0;
}

std::string Board::failureText() const {
  return failure() ? header().FailureText : "";
}

} // namespace belay::device::hccl
