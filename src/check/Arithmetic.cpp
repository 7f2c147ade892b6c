//===- Arithmetic.cpp - Integer operations on terms -----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/Interpreter.h"
#include "check/KernelState.h"
#include "check/LoopProof.h"
#include "check/Runtime.h"
#include <numeric>

using namespace clang;
using namespace belay::check;

std::pair<int64_t, int64_t> belay::check::limitsOf(QualType Type,
                                                   const ASTContext &AST) {
  constexpr int64_t Large = int64_t(1) << 61;
  if (Type->isBooleanType())
    return {0, 1};
  if (!Type->isIntegralOrEnumerationType())
    return {-Large, Large};
  unsigned Width = AST.getIntWidth(Type);
  bool Signed = Type->isSignedIntegerOrEnumerationType();
  if (Width >= 62)
    return {Signed ? -Large : 0, Large};
  if (Signed)
    return {-(int64_t(1) << (Width - 1)), (int64_t(1) << (Width - 1)) - 1};
  return {0, (int64_t(1) << Width) - 1};
}

Symbols &Interpreter::symbols() { return Kernel.Names; }

Value Interpreter::makeSymbol(llvm::StringRef Key, llvm::StringRef Name,
                              QualType Type, Origin From,
                              std::optional<LaunchNumber> InLaunch) {
  if (Type->isFloatingType())
    return Value::real();
  if (Type->isPointerType() || Type->isRecordType() || Type->isArrayType())
    return {};
  auto [Least, Most] = limitsOf(Type, AST);
  std::string Full =
      (Key + ":" + llvm::Twine(Least) + ":" + llvm::Twine(Most)).str();
  return Value::number(Number::symbol(symbols().get(Full, [&] {
    Symbol New{Name.str(), Least, Most, From, {}, false};
    New.Tiling = From == Origin::Launch && Key.starts_with("load:");
    New.InLaunch = std::move(InLaunch);
    if (New.InLaunch) {
      New.InLaunch->Width = AST.getTypeSizeInChars(Type).getQuantity();
      New.InLaunch->Signed = Type->isSignedIntegerOrEnumerationType();
      New.InLaunch->Least = Least;
      New.InLaunch->Most = Most;
    }
    return New;
  })));
}

Value Interpreter::readSymbol(const Value &From, llvm::StringRef Name,
                              QualType Type) {
  unsigned Contents = Device->contentsOf(From.Id);
  std::optional<LaunchNumber> InLaunch;
  std::optional<unsigned> Argument = Device->tilingArgument(From.Id);
  if (Argument && !Contents && From.N.isConstant() && From.N.constant() >= 0) {
    InLaunch.emplace();
    InLaunch->What = LaunchNumber::Kind::Field;
    InLaunch->Argument = *Argument;
    InLaunch->Offset = From.N.constant();
  }
  Value V =
      makeSymbol("load:" + std::to_string(From.Id) + ":" +
                     symbols().key(From.N) + ":" + std::to_string(Contents),
                 Name, Type, Device->originOf(From.Id), InLaunch);
  bool Shared = !Contents && Device->argumentOf(From.Id);
  auto Between = Device->extremesAt(From, Type);
  if (V.isNumber())
    V.N.forEachSymbol([&](SymbolId S) {
      symbols()[S].ReadAt = {From.Id, Contents, From.N};
      symbols()[S].Shared |= Shared;
      symbols()[S].Between = Between;
    });
  return loaded(From, std::move(V));
}

/// What was computed or read with a number that depends on the block is another
/// value in each.
Value Interpreter::dependingOn(const Number &From, Value V) {
  bool PerBlock = symbols().any(From, [](const Symbol &S) {
    return S.From == Origin::Block || S.PerBlock;
  });
  if (PerBlock && V.isNumber())
    V.N.forEachSymbol([&](SymbolId S) { symbols()[S].PerBlock = true; });
  return V;
}

Value Interpreter::loaded(const Value &From, Value V) {
  return dependingOn(From.N, std::move(V));
}

