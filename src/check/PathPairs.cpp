//===- PathPairs.cpp - Blocks that go different ways ----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What one block does on its path is compared with what another one does on
// another path. There are many paths and few different accesses: of what a path
// knows, most says nothing about the numbers of an access. What is left is
// asked first, and remembered.
//
//===----------------------------------------------------------------------===//

#include "check/Runtime.h"

using namespace belay;
using namespace belay::check;
using namespace llvm;

namespace belay::check {

/// An access, and what its path knows of its numbers.
struct DistinctUse {
  Runtime::GlobalAccess Access;
  uint32_t FactsId;
  Facts Known;
};

/// Facts of a path, and what they are enough for.
struct CommonFacts {
  Runtime::Neighbours Blocks;
  struct Pair {
    Number Begin, Span, OtherBegin, OtherSpan, Each, OtherEach;
    std::optional<Number> Tensor, OtherTensor, Pitch, OtherPitch;
    bool Apart;
  };
  std::unordered_multimap<size_t, Pair> Verdicts;
};

} // namespace belay::check

/// The symbols that a number is made from, and those of its quotients and
/// choices.
static void addSymbols(const Symbols &Names, const Number &N,
                       SmallSetVector<SymbolId, 16> &To) {
  N.forEachSymbol([&](SymbolId S) {
    if (!To.insert(S))
      return;
    const Symbol &Each = Names[S];
    addSymbols(Names, Each.Dividend, To);
    addSymbols(Names, Each.Divisor, To);
    if (const auto &C = Each.Chosen)
      for (const Number *Part : {&C->Then, &C->Else, &C->Yes, &C->No})
        addSymbols(Names, *Part, To);
  });
}

/// Of what a path knows, what is about these numbers, and about nothing else.
static std::vector<Number> factsAbout(const Facts &Known, Symbols &Names,
                                      ArrayRef<const Operand *> Uses,
                                      ArrayRef<Number> More) {
  SmallSetVector<SymbolId, 16> About;
  for (const Number &N : More)
    addSymbols(Names, N, About);
  for (const Operand *O : Uses) {
    for (const Number *N : {&O->Begin, &O->Span, &O->Certain})
      addSymbols(Names, *N, About);
    for (const auto &N : {O->Pitch, O->TensorBytes})
      if (N)
        addSymbols(Names, *N, About);
  }
  // What is computed from these alone is about them as well.
  std::function<bool(const Number &)> IsAbout = [&](const Number &N) {
    bool Only = true;
    N.forEachSymbol([&](SymbolId S) {
      const Symbol &Of = Names[S];
      if (!Only || About.contains(S))
        return;
      const auto &C = Of.Chosen;
      Only = C ? IsAbout(C->Then) && IsAbout(C->Else) && IsAbout(C->Yes)
               : !(Of.Divisor == Number()) && IsAbout(Of.Dividend) &&
                     IsAbout(Of.Divisor);
    });
    return Only;
  };
  std::vector<Number> Result;
  for (const Number &Fact : Known.all())
    if (IsAbout(Fact))
      Result.push_back(Fact);
  return Result;
}

static Facts allOf(ArrayRef<Number> List, Symbols &Names) {
  Facts Result(Names);
  for (const Number &Fact : List)
    Result.assume(Fact);
  return Result;
}

CommonFacts &Runtime::factsOfUses(const Operand &X, const Operand &Y) {
  Symbols &Names = Kernel.Names;
  const std::vector<Number> List =
      factsAbout(I.facts(), Names, {&X, &Y},
                 {blockNumber(LaunchNumber::Kind::Block), numberOfBlocks()});
  std::shared_ptr<CommonFacts> &Known =
      Kernel.Common[Facts::numberOf(Names, List)];
  if (!Known) {
    Facts All = allOf(List, Names);
    Known = std::make_shared<CommonFacts>(
        CommonFacts{neighbours(All, All, true), {}});
  }
  return *Known;
}

