//===- Number.h - Integers of a kernel, as terms ----------------*- C++ -*-===//
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

#include "check/Clause.h"
#include "check/Models.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace belay::check {

/// A product of symbols, sorted; a symbol may occur more than once. Equal
/// products are one object, so that numbers are copied and compared quickly.
class Product {
public:
  Product(llvm::ArrayRef<SymbolId> Symbols);

  size_t size() const { return Is->Symbols.size(); }
  const SymbolId *begin() const { return Is->Symbols.begin(); }
  const SymbolId *end() const { return Is->Symbols.end(); }
  SymbolId operator[](size_t I) const { return Is->Symbols[I]; }
  bool operator==(const Product &Other) const { return Is == Other.Is; }
  /// Some order, the same in every run.
  bool operator<(const Product &Other) const { return Is->Id < Other.Is->Id; }
  uint32_t id() const { return Is->Id; }

private:
  struct Unique {
    uint32_t Id;
    llvm::SmallVector<SymbolId, 4> Symbols;
  };
  struct Table;
  const Unique *Is;
};

class Number {
public:
  struct Term {
    Product Of;
    int64_t Factor;
  };

  Number(int64_t Constant = 0) : Constant(Constant) {}
  static Number symbol(SymbolId S) { return product(Product(S)); }
  static Number product(Product Of);
  /// One of which nothing is known.
  static Number unknown() {
    Number N;
    N.Overflowed = true;
    return N;
  }

  /// False once a sum or a product has left 64 bits: such a number equals no
  /// other, and nothing is known of it.
  bool fits() const { return !Overflowed; }
  bool isConstant() const { return Terms.empty() && !Overflowed; }
  int64_t constant() const { return Constant; }
  llvm::ArrayRef<Term> terms() const { return Terms; }

  bool operator==(const Number &Other) const;
  size_t hash() const;
  /// False if a factor would leave 64 bits: then nothing is known of the
  /// number.
  bool add(const Number &Other, int64_t Times);
  /// Becomes A * X + B * Y; false as for add. A number that had as many terms
  /// before needs no memory.
  bool setSum(const Number &A, int64_t X, const Number &B, int64_t Y);
  static std::optional<Number> multiply(const Number &A, const Number &B);
  /// The quotient, if it is a number for all values of the symbols.
  std::optional<Number> dividedBy(int64_t Divisor) const;
  /// The largest number that divides the factors of all terms; 1 if there are
  /// none.
  int64_t commonFactor() const;
  /// The number divided by the factor that all terms have in common, rounded
  /// down: it is negative where this one is.
  void reduce();
  /// The remainder, if it is the same for all values of the symbols.
  std::optional<int64_t> remainder(int64_t Divisor) const;
  /// The number with another in the place of a symbol.
  std::optional<Number> replace(SymbolId S, const Number &By) const;
  bool uses(SymbolId S) const;
  void forEachSymbol(llvm::function_ref<void(SymbolId)> Visit) const;
  /// What S is multiplied by, and what is left: N = S * first + second.
  std::pair<Number, Number> split(SymbolId S) const;
  /// The factor of a symbol by itself, if it occurs in no other way.
  std::optional<int64_t> factorOf(SymbolId S) const;

private:
  bool addTerm(Product Of, int64_t Factor);
  bool overflow();

