//===- Integers.cpp - Results that do not fit -----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/Runtime.h"

using namespace belay;
using namespace belay::check;
using namespace llvm;
using sim::Space;
namespace wording = sim::wording;

Value Runtime::condition(const Number &Yes, const Number &No) {
  return Kernel.condition({Yes, No, false, false});
}

Value Runtime::condition(const Number &Zero, bool Equal) {
  Value V = Kernel.condition({Zero, Number(), true, false});
  return Equal ? V : Value::number(Number(1) - V.N);
}

static std::string quoted(clang::QualType Type) {
  return "'" + Type.getUnqualifiedType().getAsString() + "'";
}

/// A number on its way into a field of 8 or 16 bits. Casts that the user wrote
/// are meant.
void Runtime::truncated(const Value &V, clang::QualType To,
                        const clang::Expr *At) {
  bool Meant = !isa<clang::ImplicitCastExpr>(At);
  if (Kernel.inHeaders(At->getBeginLoc()) || To->isBooleanType() ||
      To->isEnumeralType() || (Meant && V.constant()))
    return;
  unsigned Width = I.ast().getIntWidth(To);
  bool Signed = To->isSignedIntegerType();
  int64_t Most = (int64_t(1) << (Signed ? Width - 1 : Width)) - 1;
  Symbols &Names = I.symbols();
  clang::SourceLocation Where = At->getBeginLoc();
  if (std::optional<int64_t> C = V.constant()) {
    if (*C > Most)
      Kernel.find("field-truncated", {Where, ""}, {},
                  wording::truncated(std::to_string(*C), quoted(To),
                                     std::to_string(*C & Most)));
    return;
  }
  Number Left = Number(Most) - V.N;
  if (I.facts().holds(Left))
    return;
  if (sizedByKernel(V.N) && !Meant)
    if (std::optional<std::string> When = I.facts().counterexample(Left)) {
      Kernel.find("field-truncated", {Where, ""}, {},
                  {Names.str(V.N) + " does not always fit " + quoted(To) +
                       "; as for " + *When,
                   wording::truncated("", "", "").Hint},
                  "", Left);
      return;
    }
  Number Least(Signed ? -Most - 1 : 0);
  for (const Number &Needed : {Left, V.N - Least})
    if (!I.facts().holds(Needed))
      Kernel.requireNotNegative(Topic::Overflow, Where,
                                "whether " + Names.str(V.N) + " fits " +
                                    quoted(To) + " is decided by the launch",
                                Needed);
}

void Runtime::requireRoom(const Wrap &Of) {
  if (!I.facts().holds(Of.Room))
    Kernel.requireNotNegative(Topic::Overflow, Of.At,
                              "whether " + Of.Result + " fits " + Of.Type +
                                  " is decided by the launch",
                              Of.Room);
}

/// A 32-bit product that becomes 64 bits wide: whoever widens it expects it to
/// be large, and by then it has wrapped. As an argument every offset is
/// widened; that says nothing.
void Runtime::widened(const Value &V, clang::QualType From,
                      const clang::Expr *At) {
  if (Kernel.inHeaders(At->getBeginLoc()) || I.isArgument(At))
    return;
  if (V.MayWrap->Looped)
    return requireRoom(*V.MayWrap);
  // Modulo 2^32, sums and products are right wherever the result fits.
  unsigned Width = I.ast().getIntWidth(From);
  bool Signed = From->isSignedIntegerOrEnumerationType();
  Number Most((int64_t(1) << (Signed ? Width - 1 : Width)) - 1);
  Number Least(Signed ? -Most.constant() - 1 : 0);
  std::string Why = "safe unless " + I.symbols().str(V.N) + " leaves " +
                    V.MayWrap->Type + ", before it is widened";
  const Number Room = Most - V.N;
  bool Fits = true, Required = true;
  for (const Number &Needed : {Room, V.N - Least})
    if (!I.facts().holds(Needed)) {
      Fits = false;
      Required &= Kernel.Found.require(
          Topic::Overflow, Kernel.place(V.MayWrap->At), Why,
          {{Clause::Atom::Kind::NotNegative, Needed}});
    }
  if (Fits)
    return;
  constexpr int64_t Small = 1 << 16;
  SmallVector<SymbolId, 4> Limited;
  V.N.forEachSymbol([&](SymbolId S) {
    if (I.facts().holds(Number(Small) - Number::symbol(S)))
      Limited.push_back(S);
  });
  Kernel.Widenings.push_back({V.N, V.MayWrap->At, At->getBeginLoc(),
                              V.MayWrap->Type, Limited, Required, Room});
}

