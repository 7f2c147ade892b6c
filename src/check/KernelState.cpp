//===- KernelState.cpp - What is found out about one kernel ---------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/KernelState.h"
#include "support/Resources.h"
#include "support/Wording.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ASTLambda.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"

using namespace belay;
using namespace belay::check;
using namespace llvm;
using belay::support::Diagnostic;
using belay::support::SourcePlace;

void Condition::assume(Facts &Known, bool Taken) const {
  if (Negated)
    Taken = !Taken;
  auto Assume = [&](const Number &N) {
    Known.assume(N);
    Known.settleChoice(N);
  };
  if (!Equality) {
    Assume(Taken ? Yes : No);
    return;
  }
  if (Taken) {
    Assume(Yes);
    Assume(Number() - Yes);
  } else if (Known.holds(Yes)) {
    Assume(Yes - Number(1));
  } else if (Known.holds(Number() - Yes)) {
    Assume(Number(-1) - Yes);
  }
}

void Condition::note(Findings &Found, bool Taken, bool Loop) const {
  if (Negated)
    Taken = !Taken;
  if (Equality)
    Found.choseZero(Yes, Taken);
  else
    Found.chose(Taken ? Yes : No, Loop);
}

Findings::Requirement Condition::required() const {
  using Kind = Clause::Atom::Kind;
  if (Equality)
    return {Negated ? Kind::NotZero : Kind::Zero, Yes};
  return {Kind::NotNegative, Negated ? No : Yes};
}

Value KernelState::condition(const Condition &C) {
  std::string Key = (C.Equality ? "zero:" : "condition:") + Names.key(C.Yes);
  SymbolId S = Names.get(Key, [&] {
    return Symbol{"(" + Names.str(C.Yes) + (C.Equality ? " == 0)" : " >= 0)"),
                  0,
                  1,
                  Origin::Derived,
                  {},
                  false};
  });
  Conditions[S] = C;
  return Value::number(Number::symbol(S));
}

