//===- Claims.cpp - What SetGlobalBuffer was told
//--------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel says itself how large its tensors are. Whether arguments are that
// large only a launch knows: it is a condition, in numbers that are the same in
// all blocks and iterations wherever facts lead there, as `4*n <= bytes of x`.
// The part that is told of the last block may be more than it touches.
//
//===----------------------------------------------------------------------===//

#include "check/Runtime.h"

using namespace belay;
using namespace belay::check;
using namespace llvm;

/// Whether launches know N, and it is one number for all blocks.
bool Runtime::isSameInAllBlocks(const Number &N) const {
  return Kernel.Names.isOfLaunch(N) &&
         !Kernel.Names.any(
             N, [](const Symbol &S) { return S.From == Origin::Block; });
}

/// A number that is at least N and the same in all blocks, by facts that are
/// added to N, each so often that a term goes which is not.
std::optional<Number> Runtime::inAllBlocks(const Number &N, unsigned Steps,
                                           unsigned &Budget) {
  if (!N.fits())
    return std::nullopt;
  if (Number Plain = I.facts().plain(N); isSameInAllBlocks(Plain))
    return Plain;
  if (!Steps || !Budget)
    return std::nullopt;
  --Budget;
  const Symbols &Names = I.symbols();
  for (const Number::Term &T : N.terms()) {
    if (isSameInAllBlocks(Number::product(T.Of)))
      continue;
    bool Negative =
        any_of(T.Of, [&](SymbolId S) { return Names[S].Least < 0; });
    if (T.Factor < 0) {
      // Without it, there is more.
      Number More = N;
      if (Negative || !More.add(Number::product(T.Of), -T.Factor))
        return std::nullopt;
      return inAllBlocks(More, Steps - 1, Budget);
    }
    std::optional<Number> Result;
    auto Try = [&](const Number &Fact) {
      for (const Number::Term &F : Fact.terms()) {
        if (Result || !(F.Of == T.Of) || F.Factor >= 0 ||
            F.Factor == INT64_MIN || T.Factor % -F.Factor)
          continue;
        Number More = N;
        if (More.add(Fact, T.Factor / -F.Factor))
          Result = inAllBlocks(More, Steps - 1, Budget);
      }
    };
    // What was learnt later says more of this block.
    for (const Number &Fact : reverse(I.facts().all()))
      if (!Result)
        Try(Fact);
    // So many times what is known of one of its factors.
    for (const SymbolId *At = T.Of.begin(); !Negative && At != T.Of.end();
         ++At) {
      if (isSameInAllBlocks(Number::symbol(*At)))
        continue;
      SmallVector<SymbolId, 4> Others(T.Of.begin(), At);
      Others.append(At + 1, T.Of.end());
      const Number Times =
          Others.empty() ? Number(1) : Number::product(Product(Others));
      auto TryProduct = [&](const Number &Fact) {
        if (std::optional<Number> Each =
                Result ? std::nullopt : Number::multiply(Fact, Times))
          Try(*Each);
      };
      for (const Number &Fact : Names[*At].Facts)
        TryProduct(Fact);
      if (!Others.empty())
        for (const Number &Fact : reverse(I.facts().all()))
          if (Fact.factorOf(*At).value_or(0) < 0)
            TryProduct(Fact);
    }
    if (Result)
      return Result;
  }
  return std::nullopt;
}

void Runtime::requireSize(const Event &E, RegionId R, const Number &Bytes) {
  // It says nothing of the numbers of the launch.
  size_t Before = Kernel.Expected.size();
  Kernel.requireNotNegative(Topic::Bounds, E.At,
                            "whether " + Regions[R].Name +
                                " is as large as SetGlobalBuffer was told is "
                                "decided by the launch",
                            *sizeOfArgument(R) - Bytes);
  Kernel.Expected.resize(Before);
}

/// How much there is to read in a condition.
static size_t lengthOf(const Number &N) {
  size_t Length = N.constant() != 0;
  for (const Number::Term &T : N.terms())
    Length += T.Of.size();
  return Length;
}

void Runtime::checkClaim(const Event &E, const Operand &O) {
  std::optional<unsigned> Argument = argumentOf(O.In);
  // The host sizes workspaces as the kernel needs them.
  if (!Argument || isWorkspace(O.In) || Kernel.isSettled(Topic::Bounds))
    return;
  const Number Told = O.Begin + *O.TensorBytes, Touched = O.Begin + O.Span;
  bool Exact = O.Size == Operand::Extent::Exact;
  const Number &End = Exact ? Touched : Told;
  if (any_of(AskedEnds, [&](const auto &Old) {
        return Old.first == O.In && Old.second == End;
      }))
    return;
  AskedEnds.emplace_back(O.In, End);
  auto &Sizes = Kernel.Sizes[*Argument];
  for (const Number &Size : Sizes)
    if (I.facts().holds(Size - End))
      return requireSize(E, O.In, Size);
  constexpr unsigned Steps = 5;
  unsigned Budget = 100;
  std::optional<Number> Bytes = inAllBlocks(Told, Steps, Budget);
  if (Exact)
    if (std::optional<Number> Less = inAllBlocks(Touched, Steps, Budget);
        Less && (!Bytes || lengthOf(*Less) < lengthOf(*Bytes)))
      Bytes = Less;
  if (Bytes) {
    constexpr size_t Most = 8;
    if (Sizes.size() < Most)
      Sizes.push_back(*Bytes);
    return requireSize(E, O.In, *Bytes);
  }
  bool ByAccess =
      Exact && Kernel.canBound(*sizeOfArgument(O.In) - Touched, I.facts());
  requireSize(E, O.In, ByAccess ? Touched : Told);
}
