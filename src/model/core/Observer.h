//===- Observer.h - The instruction stream, for checks ----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MODEL_CORE_OBSERVER_H
#define BELAY_MODEL_CORE_OBSERVER_H

#include "abi/Types.h"
#include "model/core/Amounts.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace belay::sim {

struct BufferRecord;
struct Product;
class Core;

/// The bytes an operand touches: Repeats x Blocks blocks of BlockBytes, with
/// strides in bytes from start to start.
struct Extent {
  uint64_t BlockBytes;
  uint64_t Blocks = 1;
  int64_t BlockStride = 0;
  uint64_t Repeats = 1;
  int64_t RepeatStride = 0;

  /// One past the last byte, counted from the first. Strides are not negative:
  /// those that are, as all that is too large to be true, lead out of every
  /// memory.
  uint64_t span() const {
    if (!Blocks || !Repeats || !BlockBytes)
      return 0;
    return std::min(
        product(Repeats - 1, static_cast<uint64_t>(RepeatStride)) +
            product(Blocks - 1, static_cast<uint64_t>(BlockStride)) +
            std::min(BlockBytes, TooMuch),
        TooMuch);
  }
  /// Bytes that are touched, each as often as it is.
  uint64_t work() const { return product(BlockBytes, Blocks, Repeats); }
};

struct OperandRecord {
  const void *Address;
  Extent Bytes;
  /// The tensor it came from, if that is known: its end and its buffer.
  uint64_t TensorBytes = ~uint64_t(0);
  const BufferRecord *Buffer = nullptr;
  uint32_t Generation = 0;
  Space Where;
  Elem Type;
  bool Write;
};

/// As many as an instruction has: nearly all have few, a copy in loops has two
/// for each iteration.
class OperandList {
public:
  OperandRecord &operator[](unsigned N) {
    return N < Few ? First[N] : Rest[N - Few];
  }
  const OperandRecord &operator[](unsigned N) const {
    return N < Few ? First[N] : Rest[N - Few];
  }
  void reserve(unsigned N) {
    if (N > Few)
      Rest.resize(N - Few);
  }

private:
  static constexpr unsigned Few = 8;
  OperandRecord First[Few];
  std::vector<OperandRecord> Rest;
};

enum class InstructionKind : uint8_t {
  Compute,
  Copy,
  ScalarAccess,
  SetFlag,
  WaitFlag,
  Barrier,
  CrossSet,
  CrossWait,
  SyncAll,
  Alloc,
  EnQue,
  DeQue,
  Free,
  Lock, // a mutex of 3510
  Unlock,
  CacheClean, // of the line of Object, or of all lines if that is null
};

/// Where the bytes of a destination come from, for instructions that move
/// elements in an order of their own: [Dst, DstEnd) has a value if all of
/// [Src, SrcEnd) has, and so for all origins of the same destination.
struct Origin {
  uint64_t Dst, DstEnd, Src, SrcEnd;
};

/// Calls its argument for every origin of an instruction.
using OriginTeller = std::function<void(const std::function<void(Origin)> &)>;

