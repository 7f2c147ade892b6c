//===- Memory.cpp - Device memory and pinned host memory ------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/core/Memory.h"

#include "device/core/Configuration.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace belay::device {

namespace {

constexpr size_t MaxRemembered = 4096;
/// Addresses that neither programs nor sanitizers use.
constexpr uint64_t PreferredBase = uint64_t(0x2000) << 32;

uint64_t pageBytes() {
  static const auto Page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  return Page;
}

uint64_t roundUp(uint64_t Bytes, uint64_t Unit) {
  return (Bytes + Unit - 1) / Unit * Unit;
}

/// Pages of an allocation, and one more that belongs to nobody.
uint64_t place(uint64_t Bytes, uint64_t Slack) {
  return roundUp(Bytes + Slack, pageBytes()) + pageBytes();
}

[[noreturn]] void cannot(const char *What) {
  std::fprintf(stderr, "belay: error: the simulated device cannot %s: %s\n",
               What, std::strerror(errno));
  std::_Exit(2);
}

} // namespace

std::map<uint64_t, Allocation>::iterator AllocationTable::find(uint64_t Address,
                                                               uint64_t Bytes) {
  auto It = Live.upper_bound(Address);
  if (It == Live.begin())
    return Live.end();
  --It;
  uint64_t Offset = Address - It->first;
  return Offset < It->second.Bytes && Bytes <= It->second.Bytes - Offset
             ? It
             : Live.end();
}

void AllocationTable::remove(std::map<uint64_t, Allocation>::iterator It,
                             const void *Site) {
  if (Dead.size() >= MaxRemembered)
    Dead.erase(Dead.begin());
  Dead[It->first] = {It->second.Bytes, Site};
  Live.erase(It);
}

std::string AllocationTable::describe(uint64_t Address) const {
  char Text[160];
  auto Before = Live.upper_bound(Address);
  if (Before != Live.begin()) {
    --Before;
    uint64_t Offset = Address - Before->first;
    if (Offset < Before->second.Bytes) {
      std::snprintf(Text, sizeof(Text), "byte %zu of %zu bytes at 0x%zx",
                    static_cast<size_t>(Offset),
                    static_cast<size_t>(Before->second.Bytes),
                    static_cast<size_t>(Before->first));
      return Text;
    }
  }
  auto Gone = Dead.upper_bound(Address);
  if (Gone != Dead.begin()) {
    --Gone;
    if (Address - Gone->first < Gone->second.Bytes) {
      std::snprintf(Text, sizeof(Text),
                    "%zu bytes at 0x%zx that were freed before",
                    static_cast<size_t>(Gone->second.Bytes),
                    static_cast<size_t>(Gone->first));
      return Text;
    }
  }
  std::snprintf(Text, sizeof(Text), "no allocation contains 0x%zx",
                static_cast<size_t>(Address));
  return Text;
}

DeviceMemory::DeviceMemory(uint64_t Bytes, const targets::Arch &Arch)
    // Guards and places that wait for reuse take addresses, but no memory.
    : Arch(Arch), Capacity(Bytes),
      Reserved(roundUp(4 * Bytes + (uint64_t(1) << 32), pageBytes())) {
  Fd = memfd_create("belay-device", MFD_CLOEXEC);
  if (Fd < 0 || ftruncate(Fd, static_cast<off_t>(Reserved)) != 0)
    cannot("create its memory");
  constexpr int Flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  static std::mutex Placing;
  static uint64_t Hint = PreferredBase;
  std::lock_guard<std::mutex> Lock(Placing);
  void *Seen =
      mmap(reinterpret_cast<void *>(Hint), Reserved, PROT_NONE, Flags, -1, 0);
  void *Ours = mmap(nullptr, Reserved, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_NORESERVE, Fd, 0);
  if (Seen == MAP_FAILED || Ours == MAP_FAILED) {
    // Not a reason to end the program: a device on which nothing fits.
    std::fprintf(stderr,
                 "belay: warning: the simulated device has no memory: its "
                 "addresses cannot be reserved: %s\n",
                 std::strerror(errno));
    for (void *Each : {Seen, Ours})
      if (Each != MAP_FAILED)
        munmap(Each, Reserved);
    Reserved = 0;
    return;
  }
  Base = reinterpret_cast<uint64_t>(Seen);
  Alias = static_cast<uint8_t *>(Ours);
  Hint += Reserved;
}

uint64_t DeviceMemory::findPlace(uint64_t Room) {
  if (Next + Room <= Reserved)
    return std::exchange(Next, Next + Room);
  auto It = FreePlaces.lower_bound(Room);
  if (It == FreePlaces.end())
    return Reserved;
  uint64_t Offset = It->second;
  if (It->first > Room)
    FreePlaces.emplace(It->first - Room, Offset + Room);
  FreePlaces.erase(It);
  return Offset;
}

