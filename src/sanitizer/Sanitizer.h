//===- Sanitizer.h - Finds what a run would get away with -------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SANITIZER_SANITIZER_H
#define BELAY_SANITIZER_SANITIZER_H

#include "model/core/Observer.h"
#include "order/AutoSync.h"
#include "sanitizer/CacheLines.h"
#include "sanitizer/CrossCoreClocks.h"
#include "sanitizer/CrossFlags.h"
#include "sanitizer/CubeOrder.h"
#include "sanitizer/Findings.h"
#include "sanitizer/Flags.h"
#include "sanitizer/GlobalShadow.h"
#include "sanitizer/LocalShadow.h"
#include "sanitizer/Sites.h"
#include "sanitizer/Slices.h"
#include "sanitizer/Values.h"

#include <array>
#include <deque>
#include <memory>
#include <unordered_map>

namespace belay::sim {

class Core;

/// What the sanitizers of all cores of a launch share.
struct SharedChecks {
  SharedChecks(Report &R, const Device &D)
      : Out(R), Values(D), Caches(Cross, Out) {}
  Findings Out;
  GlobalShadow Global;
  CrossCoreClocks Cross;
  GlobalValues Values;
  CrossFlags Flags;
  CacheLines Caches;
};

/// Which instruction bytes without a value go back to.
struct Root {
  const void *PC = nullptr;
  const char *Name = "";
  Pipe On = Pipe::S;
  bool TooShort = false; // it wrote up to them; or else it read them first
  /// They were overwritten through another slice.
  const Slices::Loss *Lost = nullptr;
};

/// Checks the instruction stream of one core. The stream comes in program
/// order; pipes that wait for a flag fall behind it, as they do on the device,
/// and are caught up with when the flag arrives.
class Sanitizer : public Observer {
public:
  Sanitizer(Core &C, SharedChecks &Shared, bool CompilerSync);
  ~Sanitizer() override;

  void onInstruction(const InstructionRecord &I) override;
  void onArrive(const InstructionRecord &I) override;
  void onEnd() override;
  uint32_t executionOf(const void *PC) const override {
    return Sites.executionOf(PC);
  }
  void onWrap(const WrapRecord &W) override;
  void onTruncation(const WrapRecord &W, uint64_t Before) override;
  void onOffset(uint64_t Offset, const void *PC) override;
  void onSlice(const void *Address, uint64_t Bytes, const BufferRecord &B,
               const void *PC) override;
  void onGap(uint64_t Bytes, const void *PC) override;
  void onCounterMode(const InstructionRecord &I, uint32_t Requested,
                     uint64_t Made) override;
  void undefinedBytes(const void *Address, uint64_t Bytes,
                      uint8_t *Flags) override;
  void onDelivery(const void *Address, uint64_t Bytes) override;
  void onFunctionStore(const void *Address, uint64_t Bytes,
                       const uint8_t *Flags, const void *Root,
                       const char *Name) override;
  void onMisuse(const char *Id, const void *PC, const void *Other,
                const char *Role, const std::string &Message,
                const char *Hint) override;

private:
  struct Issued {
    InstructionRecord I;
    Clock Scalar;
  };

  // Stream.cpp: pipes, flags, queues.
  void take(const InstructionRecord &I, const Clock &Scalar);
  bool blocks(const InstructionRecord &I);
  void catchUp();
  Pipe carrierOf(const InstructionRecord &I) const;
  void setFlag(const InstructionRecord &I, const Clock &Scalar);
  void waitFlag(const InstructionRecord &I, const Clock &Scalar);
  void queueEvent(const InstructionRecord &I, const Clock &Scalar);
  void barrier(const InstructionRecord &I);
  void noteEarlyWait(const InstructionRecord &I);
  void reportLostSet(Pipe From, Pipe To, FlagPair &P);
  const InstructionRecord *delayedSetFor(const InstructionRecord &Wait);
  void reportDeadlock();
  void reportLeftovers();

  // CrossFlags.cpp: flags between cores.
  void crossSet(const InstructionRecord &I);
  void crossWait(const InstructionRecord &I, const Clock &Scalar);

  // Tensors.cpp: operands and the tensors they came from.
  void checkTensors(const InstructionRecord &I);
  // Slices.cpp
  std::vector<uint64_t> hideLost(const Slices::LostBytes &Lost);
  void showLost(const InstructionRecord &I, std::vector<uint64_t> Hidden);
  void reportLost(const Root &From);
  bool leavesBuffer(const InstructionRecord &I, const OperandRecord &O);
  void reportLeaks();

