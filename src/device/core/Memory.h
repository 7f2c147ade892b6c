//===- Memory.h - Device memory and pinned host memory ----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_DEVICE_CORE_MEMORY_H
#define BELAY_DEVICE_CORE_MEMORY_H

#include "abi/Serve.h"
#include "device/core/Errors.h"
#include "device/core/Sharing.h"
#include "targets/Target.h"

#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace belay::device {

/// A task that uses an allocation: the Sequence-th of a stream.
struct Use {
  uint64_t Sequence;
  const char *What; // "the launch", "the copy"
  const void *Site;
  const char *Help = "synchronise with the stream first";
};

struct Allocation {
  uint64_t Bytes = 0, Slack = 0;
  bool HasValues = false;
  bool ForPictures = false; // acldvppMalloc
  bool SeenByHost = false;  // aclrtMemAllocManaged
  /// Of memory of the host: where the device sees it. Of that place: it is the
  /// host's, and kernels alone may use it.
  uint64_t MappedAt = 0;
  int MappedOn = -1;
  bool IsHosts = false;
  bool RegisteredOnly = false; // aclrtHostRegister's, not aclrtMallocHost's
  const void *Site = nullptr;  // where it was allocated
  /// Its key, if other processes may take it, or if it is theirs.
  std::shared_ptr<Share> Shared;
  /// The file that the bytes lie in, if it is another process's.
  int File = -1;
  uint64_t FileOffset = 0;
  /// The last use by each stream.
  std::unordered_map<uint64_t, Use> Uses;
};

/// Allocations that were freed, for messages; the oldest are forgotten.
struct Freed {
  uint64_t Bytes;
  const void *Site;
};

/// Addresses of allocations; shared by device memory and pinned memory.
class BELAY_DEVICE_API AllocationTable {
public:
  mutable std::shared_mutex Mutex;
  /// By the address of the first byte.
  std::map<uint64_t, Allocation> Live;
  std::map<uint64_t, Freed> Dead;

  /// The allocation that [Address, Address + Bytes) lies in, slack excluded;
  /// end() if none. The mutex is held.
  std::map<uint64_t, Allocation>::iterator find(uint64_t Address,
                                                uint64_t Bytes = 1);
  void remove(std::map<uint64_t, Allocation>::iterator It, const void *Site);
  /// What is known of an address that lies in no allocation.
  std::string describe(uint64_t Address) const;
};

/// The memory of one device: a file that the runner maps, too. The program sees
/// a reservation that nobody can touch, at the addresses that it gets; copies
/// go through a second mapping.
class BELAY_DEVICE_API DeviceMemory {
public:
  DeviceMemory(uint64_t Capacity, const targets::Arch &Arch);

  int fd() const { return Fd; }
  uint64_t base() const { return Base; }
  uint64_t size() const { return Reserved; }
  uint64_t capacity() const { return Capacity; }
  bool owns(const void *P) const {
    return reinterpret_cast<uint64_t>(P) - Base < Reserved;
  }
  /// Where the bytes can be touched.
  uint8_t *bytes(uint64_t Address) const { return Alias + (Address - Base); }

  /// Null if there is not enough.
  void *allocate(uint64_t Bytes, bool Extra, const void *Site);
  /// Returns the pages; the table has forgotten the allocation.
  void release(uint64_t Address, const Allocation &A);
  uint64_t used() const { return Used; }

  /// \name Addresses without memory, and memory at such addresses.
  /// @{
  void *reserve(uint64_t Bytes, uint64_t Unit);
  /// False if they are not reserved, or memory is mapped there.
  bool unreserve(uint64_t Address);
  bool mapAt(uint64_t Address, uint64_t Bytes, const void *Site);
  bool unmapAt(uint64_t Address, const void *Site);
  /// @}

  /// \name Memory of another process, seen at an address of this one.
  /// @{
  /// The file is closed when the memory is dropped. Null if there is no place.
  void *adopt(int File, const std::shared_ptr<Share> &From, const void *Site);
  void drop(uint64_t Address, const Allocation &A);
  /// @}

  /// \name Memory that the host sees, too.
  /// @{
  /// The program may touch the allocation at its own address.
  bool showToHost(uint64_t Address);
  /// Pages of the host get an address here. Null if that cannot be.
  void *mapHost(uint64_t Host, uint64_t Bytes, const void *Site);
  /// They belong to the host alone again.
  void unmapHost(uint64_t Host, uint64_t Address, const Allocation &A);
  /// @}

  /// Writes the regions into the channel if they have changed since Seen.
  void publish(sim::Channel &C, uint64_t &Seen);
  /// The allocations under the addresses now hold values.
  void markWritten(const std::vector<uint64_t> &Addresses);

  AllocationTable Table;

private:
  /// Where there is room, from the base; Reserved if nowhere. The table is
  /// locked.
  uint64_t findPlace(uint64_t Room);

  const targets::Arch &Arch;
  uint64_t Capacity, Reserved, Base = 0, Used = 0;
  uint64_t Next = 0;       // offset of what was never used
  uint64_t Generation = 1; // changes with Live and its flags
  /// Free places by size, reused last freed last: stale pointers stay stale.
  std::multimap<uint64_t, uint64_t> FreePlaces;
  std::map<uint64_t, uint64_t> Reservations; // address to bytes
  uint8_t *Alias = nullptr;
  int Fd = -1;
};

/// aclrtMallocHost.
class BELAY_DEVICE_API PinnedMemory {
public:
  void *allocate(uint64_t Bytes, const void *Site);
  static void release(uint64_t Address, const Allocation &A);
  AllocationTable Table;
};

} // namespace belay::device

#endif // BELAY_DEVICE_CORE_MEMORY_H
