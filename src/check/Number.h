//===- Number.h - Integers that a kernel computes with, as terms -*- C++
//-*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A number is a polynomial over symbols: what the launch decides (arguments,
// tiling, the block's index), what is read from data, and quotients that are no
// polynomial themselves. Numbers are exact; where C++ would cut a result down
// to its type, the interpreter does so.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_CHECK_NUMBER_H
#define BELAY_CHECK_NUMBER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace belay::check {

using SymbolId = uint32_t;

/// A product of symbols, sorted; a symbol may occur more than once.
using Product = llvm::SmallVector<SymbolId, 2>;

class Number {
public:
  struct Term {
    Product Of;
    int64_t Factor;
  };

  Number(int64_t Constant = 0) : Constant(Constant) {}
  static Number symbol(SymbolId S);

  bool isConstant() const { return Terms.empty(); }
  int64_t constant() const { return Constant; }
  llvm::ArrayRef<Term> terms() const { return Terms; }

  bool operator==(const Number &Other) const;
  /// False if a factor would leave 64 bits: then the number is nothing.
  bool add(const Number &Other, int64_t Times);
  static std::optional<Number> multiply(const Number &A, const Number &B);
  /// The quotient, if it is a number for all values of the symbols.
  std::optional<Number> dividedBy(int64_t Divisor) const;
  /// The remainder, if it is the same for all values of the symbols.
  std::optional<int64_t> remainder(int64_t Divisor) const;
  /// The number with another in the place of a symbol.
  std::optional<Number> replace(SymbolId S, const Number &By) const;
  bool uses(SymbolId S) const;
  void forEachSymbol(llvm::function_ref<void(SymbolId)> Visit) const;
  /// The factor of a symbol by itself, if it occurs in no other way.
  std::optional<int64_t> factorOf(SymbolId S) const;

private:
  bool addTerm(const Product &Of, int64_t Factor);

  std::vector<Term> Terms; // sorted by product, no zero factors
  int64_t Constant;
};

inline Number operator+(Number A, const Number &B) {
  A.add(B, 1);
  return A;
}
inline Number operator-(Number A, const Number &B) {
  A.add(B, -1);
  return A;
}

/// Where a symbol comes from, which decides what may be assumed of it.
enum class Origin : uint8_t {
  Launch,  ///< An argument or a field of the tiling.
  Block,   ///< The index of this block.
  Blocks,  ///< How many there are.
  Data,    ///< Read from a tensor.
  Derived, ///< A quotient, a remainder, a minimum.
  Other,
};

struct Symbol {
  std::string Name;
  int64_t Least, Most;
  Origin From = Origin::Other;
  /// Numbers that are not negative, by what the symbol means.
  std::vector<Number> Facts;
  /// A buffer's size depends on it: the kernel is made for many values.
  bool Sizes = false;
  /// Of a quotient.
  Number Dividend = {}, Divisor = {};
};

/// All symbols of a kernel. They keep their meaning from path to path.
class Symbols {
public:
  /// The symbol of this key, made if it is new.
  SymbolId get(llvm::StringRef Key, llvm::function_ref<Symbol()> Make);
  Symbol &operator[](SymbolId S) { return All[S]; }
  const Symbol &operator[](SymbolId S) const { return All[S]; }
  std::string str(const Number &N) const;

private:
  std::vector<Symbol> All;
  llvm::StringMap<SymbolId> Known;
};

/// What is known on the path that is followed.
class Facts {
public:
  explicit Facts(Symbols &Known) : Known(Known) {}

  /// From here on, N is not negative.
  void assume(const Number &N);
  /// Whether N is certainly not negative.
  bool holds(const Number &N) const;
  bool isZero(const Number &N) const { return holds(N) && holds(Number() - N); }
  /// A lower and an upper limit by the symbols' own ranges.
  std::pair<__int128, __int128> range(const Number &N) const;
  llvm::ArrayRef<Number> all() const { return List; }

  using Values = llvm::ArrayRef<std::pair<SymbolId, int64_t>>;
  /// N for these values of its symbols; quotients follow from the others.
  std::optional<__int128> evaluate(const Number &N, Values Of) const;

  /// Values of the symbols under which everything known holds and N is
  /// negative, as "n = 129"; nothing if none was found.
  std::optional<std::string> counterexample(const Number &N) const;

private:
  bool derive(const Number &N, unsigned Depth, unsigned &Budget) const;

  Symbols &Known;
  std::vector<Number> List;
};

} // namespace belay::check

#endif // BELAY_CHECK_NUMBER_H
