//===- Schedules.cpp - The same launch in many legal orders ---------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "launch/Schedules.h"
#include "cases/Compare.h"
#include "report/FailureReport.h"
#include "support/DiagnosticError.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace llvm;
using namespace belay::cases;
using namespace belay::launch;
using namespace belay::report;
using belay::support::DiagId;
using belay::support::Diagnostic;
using belay::support::ExitStatus;
using belay::support::exitStatusOf;

namespace {

/// The outputs of a launch, in the order of the tensors that it writes.
using Snapshot = std::vector<std::vector<uint8_t>>;

template <typename Fn>
void forEachOutput(const ArgumentBuffers &Arguments, Fn Visit) {
  size_t Index = 0;
  for (const ArgumentBuffer *Buffer : Arguments.tensors())
    if (Buffer->Spec->writes())
      Visit(Index++, *Buffer);
}

Snapshot takeSnapshot(const ArgumentBuffers &Arguments) {
  Snapshot Result;
  forEachOutput(Arguments, [&](size_t, const ArgumentBuffer &Buffer) {
    ArrayRef<uint8_t> Bytes = Buffer.Memory.bytes();
    Result.emplace_back(Bytes.begin(), Bytes.end());
  });
  return Result;
}

void restore(const ArgumentBuffers &Arguments, const Snapshot &Before) {
  forEachOutput(Arguments, [&](size_t Index, const ArgumentBuffer &Buffer) {
    llvm::copy(Before[Index], Buffer.Memory.bytes().begin());
  });
}

Diagnostic begin(const Twine &Message, uint64_t Seed) {
  Diagnostic Diag;
  Diag.Id = DiagId::ScheduleDependent;
  Diag.Message = Message.str();
  Diag.Notes.push_back(
      {{},
       formatv("the same order again: --schedules 1 --schedule-seed {0}",
               Seed)});
  Diag.Notes.push_back(
      {{}, "--check names the instructions that nothing orders"});
  return Diag;
}

Diagnostic failsIn(Diagnostic Problem, uint64_t Seed) {
  Diagnostic Result =
      begin("in another legal order of the pipes the kernel fails: " +
                Problem.Message,
            Seed);
  Result.Where = Problem.Where;
  append_range(Result.Notes, Problem.Notes);
  return Result;
}

/// The first output that differs. Bit by bit, unless the cores added floats
/// atomically: then the order of the additions is open, and so is their
/// rounding.
std::optional<Diagnostic> compareWith(const ArgumentBuffers &Arguments,
                                      const Snapshot &Before,
                                      const LaunchOutcome &Outcome,
                                      uint64_t Seed) {
  std::optional<Diagnostic> Result;
  forEachOutput(Arguments, [&](size_t Index, const ArgumentBuffer &Buffer) {
    ArrayRef<uint8_t> Bytes = Buffer.Memory.bytes();
    if (Result || Bytes == ArrayRef(Before[Index]))
      return;
    DataType Type = Buffer.Tensor.Type;
    bool Rounded = Outcome.Report.RoundedAtomics;
    Comparison Compared =
        compareArrays(Buffer.view(), {Type, Before[Index]},
                      Rounded ? Tolerance::defaultFor(Type) : Tolerance());
    if (Rounded && Compared.passed())
      return;
    Result =
        begin(formatv("in another legal order of the pipes output '{0}' ({1}) "
                      "differs in {2} of {3} elements",
                      Buffer.Name, Buffer.Tensor.str(), Compared.Mismatches,
                      Compared.Elements),
              Seed);
    for (const Comparison::Sample &Sample : Compared.First)
      Result->Notes.push_back(
          {{},
           formatv("{0}{1}: {2}, in program order {3}", Buffer.Name,
                   formatIndex(Sample.Index, Buffer.Tensor.Shape), Sample.Got,
                   Sample.Expected)});
  });
  return Result;
}

/// Bytes that no kernel writes by chance: a zero read too early may be the zero
/// that is written later.
constexpr uint8_t Garbage = 0xa5;

} // namespace

Expected<std::optional<Diagnostic>>
belay::launch::trySchedules(const Case &Input, ArgumentBuffers &Arguments,
                            LaunchOptions Options, const Schedules &Wanted,
                            FrameResolver &Resolver) {
  Snapshot Original = takeSnapshot(Arguments);
  Case Plain = Input;
  Plain.Check = false;
  Plain.TimeLimitSeconds *= Wanted.Count + 1;
  Plain.CpuLimitSeconds *= Wanted.Count + 1;
  Options.CpuSeconds *= Wanted.Count + 1;
  Options.LocalFill = Garbage;
  Options.Slots = 1; // what the cores race for is then the same every time
  // First once more in program order, from the same memory as all others.
  Options.Orders = 0;
  auto Launch = [&]() -> Expected<LaunchOutcome> {
    if (Error E = Arguments.refill())
      return E;
    return launchKernel(Plain, Arguments, Options);
  };
  Expected<LaunchOutcome> First = Launch();
  if (!First)
    return First.takeError();
  std::optional<Diagnostic> Result =
      explainOutcome(First->Process, First->Report, Plain, Resolver);
  Snapshot Before = takeSnapshot(Arguments);
  uint64_t Seed = Wanted.FirstSeed, End = Seed + Wanted.Count;
  while (Seed != End && !Result) {
    Options.OrderSeed = Seed;
    Options.Orders = static_cast<unsigned>(End - Seed);
    Expected<LaunchOutcome> Outcome = Launch();
    if (!Outcome)
      return Outcome.takeError();
    Seed = Outcome->OrderSeed;
    if (auto Problem =
            explainOutcome(Outcome->Process, Outcome->Report, Plain, Resolver))
      // What the machine failed on is no matter of the order.
      Result = exitStatusOf(Problem->Id) == ExitStatus::Failed
                   ? std::move(*Problem)
                   : failsIn(std::move(*Problem), Seed);
    else
      Result = compareWith(Arguments, Before, *Outcome, Seed);
    // Whatever the child wrote there: never the same order again.
    Seed = std::clamp(Seed + 1, Options.OrderSeed + 1, End);
  }
  restore(Arguments, Original);
  return Result;
}