  // Values.cpp: what bytes hold.
  void flow(const InstructionRecord &I);
  void flowValues(const InstructionRecord &I, bool AnyUndefined,
                  const Root *From = nullptr);
  void flowByElement(const OperandRecord &Dst, const OperandRecord *const *Srcs,
                     unsigned Num);
  void flowByOrigin(const InstructionRecord &I);
  void flowByTeller(const InstructionRecord &I, const Root &From);
  bool readsUndefined(const OperandRecord &O);
  bool undefinedAt(const OperandRecord &O, uint64_t Offset);
  void setUndefined(const OperandRecord &O, bool Undefined);
  bool undefinedBytes(uint64_t Begin, uint64_t End);
  void assignBytes(uint64_t Begin, uint64_t End, bool Undefined);
  void checkTypes(const InstructionRecord &I);
  void checkGlobalType(const InstructionRecord &I, const OperandRecord &O);
  void tagBlocks(const OperandRecord &O);
  bool holds(const OperandRecord &O, Elem T);
  void reportTypes(const InstructionRecord &I, const OperandRecord &O,
                   Elem Was);

  // Roots.cpp: where bytes without a value come from.
  Root rootOf(const InstructionRecord &I);
  void noteRoot(const InstructionRecord &I, const Root &From);
  uint64_t firstUndefined(const OperandRecord &O);
  uint64_t undefinedIn(const InstructionRecord &I);
  void reportUndefined(const InstructionRecord &I, const Root &From,
                       const char *Where, uint64_t Bytes);

  // Products.cpp: what the cube makes of it.
  void flowProduct(const InstructionRecord &I, bool AnyUndefined);

  // Modes.cpp: registers that outlive the instructions they were set for.
  void reportModes();
  void checkAtomicType(const InstructionRecord &I);

  // Events.cpp: event ids that queues use up.
  void countBuffers(const InstructionRecord &I);

  // Integers.cpp: where results that did not fit end up.
  struct Wrap {
    WrapRecord W;
    /// What the result would have been. More than one number if the operands
    /// may be results that had wrapped before.
    std::vector<int64_t> Exact;
  };
  std::vector<int64_t> meaningsOf(int64_t Operand) const;
  void checkWrap(uint64_t Value, const void *PC, const char *Use);

  // Overlap.cpp: operands of one instruction.
  void checkOverlap(const InstructionRecord &I);

  // Races.cpp: memory.
  void touch(const InstructionRecord &I, const Clock &Scalar);
  void touchLocal(const InstructionRecord &I, const OperandRecord &O, Epoch Now,
                  SiteId Here);
  void touchGlobal(const InstructionRecord &I, const OperandRecord &O,
                   Epoch Now, SiteId Here);
  void touchCaches(const InstructionRecord &I, const OperandRecord &O,
                   Epoch Now);
  void check(Epoch Before, SiteId Other, bool OtherWrites, Epoch Now,
             SiteId Here, const OperandRecord &O);
  void reportRace(const Site &Other, bool OtherWrites, const Site &Here,
                  const OperandRecord &O);
  void reportCores(const GlobalAccess &Before, const GlobalAccess &After,
                   const OperandRecord &O);

  Core &C;
  SharedChecks &Shared;
  AutoSync Auto;
  PipeClocks Clocks;
  CubeOrder Cube;
  FlagTable Flags;
  SiteTable Sites;
  LocalValues Values;
  std::array<std::unique_ptr<LocalShadow>, static_cast<size_t>(Space::Host)>
      Locals;
  std::array<std::deque<Issued>, NumPipes> Delayed;
  /// The newest results that did not fit, which an offset may come from.
  static constexpr size_t MaxWraps = 16;
  std::deque<Wrap> Wraps;
  /// How often each place wrapped, and how often an offset came of it.
  struct WrapCount {
    uint64_t Wraps = 0, Used = 0;
  };
  std::unordered_map<const void *, WrapCount> WrapCounts;
  Slices Parts;
  /// By local memory and block of 32 bytes, for bytes without a value that an
  /// instruction has moved.
  std::unordered_map<uint64_t, Root> Roots;
  /// What EnQue told the consumer and FreeTensor the producer, per buffer.
  struct BufferEvents {
    std::optional<Clock> Filled, Emptied;
  };
  std::unordered_map<const void *, BufferEvents> Buffers;
  /// How often this core has passed each of the two kinds of SyncAll.
  uint64_t Synced[2] = {0, 0};
  /// What was complete at this core's own sets of flags that it waits for, too.
  std::unordered_map<int, std::deque<Clock>> OwnSets;
  /// What was complete when each mutex was last given back.
  std::unordered_map<int32_t, Clock> Mutexes;
};

} // namespace belay::sim

#endif // BELAY_SANITIZER_SANITIZER_H