/// Brings a result into the range of its type. One that certainly lies outside
/// wraps, as it does on the device; one that may lie outside is taken to fit,
/// and rules that look for overflow ask for themselves.
Value Interpreter::convert(Value V, QualType From, QualType To,
                           const Expr *At) {
  if (To->isBooleanType() && V.isNumber()) {
    if (std::optional<int64_t> C = V.constant())
      return Value::number(*C != 0);
    Value Zero = compare(BO_EQ, V, Value::number(0));
    if (At && !Zero.constant() && inHeaders(At->getBeginLoc()))
      return Value::number(1); // something was given
    return Zero.isNumber() ? negate(Zero) : unknown(To, At);
  }
  if (!V.isNumber() || !To->isIntegralOrEnumerationType())
    return V;
  unsigned Width = AST.getIntWidth(To);
  if (std::optional<int64_t> C = V.constant()) {
    llvm::APInt Bits(64, static_cast<uint64_t>(*C), true, true);
    if (Width < 64) {
      Bits = Bits.trunc(Width);
      Bits = To->isSignedIntegerOrEnumerationType() ? Bits.sext(64)
                                                    : Bits.zext(64);
    }
    int64_t Result = static_cast<int64_t>(Bits.getZExtValue());
    if (Result != *C && Width <= 16 && At)
      Device->truncated(Value::number(*C), To, At);
    Value R = Value::number(Result);
    R.Wrapped = V.Wrapped;
    return R;
  }
  if (V.MayWrap && At && Width == 64 && From->isIntegralOrEnumerationType() &&
      AST.getIntWidth(From) == 32)
    Device->widened(V, From, At);
  auto [Least, Most] = limitsOf(To, AST);
  auto [Low, High] = Known.range(V.N);
  if (Low >= Least && High <= Most)
    return V;
  if (Low < 0 && Least == 0 && Width >= 32 && At &&
      !inHeaders(At->getBeginLoc()) && !Known.holds(V.N))
    V = takeAsUnsigned(std::move(V), To, At);
  if (Width <= 16 && At)
    Device->truncated(V, To, At);
  if (Width == 32 && At && From->isIntegralOrEnumerationType() &&
      AST.getIntWidth(From) == 64)
    Device->narrowed(V, To, At);
  return V;
}

/// A number that may be below zero, in a type that has none of these.
Value Interpreter::takeAsUnsigned(Value V, QualType Type, const Expr *At) {
  if (Known.holds(Number(-1) - V.N)) // certainly
    return AST.getIntWidth(Type) == 32
               ? Value::number(V.N + Number(int64_t(1) << 32))
               : unknown(Type, At);
  SourceLocation Where = At->getBeginLoc();
  std::string Why = "whether " + symbols().str(V.N) + " is not below zero is ";
  // Numbers of the launch are so that it is not negative; see docs/check.md.
  if (Kernel.assumesElements(V.N, Known, Where)) {
  } else if (symbols().any(V.N, [](const Symbol &S) {
               return S.From == Origin::Launch;
             })) {
    if (!Kernel.Found.assumed(V.N, Kernel.place(Where)))
      Kernel.unknown(Topic::Overflow, Where, Why + "not known");
  } else {
    // The number of blocks, or the data, may keep it above zero; no number that
    // the host computes for it does.
    for (Topic T :
         {Topic::Overflow, Topic::Bounds, Topic::Values, Topic::Cores})
      Kernel.unknown(T, Where, Why + "not known");
  }
  Known.assume(V.N);
  return V;
}

