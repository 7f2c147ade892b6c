//===- Schedule.h - Pipes that run out of program order ---------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Without a schedule every instruction is carried out when it is issued, which
// is one of the many orders that the hardware may choose. With one, the scalar
// unit only puts instructions into the queues of their pipes, and a random
// number decides what happens next. What is never reordered is exactly what
// the hardware never reorders:
//
//   - a wait holds back what follows it in its pipe until its flag is set;
//   - a set happens after all that precedes it in its pipe, and stops nobody;
//   - a barrier does both;
//   - the scalar unit is in order, and waits where it waits for a flag;
//   - what AutoSync says that the compiler or an interlock takes care of.
//
// Two instructions of one pipe with nothing of the kind between them may change
// places: the second starts before the first has ended.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MODEL_CORE_SCHEDULE_H
#define BELAY_MODEL_CORE_SCHEDULE_H

#include "model/core/Core.h"
#include "model/core/Observer.h"
#include "order/AutoSync.h"

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <tuple>

namespace belay::sim {

/// The pipes of one core under one random legal schedule.
class Schedule {
public:
  /// The same seed gives the same schedule. That of seed 0 is program order,
  /// but for pipes that wait for a flag which is set later.
  Schedule(Core &C, uint64_t Seed, bool CompilerSync);

  /// The line of the instruction that is being carried out after it was put
  /// off; null if there is none.
  const void *replayed() const { return Replayed; }

  /// Puts an instruction off. Anywhere: it may touch more than its operands.
  void defer(const InstructionRecord &I, bool Anywhere,
             std::function<void()> Body);
  /// A flag, a barrier, an event of a queue or an access of the scalar unit.
  void follow(const InstructionRecord &I);
  /// The scalar unit waits for all pipes.
  void drain();
  /// While the scalar unit waits for other cores, the pipes may go on: they may
  /// hold what the others wait for. False when none of them can.
  bool linger();

private:
  using Token = uint64_t;
  struct Bytes {
    uint64_t Begin, End;
    bool Write;
  };
  struct Step {
    Step(const InstructionRecord &I, Pipe P)
        : Name(I.Name), PC(I.PC), On(P), Serial(I.Serial) {}

    const char *Name;
    const void *PC;
    Pipe On;
    uint64_t Serial; // in program order
    /// Runs after all that precedes it in its pipe.
    bool Last = false;
    /// Nothing that follows it in its pipe runs before it.
    bool First = false;
    bool UnitFlag = false, Interlocked = false;
    std::function<bool()> Ready;
    std::function<void()> Body;
    std::vector<Bytes> Operands;
    std::unique_ptr<Registers> Issued; // what the instruction was issued with
  };
  using Queue = std::deque<Step>;

  static bool conflict(const Step &A, const Step &B);
  bool held(const Queue &Q, size_t Index) const;
  bool waitsForUnitFlag(const Step &S) const;
  void carryOut(Step S);
  /// One step of any pipe; false if there is none that may run.
  bool advance();
  void wander();
  /// Steps until Done; ends the run if no pipe can go on before.
  void runUntil(const std::function<bool()> &Done);
  [[noreturn]] void stuck();

  Queue &queueOf(Pipe P) { return Queues[static_cast<unsigned>(P)]; }
  void set(const InstructionRecord &I, Pipe P, std::function<void()> Raise);
  void wait(const InstructionRecord &I, Pipe P, std::function<bool()> Ready,
            std::function<void()> Clear);
  void waitFor(const InstructionRecord &I, Pipe P, Token T);
  void scalarAccess(const InstructionRecord &I);
  static std::vector<Bytes> bytesOf(const InstructionRecord &I);
  bool chance(double P) { return Real(Random) < P; }

  static constexpr unsigned NumQueues = static_cast<unsigned>(Pipe::All);
  /// Instructions that a pipe holds before the scalar unit has to wait.
  static constexpr size_t Capacity = 48;

  Core &C;
  AutoSync Auto;
  std::mt19937_64 Random;
  std::uniform_real_distribution<double> Real;
  // What kind of schedule this is: how far the scalar unit runs ahead, which
  // pipes are slow, how much a pipe reorders, how often another core goes on.
  double Eagerness, Reordering, Yielding;
  std::array<double, NumQueues> Speed;

  std::array<Queue, NumQueues> Queues;
  const void *Replayed = nullptr;
  std::set<std::tuple<Pipe, Pipe, int32_t>> Flags; // those that are set
  // Events of queues and mutexes pair up one by one: each has a token.
  Token NextToken = 1;
  std::set<Token> Pending; // set, but not yet carried out
  struct BufferEvents {
    Token Filled = 0, Emptied = 0;
  };
  std::map<const void *, BufferEvents> Buffers;
  std::map<int32_t, std::vector<Token>> Unlocked;
};

} // namespace belay::sim

#endif // BELAY_MODEL_CORE_SCHEDULE_H