/// The number of an access among those that differ.
size_t Runtime::distinctUse(const GlobalAccess &X, const Facts &OfPath) {
  Symbols &Names = Kernel.Names;
  const std::vector<Number> List =
      factsAbout(OfPath, Names, {&X.Bytes},
                 {blockNumber(LaunchNumber::Kind::Block), numberOfBlocks()});
  uint32_t Id = Facts::numberOf(Names, List);
  size_t Key = hash_combine(X.Bytes.Begin.hash(), X.Bytes.Span.hash(), Id);
  for (auto [At, End] = Kernel.UsesByKey.equal_range(Key); At != End; ++At) {
    const DistinctUse &Old = *Kernel.DistinctUses[At->second];
    const Operand &O = Old.Access.Bytes;
    if (Old.FactsId == Id && O.In == X.Bytes.In && O.Begin == X.Bytes.Begin &&
        O.Span == X.Bytes.Span && O.Certain == X.Bytes.Certain &&
        O.Pitch == X.Bytes.Pitch && O.TensorBytes == X.Bytes.TensorBytes &&
        O.Write == X.Bytes.Write &&
        (Old.Access.On == sim::Pipe::S) == (X.On == sim::Pipe::S))
      return At->second;
  }
  size_t New = Kernel.DistinctUses.size();
  Kernel.DistinctUses.push_back(
      std::make_shared<DistinctUse>(DistinctUse{X, Id, allOf(List, Names)}));
  Kernel.UsesByKey.insert({Key, New});
  return New;
}

/// What the facts about one access say of the blocks that come later, of which
/// each has those about the other. Many accesses have the same.
const Runtime::Neighbours &Runtime::neighboursOf(const DistinctUse &X,
                                                 const DistinctUse &Y) {
  constexpr size_t Most = 4096;
  if (Kernel.Pairs.size() >= Most)
    Kernel.Pairs.clear();
  std::shared_ptr<CommonFacts> &Known = Kernel.Pairs[{X.FactsId, Y.FactsId}];
  if (!Known)
    Known = std::make_shared<CommonFacts>(
        CommonFacts{neighbours(X.Known, Y.Known, false), {}});
  return Known->Blocks;
}

/// Whether two accesses are apart in any two blocks, by what is known of their
/// numbers alone.
bool Runtime::usesApart(size_t A, size_t B) {
  auto [At, New] = Kernel.ApartUses.try_emplace({A, B}, false);
  if (!New)
    return At->second;
  constexpr uint64_t Most = ProofOfApart / 4;
  const DistinctUse &X = *Kernel.DistinctUses[A], &Y = *Kernel.DistinctUses[B];
  auto [Here, There] = asCached(X.Access, Y.Access);
  bool Apart = apart(Here, There, neighboursOf(X, Y), Most) &&
               apart(There, Here, neighboursOf(Y, X), Most);
  Kernel.ApartUses[{A, B}] = Kernel.ApartUses[{B, A}] = Apart;
  return Apart;
}

/// Whether X and what Y is in any later block are apart by what the path knows
/// of their numbers.
bool Runtime::apartAnyway(const Operand &X, const Operand &Y, CommonFacts &By) {
  size_t Key = hash_combine(X.Begin.hash(), X.Span.hash(), Y.Begin.hash(),
                            Y.Span.hash());
  for (auto [At, End] = By.Verdicts.equal_range(Key); At != End; ++At) {
    const CommonFacts::Pair &Old = At->second;
    if (Old.Begin == X.Begin && Old.Span == X.Span &&
        Old.OtherBegin == Y.Begin && Old.OtherSpan == Y.Span &&
        Old.Tensor == X.TensorBytes && Old.OtherTensor == Y.TensorBytes &&
        Old.Pitch == X.Pitch && Old.OtherPitch == Y.Pitch &&
        Old.Each == X.Certain && Old.OtherEach == Y.Certain)
      return Old.Apart;
  }
  // What is not easy to show may need what else one of the paths knows.
  bool Apart = apart(X, Y, By.Blocks, ProofOfApart / 4);
  By.Verdicts.insert({Key,
                      {X.Begin, X.Span, Y.Begin, Y.Span, X.Certain, Y.Certain,
                       X.TensorBytes, Y.TensorBytes, X.Pitch, Y.Pitch, Apart}});
  return Apart;
}

/// Compares what this path does with what other blocks do on other paths.
void Runtime::comparePaths(const PathSummary &Mine) {
  for (const auto &Old : Kernel.Summaries) {
    if (!coexist(Old->Trail, Mine.Trail))
      continue;
    if (Mine.Ended && Old->Ended && Mine.Barriers != Old->Barriers)
      Kernel.unknown(Topic::Flags, SyncAllAt,
                     "whether all cores come to each SyncAll is not followed");
    if (!Mine.Uses.empty() && !Old->Uses.empty() &&
        !Kernel.isSettled(Topic::Cores) && !Kernel.isDoubted(Topic::Cores))
      comparePaths(Mine, *Old);
  }
}