Value Interpreter::compute(BinaryOperatorKind Op, const Value &L,
                           const Value &R, QualType Type, const Expr *At) {
  if (Type->isFloatingType())
    return Value::real();
  // Addresses as integers, and distances between pointers.
  if (L.isAddress() && R.isNumber() && (Op == BO_Add || Op == BO_Sub)) {
    Value V = L;
    V.N.add(R.N, Op == BO_Add ? 1 : -1);
    return V;
  }
  if (L.isAddress() && R.isAddress() && L.Id == R.Id && Op == BO_Sub)
    return Value::number(L.N - R.N);
  if (!L.isNumber() || !R.isNumber())
    return unknown(Type, At);
  std::optional<Number> Result;
  const Number &A = L.N, &B = R.N;
  std::optional<int64_t> CA = L.constant(), CB = R.constant();
  switch (Op) {
  case BO_Add:
    Result = A + B;
    break;
  case BO_Sub:
    Result = A - B;
    break;
  case BO_Mul:
    Result = Number::multiply(A, B);
    break;
  case BO_Div:
  case BO_Rem:
    return divide(A, B, Op == BO_Rem, Type);
  case BO_Shl:
    if (CB && *CB >= 0 && *CB < 62)
      Result = Number::multiply(A, int64_t(1) << *CB);
    break;
  case BO_Shr:
    if (CB && *CB >= 0 && *CB < 62)
      return divide(A, int64_t(1) << *CB, false, Type);
    break;
  case BO_And:
    if (CA && CB)
      Result = *CA & *CB;
    else if (CB && *CB > 0 && (*CB & (*CB + 1)) == 0)
      return divide(A, *CB + 1, true, Type); // the low bits
    else if (CB && *CB < 0 && *CB > INT64_MIN && (-*CB & (-*CB - 1)) == 0) {
      Value Low = divide(A, -*CB, true, Type); // all but the low bits
      if (Low.isNumber())
        Result = A - Low.N;
    }
    break;
  case BO_Or:
    if (CA && CB)
      Result = *CA | *CB;
    break;
  case BO_Xor:
    if (CA && CB)
      Result = *CA ^ *CB;
    break;
  default:
    break;
  }
  if (!Result)
    return dependingOn(A, dependingOn(B, unknown(Type, At)));
  Value V = Value::number(*Result);
  V.Wrapped = L.Wrapped ? L.Wrapped : R.Wrapped;
  V.MayWrap = L.MayWrap ? L.MayWrap : R.MayWrap;
  V.MayBeNegative = L.MayBeNegative ? L.MayBeNegative : R.MayBeNegative;
  V.Narrowed = L.Narrowed ? L.Narrowed : R.Narrowed;
  if (!Type->isIntegralOrEnumerationType())
    return V;
  unsigned Width = AST.getIntWidth(Type);
  if (std::optional<int64_t> C = V.constant()) {
    Value Fitted = convert(V, Type, Type, nullptr);
    if (*Fitted.constant() != *C && V.Wrapped)
      Fitted.Wrapped = nullptr; // below zero and back
    else if (*Fitted.constant() != *C && Width == 32 && At)
      Fitted.Wrapped = Device->wrapped(At, Type, *Fitted.constant());
    return Fitted;
  }
  auto [Least, Most] = limitsOf(Type, AST);
  auto [Low, High] = Known.range(V.N);
  bool Difference = Op == BO_Sub && Low < 0 && Type->isUnsignedIntegerType();
  if (Width == 32 && (Low < Least || High > Most)) {
    // Certainly outside?
    if (!Type->isSignedIntegerOrEnumerationType() &&
        Known.holds(Number(-1) - V.N)) {
      Value Above = Value::number(V.N + Number(int64_t(1) << 32));
      Above.Wrapped = Device->wrapped(At, Type, std::nullopt);
      return Above;
    }
    if (At)
      Device->mayWrap(V, Op, Type, At, L, R);
  }
  if (!Difference || !At || inHeaders(At->getBeginLoc()) || Known.holds(V.N))
    return V;
  return takeAsUnsigned(std::move(V), Type, At);
}

/// Asks for a loop to be followed in periods that By divides.
void Interpreter::askPeriod(const Number &L, int64_t By) {
  if (By < 2 || By > LoopProof::LongestPeriod)
    return;
  L.forEachSymbol([&](SymbolId S) {
    auto Iteration = Kernel.Iterations.find(S);
    if (Iteration == Kernel.Iterations.end() || Kernel.Retry)
      return;
    unsigned Now = Kernel.periodOf(Iteration->second);
    unsigned Next = std::lcm(Now, static_cast<unsigned>(By));
    if (Next != Now && Next <= LoopProof::LongestPeriod) {
      Kernel.retryWith(Iteration->second, Next);
      stop();
    }
  });
}

/// What divides, or is divided, and comes from the launch: that it is at least
/// so large is a condition, and known from here on.
bool Interpreter::isAtLeast(const Number &N, int64_t Least,
                            llvm::StringRef Why) {
  const Number Needed = N - Number(Least);
  if (Known.holds(Needed))
    return true;
  if (!symbols().isOfLaunch(N) || Known.holds(Number(-1) - Needed))
    return false;
  Kernel.requireNotNegative(Topic::Overflow, here(),
                            "whether " + symbols().str(N) + Why +
                                " is decided by the launch",
                            Needed);
  Known.assume(Needed);
  return true;
}

