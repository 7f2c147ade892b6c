//===- Sharing.h - What processes share of a device -------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory, notifies and events can be given to other processes by a key, a text
// that travels as the program likes. A key names a block of shared
// memory: an anonymous file of the process that gives, which the others open
// under /proc. It says who may take the thing, and how many have it.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_DEVICE_CORE_SHARING_H
#define BELAY_DEVICE_CORE_SHARING_H

#include "device/core/Errors.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>

namespace belay::device {

enum class ShareKind : uint32_t { Memory, Notify, Event };

/// In shared memory.
struct ShareBlock {
  static constexpr unsigned MaxPids = 256;
  uint64_t Nonce;
  ShareKind Kind;
  /// Who may join; all, if AnyProcess.
  std::atomic<bool> AnyProcess;
  std::atomic<uint32_t> NumPids;
  std::atomic<int32_t> Pids[MaxPids];
  /// How many have joined and not left.
  std::atomic<uint32_t> Members;
  /// The giver has taken it back.
  std::atomic<bool> Closed;

  /// Memory: where in the giver's device memory.
  int32_t MemoryFd;
  uint64_t Offset, Bytes, Slack;
  /// Notify: records that no wait has used up.
  std::atomic<uint64_t> Signals;
  /// Event: how often it was recorded, and which of these have happened.
  std::atomic<uint64_t> Issued, Done;
};

/// A block that this process has mapped.
class BELAY_DEVICE_API Share {
public:
  /// Keys and their ends fit into what programs keep for them.
  static constexpr size_t KeyBytes = 65;

  /// Gives. Null if the system has no room.
  static std::shared_ptr<Share> create(ShareKind Kind, bool AnyProcess);
  /// Takes. Null, and Why says why, if the key means nothing or this process
  /// may not.
  static std::shared_ptr<Share> join(const std::string &Key, ShareKind Kind,
                                     std::string &Why);
  ~Share();
  Share(const Share &) = delete;
  Share &operator=(const Share &) = delete;

  ShareBlock &block() const { return *Block; }
  const std::string &key() const { return Key; }
  bool isGiver() const { return Giver; }
  /// False if there are too many.
  bool allow(const int32_t *Pids, size_t Count) const;
  /// Opens another file of the giver; -1 if it is gone.
  int openGivers(int Fd) const;

private:
  Share() = default;
  ShareBlock *Block = nullptr;
  std::string Key;
  int Pid = 0, Fd = -1;
  bool Giver = false;
};

} // namespace belay::device

#endif // BELAY_DEVICE_CORE_SHARING_H