/// Whether two blocks of a small launch take these paths and touch the same
/// byte, where nothing but the blocks decides which.
bool Runtime::collide(const Operand &X, const Facts &OfX, const Operand &Y,
                      const Facts &OfY, std::string &When) {
  auto Own = [](const Symbol &S) {
    return S.PerBlock || S.From == Origin::Data || S.From == Origin::Other;
  };
  for (const Number *N : {&X.Begin, &X.Certain, &Y.Begin, &Y.Certain})
    if (Kernel.Names.any(*N, Own))
      return false;
  Number Blocks = numberOfCores();
  auto In = [&](int64_t A, int64_t B, int64_t Num) {
    Facts Both(Kernel.Names);
    Both.assume(Blocks - Number(Num));
    Both.assume(Number(Num) - Blocks);
    for (const auto &[Of, Index] : {std::pair(&OfX, A), std::pair(&OfY, B)})
      for (const Number &Fact : Of->all()) {
        std::optional<Number> There = inBlock(Number(Index), Fact, Both);
        if (!There || (There->isConstant() && There->constant() < 0))
          return false;
        Both.assume(*There);
      }
    std::optional<Number> First = inBlock(Number(A), X.Begin, Both),
                          Bytes = inBlock(Number(A), X.Certain, Both),
                          Second = inBlock(Number(B), Y.Begin, Both),
                          Others = inBlock(Number(B), Y.Certain, Both);
    for (const auto *N : {&First, &Bytes, &Second, &Others})
      if (!*N || !(*N)->isConstant())
        return false; // the host may know better
    return Both.holds(*First + *Bytes - *Second - Number(1)) &&
           Both.holds(*Second + *Others - *First - Number(1)) &&
           Both.arePossible();
  };
  for (int64_t Num : {2, 4})
    for (int64_t A = 0; A < Num; ++A)
      for (int64_t B = 0; B < Num; ++B)
        if (A != B && In(A, B, Num)) {
          When = "blocks " + std::to_string(A) + " and " + std::to_string(B) +
                 " of " + std::to_string(Num);
          return true;
        }
  return false;
}

void Runtime::comparePaths(const PathSummary &Mine, const PathSummary &Old) {
  constexpr unsigned Most = 2000;
  std::optional<Neighbours> After, Before;
  auto Apart = [&](const GlobalAccess &X, const GlobalAccess &Y) {
    if (usesApart(X.Distinct, Y.Distinct))
      return true;
    if (++Kernel.PathComparisons > Most)
      return false;
    auto [Here, There] = asCached(X, Y);
    if (!After) {
      After.emplace(neighbours(Mine.Known, Old.Known, false));
      Before.emplace(neighbours(Old.Known, Mine.Known, false));
    }
    return apart(Here, There, *After) && apart(There, Here, *Before);
  };
  for (const GlobalAccess &X : Mine.Uses)
    for (const GlobalAccess &Y : Old.Uses) {
      if (!mayConflict(X, Y))
        continue;
      if (Apart(X, Y) &&
          (Mine.Cube == Old.Cube ||
           apartInHalves(X.Bytes, Y.Bytes, Mine.Known, Old.Known)))
        continue;
      std::string When;
      if (!Kernel.Proving && Mine.Cube == Old.Cube && !Kernel.BothHalves &&
          !Mine.CrossSynced && !Old.CrossSynced && X.On != sim::Pipe::S &&
          Y.On != sim::Pipe::S &&
          collide(X.Bytes, Mine.Known, Y.Bytes, Old.Known, When)) {
        sim::wording::Actor Other = {Y.Name, Y.On, Y.Bytes.Write},
                            Here = {X.Name, X.On, X.Bytes.Write};
        sim::wording::Text T = sim::wording::raceBetweenCores(Other, Here);
        T.Message += "; as for " + When;
        return Kernel.find("race-between-cores",
                           {X.At, sim::wording::roleOf(Here)},
                           {Y.At, sim::wording::roleOf(Other)}, T,
                           bufferOf(X.Bytes), {}, X.Choices);
      }
      std::string Why = "whether " + X.Name + " of one block and " + Y.Name +
                        " of another, which goes another way, touch the same "
                        "bytes of " +
                        bufferOf(X.Bytes) + " is not known";
      if (Kernel.PathComparisons > Most || Kernel.BothHalves ||
          X.On == sim::Pipe::S || Y.On == sim::Pipe::S || !After)
        return Kernel.unknown(Topic::Cores, X.At, Why);
      bool Required =
          (apart(X.Bytes, Y.Bytes, *After) ||
           requireApart(X.Bytes, Mine.Known, Y.Bytes, Old.Known, X.At, Why)) &&
          (apart(Y.Bytes, X.Bytes, *Before) ||
           requireApart(Y.Bytes, Old.Known, X.Bytes, Mine.Known, X.At, Why));
      if (!Required)
        return Kernel.unknown(Topic::Cores, X.At, Why);
    }
}