/// Quotients and remainders are symbols with facts, unless they are numbers.
Value Interpreter::divide(const Number &Dividend, const Number &Divisor,
                          bool Remainder, QualType Type) {
  const Number L = Known.normal(Dividend), R = Known.normal(Divisor);
  if (L.isConstant() && R.isConstant()) {
    // The smallest number has no quotient by -1 in 64 bits.
    if (R.constant() == 0 || (R.constant() == -1 && L.constant() == INT64_MIN))
      return unknown(Type, nullptr);
    return Value::number(Remainder ? L.constant() % R.constant()
                                   : L.constant() / R.constant());
  }
  // The end of a loop tells how many iterations there were.
  if (std::optional<int64_t> Only = Known.constantOf(L);
      Only && !L.isConstant())
    return divide(Number(*Only), R, Remainder, Type);
  bool NonNegative = Known.holds(L);
  R.forEachSymbol([&](SymbolId S) { symbols()[S].Divides = true; });
  if (R.isConstant() && R.constant() > 0) {
    int64_t By = R.constant();
    if (By == 1)
      return Value::number(Remainder ? Number() : L);
    if (std::optional<Number> Exact = L.dividedBy(By))
      return Value::number(Remainder ? Number() : *Exact);
    if (std::optional<int64_t> Rest = L.remainder(By); Rest && NonNegative) {
      if (Remainder)
        return Value::number(*Rest);
      if (std::optional<Number> Exact = (L - Number(*Rest)).dividedBy(By))
        return Value::number(*Exact);
    }
    if (NonNegative && Known.holds(Number(By - 1) - L))
      return Value::number(Remainder ? L : Number());
  }
  // What depends on the remainder of an iteration's number recurs with it.
  if (Remainder && R.isConstant())
    askPeriod(L, R.constant());
  auto Unknown = [&] {
    return dependingOn(L, dependingOn(R, unknown(Type, nullptr)));
  };
  if (!isAtLeast(R, 1, ", which divides, is above zero") ||
      !isAtLeast(L, 0, ", which is divided, is not below zero"))
    return Unknown();
  std::optional<Number> Q = quotient(L, R);
  std::optional<Number> Back = Q ? Number::multiply(*Q, R) : std::nullopt;
  if (!Back)
    return Unknown();
  boundByFactor(*Q, L, R);
  return Value::number(Remainder ? L - *Back : *Q);
}

/// The factors that all terms have in common, but for the block's index.
static SmallVector<SymbolId, 4> commonFactors(const Number &N,
                                              const Symbols &Names) {
  SmallVector<SymbolId, 4> Common;
  if (N.terms().empty() || N.constant())
    return Common;
  for (SymbolId S : N.terms().front().Of)
    if (Names[S].From != Origin::Block && Names[S].Least >= 0 &&
        !llvm::is_contained(Common, S) &&
        llvm::all_of(N.terms(), [S](const Number::Term &T) {
          return llvm::is_contained(T.Of, S);
        }))
      Common.push_back(S);
  return Common;
}

/// A share of rows is no more than the rows: of S * M / R, where M is at most
/// R, nothing is left above S. Not of shares of shares: every fact more makes
/// proofs longer, and these are cut by what they are a share of. But where S is
/// a number of tiles, D elements each, and M is below R, the elements before
/// the share are no more than there are.
void Interpreter::boundByFactor(const Number &Q, const Number &L,
                                const Number &R) {
  if (R.isConstant())
    return;
  Number Times = L, All(1);
  bool Launch = true;
  SmallVector<SymbolId, 4> Factors = commonFactors(L, symbols());
  for (SymbolId S : Factors) {
    Times = Times.split(S).first;
    std::optional<Number> Product = Number::multiply(All, Number::symbol(S));
    if (!Product)
      return;
    All = *Product;
    Launch &= symbols()[S].From == Origin::Launch;
  }
  if (Factors.empty())
    return;
  if (Launch) {
    if (Known.holds(R - Times))
      Known.assume(All - Q);
    return;
  }
  const Symbol &Tiles = symbols()[Factors.front()];
  if (Factors.size() != 1 || !Tiles.Divisor.isConstant() ||
      Tiles.Divisor.constant() < 2 || !Known.holds(R - Times - Number(1)))
    return;
  Number Elements = Tiles.Dividend - Tiles.Divisor + Number(1);
  std::optional<Number> Before = Number::multiply(Tiles.Divisor, Q);
  if (Before && Known.range(Elements).first >= 0)
    Known.assume(Elements - *Before);
}

