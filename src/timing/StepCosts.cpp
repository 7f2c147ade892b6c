//===- StepCosts.cpp - What one instruction takes by itself ---------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing/Replay.h"

#include <algorithm>

namespace belay::timing {

VectorCycles vectorCycles(const Step &S, const Costs &C) {
  const Costs::Vector &V = C.vector(S.Row);
  return {V.Fixed, V.Slope * S.Work,
          S.ReadConflicts * C[Parameter::ConflictReadRead] +
              S.WriteConflicts * C[Parameter::ConflictReadWrite]};
}

double cubeCycles(const Step &S, const Costs &C) {
  constexpr Parameter Rates[] = {Parameter::CubeHalf, Parameter::CubeByte,
                                 Parameter::CubeNibble, Parameter::CubeFloat};
  return C[Parameter::CubeHead] + S.Work * 256.0 / C[Rates[S.Class % 4]];
}

double copyLatency(const Step &S, const Costs &C) {
  if (S.Write)
    return C[S.From == Space::L0C ? Parameter::L0cGmLatency
                                  : Parameter::UbGmLatency];
  if (S.To == Space::UB)
    return C[Parameter::GmUbLatency];
  return C[S.Class ? Parameter::GmL1NzLatency : Parameter::GmL1Latency];
}

double copyIssue(const Step &S, const Costs &C) {
  return std::max(C[Parameter::DmaIssue], C[Parameter::DmaBurst] * S.Bursts);
}

double localRate(const Step &S, const Costs &C) {
  if (S.To == Space::L0A)
    return C[Parameter::L1L0aRate];
  if (S.To == Space::L0B)
    return C[Parameter::L1L0bRate];
  return C[S.From == Space::L0C ? Parameter::L0cLocalRate
                                : Parameter::LocalRate];
}

} // namespace belay::timing
