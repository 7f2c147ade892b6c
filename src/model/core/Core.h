//===- Core.h - One simulated AI Core ---------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MODEL_CORE_CORE_H
#define BELAY_MODEL_CORE_CORE_H

#include "abi/Functions.h"
#include "abi/Launch.h"
#include "abi/Pointers.h"
#include "targets/Target.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <memory>
#include <vector>

namespace belay::sim {

class Device;
class Observer;
class Schedule;

/// The memories of one core, in one reservation: the address alone tells the
/// memory, and what lies beyond a memory's real size is not mapped.
class LocalMemories {
public:
  explicit LocalMemories(const Machine &M);
  /// In WindowBytes of memory that others may read, too; Used if it has to be
  /// cleared first.
  LocalMemories(const Machine &M, uint8_t *Window, bool Used);
  /// Overwrites what a core of this kind can reach.
  void fill(CoreKind Kind, uint8_t Byte);
  ~LocalMemories();
  LocalMemories(const LocalMemories &) = delete;
  LocalMemories &operator=(const LocalMemories &) = delete;

  uint8_t *base(Space S) const {
    return Base + static_cast<size_t>(S) * SlotBytes;
  }
  uint32_t bytes(Space S) const { return Bytes[static_cast<unsigned>(S)]; }

  /// The memory an address lies in, Host if none.
  Space spaceOf(const void *Address) const {
    size_t Offset = static_cast<const uint8_t *>(Address) - Base;
    size_t Slot = Offset / SlotBytes;
    return Slot >= 1 && Slot < NumSlots ? static_cast<Space>(Slot)
                                        : Space::Host;
  }

  static constexpr size_t SlotBytes = size_t(2) << 20;
  static constexpr size_t NumSlots = static_cast<size_t>(Space::Host);
  static constexpr size_t WindowBytes = NumSlots * SlotBytes;

private:
  void setSizes(const Machine &M);
  uint8_t *Base;
  bool Owned = true;
  uint32_t Bytes[NumSlots] = {};
};

/// Registers of the cube core: what LoadData 3D and the fixpipe read besides
/// their own parameters.
struct CubeRegisters {
  struct FeatureMap {
    uint16_t H = 0, W = 0;
    uint8_t Pad[4] = {}; // left, right, top, bottom
  } Map[2];
  uint64_t PaddingBits = 0;
  uint32_t Boundary = 0;
  uint16_t RepeatStride = 0;
  uint8_t RepeatTimes = 1, RepeatMode = 0;
  uint16_t DstStride = 0;
  bool Hf32 = false, Hf32TowardsZero = false, RowMajor = false;
  uint16_t NdMatrices = 1, NdSrcStride = 0;
  uint32_t NdDstStride = 0;
  uint64_t QuantScalar = 0, ClipRelu = 0;
  const void *QuantTensor = nullptr;
};

/// Registers of reductions, sorting and transposing.
struct ListRegisters {
  // Bits of the last result, for the scalar unit.
  uint64_t ReduceSum = 0, ReduceValue = 0, ReduceIndex = 0;
  // Elements that the last merge took from each of its queues.
  uint16_t Merged[4] = {};
  // The address lists VA0 to VA7.
  uint64_t Addresses[8][8] = {};
};

/// What configures the vector unit and the copies, besides the mask.
struct VectorRegisters {
  /// What SetSaturationFlag and SetCtrlSpr choose. Off for floats, as the
  /// runtime starts kernels (INF/NAN mode); on for integers.
  bool SaturateFloat = false, SaturateInteger = true;
  /// Where 16-bit floats that overflowed are told; null if nobody asks.
  std::atomic<bool> *Overflowed = nullptr;
  /// SetDeqScale: nothing yet, one half, one float with offset and sign, or the
  /// address of 16 of those.
  enum class Deq : uint8_t { Unset, Half, Tensor, Vector } DeqKind = Deq::Unset;
  uint64_t DeqScale = 0;
  /// Compare without destination writes it, Select without mask reads it.
  uint64_t CmpMask[2] = {0, 0};
  uint64_t PadValue = 0;
  bool PadValueSet = false;
  /// SetLoopModePara, for copies to global memory and from it.
  struct LoopMode {
    uint32_t Inner = 1, Outer = 1;
    uint64_t InnerSrc = 0, InnerDst = 0, OuterSrc = 0, OuterDst = 0;
  } Loop[2];
  /// Mutexes: the pipes that hold each, and the ids given out.
  uint32_t HeldMutexes[32] = {};
  uint32_t UsedMutexes = 0;
};

/// Registers that change what later instructions mean.
struct Registers {
  uint64_t MaskLow = ~uint64_t(0), MaskHigh = ~uint64_t(0);
  bool MaskCounter = false;
  AtomicOp Atomic = AtomicOp::None;
  Elem AtomicType = Elem::F32;
  /// Where the two modes were switched on, for whoever finds them on too long.
  const void *MaskCounterAt = nullptr, *AtomicAt = nullptr;
  CubeRegisters Cube;
  ListRegisters Lists;
  VectorRegisters Vector;