/// Whether so many times something else is an offset, too: a number of rows may
/// be the number of an element in a list that has one for each row.
bool KernelState::isNumberOfRows(const Product &P) const {
  return any_of(OffsetProducts, [&](const Product &Other) {
    return Other.size() > P.size() &&
           std::includes(Other.begin(), Other.end(), P.begin(), P.end());
  });
}

/// Whether the product was the number of an element. A number of rows that does
/// not fit 32 bits would be one of a tensor that no device holds, and so would
/// a number of elements in local memory.
void KernelState::compareOffsets() {
  for (const Widening &W : Widenings) {
    bool Offset = false, Local = true;
    for (const Number::Term &T : W.Product.terms()) {
      unsigned Each = 0;
      for (SymbolId S : T.Of) {
        Each += Names[S].From == Origin::Block               ? 1
                : Names[S].Sizes || is_contained(W.Small, S) ? 0
                : Names[S].From == Origin::Launch            ? 2
                                                             : 0;
        Local &= Names[S].Sizes;
      }
      // What is left of a number after an offset is no larger than it, and
      // what was once in local memory is not large.
      Offset |= T.Factor > 0 && Each >= 3 && Offsets.contains(T.Of.id()) &&
                !LocalProducts.count({T.Of.begin(), T.Of.end()}) &&
                !isNumberOfRows(T.Of);
    }
    if (Local) { // the capacity of local memory limits it, but from above only
      Found.withdraw(Topic::Overflow, place(W.At), W.Room);
      continue;
    }
    if (!Offset && !W.Required)
      unknown(Topic::Overflow, W.At,
              "safe unless " + Names.str(W.Product) + " leaves " + W.Type +
                  ", before it is widened");
    else if (Offset)
      find("offset-overflow", {W.At, ""}, {W.WidenedAt, "widened"},
           {Names.str(W.Product) + " is computed in " + W.Type +
                ", where it wraps for tensors of more than " +
                (W.Type.find("u") == std::string::npos ? "2" : "4") +
                " Gi elements, and widened afterwards",
            wording::wrapped("", "", "").Hint});
  }
}

/// Whether a number of the launch in it has more than 32 bits.
static bool exceeds32(const Number &N, const Symbols &Names) {
  bool Any = false;
  N.forEachSymbol([&](SymbolId S) {
    Any |= Names[S].From == Origin::Launch && !Names[S].Sizes &&
           Names[S].Most > UINT32_MAX;
  });
  return Any;
}

/// Whether the launch or a loop may take it beyond 32 bits.
static bool countsIn64(const Number &N, const Symbols &Names) {
  bool Any = exceeds32(N, Names);
  N.forEachSymbol([&](SymbolId S) { Any |= Names[S].Iteration; });
  return Any;
}

Number Runtime::roomIn(clang::QualType Type, const Number &N) {
  bool Signed = Type->isSignedIntegerOrEnumerationType();
  unsigned Bits = I.ast().getIntWidth(Type) - Signed;
  return (Bits < 63 ? Number((int64_t(1) << Bits) - 1) : Number(INT64_MAX)) - N;
}

