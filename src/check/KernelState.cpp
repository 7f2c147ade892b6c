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
    Known.assumeZero(Yes);
    Known.settleChoice(Yes);
    Known.settleChoice(Number() - Yes);
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