std::optional<Condition> KernelState::meaningOf(const Number &N) const {
  if (N.terms().size() != 1 || N.terms()[0].Of.size() != 1)
    return std::nullopt;
  int64_t Factor = N.terms()[0].Factor;
  bool Plain = Factor == 1 && N.constant() == 0,
       Negated = Factor == -1 && N.constant() == 1;
  auto At = Conditions.find(N.terms()[0].Of[0]);
  if (At == Conditions.end() || !(Plain || Negated))
    return std::nullopt;
  Condition C = At->second;
  C.Negated = Negated;
  return C;
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

bool KernelState::inHeaders(clang::SourceLocation At) {
  clang::FileID File = Sources.getFileID(Sources.getExpansionLoc(At));
  auto [Known, New] = Headers.try_emplace(File);
  if (New) {
    StringRef Name = Sources.getFilename(Sources.getExpansionLoc(At));
    Known->second = support::isOwnHeader(Name) || Sources.isInSystemHeader(At);
  }
  return Known->second;
}

bool KernelState::inOwnHeaders(clang::SourceLocation At) const {
  StringRef Name = Sources.getFilename(Sources.getExpansionLoc(At));
  return support::isOwnHeader(Name) && !Name.ends_with("/library/std.h");
}

SourcePlace KernelState::place(clang::SourceLocation At) const {
  if (At.isInvalid())
    return {};
  clang::PresumedLoc P = Sources.getPresumedLoc(Sources.getExpansionLoc(At));
  if (P.isInvalid())
    return {};
  return {P.getFilename(), P.getLine(), P.getColumn()};
}

const clang::RecordDecl *KernelState::abiRecord(clang::ASTContext &AST,
                                                StringRef Name) {
  auto [At, New] = AbiRecords.try_emplace(Name);
  if (!New)
    return At->second;
  const clang::DeclContext *Where = AST.getTranslationUnitDecl();
  for (StringRef Part : {"belay", "sim"}) {
    auto Found = Where->lookup(&AST.Idents.get(Part));
    if (Found.empty())
      return nullptr;
    Where = dyn_cast<clang::DeclContext>(Found.front());
  }
  for (clang::NamedDecl *D : Where->lookup(&AST.Idents.get(Name)))
    if (auto *Record = dyn_cast<clang::RecordDecl>(D))
      At->second = Record->getDefinition();
  return At->second;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// Whether some launch goes the way that is followed. What is known on a path
/// may exclude each other in ways that no proof sees; and where an instruction
/// stays in its tensor only if the host chose well, the host did.
bool KernelState::isPossible(const Facts &Path) const {
  if (!Path.arePossible())
    return false;
  Facts Chosen = Path;
  for (const Number &N : Expected)
    Chosen.assume(N);
  return Expected.empty() || Chosen.arePossible();
}

void KernelState::find(StringRef Id, const Side &Here, const Side &Other,
                       const sim::wording::Text &Text, StringRef Buffer,
                       const Findings::Concern &Of, size_t Choices,
                       size_t Since) {
  const belay::support::DiagInfo *Info = belay::support::findDiagnostic(Id);
  if (!Info)
    return;
  Diagnostic D;
  D.Id = Info->Id;
  D.Where = place(Here.At);
  SourcePlace Second = place(Other.At);
  D.Message =
      belay::support::completeText(Text.Message, D.Where, Second, Buffer);
  D.Help = belay::support::completeText(Text.Hint, D.Where, Second, Buffer);
  D.Insert = Text.Insert;
  D.Buffer = Buffer.str();
  if (Other.At.isValid()) {
    D.Notes.push_back({Second, Other.Role});
    D.Other = belay::support::OtherSide{Second, Other.Role, {}};
  }
  if (Proving) {
    std::optional<Topic> T = topicOf(D.Id);
    if (T && Of.Decides)
      requireNotNegative(*T, Here.At, D.Message, Of.About);
    else if (T)
      doubt(*T, Here.At,
            Found.emptyLoops().empty()
                ? "not shown for later iterations: " + D.Message
                : D.Message);
    return;
  }
  if (OnPath && !isPossible(*OnPath)) {
    if (std::optional<Topic> T = topicOf(D.Id))
      doubt(*T, Here.At,
            "no launch is known to come here, where otherwise " + D.Message);
    return;
  }
  Found.add(std::move(D), Choices, Of, Since);
}

bool KernelState::isSettled(Topic T) const {
  return Proving &&
         (!is_contained(Requested, T) || Out.Kernels.back().Doubts.count(T));
}

bool KernelState::isDoubted(Topic T) const {
  const auto &Doubts = Out.Kernels.back().Doubts;
  auto At = Doubts.find(T);
  return At != Doubts.end() && !At->second.empty();
}

bool KernelState::nothingLeft() const {
  return Proving && all_of(Requested, [&](Topic T) { return isSettled(T); });
}

void KernelState::retryWith(const clang::Stmt *Loop, unsigned Period) {
  Periods[Loop] = Period;
  Retry = true;
}

bool KernelState::loseVariable(const clang::Stmt *Loop,
                               const std::string &Variable) {
  constexpr size_t Most = 8;
  if (LostVariables.size() >= Most ||
      !LostVariables.insert({Loop, Variable}).second)
    return false;
  return Retry = true;
}

void KernelState::tooMany(Topic T, clang::SourceLocation At, StringRef Why) {
  if (Proving)
    return unknown(T, At, Why);
  constexpr size_t Most = 8;
  if (LongLists.size() < Most ||
      none_of(LongLists, [&](const LongList &L) { return L.Of == T; }))
    LongLists.push_back({T, At, Why.str()});
}

void KernelState::unknown(Topic T, clang::SourceLocation At, const Twine &Why) {
  constexpr size_t Most = 8;
  auto &List = Out.Kernels.back().Doubts[T];
  if (List.size() >= Most)
    return;
  Doubt New = {place(At), Why.str()};
  for (const Doubt &Old : List)
    if (Old.Where.Line == New.Where.Line && Old.Where.File == New.Where.File)
      return;
  List.push_back(std::move(New));
}

void KernelState::require(Topic T, clang::SourceLocation At, const Twine &Why,
                          ArrayRef<Findings::Requirement> Any) {
  if (isSettled(T))
    return;
  if (Any.size() == 1 && OnPath) {
    if (T == Topic::Bounds && Any[0].Is == Clause::Atom::Kind::NotNegative)
      Expected.push_back(Any[0].About);
    requireOne(T, At, Why, Any[0], *OnPath);
    return;
  }
  SmallVector<Findings::Requirement, 2> InLaunch;
  for (const Findings::Requirement &R : Any) {
    std::optional<Number> Least;
    if (R.Is == Clause::Atom::Kind::NotNegative && OnPath)
      Least = inAllIterations(R.About, *OnPath);
    bool Changed = Least && !(*Least == R.About);
    // What holds in no launch says nothing.
    if (Changed && OnPath->holds(Number(-1) - *Least))
      continue;
    InLaunch.push_back({R.Is, Changed ? *Least : R.About, R.Of});
  }
  if (!Found.require(T, place(At), Why, InLaunch))
    unknown(T, At, Why);
}

/// How often the steps are taken of which Times is a multiple: a number, or a
/// product. What else they have in common is for the caller to look at.
static std::optional<Number> howOften(const Number &Times, const Number &Each) {
  if (Each.isConstant() && Each.constant() < 0)
    return Times.dividedBy(Each.constant());
  if (Each.terms().empty() || Times.terms().empty())
    return std::nullopt;
  const Number::Term &Taken = Times.terms()[0], &Step = Each.terms()[0];
  SmallVector<SymbolId, 4> Others;
  std::set_difference(Taken.Of.begin(), Taken.Of.end(), Step.Of.begin(),
                      Step.Of.end(), std::back_inserter(Others));
  Number Often(Taken.Factor / Step.Factor);
  return Others.empty()
             ? std::optional(Often)
             : Number::multiply(Often, Number::product(Product(Others)));
}

/// A number that is no larger than N in any iteration of the loops, in which no
/// iteration's number occurs: a launch knows it. Nothing if none is found.
std::optional<Number> KernelState::inAllIterations(Number N,
                                                   const Facts &Known) const {
  // What is taken away comes first: it may be at most what is added.
  auto IterationIn = [&](const Number &Of) {
    std::optional<SymbolId> Found, Less;
    Of.forEachSymbol([&](SymbolId S) {
      if (!Names[S].Iteration)
        return;
      Found = S;
      if (Known.holds(Number() - Of.split(S).first))
        Less = S;
    });
    return Less ? Less : Found;
  };
  // The most that Times * S takes away: Bound says that S is at most so large.
  auto AtMost = [&](const Number &Times, SymbolId S,
                    const Number &Bound) -> std::optional<Number> {
    auto [Each, Rest] = Bound.split(S);
    if (Each.uses(S) || Rest.uses(S))
      return std::nullopt;
    if (Each == Number(-1))
      return Number::multiply(Times, Rest);
    // Of steps, as many are taken: Times is so often the step.
    std::optional<Number> Often = howOften(Times, Each);
    std::optional<Number> Steps =
        Often ? Number::multiply(*Often, Each) : std::nullopt;
    if (!Steps || !(*Steps == Times) || !Known.holds(*Often))
      return std::nullopt;
    return Number::multiply(Number() - *Often, Rest);
  };
  for (unsigned Left = 4; Left; --Left) {
    std::optional<SymbolId> S = IterationIn(N);
    if (!S)
      return N;
    auto [Times, Rest] = N.split(*S);
    if (Times.uses(*S))
      return std::nullopt;
    if (Known.holds(Times)) {
      N = Rest; // no iteration is below the first one
      continue;
    }
    if (!Known.holds(Number() - Times))
      return std::nullopt;
    // The narrowest: where `i == last` is not the case, i is below it.
    std::optional<Number> Less;
    for (const Number &Bound : Known.all())
      if (std::optional<Number> Each =
              Bound.uses(*S) ? AtMost(Times, *S, Bound) : std::nullopt;
          Each && (!Less || Known.holds(*Each - *Less)))
        Less = Each;
    if (!Less)
      return std::nullopt;
    N = Rest + *Less;
  }
  return std::nullopt;
}

void KernelState::doubt(Topic T, clang::SourceLocation At, const Twine &Why) {
  if (Found.emptyLoops().empty())
    return unknown(T, At, Why);
  require(T, At, Why, Found.emptyLoops());
}

/// In all iterations, unless one of Or holds. Of a number that was chosen, both
/// have to be as required: each where the condition chooses it.
void KernelState::requireOne(Topic T, clang::SourceLocation At,
                             const Twine &Why, const Findings::Requirement &R,
                             const Facts &Known,
                             ArrayRef<Findings::Requirement> Or) {
  using Kind = Clause::Atom::Kind;
  std::optional<SymbolId> S = Names.findChosen(R.About);
  bool Splits = R.Is == Kind::NotNegative || R.Is == Kind::Multiple;
  auto InAll = [&](const Number &N) {
    return R.Is == Kind::NotNegative ? inAllIterations(N, Known).value_or(N)
                                     : N;
  };
  if (!S || !Splits) {
    SmallVector<Findings::Requirement, 4> Any = {R};
    Any[0].About = InAll(R.About);
    bool Decides = Names.isOfLaunch(Any[0].About);
    Any.append(Or.begin(), Or.end());
    if (!Decides || !Found.require(T, place(At), Why, Any))
      unknown(T, At, Why);
    return;
  }
  const Alternatives Of = *Names[*S].Chosen;
  // One is enough: any that launches know.
  if (R.Is == Kind::NotNegative && Known.boundedByEither(R.About, *S)) {
    std::optional<Number> First;
    SmallVector<Findings::Requirement, 4> Others(Or);
    for (const Number &Each : {Of.Then, Of.Else})
      if (std::optional<Number> Is = R.About.replace(*S, Each);
          Is && Names.isOfLaunch(InAll(*Is))) {
        if (!First || Known.holds(InAll(*Is) - InAll(*First)))
          First = *Is; // which asks for less
        else if (!Names.findChosen(InAll(*Is)) &&
                 !Known.holds(InAll(*First) - InAll(*Is)))
          Others.push_back({R.Is, InAll(*Is)});
      }
    if (First)
      return requireOne(T, At, Why, {R.Is, *First}, Known, Others);
  }
  for (bool Then : {true, false}) {
    std::optional<Number> Is = R.About.replace(*S, Then ? Of.Then : Of.Else);
    if (!Is)
      return unknown(T, At, Why);
    Facts Where = Known.where(*S, Then);
    bool Holds =
        R.Is == Kind::Multiple ? Is->remainder(R.Of) == 0 : Where.holds(*Is);
    if (Holds)
      continue;
    SmallVector<Findings::Requirement, 4> Else(Or);
    if (Of.Equality)
      Else.push_back({Then ? Kind::NotZero : Kind::Zero, Of.Yes});
    else
      Else.push_back({Kind::NotNegative, Then ? Of.No : Of.Yes});
    requireOne(T, At, Why, {R.Is, *Is, R.Of}, Where, Else);
  }
}

void KernelState::unknownEverywhere(clang::SourceLocation At,
                                    const Twine &Why) {
  for (unsigned T = 0; T < NumTopics; ++T)
    if (static_cast<Topic>(T) != Topic::Entry)
      unknown(static_cast<Topic>(T), At, Why);
}

void KernelState::notFollowed(clang::SourceLocation At,
                              const clang::FunctionDecl *Function) {
  unknownEverywhere(At, Function ? "'" + Function->getNameAsString() +
                                       "' has no body here"
                                 : "which function is called is not followed");
}

void KernelState::called(const clang::FunctionDecl *Function,
                         const clang::Expr *Call) {
  if (!Seen.insert(Function).second || Function->isConstexpr() ||
      Function->isImplicit() || Function->isDefaulted() ||
      inHeaders(Function->getLocation()))
    return;
  if (const auto *Method = dyn_cast<clang::CXXMethodDecl>(Function))
    if (clang::isLambdaCallOperator(Method))
      return;
  for (const auto *Note : Function->specific_attrs<clang::AnnotateAttr>())
    if (Note->getAnnotation() == "aicore")
      return;
  // A declaration before it, or the template it was made from, may say so.
  const clang::FunctionDecl *Others[] = {
      Function->getFirstDecl(), Function->getTemplateInstantiationPattern()};
  for (const clang::FunctionDecl *Each : Others)
    if (Each)
      for (const auto *Note : Each->specific_attrs<clang::AnnotateAttr>())
        if (Note->getAnnotation() == "aicore")
          return;
  find("bad-entry", {Function->getLocation(), ""},
       {Call->getBeginLoc(), "called"},
       {"'" + Function->getNameAsString() +
            "' is called from a kernel and is not marked __aicore__: the "
            "device compiler takes it for host code",
        "write __aicore__ in front of its result"});
}

/// A value that one block left in its cache, and another one reads later.
void KernelState::compareCaches() {
  for (const ScalarAccess &W : ScalarWrites)
    for (const ScalarAccess &R : ScalarReads)
      if (W.Left && W.In == R.In && W.Begin == R.Begin && W.Path != R.Path &&
          W.Phase < R.Phase)
        find("stale-cache", {R.At, "read"}, {W.At, "written"},
             sim::wording::staleCache(R.Name, false));
}

/// Blocks that wait in a SyncAll for others that never come there.
void KernelState::compareBarriers() {
  for (const BarrierCount &Waits : BarriersOfSome) {
    Number Others = Number(-1) - Waits.Fact;
    if (any_of(BarriersOn, [&](const BarrierCount &Elsewhere) {
          return Elsewhere.Fact == Others && Elsewhere.Count < Waits.Count &&
                 coexist(Waits.Trail, Elsewhere.Trail);
        }))
      find("sync-needs-all-cores", {Waits.At, ""}, {},
           {"SyncAll waits for all cores, but only those come here for which " +
                Names.str(Waits.Fact) + " >= 0",
            "let every core reach SyncAll, and skip the work of idle ones "
            "around it"});
  }
}

/// Where those past the limit have work of their own, it is the index of a
/// block, and no number of blocks.
void KernelState::compareGuards() {
  for (const Guard &G : OneTooMany) {
    Number Others = Number(-1) - G.Fact;
    if (none_of(BarriersOn, [&](const BarrierCount &Elsewhere) {
          return Elsewhere.Fact == Others && Elsewhere.Works;
        }))
      find("gm-out-of-bounds", {G.At, ""}, {}, G.Text, G.Buffer);
  }
}
