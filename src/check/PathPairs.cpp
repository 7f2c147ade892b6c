//===- PathPairs.cpp - Blocks that go different ways ----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What one block does on its path is compared with what another one does on
// another path. Most pairs of accesses are apart by what both paths know, which
// few pairs of paths do not share: that is asked first, and remembered.
//
//===----------------------------------------------------------------------===//

#include "check/Runtime.h"

using namespace belay;
using namespace belay::check;
using namespace llvm;

namespace belay::check {

/// Facts that two paths have in common, and what they are enough for.
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

/// Facts that hold on both paths, in the order of the first.
static Facts inCommon(const Facts &A, const Facts &B, Symbols &Names) {
  Facts Result(Names);
  for (const Number &Fact : A.all())
    if (is_contained(B.all(), Fact))
      Result.assume(Fact);
  return Result;
}

CommonFacts &Runtime::commonFacts(const Facts &A, const Facts &B) {
  uint32_t Id = Facts::numberOf(A, B);
  std::shared_ptr<CommonFacts> &Known = Kernel.Common[Id];
  if (!Known) {
    Facts Both = inCommon(A, B, Kernel.Names);
    Known = std::make_shared<CommonFacts>(
        CommonFacts{neighbours(Both, Both, false), {}});
  }
  return *Known;
}

/// Whether X and what Y is in any later block are apart by what both paths
/// know.
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
  // What is not easy to show may need what one of the paths knows.
  bool Apart = apart(X, Y, By.Blocks, ProofOfApart / 16);
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
  constexpr unsigned Most = 20000;
  CommonFacts *Common = nullptr;
  std::optional<Neighbours> After, Before;
  auto Apart = [&](const GlobalAccess &X, const GlobalAccess &Y) {
    auto [Here, There] = asCached(X, Y);
    if (!Common)
      Common = &commonFacts(Mine.Known, Old.Known);
    if (apartAnyway(Here, There, *Common) && apartAnyway(There, Here, *Common))
      return true;
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
      if (++Kernel.PathComparisons <= Most && Apart(X, Y) &&
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
      return Kernel.unknown(Topic::Cores, X.At,
                            "whether " + X.Name + " of one block and " +
                                Y.Name +
                                " of another, which goes another way, touch "
                                "the same bytes of " +
                                bufferOf(X.Bytes) + " is not known");
    }
}