/// A number that the host keeps in 64 bits, because it may need them, and the
/// kernel in 32.
void Runtime::narrowed(Value &V, clang::QualType To, const clang::Expr *At) {
  if (Kernel.inHeaders(At->getBeginLoc()))
    return;
  Symbols &Names = I.symbols();
  const auto *Implicit = dyn_cast<clang::ImplicitCastExpr>(At);
  bool Meant = !Implicit || Implicit->isPartOfExplicitCast();
  const Number Room = roomIn(To, V.N);
  if (!countsIn64(V.N, Names))
    return;
  Wraps.push_back(std::make_unique<Wrap>(
      Wrap{At->getBeginLoc(), quoted(To), Names.str(V.N)}));
  Wraps.back()->Looped = Meant || !exceeds32(V.N, Names);
  Wraps.back()->Room = Room;
  if (V.N.terms().size() == 1)
    Wraps.back()->Factors.assign(V.N.terms()[0].Of.begin(),
                                 V.N.terms()[0].Of.end());
  V.Narrowed = Wraps.back().get();
}

/// Whether an offset has a share for each block: the product of one block may
/// fit where that of the last does not.
static bool isPerBlock(const Number &Offset, const Wrap &Narrowed,
                       const Symbols &Names) {
  return llvm::any_of(Offset.terms(), [&](const Number::Term &T) {
    auto Has = [&](auto Which) { return llvm::any_of(T.Of, Which); };
    return Has([&](SymbolId S) { return Names[S].From == Origin::Block; }) &&
           Has([&](SymbolId S) { return is_contained(Narrowed.Factors, S); });
  });
}

/// Offsets into global memory: of a product of many numbers, or of one that
/// the host keeps in 64 bits, 32 bits may be too few. Lengths of tiles are kept
/// so too, and harm nobody; threads have no tiles.
void Runtime::indexed(const Value &Address, const Value &Index,
                      const clang::Expr *At) {
  if (!Address.isAddress() || Regions[Address.Id].Where != Space::GM)
    return;
  clang::SourceLocation Used =
      Kernel.inHeaders(At->getBeginLoc()) ? I.here() : At->getBeginLoc();
  if (const Wrap *W = Index.MayWrap; W && W->PerBlock && W->Factors.size() >= 2)
    WideOffsets.push_back({W, Used, exceeds32(Index.N, I.symbols())});
  else if (const Wrap *N = Index.Narrowed; N && !N->Looped)
    narrowOffset(Index, *N, Used);
  else if (W && W->isLooped())
    requireRoom(*W);
  else if (N)
    requireRoom(*N);
}

void Runtime::narrowOffset(const Value &Index, const Wrap &N,
                           clang::SourceLocation Used) {
  if (!Threads && !isPerBlock(Index.N, N, I.symbols()))
    return Kernel.unknown(Topic::Overflow, N.At,
                          "safe unless " + N.Result + " leaves " + N.Type +
                              ", in which the kernel keeps it");
  Kernel.find("offset-overflow", {N.At, ""}, {Used, "used as an offset"},
              {N.Result + " has 64 bits and is kept in " + N.Type +
                   ", which may lose some, and used as an offset",
               wording::wrapped("", "", "").Hint});
}

/// Rows of columns for each block: only the end tells whether the block has so
/// few of them that they fit local memory at once. Where all that the kernel
/// counts with has 32 bits, its tensors have no more elements than that, which
/// the launch decides.
void Runtime::reportWideOffsets() {
  for (const auto &[W, Used, Beside64] : WideOffsets) {
    if (LocalProducts.count(W->Factors))
      continue;
    if (Beside64)
      Kernel.find("offset-overflow", {W->At, ""}, {Used, "used as an offset"},
                  {W->Result + " is computed in " + W->Type +
                       ", where it may wrap, and used as an offset",
                   wording::wrapped("", "", "").Hint});
    else if (!I.facts().holds(W->Room))
      Kernel.requireNotNegative(Topic::Overflow, W->At,
                                "whether " + W->Result + " fits " + W->Type +
                                    " is decided by the launch",
                                W->Room);
  }
  Kernel.LocalProducts.insert(LocalProducts.begin(), LocalProducts.end());
}

