//===- Generators.h - Reproducible argument values --------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The values of `--in f16:1024=normal:1`. Element i depends on the seed and
// on i alone, and only on IEEE operations that every machine rounds alike, so a
// case gives the same bits everywhere and in every release.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_CASES_GENERATORS_H
#define BELAY_CASES_GENERATORS_H

#include "cases/DataType.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace belay::cases {

struct Generator {
  enum class Kind : uint8_t { Value, Normal, Uniform, RandInt, Range };

  Kind What = Kind::Value;
  uint64_t Seed = 0;
  /// Value: A. Normal: mean A, deviation B. Uniform: [A, B). Range: from A by
  /// steps of B.
  double A = 0, B = 1;
  /// RandInt: [Low, High).
  int64_t Low = 0, High = 2;

  /// Reads zeros, ones, value:V, normal:SEED[:MEAN:STD], uniform:SEED:LO:HI,
  /// randint:SEED:LO:HI, range[:START[:STEP]].
  static llvm::Expected<Generator> parse(llvm::StringRef Text);

  /// True if the text names a generator rather than a file.
  static bool names(llvm::StringRef Text);

  /// Whether every value can be held: value:300 does not fit i8.
  llvm::Error check(DataType Type) const;

  /// Fills whole elements. Integers are rounded down and saturate.
  void fill(DataType Type, llvm::MutableArrayRef<uint8_t> Bytes) const;
};

/// The pattern that outputs hold before the launch: a NaN with an unusual
/// payload for floats, 0xCD bytes for the rest.
void fillPoison(DataType Type, llvm::MutableArrayRef<uint8_t> Bytes);

/// How many elements still hold the pattern of fillPoison.
uint64_t countPoison(DataType Type, llvm::ArrayRef<uint8_t> Bytes);

/// Whether the element at Data still holds the pattern.
bool isPoison(DataType Type, const uint8_t *Data);

} // namespace belay::cases

#endif // BELAY_CASES_GENERATORS_H
