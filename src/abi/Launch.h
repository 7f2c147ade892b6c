//===- Launch.h - What the runner is asked, and answers ---------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `belay run` and the runner (a child process, because kernels are
// untrusted input) share one memory file that holds a Launch. `belay` fills
// Plan and the argument buffers (each a memory file of its own); the runner
// fills Report, piece by piece, so that even a killed child leaves what it
// knew.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ABI_LAUNCH_H
#define BELAY_ABI_LAUNCH_H

#include "abi/Counts.h"

namespace belay::sim {

inline constexpr uint32_t LaunchMagic = 0x42454c41; // "BELA"
inline constexpr uint32_t LaunchVersion = 4;
inline constexpr unsigned MaxArgs = 64;
/// Tensors of all lists together.
inline constexpr unsigned MaxElements = 448;
inline constexpr unsigned MaxStack = 24;
inline constexpr unsigned MaxWaiting = 16;
inline constexpr unsigned InlineBytes = 4096;

/// What the model needs to know of the target; filled from src/targets, the
/// only place that knows the numbers.
struct Machine {
  char Soc[32];
  uint32_t Arch; // 2002, 2201, 3510, ...
  uint32_t UbBytes, UsableUbBytes, L1Bytes, L0aBytes, L0bBytes, L0cBytes;
  uint32_t BtBytes, FbBytes;
  uint32_t CubeCores, VectorCores;
  bool Split; // cube and vector units are separate cores
  uint32_t EventIds;
};

/// One kernel argument. GM arguments name a memory file by descriptor; inline
/// ones carry their bytes. A list is a memory file too, laid out as
/// ListTensorDesc reads it, but for the addresses, which only the runner knows:
/// its first word says where the table of them starts.
struct Arg {
  enum class Kind : uint8_t {
    Memory,
    Inline,
    List, // NumElements elements from FirstElement on
    Null, // an optional argument that is left out
    Same, // the address of argument FirstElement
  } What;
  bool Writable;
  bool HasValues; // false for outputs and workspace
  bool MustWrite; // an output of which every element is to be written
  bool TypeKnown;
  Elem Type;
  uint32_t ElementBytes; // 0 if not known
  int32_t Fd;
  uint64_t Bytes;        // of the buffer, or of the inline value
  uint64_t SlackBytes;   // after the buffer, which a kernel may touch
  uint32_t InlineOffset; // into Plan::Inline
  uint32_t FirstElement, NumElements;
  char Name[32]; // for messages: "in 0 (x.npy)"
};

/// For test/campaigns/mutate: synchronisation of some places is heard of
/// differently, or not at all, by whoever reads the stream of instructions.
inline constexpr unsigned MaxMutated = 64;
struct Mutation {
  enum class Kind : uint8_t {
    None,
    Drop,  // is not in the stream; what runs stays the same
    Skip,  // does not run either
    Event, // a flag between the pipes On and To
    Id,    // a flag with this id
    Pipe,  // a barrier of the pipe On
  } How;
  Pipe On, To;
  int32_t Id;
  uint32_t NumSites;
  uint64_t Sites[MaxMutated]; // as Place::Frames
};

struct Plan {
  uint32_t Magic, Version;
  Machine Target;
  uint32_t NumBlocks;
  TaskKind Task; // Unset: take it from the kernel
  uint64_t TilingKey;
  uint32_t NumArgs;
  Arg Args[MaxArgs];
  uint32_t NumElements;
  Arg Elements[MaxElements];
  uint8_t Inline[InlineBytes];
  uint32_t RunSlots;   // simulated cores that run at once; 0 = one per CPU
  char TracePath[256]; // instruction stream, "" for none
  bool Count;          // count what is executed
  bool Check;          // run the sanitizer
  bool CompilerSync;   // ... and assume that bisheng inserts its flags
  bool RandomOrder;    // let the pipes run out of program order
  uint64_t OrderSeed;
  uint8_t LocalFill;   // every byte of the local memories at the start
  bool SaturateFloats; // kernels start with SaturationMode::FLOAT on
  bool WatchOverflow;  // Report::Overflowed is asked for
  Mutation Change;
};

/// Marks offsets of frames in the object that cube cores run, if they have one
/// of their own.
inline constexpr uint64_t CubeObjectFrame = uint64_t(1) << 63;

enum class Status : uint32_t {
  NotStarted,
  Loading,
  Running,
  Passed,
  Failed, // the model found something; FailureId says what
  Crashed // a signal; Signal says which
};

/// One simulated core, at the moment it failed or was stopped.
struct Place {
  bool OnCore; // or it is about the launch as a whole
  CoreKind Kind;
  uint32_t Block;     // block index of the launch
  uint32_t SubBlock;  // which AIV of the block
  uint32_t Execution; // how often the block had come here; 0 if not counted
  uint32_t NumFrames;
  uint64_t Frames[MaxStack]; // offsets into the kernel's shared object
};

/// What the sanitizer found: two places and what lies between them. The reader
/// knows lines and names, so texts leave room for them: {here} and {other}
/// stand for the lines, {buffer|UB} for the name of the buffer, or else UB.
struct Finding {
  char Id[40];
  char Message[512];
  char Hint[256];
  char Insert[256]; // statements that fix it if they stand before Here
  char HereRole[96], OtherRole[96];
  Place Here, Other;
  Place BufferSetUp;   // InitBuffer, whose line names a local buffer
  char BufferName[32]; // of global memory: the argument
  uint32_t Count;      // how often
};
inline constexpr unsigned MaxFindings = 128;

struct Report {
  Status State;
  char FailureId[40];
  char Message[1024];
  char Hint[512];
  int32_t Signal;
  Place Where;
  /// The other side, for failures that have one.
  Place Other;
  char OtherRole[96];
  /// For deadlocks and time-outs: where each core still alive was.
  uint32_t NumWaiting;
  Place Waiting[MaxWaiting];
  char WaitingFor[MaxWaiting][96];
  uint64_t KernelNanoseconds; // wall clock of the launch alone
  uint64_t Instructions;
  Counts Executed;
  uint32_t BlocksDone;
  /// A vector instruction had a 16-bit float that is infinite or no number as
  /// its result, before it was saturated.
  bool Overflowed;
  bool RoundedAtomics; // floats were added in whatever order the cores came
  uint32_t NumFindings, FindingsLost;
  Finding Findings[MaxFindings];
};

struct Launch {
  Plan Ask;
  Report Answer;
};

} // namespace belay::sim

#endif // BELAY_ABI_LAUNCH_H
