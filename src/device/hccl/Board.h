//===- Board.h - What the ranks of a communicator share ---------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A file in memory that all ranks map, be they threads or processes. Each rank
// writes its own slot only, and tells by counters how far it has come, so that
// nothing is locked and a rank that dies leaves nothing locked.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_DEVICE_HCCL_BOARD_H
#define BELAY_DEVICE_HCCL_BOARD_H

#include "device/core/Symbols.h"
#include "device/hccl/Types.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace belay::device::hccl {

using Time = std::chrono::steady_clock::time_point;

/// One call of a rank, as other ranks see it.
struct CallRecord {
  Kind What = Kind::None;
  DataType Type = DataType::S8;
  ReduceOp Op = ReduceOp::Sum;
  uint32_t Root = 0; // or the other rank, of HcclSend and HcclRecv
  uint64_t Count = 0;
  uint64_t Bytes = 0; // that the rank shows to others
  CodePlace Where = {};

  /// "HcclAllReduce (8 x fp32, sum)".
  std::string describe() const;
};

/// Two that alternate: a rank may begin its next collective while others still
/// read what it said of this one, but not the one after.
inline constexpr unsigned NumPhases = 2;

struct RankSlot {
  enum State : uint32_t { Absent, Present, Left };
  std::atomic<uint32_t> Where;
  std::atomic<int32_t> Process;
  /// Collectives begun, and points passed in them where ranks wait for all.
  std::atomic<uint64_t> Begun, Passed;
  CallRecord Calls[NumPhases];
};

/// From one rank to another. Counters are totals of all messages.
struct Channel {
  static constexpr uint64_t Capacity = uint64_t(64) * 1024;
  std::atomic<uint64_t> SendPosted, RecvPosted, Done, Written, Read;
  CallRecord Send, Recv;
  alignas(64) uint8_t Data[Capacity];
};

class BELAY_DEVICE_API Board {
public:
  /// A new one. Null, with errno, if there is no memory for it.
  static std::shared_ptr<Board> create(uint32_t Ranks);
  /// One that another process has made. Takes the file.
  static std::shared_ptr<Board> map(int Fd);
  ~Board();
  Board(const Board &) = delete;
  Board &operator=(const Board &) = delete;

  int fd() const { return Fd; }
  uint32_t ranks() const;
  RankSlot &slot(uint32_t Rank) const;
  Channel &channel(uint32_t From, uint32_t To) const;
  /// Elements that a rank gives to, and takes from, each of the others.
  uint64_t *gives(uint32_t Rank, unsigned Phase) const;
  uint64_t *takes(uint32_t Rank, unsigned Phase) const;
  /// Where a rank shows its data, a window at a time.
  static constexpr uint64_t WindowBytes = uint64_t(1) << 20;
  uint8_t *window(uint32_t Rank, unsigned Phase) const;

  /// False if the rank is taken.
  bool join(uint32_t Rank);
  bool allJoined() const;
  void leave(uint32_t Rank);
  /// Nobody uses the slot any more: it has left, or its process ended.
  bool isGone(uint32_t Rank);

  /// Tells all who wait that something has changed.
  void notify();
  enum class Wait { Done, Failed, TimedOut, Gone };
  /// Waits until Done. NeededRank(r) says whether rank r is still waited for.
  Wait wait(const std::function<bool()> &Done, Time Until,
            const std::function<bool(uint32_t)> &NeededRank);

  /// The first failure stays. True if this is the first.
  bool fail(int Error, const std::string &Text);
  int failure() const; // 0 if none
  std::string failureText() const;

private:
  struct Header;
  Board() = default;
  bool mapFile();
  Header &header() const { return *reinterpret_cast<Header *>(Base); }

  int Fd = -1;
  uint8_t *Base = nullptr;
  uint64_t Size = 0;
  std::mutex PeersMutex;
  std::vector<int> Peers; // a pidfd for each rank, once one was needed
};

} // namespace belay::device::hccl

#endif // BELAY_DEVICE_HCCL_BOARD_H
