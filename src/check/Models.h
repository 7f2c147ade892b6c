//===- Models.h - Values for which all that is known holds ------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nearly all questions that a kernel raises have the answer "that depends", and
// to find no proof takes longest. Some values of the symbols that satisfy all
// facts and make a number negative give the same answer in a microsecond, so
// some are kept. They change no answer: what they refute has no proof.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_CHECK_MODELS_H
#define BELAY_CHECK_MODELS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace belay::check {

class Number;
class Symbols;
using SymbolId = uint32_t;

/// A value for each symbol. Quotients, and numbers that were chosen, follow
/// from the others.
class Model {
public:
  explicit Model(unsigned Seed) : Seed(Seed) {}

  /// Nothing if a quotient in it has no value, or the value is too large.
  std::optional<__int128> valueOf(const Number &N, const Symbols &Known);
  int64_t base(SymbolId S, const Symbols &Known);
  void set(SymbolId S, int64_t Value);

private:
  enum class State : uint8_t { New, Known, None };
  struct Entry {
    int64_t Value = 0;
    State Is = State::New;
    bool Follows = false;
  };
  const Entry &entry(SymbolId S, const Symbols &Known);

  /// Decides what symbols start with.
  unsigned Seed;
  std::vector<Entry> Entries;
};

/// The models of one path.
class Models {
public:
  explicit Models(Symbols &Known);
  Models(const Models &) = default;
  /// Of the same symbols.
  Models &operator=(const Models &Other) {
    Live = Other.Live;
    return *this;
  }

  /// Keeps those for which Fact holds. All: everything known, Fact included,
  /// and the number of that list.
  void assume(const Number &Fact, llvm::ArrayRef<Number> All, uint32_t List);
  bool empty() const { return Live.empty(); }
  /// What N is in one of them.
  std::optional<int64_t> valueOf(const Number &N) const;
  /// Whether one of them makes N negative.
  bool refute(const Number &N);
  /// Looks for one that makes N negative, for the questions that follow.
  void learn(const Number &N, llvm::ArrayRef<Number> All);

private:
  using Shared = std::shared_ptr<Model>;
  Shared adjust(const Model &From, llvm::ArrayRef<Number> All,
                const Number &Also) const;
  void keep(Shared New);
  void find(const Number &Fact, llvm::ArrayRef<Number> All);

  Symbols &Known;
  std::vector<Shared> Live;
};

/// What all paths of a kernel share.
struct ModelPool {
  std::vector<std::shared_ptr<Model>> All;
  size_t Oldest = 0;
  /// Those that were found for a list of facts: paths share their beginnings.
  std::unordered_map<uint32_t, std::vector<std::shared_ptr<Model>>> ByList;
  /// Searches are given up where they find nothing.
  unsigned Searches = 0, Found = 0;
};

} // namespace belay::check

#endif // BELAY_CHECK_MODELS_H