/// The quotient of a number that was chosen is the one or the other of two.
/// What is divided has to be no number below zero: where it is chosen, and,
/// since facts about the smaller one hold everywhere, where the smaller one is
/// not it.
std::optional<Number> Interpreter::quotientOfChosen(SymbolId S, const Number &L,
                                                    const Number &R) {
  using Which = Alternatives::Which;
  Alternatives Of = *symbols()[S].Chosen;
  if (Of.Is == Which::Larger ||
      (Of.Is == Which::Smaller && L.factorOf(S).value_or(-1) < 0))
    return std::nullopt;
  std::array<std::optional<Number>, 2> Quotients;
  for (bool Then : {true, false}) {
    std::optional<Number> Each = L.replace(S, Then ? Of.Then : Of.Else);
    if (!Each || !Known.where(S, Then).holds(*Each))
      return std::nullopt;
    std::optional<Number> &Q = Quotients[!Then];
    if (Each->isConstant() && R.isConstant())
      Q = Number(Each->constant() / R.constant());
    else
      Q = quotient(*Each, R);
    if (!Q)
      return std::nullopt;
  }
  Of.Then = *Quotients[0];
  Of.Else = *Quotients[1];
  return Number::symbol(symbols().choose(Of));
}

std::optional<Number> Interpreter::quotient(const Number &Dividend,
                                            const Number &Divisor) {
  const Number L = Known.normal(Dividend), R = Known.normal(Divisor);
  if (R.isConstant() && R.constant() > 0)
    if (std::optional<Number> Exact = L.dividedBy(R.constant()))
      return Exact;
  if (std::optional<SymbolId> S = symbols().findChosen(L);
      S && !symbols().findChosen(R))
    if (std::optional<Number> Q = quotientOfChosen(*S, L, R))
      return Q;
  std::string LeftText = symbols().str(L), RightText = symbols().str(R);
  auto [Low, High] = Known.range(L);
  SymbolId Quotient =
      symbols().get("div:" + symbols().key(L) + ":" + symbols().key(R), [&] {
        int64_t Most = High > (int64_t(1) << 61) ? int64_t(1) << 61
                                                 : static_cast<int64_t>(High);
        return Symbol{"(" + LeftText + ")/" + RightText,
                      0,
                      R.isConstant() ? Most / R.constant() : Most,
                      Origin::Derived,
                      {},
                      false};
      });
  Number Q = Number::symbol(Quotient);
  std::optional<Number> Back = Number::multiply(Q, R);
  if (!Back)
    return std::nullopt;
  // 0 <= L - Q * R <= R - 1
  Number Rest = L - *Back;
  if (symbols()[Quotient].Facts.empty()) {
    symbols()[Quotient].Facts.push_back(Rest);
    symbols()[Quotient].Facts.push_back(R - Number(1) - Rest);
    symbols()[Quotient].Dividend = L;
    symbols()[Quotient].Divisor = R;
    compareQuotients(Quotient);
  }
  if (!R.isConstant())
    boundByProduct(Q, L, R);
  return Q;
}

/// Where L is below R times a number, the quotient is below that number: of a
/// tile's index by the tiles in a row, how many rows there are.
void Interpreter::boundByProduct(const Number &Q, const Number &L,
                                 const Number &R) {
  SmallVector<Number, 2> Bounds;
  for (const Number &Fact : Known.all()) {
    const Number Above = Fact + L; // L is at most this
    if (!Above.fits() || Above.constant() >= 0 || R.terms().size() != 1 ||
        R.constant() || R.terms()[0].Factor != 1 || R.terms()[0].Of.size() != 1)
      continue;
    auto [Times, Rest] = Above.split(R.terms()[0].Of[0]);
    if (Rest.isConstant() && !Times.isConstant())
      Bounds.push_back(Times - Number(1) - Q);
  }
  for (const Number &Each : Bounds)
    Known.assume(Each);
}