void *DeviceMemory::allocate(uint64_t Bytes, bool Extra, const void *Site) {
  uint64_t Slack = targets::mallocSlack(Arch, Bytes);
  if (!Extra)
    Slack -= Arch.mallocExtra;
  uint64_t Room = place(Bytes, Slack);
  std::unique_lock<std::shared_mutex> Lock(Table.Mutex);
  if (Bytes > Capacity || Used > Capacity - Bytes ||
      Table.Live.size() >= sim::MaxRegions)
    return nullptr;
  uint64_t Offset = findPlace(Room);
  if (Offset == Reserved)
    return nullptr;
  Used += Bytes;
  ++Generation;
  std::memset(Alias + Offset, configuration().NewMemoryByte, Bytes + Slack);
  uint64_t Address = Base + Offset;
  Allocation &A = Table.Live[Address];
  A.Bytes = Bytes;
  A.Slack = Slack;
  A.Site = Site;
  Table.Dead.erase(Address);
  return reinterpret_cast<void *>(Address);
}

void DeviceMemory::release(uint64_t Address, const Allocation &A) {
  uint64_t Room = place(A.Bytes, A.Slack);
  std::unique_lock<std::shared_mutex> Lock(Table.Mutex);
  // The program cannot touch it any more.
  if (A.SeenByHost &&
      mmap(reinterpret_cast<void *>(Address), Room, PROT_NONE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
           0) == MAP_FAILED)
    cannot("take back memory that the host sees");
  fallocate(Fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
            static_cast<off_t>(Address - Base), static_cast<off_t>(Room));
  Used -= A.Bytes;
  ++Generation;
  FreePlaces.emplace(Room, Address - Base);
}

void *DeviceMemory::adopt(int File, const std::shared_ptr<Share> &From,
                          const void *Site) {
  const ShareBlock &Theirs = From->block();
  std::unique_lock<std::shared_mutex> Lock(Table.Mutex);
  uint64_t Offset = Table.Live.size() < sim::MaxRegions
                        ? findPlace(place(Theirs.Bytes, Theirs.Slack))
                        : Reserved;
  if (Offset == Reserved)
    return nullptr;
  uint64_t Mapped = roundUp(Theirs.Bytes + Theirs.Slack, pageBytes());
  if (mmap(Alias + Offset, Mapped, PROT_READ | PROT_WRITE,
           MAP_SHARED | MAP_FIXED, File,
           static_cast<off_t>(Theirs.Offset)) == MAP_FAILED)
    return nullptr;
  ++Generation;
  Allocation &A = Table.Live[Base + Offset];
  A.Bytes = Theirs.Bytes;
  A.Slack = Theirs.Slack;
  A.HasValues = true; // what the others have written is not known
  A.Site = Site;
  A.Shared = From;
  A.File = File;
  A.FileOffset = Theirs.Offset;
  Table.Dead.erase(Base + Offset);
  return reinterpret_cast<void *>(Base + Offset);
}

void DeviceMemory::drop(uint64_t Address, const Allocation &A) {
  uint64_t Mapped = roundUp(A.Bytes + A.Slack, pageBytes());
  std::unique_lock<std::shared_mutex> Lock(Table.Mutex);
  // The place belongs to this process's file again.
  if (mmap(Alias + (Address - Base), Mapped, PROT_READ | PROT_WRITE,
           MAP_SHARED | MAP_NORESERVE | MAP_FIXED, Fd,
           static_cast<off_t>(Address - Base)) == MAP_FAILED)
    cannot("give back memory of another process");
  close(A.File);
  ++Generation;
  FreePlaces.emplace(place(A.Bytes, A.Slack), Address - Base);
}

bool DeviceMemory::showToHost(uint64_t Address) {
  std::unique_lock<std::shared_mutex> Lock(Table.Mutex);
  auto It = Table.Live.find(Address);
  if (It == Table.Live.end() ||
      mmap(reinterpret_cast<void *>(Address),
           roundUp(It->second.Bytes + It->second.Slack, pageBytes()),
           PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, Fd,
           static_cast<off_t>(Address - Base)) == MAP_FAILED)
    return false;
  It->second.SeenByHost = true;
  It->second.HasValues = true; // what the host writes is not known
  ++Generation;
  return true;
}

void *DeviceMemory::mapHost(uint64_t Host, uint64_t Bytes, const void *Site) {
  uint64_t Mapped = roundUp(Bytes, pageBytes());
  auto *Pages = reinterpret_cast<uint8_t *>(Host);
  std::unique_lock<std::shared_mutex> Lock(Table.Mutex);
  uint64_t Offset = Table.Live.size() < sim::MaxRegions
                        ? findPlace(place(Bytes, 0))
                        : Reserved;
  int File = memfd_create("belay-host-memory", MFD_CLOEXEC);
  // The pages go into a file, which both sides map.
  if (Offset == Reserved || File < 0 ||
      ftruncate(File, static_cast<off_t>(Mapped)) != 0 ||
      pwrite(File, Pages, Mapped, 0) != static_cast<ssize_t>(Mapped) ||
      mmap(Alias + Offset, Mapped, PROT_READ | PROT_WRITE,
           MAP_SHARED | MAP_FIXED, File, 0) == MAP_FAILED ||
      mmap(Pages, Mapped, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, File,
           0) == MAP_FAILED) {
    if (File >= 0)
      close(File);
    return nullptr;
  }
  ++Generation;
  Allocation &A = Table.Live[Base + Offset];
  A = Allocation();
  A.Bytes = Bytes;
  A.HasValues = true; // what the host has written is not known
  A.Site = Site;
  A.File = File;
  A.IsHosts = true;
  Table.Dead.erase(Base + Offset);
  return reinterpret_cast<void *>(Base + Offset);
}

