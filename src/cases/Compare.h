//===- Compare.h - Outputs against expected values --------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_CASES_COMPARE_H
#define BELAY_CASES_COMPARE_H

#include "cases/Shape.h"

namespace belay::cases {

struct Tolerance {
  double Rtol = 0, Atol = 0;

  /// Those of torch.testing.assert_close for the type.
  static Tolerance defaultFor(DataType Type);
};

/// An array that is not owned.
struct ArrayView {
  DataType Type;
  llvm::ArrayRef<uint8_t> Bytes;

  uint64_t elements() const { return Bytes.size() / bytesOf(Type); }
};

struct Comparison {
  struct Sample {
    uint64_t Index;
    std::string Got, Expected;
    bool NeverWritten;
  };

  uint64_t Elements = 0;
  uint64_t Mismatches = 0;
  /// Of the mismatches, those that still hold the pattern from before the
  /// launch.
  uint64_t NeverWritten = 0;
  /// Over elements that are finite on both sides.
  double MaxAbsError = 0, MaxRelError = 0;
  /// The first few mismatches.
  std::vector<Sample> First;

  bool passed() const { return Mismatches == 0; }
};

/// Compares element by element: equal, or |got - expected| <= atol + rtol *
/// |expected|. NaN equals NaN; infinities have to agree in sign. Integers of
/// equal type are compared exactly if both tolerances are 0. Both arrays have
/// the same number of elements.
Comparison compareArrays(const ArrayView &Got, const ArrayView &Expected,
                         Tolerance Allowed);

struct Statistics {
  double Min = 0, Max = 0, Mean = 0;
  uint64_t NumNan = 0, NumInf = 0, NeverWritten = 0;
};

/// Over the finite elements.
Statistics summarise(const ArrayView &Array);

/// "(3, 17)" for element 209 of 12x64.
std::string formatIndex(uint64_t Index, llvm::ArrayRef<uint64_t> Shape);

} // namespace belay::cases

#endif // BELAY_CASES_COMPARE_H