/// One instruction as the scalar unit issued it.
struct InstructionRecord {
  const char *Name;
  InstructionKind Kind = InstructionKind::Compute;
  Pipe On = Pipe::S;
  Pipe To = Pipe::S; // the waiting pipe of a flag
  int32_t Id = 0;    // flag or event id
  bool Atomic = false;
  /// Mmad and Fixpipe with a unit flag wait for each other block by block, and
  /// need no SetFlag between them.
  bool UnitFlag = false;
  /// An Mmad so large that the next one may add to its result at once.
  bool Interlocked = false;
  /// It writes over a source, which the manual forbids for it.
  bool OverSource = false;
  /// Of the scalar unit: through a plain pointer, which the compiler does not
  /// follow.
  bool ByPointer = false;
  /// Part of a vector function, which has told what its values are.
  bool OfFunction = false;
  /// Of a vector function, when it ends: the instructions inside.
  uint32_t Inner = 0;
  bool Soft = false; // a barrier through words of a workspace, not by flags
  bool VectorOnly = false; // of SyncAll
  uint8_t Mode = 0;        // of a cross-core flag, as it was set
  uint64_t Ordinal = 0;    // ... of a wait: which set of that mode ended it
  uint32_t Raised = 0;     // ... of a set: how often the flag is raised now
  const void *Object = nullptr; // the buffer of a queue event, the line
  const void *PC;               // return address into the kernel
  uint64_t Serial;              // per core, in program order
  unsigned NumOperands = 0;
  OperandList Operands;
  /// Only while onInstruction runs; none if values flow from all sources to all
  /// destinations.
  const Origin *Origins = nullptr;
  uint64_t NumOrigins = 0;
  /// The same, told only to whoever asks: for instructions with many of them.
  /// Bytes of a destination that it leaves out have a value.
  const OriginTeller *Teller = nullptr;
  /// Of an Mmad, while onInstruction runs.
  const Product *Shape = nullptr;
};

/// A result that did not fit its type.
struct WrapRecord {
  const void *PC;
  uint64_t Result;  // what is left of it
  const char *Type; // as Clang writes it, with quotes
  char Op = 0;      // '+', '-' or '*' of the two numbers, or 0
  int64_t Left = 0, Right = 0;
};

/// Receives every instruction of one core, in program order, on the core's own
/// thread.
class Observer {
public:
  virtual ~Observer() = default;
  virtual void onInstruction(const InstructionRecord &I) = 0;
  /// Before a core waits for others; onInstruction follows when it goes on.
  virtual void onArrive(const InstructionRecord &I) {}
  /// Integer arithmetic of the scalar unit lost bits.
  virtual void onWrap(const WrapRecord &W) {}
  /// A value lost bits on its way into a field of 8 or 16 bits.
  virtual void onTruncation(const WrapRecord &W, uint64_t Before) {}
  /// A tensor is indexed, in elements.
  virtual void onOffset(uint64_t Offset, const void *PC) {}
  /// A part of a TBuf was asked for, with a size of its own.
  virtual void onSlice(const void *Address, uint64_t Bytes,
                       const BufferRecord &B, const void *PC) {}
  /// How often the block has come to PC; 0 if nobody counts.
  virtual uint32_t executionOf(const void *PC) const { return 0; }
  /// An operand has a gap between its blocks that is as large as a negative
  /// number looks.
  virtual void onGap(uint64_t Bytes, const void *PC) {}
  /// A vector instruction brings a mask in counter mode, which ignores the
  /// repeats it asks for and makes others.
  virtual void onCounterMode(const InstructionRecord &I, uint32_t Requested,
                             uint64_t Made) {}
  /// Inside a vector function: sets a flag for each byte without a value.
  virtual void undefinedBytes(const void *Address, uint64_t Bytes,
                              uint8_t *Flags) {}
  /// ... bytes were stored, which have values where the flags are 0. Root is
  /// where those without come from.
  virtual void onFunctionStore(const void *Address, uint64_t Bytes,
                               const uint8_t *Flags, const void *Root,
                               const char *Name) {}
  /// Another core of the block has stored bytes into a memory of this one, and
  /// this one has waited for it.
  virtual void onDelivery(const void *Address, uint64_t Bytes) {}
  /// Inside a vector function: something is wrong with what it does between its
  /// registers.
  virtual void onMisuse(const char *Id, const void *PC, const void *Other,
                        const char *Role, const std::string &Message,
                        const char *Hint) {}
  /// The kernel has returned.
  virtual void onEnd() {}
};

/// Observes all cores of one launch.
class LaunchObserver {
public:
  virtual ~LaunchObserver() = default;
  virtual std::unique_ptr<Observer> makeFor(Core &C) = 0;
  /// The last core has returned.
  virtual void onEnd() {}
};

} // namespace belay::sim

#endif // BELAY_MODEL_CORE_OBSERVER_H
