//===- Protocol.h - How a sealed kernel issues calls ------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sealed run has two sides. The model (belay-runner) owns all memories and
// executes; the issuer (belay-issuer) loads the kernel and has one process for
// each core. They share three memory files:
//
//   global memory    every argument, at the same addresses on both sides; the
//   local memories   ... and every core's; the issuer can only ever read them
//   channels         a Control page and a Ring for each core; both write it
//
// A call of the kernel becomes one record in its core's ring: a RecordHeader,
// its frames, its parameters (Codec.h). The issuer does not wait for it, unless
// the call has an answer. All that the issuer writes is untrusted: the model
// copies a record into memory of its own before it looks at any of it.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SEALED_PROTOCOL_H
#define BELAY_SEALED_PROTOCOL_H

#include "abi/Functions.h"
#include "abi/Launch.h"

#include <atomic>

namespace belay::sim::sealed {

/// What a record asks for: the functions of abi/Functions.def, and what a
/// kernel in the model's own process would do without a call.
enum class Function : uint16_t {
#define BELAY_ABI(Name, Result, Parameters) Name,
#include "abi/Functions.def"
  next_block,      // the last block has ended; the answer is an Identity
  raw_store,       // stores through pointers: RawStore, then the bytes
  crash,           // a signal ended the kernel: Crash
  note_wrap,       // an integer wrapped: IntegerNote, then the type's name
  note_truncation, // ... or was cut off
};
inline constexpr unsigned NumFunctions =
    static_cast<unsigned>(Function::note_truncation) + 1;

/// Addresses that are free in every process, also under AddressSanitizer.
inline constexpr uint64_t GlobalBase = 0x2000'0000'0000;
inline constexpr uint64_t LocalBase = 0x2800'0000'0000;
/// Program counters travel as offsets into the kernel's object (or the one of
/// cube cores) from these bases, so that the model learns no addresses.
inline constexpr uint64_t CodeBase = 0x2c00'0000'0000;
inline constexpr uint64_t CubeCodeBase = 0x2e00'0000'0000;
inline constexpr uint64_t CodeBytes = 0x0100'0000'0000;

inline constexpr unsigned MaxCores = 128;
inline constexpr uint32_t RingBytes = 256 << 10;
inline constexpr uint32_t MaxRecord = 64 << 10;
inline constexpr uint32_t MaxAnswer = 1024;
inline constexpr uint32_t NoBlock = ~0u;

struct RecordHeader {
  uint32_t Bytes; // of the whole record, a multiple of 8
  Function What;
  uint16_t NumFrames; // 64-bit words that follow: the kernel's call stack
};

/// What a core knows about itself while it runs a block.
struct Identity {
  uint32_t Block; // NoBlock: the launch is over
  bool FirstOfCore;
  uint32_t BlockIdx, BlockNum, SubBlockIdx, SubBlockNum;
  bool IsCube, IsVector, MatmulServes;
  uint64_t TilingKey;
};

struct RawStore {
  uint64_t Address, Bytes;
};
struct Crash {
  uint64_t Address;
  int32_t Signal;
  bool OutOfMemory;
};
struct IntegerNote {
  uint64_t Value, Before;
  int64_t Left, Right;
  char Op;
};

/// Cursors count bytes since the start. The model advances Taken when a record
/// has been executed, so Taken == Written says that nothing is outstanding.
struct Ring {
  alignas(64) std::atomic<uint64_t> Written; // by the issuer
  std::atomic<uint64_t> WakeAt;              // Taken that the issuer sleeps for
  alignas(64) std::atomic<uint64_t> Taken;   // by the model
  std::atomic<uint32_t> ModelSleeps;
  alignas(64) uint8_t Answer[MaxAnswer];
  alignas(64) uint8_t Data[RingBytes];
};

struct Control {
  std::atomic<uint32_t> Loaded; // by the issuer: Task is there
  TaskKind Task;
  std::atomic<uint32_t> Ready; // by the model: the cores are there
  uint32_t NumCores;
  CoreKind Kinds[MaxCores];
};

struct Channels {
  alignas(4096) Control C;
  alignas(4096) Ring Rings[MaxCores];
};

/// One argument in global memory as the issuer maps it.
struct SharedBuffer {
  uint64_t Address, Bytes; // whole pages
  uint64_t Offset;         // in the file
  bool Writable;
};

/// What the issuer is told, in a memory file that it can only read.
struct IssuePlan {
  Machine Target;
  uint32_t NumBlocks;
  TaskKind Task;
  uint64_t TilingKey;
  bool Observed;
  /// The issuer gives up what system calls it does not need.
  bool Confined;
  uint32_t NumBuffers;
  SharedBuffer Buffers[MaxArgs + MaxElements];
  uint32_t NumArgs;
  /// Pointers have no bytes; others lie at this offset of Inline.
  struct {
    uint64_t Pointer;
    uint32_t InlineBytes, InlineOffset;
  } Args[MaxArgs];
  alignas(64) uint8_t Inline[InlineBytes];
};

/// What the issuer is sent over its socket (sandbox/Descriptors.h), in this
/// order.
/// To SentReady, the end of a pipe, goes a byte before code of the kernel runs.
/// Who ends without it was ended by the machine; nobody can take it back.
enum Sent : unsigned {
  SentPlan,
  SentChannels,
  SentGlobal,
  SentLocal,
  SentReady,
  NumSent
};
/// Of belay-sandbox, which closes it before it starts the issuer.
inline constexpr int StatusFd = 4;

/// Descriptors of a belay-runner that waits (runner/Await.cpp): its socket, a
/// file with the command that starts the issuer, and belay-sandbox's status.
inline constexpr int AwaitFd = 3, AwaitCommandFd = 4, AwaitStatusFd = 5;
/// What it is sent gets the numbers from here on.
inline constexpr int FirstSentFd = 3;

} // namespace belay::sim::sealed

#endif // BELAY_SEALED_PROTOCOL_H
