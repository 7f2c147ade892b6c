//===- Serve.h - Many launches in one runner --------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The simulated device keeps one runner per NPU. Both processes share the
// device's memory, one file that is mapped at the same address in both, so that
// pointers in arguments and in tensors mean the same to host and kernel; and a
// Channel. A byte over a socket starts a launch, a byte tells its end. A runner
// that dies tells it by closing the socket, and leaves its Report.
//
// Only what the host has allocated is mapped in the runner: a kernel that
// follows a stale pointer faults.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ABI_SERVE_H
#define BELAY_ABI_SERVE_H

#include "abi/Entry.h"
#include "abi/Launch.h"

namespace belay::sim {

inline constexpr uint32_t ServeVersion = 3;
inline constexpr unsigned MaxRegions = 1 << 16;
inline constexpr unsigned MaxServedArgs = 128;
inline constexpr unsigned MaxBlobBytes = 1 << 16;
/// The runner found the place of the device's memory occupied.
inline constexpr int ExitPlaceTaken = 3;

/// One allocation of device memory. Regions are sorted by address; between two
/// of them there is at least one page that belongs to neither.
struct Region {
  uint64_t Address, Bytes, SlackBytes;
  bool HasValues; // somebody has written to it
  /// If the bytes are another process's: the file that the host has open, and
  /// where in it. -1 if not.
  int32_t File;
  uint64_t FileOffset;
};

/// Where the bytes of an argument lie in the blob.
struct ServedArg {
  uint32_t Offset, Bytes;
};

/// The runner stores the address of the blob's byte DataOffset at
/// AddressOffset.
struct ServedPlaceholder {
  uint32_t AddressOffset, DataOffset;
};

struct ServedCall {
  char ObjectPath[256], CubeObjectPath[256];
  uint32_t NumArgs;
  ServedArg Args[MaxServedArgs];
  uint32_t NumPlaceholders;
  ServedPlaceholder Placeholders[MaxServedArgs];
  uint32_t BlobBytes;
  alignas(64) uint8_t Blob[MaxBlobBytes];
};

struct Channel {
  uint32_t Version;
  uint64_t MemoryBase, MemoryBytes;
  int32_t HostPid;
  /// Changes with the regions.
  uint64_t Generation;
  uint32_t NumRegions;
  /// Of the plan, arguments are not used.
  Launch Run;
  ServedCall Call;
  Region Regions[MaxRegions];
};

//===----------------------------------------------------------------------===//
// What aclrtBinaryLoad reads: a header, its kernels, their shared objects,
// and what belay check asks of their launches.
//===----------------------------------------------------------------------===//

inline constexpr char DeviceObjectMagic[8] = {'B', 'E', 'L', 'A',
                                              'Y', 'D', 'O', '3'};

struct DeviceObjectKernel {
  char Name[256];
  /// Of the kernel's shared objects, from the start of the file. CubeBytes is 0
  /// if both kinds of cores run the same.
  uint64_t Offset, Bytes, CubeOffset, CubeBytes;
  uint32_t NumParams;
  Param Params[MaxServedArgs];
  /// A kernel of the language: proven for the launches that its generated
  /// launcher admits, and for no others.
  bool NeedsLauncher;
};

/// The name of a kernel of a program: the symbol of its entry, or as much of it
/// as fits and a number made of all of it.
inline void nameProgramKernel(const char *Symbol, char (&Name)[256]) {
  constexpr unsigned Fits = 200;
  uint64_t Hash = 0xcbf29ce484222325; // FNV-1a
  unsigned Length = 0;
  for (; Symbol[Length]; ++Length)
    Hash = (Hash ^ static_cast<unsigned char>(Symbol[Length])) * 0x100000001b3;
  unsigned At = 0;
  for (; At < Length && (Length < sizeof(Name) || At < Fits); ++At)
    Name[At] = Symbol[At];
  if (At < Length) {
    Name[At++] = '#';
    for (int Shift = 60; Shift >= 0; Shift -= 4)
      Name[At++] = "0123456789abcdef"[Hash >> Shift & 15];
  }
  Name[At] = '\0';
}

struct DeviceObjectHeader {
  char Magic[8];
  uint32_t Arch;
  uint32_t NumKernels;
  char Soc[32];
  bool Check; // compiled so that the sanitizer sees integers
  /// A table of src/conditions, which launches are held against; no bytes if
  /// they are not.
  uint64_t ConditionsOffset, ConditionsBytes;
};

} // namespace belay::sim

#endif // BELAY_ABI_SERVE_H
