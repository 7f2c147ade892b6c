//===- Issue.h - An instruction on its way into a pipe ----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MODEL_CORE_ISSUE_H
#define BELAY_MODEL_CORE_ISSUE_H

#include "abi/PipeRules.h"
#include "model/core/Core.h"
#include "model/core/Failure.h"
#include "model/core/Mutation.h"
#include "model/core/Observer.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <tuple>
#include <type_traits>
#include <vector>

namespace belay::sim {

/// The pipe of each instruction as abi/Functions.def has it, or the rule that
/// pipeBy() decides it by.
namespace on {
template <PipeRule Rule> consteval auto pipeOrRule() {
  if constexpr (Rule <= PipeRule::FIX)
    return pipeBy(Rule, Space::Host, Space::Host);
  else
    return Rule;
}
#define BELAY_ABI_INSTRUCTION(Name, On, ...)                                   \
  inline constexpr auto Name = pipeOrRule<PipeRule::On>();
#include "abi/Functions.def"
} // namespace on

/// Collects the operands of one instruction, checks that each lies inside one
/// memory, and hands the record to the observer. Every instruction of the model
/// goes through here, so the stream is complete by construction.
class Issue {
public:
  Issue(const char *Name, Pipe On, const void *PC,
        InstructionKind Kind = InstructionKind::Compute)
      : C(Core::current()) {
    I.Name = Name;
    I.Kind = Kind;
    I.On = On;
    I.PC = PC;
    I.Serial = ++C.Instructions;
    C.LastPC = PC;
    if (__builtin_expect(C.Order != nullptr, 0))
      enterSchedule();
    if (Kind <= InstructionKind::Copy && !C.has(On))
      foreign();
  }
  ~Issue() {
    C.NumNotes = 0;
    if (C.Watcher && !Dropped && !Replayed &&
        (!C.Change || applyMutation(*C.Change, I))) {
      I.Origins = Origins.data();
      I.NumOrigins = Origins.size();
      I.Teller = Teller ? &Teller : nullptr;
      C.Watcher->onInstruction(I);
    }
    if (__builtin_expect(C.Order != nullptr, 0))
      leaveSchedule();
  }
  Issue(const Issue &) = delete;
  Issue &operator=(const Issue &) = delete;

  /// Alignment is what the instruction demands of a local address; 1 for none.
  void read(const void *Address, const Extent &E, Elem T,
            uint32_t Alignment = 32) {
    operand(Address, E, T, /*Write=*/false, Alignment);
  }
  void write(void *Address, const Extent &E, Elem T, uint32_t Alignment = 32) {
    operand(Address, E, T, /*Write=*/true, Alignment);
  }

  /// Ends the run unless the bytes lie inside one memory. For what is touched
  /// besides the operands, whose values do not count.
  void inside(const void *Address, const Extent &E, Elem T, bool Write = false);
  /// Ends the run if blocks that lie over each other make more work than any
  /// memory would.
  void checkWork(uint64_t Work, uint64_t Span);

  /// Stands between what is checked when an instruction is issued and what it
  /// does. True if it is to do that later: then Function is called once more
  /// with the same arguments. Structures that pointers refer to are kept, and
  /// so are operands of the scalar unit that are marked with scalarAt; other
  /// pointers name simulated memory.
  template <typename... Params, typename... Args>
  bool later(void (*Function)(Params...), Args... Arg) {
    if (__builtin_expect(!C.Order, 1) || Replayed || Drained || I.On == Pipe::S)
      return false;
    defer([Function, Kept = std::tuple(keep(Arg)...)]() mutable {
      std::apply([&](auto &...Each) { Function(open(Each)...); }, Kept);
    });
    return true;
  }
  struct ScalarAt {
    const void *Address;
    uint32_t Bytes;
  };
  static ScalarAt scalarAt(const void *Address, Elem T, bool IsScalar = true) {
    return {Address, IsScalar && Address ? bytesOf(T) : 0};
  }
  /// The compiler does not see which memory is accessed.
  void byPointer() { I.ByPointer = true; }
  /// Some operands are known only when the instruction runs.
  void operandsFromData() { OperandsFromData = true; }
  /// For instructions whose result the scalar unit waits for.
  void drain() {
    if (__builtin_expect(C.Order != nullptr, 0))
      drainPipes();
  }

