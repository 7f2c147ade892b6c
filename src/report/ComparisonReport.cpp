//===- ComparisonReport.cpp - What two kernels cost, side by side ---------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/ComparisonReport.h"
#include "report/RunReport.h"
#include "report/TimeReport.h"
#include "support/Numbers.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace llvm;
using namespace belay;
using namespace belay::report;
using namespace belay::support;
using timing::Answer;

/// Less is no difference that the model can vouch for.
static constexpr double Tie = 1.15;

CycleRatio belay::report::compareCycles(const Answer &First,
                                        const Answer &Second) {
  CycleRatio R = {1, 1e300, 0, Faster::Neither};
  uint32_t Draws = std::min(First.NumDraws, Second.NumDraws);
  for (unsigned N = 0; N < Draws; ++N) {
    double Ratio = First.Cycles[N] > 0 ? Second.Cycles[N] / First.Cycles[N] : 1;
    R.Least = std::min(R.Least, Ratio);
    R.Most = std::max(R.Most, Ratio);
    if (N == timing::MiddleDraw)
      R.Middle = Ratio;
  }
  if (R.Most < 1 && R.Middle * Tie <= 1)
    R.Which = Faster::Second;
  else if (R.Least > 1 && R.Middle >= Tie)
    R.Which = Faster::First;
  return R;
}

namespace {
struct Row {
  const char *Name, *Key;
  double First, Second;
};
} // namespace

static double instructionsOf(const CaseResult &R) {
  double Sum = 0;
  for (uint64_t Each : R.Executed.ByPipe)
    Sum += static_cast<double>(Each);
  return Sum;
}

static double syncsOf(const CaseResult &R) {
  const sim::Counts &C = R.Executed;
  return static_cast<double>(C.SetFlags + C.WaitFlags + C.Barriers +
                             C.CrossSets + C.CrossWaits + C.SyncAlls +
                             C.QueueSteps + C.Locks);
}

static std::vector<Row> rowsOf(const CaseResult &A, const CaseResult &B) {
  const Answer &X = A.Time->Total, &Y = B.Time->Total;
  auto Number = [](uint64_t N) { return static_cast<double>(N); };
  return {
      {"cycles", "cycles", X.Cycles[timing::MiddleDraw],
       Y.Cycles[timing::MiddleDraw]},
      {"  fast end", "low", X.Cycles[0], Y.Cycles[0]},
      {"  slow end", "high", X.Cycles[2], Y.Cycles[2]},
      {"instructions", "instructions", instructionsOf(A), instructionsOf(B)},
      {"bytes read", "bytesRead", Number(X.Read), Number(Y.Read)},
      {"bytes written", "bytesWritten", Number(X.Written), Number(Y.Written)},
      {"synchronisation", "synchronisation", syncsOf(A), syncsOf(B)},
  };
}

void belay::report::printComparison(raw_ostream &Out, StringRef FirstName,
                                    const CaseResult &First,
                                    StringRef SecondName,
                                    const CaseResult &Second) {
  Out << "A: " << FirstName << "\nB: " << SecondName << '\n';
  Out << formatv("{0,-18}{1,16}{2,16}{3,9}\n", "", "A", "B", "B/A");
  for (const Row &R : rowsOf(First, Second)) {
    std::string Ratio = R.First > 0 ? formatNumber(R.Second / R.First, 3) : "-";
    Out << formatv("{0,-18}{1,16}{2,16}{3,9}\n", R.Name, formatCycles(R.First),
                   formatCycles(R.Second), Ratio);
  }
  Out << formatv("{0,-18}{1,16}{2,16}\n", "bound by",
                 boundOf(First.Time->Total), boundOf(Second.Time->Total));
  CycleRatio R = compareCycles(First.Time->Total, Second.Time->Total);
  std::string Range = formatv(
      "B takes {0} of the cycles of A, between {1} and {2} in all draws",
      formatNumber(R.Middle, 3), formatNumber(R.Least, 3),
      formatNumber(R.Most, 3));
  Out << (R.Which == Faster::First    ? "A is faster: "
          : R.Which == Faster::Second ? "B is faster: "
                                      : "a tie: ")
      << Range << '\n';
}

json::Object belay::report::comparisonToJson(const CaseResult &First,
                                             const CaseResult &Second) {
  CycleRatio R = compareCycles(First.Time->Total, Second.Time->Total);
  json::Object Result{
      {"faster", R.Which == Faster::First    ? "a"
                 : R.Which == Faster::Second ? "b"
                                             : "tie"},
      {"ratio", json::Object{{"middle", R.Middle},
                             {"least", R.Least},
                             {"most", R.Most}}},
  };
  for (const Row &Each : rowsOf(First, Second))
    Result[Each.Key] = json::Array{Each.First, Each.Second};
  Result["a"] = timeToJson(*First.Time);
  Result["b"] = timeToJson(*Second.Time);
  return Result;
}