  llvm::SmallVector<Term, 2> Terms; // sorted by product, no zero factors
  int64_t Constant;
  bool Overflowed = false;
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

/// Two numbers, of which a condition picks one.
struct Alternatives {
  Number Then, Else;
  /// Then, if Yes is not negative; else No is not negative. With Equality:
  /// Then, if Yes is zero.
  Number Yes, No;
  bool Equality = false;
  /// What it always is.
  enum class Which : uint8_t { Either, Smaller, Larger } Is = Which::Either;
};

struct Symbol {
  std::string Name;
  int64_t Least, Most;
  Origin From = Origin::Other;
  /// Numbers that are not negative, by what the symbol means.
  std::vector<Number> Facts;
  /// A buffer's size depends on it: the kernel is made for many values. Alone:
  /// on nothing else.
  bool Sizes = false, SizesAlone = false;
  /// A field of the tiling, which the host computes.
  bool Tiling = false;
  /// Something is divided by it.
  bool Divides = false;
  /// Read from a place that depends on the block: each block has its own.
  bool PerBlock = false;
  /// Read from an argument, at a place that is the same in all blocks unless it
  /// is PerBlock.
  bool Shared = false;
  /// How often a loop has gone on; see LoopProof.h.
  bool Iteration = false;
  /// Of a quotient.
  Number Dividend = {}, Divisor = {};
  /// Of a number that was chosen.
  std::optional<Alternatives> Chosen = std::nullopt;
  /// Of what was read from memory: where, and how often that had been written.
  struct Place {
    uint32_t Region = 0, Contents = 0;
    Number Offset = {};
  };
  std::optional<Place> ReadAt = std::nullopt;
  /// Of what is not known: where in the source it was made, and how many there
  /// were on its path by then.
  uint64_t MadeAt = 0;
  unsigned Made = 0;
  /// Of an element of an argument: the smallest one, and the largest.
  std::optional<std::pair<Number, Number>> Between = std::nullopt;
  /// Where every launch has it; nothing if it has not, or if it is a quotient.
  std::optional<LaunchNumber> InLaunch = std::nullopt;
};

/// All symbols of a kernel. They keep their meaning from path to path.
class Symbols {
public:
  /// The symbol of this key, made if it is new.
  SymbolId get(llvm::StringRef Key, llvm::function_ref<Symbol()> Make);
  Symbol &operator[](SymbolId S) { return All[S]; }
  const Symbol &operator[](SymbolId S) const { return All[S]; }
  std::string str(const Number &N) const;
  /// The same text for the same number only: symbols may share a name, as those
  /// do that are not known, "?", and the values of a variable in a loop.
  std::string key(const Number &N) const;
  /// Whether a symbol is in N, or in what a quotient in N was made from.
  bool any(const Number &N, llvm::function_ref<bool(const Symbol &)> Is) const;
  /// A number that is one of two; see Alternatives.
  SymbolId choose(const Alternatives &Of);
  /// A symbol of N that was chosen.
  std::optional<SymbolId> findChosen(const Number &N) const;
  /// Whether every launch has a value for N.
  bool isOfLaunch(const Number &N) const;
  /// Of `n - n / 8 * 8`, which is zero where n is a multiple: n, and 8.
  std::optional<std::pair<Number, int64_t>> remainder(const Number &N) const;
  /// How much work proofs have been so far.
  uint64_t Searched = 0;
  /// Where no more may be done for what is being shown.
  uint64_t SearchUntil = std::numeric_limits<uint64_t>::max();
  /// How many proofs by a factor the one that is asked for is part of.
  unsigned Factoring = 0;
  /// How often that was too many.
  unsigned FactorsLeftOut = 0;

private:
  friend class Facts;
  friend class Models;
  ModelPool Pool;
  std::vector<Symbol> All;
  llvm::StringMap<SymbolId> Known;

  /// What was proved about numbers under lists of facts. Lists are numbered:
  /// each is one with one fact less, and a fact.
  struct Verdict {
    uint32_t Under, Depth;
    bool Holds;
  };
  struct Hash {
    size_t operator()(const Number &N) const { return N.hash(); }
  };
  /// What a product can be, by the ranges of its symbols.
  const std::pair<__int128, __int128> &limitsOf(const Product &P);
  std::vector<std::pair<__int128, __int128>> Limits; // by the product's id
  std::unordered_map<Number, llvm::SmallVector<Verdict, 2>, Hash> Proved;
  std::unordered_map<Number, std::map<uint32_t, uint32_t>, Hash> Lists;
  uint32_t NumLists = 0;
  /// The number of the list that is this one and a fact.
  uint32_t longer(uint32_t List, const Number &Fact);
};

/// What is known on the path that is followed.
class Facts {
public:
  explicit Facts(Symbols &Known) : Known(Known), Examples(Known) {}
  Facts(const Facts &) = default;
  /// Of the same symbols.
  Facts &operator=(const Facts &Other);