  /// True while someone reads the stream, and wants origins.
  bool watched() const { return C.Watcher && !Replayed; }
  /// Notes that a destination holds what a source held; see Origin.
  void origin(const void *Dst, uint64_t DstBytes, const void *Src,
              uint64_t SrcBytes) {
    auto D = reinterpret_cast<uint64_t>(Dst);
    auto S = reinterpret_cast<uint64_t>(Src);
    Origins.push_back({D, D + DstBytes, S, S + SrcBytes});
  }
  /// The same for instructions with an origin for each element, or nearly: Tell
  /// is called if someone asks, when the instruction has been carried out.
  void originsBy(OriginTeller Tell) {
    if (watched())
      Teller = std::move(Tell);
  }

  /// True if this core has no such unit. In a mixed launch both kinds of cores
  /// run the whole kernel, and the device's API leaves out what is not theirs.
  bool dropped() const { return Dropped; }

  /// About to wait for other cores.
  void arrive() {
    InstructionRecord Heard = I;
    if (C.Watcher && !Replayed &&
        (!C.Change || applyMutation(*C.Change, Heard)))
      C.Watcher->onArrive(Heard);
  }

  /// True if a mutation leaves the instruction out of the run.
  bool skipped() const { return C.Change && skips(*C.Change, I.PC); }

  Core &core() const { return C; }
  InstructionRecord &record() { return I; }
  const void *pc() const { return I.PC; }
  const char *name() const { return I.Name; }
  const OperandRecord &operandRecord(unsigned N) const { return I.Operands[N]; }

  /// For instructions that use what the framework keeps at the top of UB.
  void needReservedUb();

  /// Refuses a type that the instruction does not have.
  [[noreturn]] void unsupported(Elem T);
  [[noreturn]] void unsupported(Elem To, Elem From);

private:
  // What an instruction keeps of an argument until it runs.
  template <typename T> static auto keep(T Arg) { return Arg; }
  template <typename T> static auto keep(const T *Arg) {
    if constexpr (std::is_class_v<T>)
      return Kept<T>{*Arg};
    else
      return Arg;
  }
  struct KeptScalar {
    ScalarAt Arg;
    alignas(8) uint8_t Value[8];
  };
  static KeptScalar keep(ScalarAt S) {
    KeptScalar K = {S, {}};
    if (S.Bytes) // else there may be no address
      std::memcpy(K.Value, S.Address, S.Bytes);
    return K;
  }
  template <typename T> struct Kept {
    T Value;
  };
  template <typename T> static T open(T &Arg) { return Arg; }
  template <typename T> static const T *open(Kept<T> &K) { return &K.Value; }
  static const void *open(KeptScalar &K) {
    return K.Arg.Bytes ? K.Value : K.Arg.Address;
  }

  void enterSchedule();
  void leaveSchedule();
  void defer(std::function<void()> Body);
  void drainPipes();
  void foreign();
  void operand(const void *Address, const Extent &E, Elem T, bool Write,
               uint32_t Alignment);
  void attachTensor(OperandRecord &O);
  [[noreturn]] void lost(const OperandRecord &O);
  void checkPlace(OperandRecord &O, uint32_t Alignment);
  void checkGlobal(OperandRecord &O);
  void checkLocal(const OperandRecord &O, uint32_t Alignment);

  Core &C;
  InstructionRecord I;
  std::vector<Origin> Origins;
  OriginTeller Teller;
  bool Dropped = false;
  // Of an instruction under a schedule: it was put off, it runs after it was,
  // or all pipes are empty.
  bool Deferred = false, Replayed = false, Drained = false;
  bool OperandsFromData = false;
};

} // namespace belay::sim

#endif // BELAY_MODEL_CORE_ISSUE_H
