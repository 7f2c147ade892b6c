//===- Clause.h - What a launch has to be like ------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An obligation that the source leaves to the launch, over numbers that every
// launch has: its arguments, the fields of its tiling, how many blocks it has.
// Once they are known it can be evaluated. belay-checker writes clauses,
// whoever launches the kernel reads them.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_CONDITIONS_CLAUSE_H
#define BELAY_CONDITIONS_CLAUSE_H

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace belay::conditions {

/// A sum of products of numbers, which are places in a list of LaunchNumbers.
struct Polynomial {
  struct Term {
    int64_t Factor;
    std::vector<uint32_t> Of;
    bool operator==(const Term &) const = default;
  };
  int64_t Constant = 0;
  std::vector<Term> Terms;
  bool operator==(const Polynomial &) const = default;
};

/// A number that every launch has.
struct LaunchNumber {
  enum class Kind : uint8_t {
    Scalar,   ///< The value of an argument.
    Field,    ///< Some bytes of what an argument points to: of the tiling.
    Size,     ///< How many bytes an argument has.
    Block,    ///< The index of a block: any of them.
    Blocks,   ///< How many blocks there are.
    Quotient, ///< Of numbers before it in the list.
    Smallest, ///< Of the whole numbers that an argument points to.
    Largest,  ///< The same.
  };
  Kind What = Kind::Scalar;
  std::string Name;
  unsigned Argument = 0;
  uint64_t Offset = 0;
  unsigned Width = 0; ///< In bytes, of a scalar, a field or an element.
  bool Signed = false;
  /// Outside of these nothing was shown.
  int64_t Least = INT64_MIN, Most = INT64_MAX;
  Polynomial Dividend = {}, Divisor = {};
  bool operator==(const LaunchNumber &) const = default;
};

/// One of these has to hold, in every block.
struct Clause {
  struct Atom {
    enum class Kind : uint8_t { NotNegative, Zero, NotZero, Multiple };
    Kind Is = Kind::NotNegative;
    Polynomial About;
    int64_t Of = 1; ///< Of what it is a multiple.
    bool operator==(const Atom &) const = default;
  };
  std::vector<Atom> Any;
  std::string Text;
  bool operator==(const Clause &) const = default;
};

enum class Answer : uint8_t {
  Holds,
  Violated,
  NotKnown, ///< A number is missing, or outside of its limits.
};

/// Values of numbers that are neither quotients nor about blocks; nothing for
/// those that the launch does not have.
using LaunchValues =
    std::function<std::optional<int64_t>(const LaunchNumber &)>;

/// Whether it is about the first so many numbers of a list only. Whoever reads
/// clauses that another program wrote asks before they are evaluated.
bool namesOnly(const Polynomial &P, size_t Count);

/// Evaluates a clause for all blocks of a launch.
Answer evaluate(const Clause &C, std::span<const LaunchNumber> Numbers,
                uint32_t Blocks, const LaunchValues &Of);

/// "n = 129, GetBlockNum() = 8": what the clause is about, in a launch.
std::string showValues(const Clause &C, std::span<const LaunchNumber> Numbers,
                       std::optional<uint32_t> Blocks, const LaunchValues &Of);

/// A whole number that lies in Bytes, in the order of the device; nothing if it
/// does not lie there, or is above those of int64_t.
std::optional<int64_t> readNumber(std::span<const uint8_t> Bytes,
                                  const LaunchNumber &N);

/// The smallest or the largest of the numbers in Bytes; nothing if one of them
/// cannot be read. Where there are none, all that is said of each is true: the
/// smallest is the most that one could be.
std::optional<int64_t> readExtreme(std::span<const uint8_t> Bytes,
                                   const LaunchNumber &N);

} // namespace belay::conditions

#endif // BELAY_CONDITIONS_CLAUSE_H