void DeviceMemory::unmapHost(uint64_t Host, uint64_t Address,
                             const Allocation &A) {
  uint64_t Mapped = roundUp(A.Bytes, pageBytes());
  auto *Pages = reinterpret_cast<void *>(Host);
  if (mmap(Pages, Mapped, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED ||
      pread(A.File, Pages, Mapped, 0) != static_cast<ssize_t>(Mapped))
    cannot("give back memory of the host");
  drop(Address, A);
}

void *DeviceMemory::reserve(uint64_t Bytes, uint64_t Unit) {
  std::unique_lock<std::shared_mutex> Lock(Table.Mutex);
  uint64_t Address = roundUp(Base + Next, Unit);
  uint64_t End = Address - Base + Bytes + pageBytes();
  if (End > Reserved)
    return nullptr;
  Next = End;
  Reservations[Address] = Bytes;
  return reinterpret_cast<void *>(Address);
}

bool DeviceMemory::unreserve(uint64_t Address) {
  std::unique_lock<std::shared_mutex> Lock(Table.Mutex);
  auto It = Reservations.find(Address);
  if (It == Reservations.end())
    return false;
  auto Mapped = Table.Live.lower_bound(Address);
  if (Mapped != Table.Live.end() && Mapped->first < Address + It->second)
    return false;
  Reservations.erase(It);
  return true;
}

bool DeviceMemory::mapAt(uint64_t Address, uint64_t Bytes, const void *Site) {
  std::unique_lock<std::shared_mutex> Lock(Table.Mutex);
  auto Range = Reservations.upper_bound(Address);
  if (Range == Reservations.begin() || Used > Capacity - Bytes)
    return false;
  --Range;
  uint64_t Offset = Address - Range->first;
  if (Offset > Range->second || Bytes > Range->second - Offset)
    return false;
  auto Next = Table.Live.lower_bound(Address);
  if ((Next != Table.Live.end() && Next->first < Address + Bytes) ||
      Table.find(Address) != Table.Live.end())
    return false;
  Used += Bytes;
  ++Generation;
  std::memset(Alias + (Address - Base), configuration().NewMemoryByte, Bytes);
  Allocation &A = Table.Live[Address];
  A.Bytes = Bytes;
  A.Site = Site;
  Table.Dead.erase(Address);
  return true;
}

bool DeviceMemory::unmapAt(uint64_t Address, const void *Site) {
  std::unique_lock<std::shared_mutex> Lock(Table.Mutex);
  auto It = Table.Live.find(Address);
  if (It == Table.Live.end())
    return false;
  uint64_t Bytes = It->second.Bytes;
  Table.remove(It, Site);
  fallocate(Fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
            static_cast<off_t>(Address - Base), static_cast<off_t>(Bytes));
  Used -= Bytes;
  ++Generation;
  return true;
}

void DeviceMemory::publish(sim::Channel &C, uint64_t &Seen) {
  std::shared_lock<std::shared_mutex> Lock(Table.Mutex);
  if (Seen == Generation)
    return;
  Seen = C.Generation = Generation;
  C.NumRegions = 0;
  for (const auto &[Address, A] : Table.Live)
    C.Regions[C.NumRegions++] = {Address,     A.Bytes, A.Slack,
                                 A.HasValues, A.File,  A.FileOffset};
}

void DeviceMemory::markWritten(const std::vector<uint64_t> &Addresses) {
  std::unique_lock<std::shared_mutex> Lock(Table.Mutex);
  for (uint64_t Address : Addresses)
    if (auto It = Table.find(Address);
        It != Table.Live.end() && !It->second.HasValues) {
      It->second.HasValues = true;
      ++Generation;
    }
}

void *PinnedMemory::allocate(uint64_t Bytes, const void *Site) {
  void *P = nullptr;
  // Whole pages, which aclrtHostRegister asks for.
  if (Bytes > UINT64_MAX - pageBytes() ||
      posix_memalign(&P, pageBytes(), roundUp(Bytes, pageBytes())) != 0)
    return nullptr;
  std::memset(P, configuration().NewMemoryByte, Bytes);
  std::unique_lock<std::shared_mutex> Lock(Table.Mutex);
  auto Address = reinterpret_cast<uint64_t>(P);
  Allocation &A = Table.Live[Address];
  A = Allocation();
  A.Bytes = Bytes;
  A.Site = Site;
  Table.Dead.erase(Address);
  return P;
}

void PinnedMemory::release(uint64_t Address, const Allocation &) {
  std::free(reinterpret_cast<void *>(Address));
}

} // namespace belay::device