  /// From here on, N is not negative.
  void assume(const Number &N);
  /// From here on, N is zero. Where that says that a number of the launch is a
  /// multiple (`n % 8 == 0`), all that follows is about the quotient.
  void assumeZero(const Number &N);
  /// With such quotients in the place of the numbers, and the reverse.
  Number normal(Number N) const;
  Number plain(Number N) const;
  /// Where N, which was assumed, can hold for one of the numbers only that a
  /// symbol in it was chosen from, that one was chosen.
  void settleChoice(const Number &N);
  /// Whether N is certainly not negative.
  bool holds(const Number &N) const;
  bool isZero(const Number &N) const { return holds(N) && holds(Number() - N); }
  /// Whether N is at least what it is with either number that S was chosen from
  /// in its place.
  bool boundedByEither(const Number &N, SymbolId S) const;
  /// What is known where S, which was chosen, is the one or the other.
  Facts where(SymbolId S, bool Then) const;
  /// N with the number that was chosen in the place of each symbol of which
  /// that is known.
  Number settled(Number N) const;
  /// A lower and an upper limit by the symbols' own ranges.
  std::pair<__int128, __int128> range(const Number &N) const;
  __int128 least(const Number &N) const;
  llvm::ArrayRef<Number> all() const { return List; }
  /// The number of the list of these facts.
  static uint32_t numberOf(Symbols &Names, llvm::ArrayRef<Number> List);

  using Values = llvm::ArrayRef<std::pair<SymbolId, int64_t>>;
  /// N for these values of its symbols; quotients follow from the others.
  std::optional<__int128> evaluate(const Number &N, Values Of) const;

  /// Whether there are values for which all of this holds, as far as a search
  /// finds them.
  bool arePossible() const;
  /// The only value that N can have.
  std::optional<int64_t> constantOf(const Number &N) const;
  /// Values of the symbols under which everything known holds and N is
  /// negative, as "n = 129"; nothing if none was found.
  std::optional<std::string> counterexample(const Number &N) const;
  /// Values of what N is made from, in a launch that comes here.
  std::optional<std::string> example(const Number &N) const;

private:
  static constexpr unsigned DeepestProof = 4;
  struct Proof {
    unsigned Budget = 100;
    /// What was tried, by its hash, and how deep.
    llvm::SmallDenseMap<size_t, std::pair<Number, unsigned>, 16> Tried;
    /// What is left at each depth.
    std::array<Number, DeepestProof + 1> Left = {};
  };
  bool derive(const Number &N, unsigned Depth, Proof &Attempt) const;
  std::optional<Number> withoutFactor(const Number &N) const;

  bool prove(const Number &N) const;
  bool proveByFactor(const Number &N) const;
  bool proveByMost(const Number &N, SymbolId S) const;
  bool proveChosen(const Number &N) const;
  std::optional<bool> isChosen(const Alternatives &Of) const;
  bool touchesFacts(const Number &N) const;
  void forEachProductFact(const Number &N,
                          llvm::function_ref<void(const Number &)> Visit) const;
  struct Products {
    uint64_t Positive = 0, Negative = 0;
  };
  static Products productsOf(const Number &N);
  void use(const Number &Fact);

  Symbols &Known;
  std::vector<Number> List;
  /// All that was assumed, and what the symbols in it mean.
  std::vector<std::pair<Number, Products>> Usable;
  /// Symbols, and what they are equal to.
  std::vector<std::pair<SymbolId, Number>> Equal;
  /// Values for which all of it holds.
  mutable Models Examples;
  /// How many choices have been taken one way to get here.
  unsigned Splits = 0;
  /// The number of the list of the first 0, 1, 2... facts.
  std::vector<uint32_t> Ids = {0};
};

} // namespace belay::check

#endif // BELAY_CHECK_NUMBER_H
