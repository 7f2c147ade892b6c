//===- Scores.cpp - What many results say together ------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/Scores.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cassert>
#include <cstdint>

using namespace llvm;
using namespace belay::bench;

double belay::bench::passAtK(Tally T, unsigned K) {
  assert(K >= 1 && K <= T.Samples && T.Good <= T.Samples);
  if (T.Samples - T.Good < K)
    return 1;
  // C(n - c, k) / C(n, k), as a product of k factors below 1.
  double None = 1;
  for (unsigned I = 0; I < K; ++I)
    None *= static_cast<double>(T.Samples - T.Good - I) /
            static_cast<double>(T.Samples - I);
  return 1 - None;
}

namespace {
/// SplitMix64: small, and the same everywhere.
class Random {
public:
  uint64_t next() {
    uint64_t Z = State += 0x9e3779b97f4a7c15;
    Z = (Z ^ (Z >> 30)) * 0xbf58476d1ce4e5b9;
    Z = (Z ^ (Z >> 27)) * 0x94d049bb133111eb;
    return Z ^ (Z >> 31);
  }
  size_t below(size_t End) { return next() % End; }

private:
  uint64_t State = 1;
};
} // namespace

Estimate belay::bench::meanOf(ArrayRef<double> Values) {
  Estimate Result;
  Result.Tasks = static_cast<unsigned>(Values.size());
  if (Values.empty())
    return Result;
  auto Count = static_cast<double>(Values.size());
  for (double Each : Values)
    Result.Value += Each / Count;
  constexpr unsigned Draws = 2000;
  std::vector<double> Means(Draws);
  Random Draw;
  for (double &Mean : Means)
    for (size_t I = 0; I < Values.size(); ++I)
      Mean += Values[Draw.below(Values.size())] / Count;
  llvm::sort(Means);
  Result.Low = Means[Draws * 25 / 1000];
  Result.High = Means[Draws * 975 / 1000];
  return Result;
}

Estimate belay::bench::meanPassAtK(ArrayRef<Tally> Tasks, unsigned K) {
  std::vector<double> Values;
  for (Tally Each : Tasks)
    if (Each.Samples >= K)
      Values.push_back(passAtK(Each, K));
  return meanOf(Values);
}