const Wrap *Runtime::wrapped(const clang::Expr *At, clang::QualType Type,
                             std::optional<int64_t> Result) {
  if (!At || Kernel.inHeaders(At->getBeginLoc()))
    return nullptr;
  Wraps.push_back(std::make_unique<Wrap>(
      Wrap{At->getBeginLoc(), quoted(Type),
           Result ? std::to_string(*Result) : "a large number"}));
  return Wraps.back().get();
}

/// Products of numbers that the launch decides may leave 32 bits, and
/// differences of them may be below zero.
void Runtime::mayWrap(Value &V, clang::BinaryOperatorKind Op,
                      clang::QualType Type, const clang::Expr *At,
                      const Value &L, const Value &R) {
  if (Kernel.inHeaders(At->getBeginLoc()))
    return;
  Symbols &Names = I.symbols();
  auto Note = [&] {
    Wraps.push_back(std::make_unique<Wrap>(
        Wrap{At->getBeginLoc(), quoted(Type), Names.str(V.N)}));
    return Wraps.back().get();
  };
  if (Op == clang::BO_Sub) {
    bool Launch = false;
    R.N.forEachSymbol(
        [&](SymbolId S) { Launch |= Names[S].From == Origin::Launch; });
    if (Launch && !L.constant() && Type->isUnsignedIntegerType() &&
        !I.facts().holds(V.N))
      V.MayBeNegative = Note();
    return;
  }
  auto Fits = [&] {
    unsigned Width = I.ast().getIntWidth(Type);
    bool Signed = Type->isSignedIntegerOrEnumerationType();
    Number Most((int64_t(1) << (Signed ? Width - 1 : Width)) - 1);
    return I.facts().holds(V.N) && I.facts().holds(Most - V.N);
  };
  if (Op == clang::BO_Mul &&
      Names.any(V.N,
                [](const Symbol &S) {
                  return (S.From == Origin::Data || S.From == Origin::Other) &&
                         !S.Iteration;
                }) &&
      !Fits())
    Kernel.unknown(Topic::Overflow, At->getBeginLoc(),
                   "whether a product with a value from data fits " +
                       quoted(Type) + " is not known");
  // What is made of a number that may not fit may not fit, either.
  bool Cut =
      (L.Narrowed && L.Narrowed->Looped) || (R.Narrowed && R.Narrowed->Looped);
  bool OfTwo = Op == clang::BO_Mul && !L.constant() && !R.constant();
  if (!OfTwo &&
      ((V.MayWrap && V.MayWrap->isLooped()) || (Op == clang::BO_Mul && Cut))) {
    Wrap *Noted = Note();
    Noted->Looped = true;
    if (const Wrap *Product = V.MayWrap) {
      Noted->At = Product->At;
      Noted->Looped = Product->Looped;
      Noted->PerBlock = Product->PerBlock;
      Noted->Factors = Product->Factors;
    }
    Noted->Room = roomIn(Type, V.N);
    V.MayWrap = Noted;
    return;
  }
  if (!OfTwo)
    return;
  // Two numbers without a limit, or one of them for each block or in a loop.
  unsigned Largest = 0, InLoops = 0;
  const Number::Term *Most = nullptr;
  for (const Number::Term &T : V.N.terms()) {
    unsigned Each = 0, Loops = 0;
    for (SymbolId S : T.Of) {
      Each += Names[S].From == Origin::Block    ? 1
              : Names[S].Sizes                  ? 0
              : Names[S].From == Origin::Launch ? 2
                                                : 0;
      Loops += Names[S].Iteration;
    }
    if (!Most || Each > Largest)
      Most = &T;
    Largest = std::max(Largest, Each);
    InLoops = std::max(InLoops, Each + Loops);
  }
  if (InLoops < 3 || (Largest < 3 && I.facts().holds(roomIn(Type, V.N))))
    return;
  Wrap *Noted = Note();
  Noted->Room = roomIn(Type, V.N);
  Noted->Looped = Largest < 3;
  for (SymbolId S : Most->Of)
    if (Names[S].From == Origin::Launch)
      Noted->Factors.push_back(S);
    else
      Noted->PerBlock |= Names[S].From == Origin::Block;
  V.MayWrap = Noted;
}