  /// Takes over what instructions write when they are carried out. All other
  /// registers are set by the scalar unit and read when it issues.
  void takeResults(const Registers &From) {
    Lists.ReduceSum = From.Lists.ReduceSum;
    Lists.ReduceValue = From.Lists.ReduceValue;
    Lists.ReduceIndex = From.Lists.ReduceIndex;
    std::copy(std::begin(From.Lists.Merged), std::end(From.Lists.Merged),
              Lists.Merged);
    std::copy(std::begin(From.Vector.CmpMask), std::end(From.Vector.CmpMask),
              Vector.CmpMask);
  }
};

/// What a tensor told before it became the operand of an instruction.
struct TensorNote {
  const void *Address = nullptr;
  uint64_t Bytes = 0;
  const BufferRecord *Buffer = nullptr;
  uint32_t Generation = 0;
  bool Taken = false; // an operand came from it
};

/// One core: memories, registers, buffer manager. A core is driven by one
/// thread, the one that runs the kernel for it.
class Core {
  Device &Owner; // first: what follows asks it for the target
  const targets::Arch &Facts;

public:
  Core(Device &D, CoreKind Kind, uint32_t Number, uint32_t Block,
       uint32_t SubBlock);
  ~Core();

  /// The core the calling thread plays.
  static Core &current() { return *Current; }
  static Core *currentOrNull() { return Current; }
  static void setCurrent(Core *C) { Current = C; }

  const Machine &machine() const;
  /// What the target's architecture has.
  const targets::Arch &arch() const { return Facts; }

  /// Whether this kind of core has the unit of a pipe.
  bool has(Pipe P) const {
    return Kind == CoreKind::Coupled ||
           (Kind == CoreKind::Cube
                ? P != Pipe::V
                : P != Pipe::M && P != Pipe::MTE1 && P != Pipe::FIX);
  }
  Device &device() { return Owner; }

  CoreKind Kind;
  const uint32_t Number; // among the cores of the launch
  uint32_t Block, SubBlock;
  /// The cores of one block at a time; it stays while Block moves on.
  const uint32_t Group;
  Registers Regs;
  LocalMemories Memories;
  std::unique_ptr<Observer> Watcher;
  const Mutation *Change = nullptr; // if the watcher is to be deceived
  /// Null: each instruction is carried out when it is issued.
  std::unique_ptr<Schedule> Order;
  uint64_t Instructions = 0;
  /// Tensors named since the last instruction; only while someone watches.
  static constexpr unsigned MaxNotes = 8;
  TensorNote Notes[MaxNotes];
  unsigned NumNotes = 0;
  /// The scalar unit's newest access by the API, and the instructions by then.
  AnnouncedAccess Announced;
  uint64_t AnnouncedAt = 0;
  /// Elements of tensors that were named since the newest instruction that is
  /// no access of the scalar unit: `t(i) = v` names one, and stores to it by a
  /// pointer.
  static constexpr unsigned MaxElements = 4;
  AnnouncedAccess Elements[MaxElements];
  unsigned NumElements = 0;
  uint64_t ElementsUntil = 0; ///< The instructions by then.
  /// The newest instruction, for reports of crashes and time-outs.
  const void *volatile LastPC = nullptr;
  const char *volatile WaitingFor = nullptr;

  // Buffer manager: a bump allocator per memory, as TPipe's is.
  uint32_t Used[static_cast<size_t>(Space::Host)] = {};
  struct BufferBlock {
    std::unique_ptr<BufferRecord[]> Records;
    uint32_t Num;
  };
  std::vector<BufferBlock> BufferBlocks;
  void *Workspace = nullptr;
  /// What library objects of the kernel keep on this core, until the block
  /// ends.
  std::vector<std::shared_ptr<void>> Objects;

private:
  static thread_local Core *Current;
};

} // namespace belay::sim

#endif // BELAY_MODEL_CORE_CORE_H