/// Of two quotients by the same divisor, the one of the larger number is not
/// the smaller one: a block begins where the one before it ends, or later. What
/// is below zero on this path has no quotient, though another path made one.
void Interpreter::compareQuotients(SymbolId New) {
  Symbols &All = symbols();
  for (SymbolId Old = 0; Old < New; ++Old) {
    if (!All[Old].Divisor.fits() || All[Old].Divisor == Number() ||
        !(All[Old].Divisor == All[New].Divisor) ||
        Known.range(All[Old].Dividend).first < 0)
      continue;
    Number More = All[New].Dividend - All[Old].Dividend;
    Number Q = Number::symbol(New) - Number::symbol(Old);
    if (Known.range(More).first >= 0)
      All[New].Facts.push_back(Q);
    else if (Known.range(Number() - More).first >= 0)
      All[New].Facts.push_back(Number() - Q);
  }
}

/// A condition as a number: 1, 0, or a symbol that remembers what it means.
Value Interpreter::compare(BinaryOperatorKind Op, const Value &L,
                           const Value &R) {
  using Kind = Value::Kind;
  if (L.What != Kind::Number || R.What != Kind::Number) {
    auto Definite = [](const Value &V) {
      return V.What == Kind::Null || V.isPointer() || V.isAddress();
    };
    if (Definite(L) && Definite(R) && (Op == BO_EQ || Op == BO_NE)) {
      bool Same = L.What == R.What && L.Id == R.Id && L.N == R.N;
      bool Differ = L.What != R.What || L.Id != R.Id;
      if (Same || Differ)
        return Value::number((Op == BO_EQ) == Same);
    }
    return {};
  }
  Number D = L.N - R.N;
  Symbolic |= !D.isConstant();
  auto Certain = [&](const Number &N) { return Known.holds(N); };
  Number Fact, Opposite; // not negative if the answer is yes; no
  switch (Op) {
  case BO_LT:
    Fact = Number(-1) - D, Opposite = D;
    break;
  case BO_GE:
    Fact = D, Opposite = Number(-1) - D;
    break;
  case BO_GT:
    Fact = D - Number(1), Opposite = Number() - D;
    break;
  case BO_LE:
    Fact = Number() - D, Opposite = D - Number(1);
    break;
  case BO_EQ:
  case BO_NE: {
    bool Equal = D.isConstant() ? D.constant() == 0 : Known.isZero(D);
    bool Differ = D.isConstant()
                      ? D.constant() != 0
                      : Certain(D - Number(1)) || Certain(Number(-1) - D);
    if (Equal || Differ)
      return Value::number((Op == BO_EQ) == Equal);
    return Device->condition(D, Op == BO_EQ);
  }
  default:
    return {};
  }
  if (Certain(Fact))
    return Value::number(1);
  if (Certain(Opposite))
    return Value::number(0);
  return Device->condition(Fact, Opposite);
}

Value Interpreter::negate(const Value &Condition) {
  if (std::optional<int64_t> C = Condition.constant())
    return Value::number(*C == 0);
  if (Condition.isNumber())
    return Value::number(Number(1) - Condition.N);
  if (Condition.What == Value::Kind::Null)
    return Value::number(1);
  if (Condition.isPointer() || Condition.isAddress())
    return Value::number(0);
  return {};
}

Value Interpreter::offsetPointer(const Value &P, const Number &By,
                                 QualType Pointee) {
  if (P.isAddress()) {
    int64_t Bytes = Pointee->isVoidType() || Pointee->isIncompleteType()
                        ? 1
                        : AST.getTypeSizeInChars(Pointee).getQuantity();
    std::optional<Number> Offset = Number::multiply(By, Bytes);
    if (!Offset)
      return {};
    Value V = P;
    V.N = V.N + *Offset;
    return V;
  }
  if (P.isPointer() && By.isConstant()) {
    PathId To = Memory.sibling(P.Id, By.constant());
    return To ? Value::pointer(To) : Value();
  }
  return {};
}
