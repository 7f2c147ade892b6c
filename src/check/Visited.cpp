//===- Visited.cpp - States that paths have in common ---------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/Visited.h"
#include "check/Interpreter.h"
#include "check/KernelState.h"
#include "check/Runtime.h"
#include "llvm/ADT/StringExtras.h"

using namespace belay::check;
using namespace llvm;

static std::string digits(uint64_t N) { return std::to_string(N); }

//===----------------------------------------------------------------------===//
// Names of numbers
//===----------------------------------------------------------------------===//

static bool allSymbols(const Number &N, function_ref<bool(SymbolId)> Is) {
  bool All = N.fits();
  N.forEachSymbol([&](SymbolId S) { All = All && Is(S); });
  return All;
}

bool Naming::isOfLaunch(SymbolId S) const {
  const Symbol &Each = Names[S];
  auto AllOf = [&](const Number &N) {
    return allSymbols(N, [&](SymbolId X) { return isOfLaunch(X); });
  };
  if (Each.Iteration || Each.MadeAt)
    return false;
  if (const auto &C = Each.Chosen)
    return AllOf(C->Yes) && AllOf(C->No) && AllOf(C->Then) && AllOf(C->Else);
  if (Each.From == Origin::Derived)
    return !(Each.Divisor == Number()) && AllOf(Each.Dividend) &&
           AllOf(Each.Divisor);
  if (Each.ReadAt && (Each.ReadAt->Contents || !AllOf(Each.ReadAt->Offset)))
    return false;
  return Each.From == Origin::Launch || Each.From == Origin::Block ||
         Each.From == Origin::Blocks;
}

bool Naming::isLive(const Number &N, bool Iterations) const {
  return allSymbols(N, [&](SymbolId S) { return isLive(S, Iterations); });
}

bool Naming::isLive(SymbolId S, bool Iterations) const {
  return Numbers.count(S) || isOfLaunch(S) ||
         (Iterations && Names[S].Iteration);
}

/// The same text for the same number on other paths, and for some others.
std::string Naming::shapeOf(SymbolId S) const {
  if (auto At = Numbers.find(S); At != Numbers.end())
    return "$" + digits(At->second);
  if (isOfLaunch(S))
    return "s" + digits(S);
  const Symbol &Each = Names[S];
  return "?" + digits(Each.MadeAt) + "," + itostr(Each.Least) + "," +
         itostr(Each.Most) + "," + digits(static_cast<unsigned>(Each.From));
}

std::string Naming::definitionOf(SymbolId S) {
  const Symbol Each = Names[S];
  std::string Is = shapeOf(S) + (Each.PerBlock ? "b" : "") +
                   (Each.Shared ? "s" : "") + (Each.Iteration ? "i" : "") +
                   (Each.Sizes ? "z" : "") + (Each.SizesAlone ? "a" : "") +
                   (Each.Tiling ? "t" : "") + (Each.Divides ? "d" : "");
  Numbers[S] = Called.size();
  Called.push_back(S);
  if (const auto &From = Each.ReadAt)
    Is += "[" + digits(From->Region) + "@" + text(From->Offset) +
          (From->Contents == Contents(From->Region) ? "" : "'") +
          (From->Contents ? "w" : "") + "]";
  if (!(Each.Divisor == Number()))
    Is += "(" + text(Each.Dividend) + ")/(" + text(Each.Divisor) + ")";
  if (const auto &C = Each.Chosen)
    Is += "(" + text(C->Yes) + (C->Equality ? "==0?" : ">=0?") + text(C->No) +
          "?" + text(C->Then) + ":" + text(C->Else) + ")";
  for (const Number &Fact : Each.Facts)
    Is += "{" + text(Fact) + "}";
  return Is;
}

std::string Naming::nameOf(SymbolId S) {
  if (isOfLaunch(S))
    return "s" + digits(S);
  if (auto At = Numbers.find(S); At != Numbers.end())
    return "$" + digits(At->second);
  std::string Name = "$" + digits(Called.size());
  return Name + "=" + definitionOf(S);
}

/// Terms are in an order that does not depend on when their symbols were made.
std::string Naming::text(const Number &N) {
  std::vector<std::pair<std::string, const Number::Term *>> Terms;
  for (const Number::Term &T : N.terms()) {
    std::vector<std::string> Of;
    for (SymbolId S : T.Of)
      Of.push_back(shapeOf(S));
    llvm::sort(Of);
    Terms.push_back({join(Of, "*") + "*" + itostr(T.Factor), &T});
  }
  llvm::sort(Terms, llvm::less_first());
  std::string Text = itostr(N.constant()) + (N.fits() ? "" : "!");
  for (const auto &[_, T] : Terms) {
    std::vector<SymbolId> Of(T->Of.begin(), T->Of.end());
    llvm::sort(Of,
               [&](SymbolId A, SymbolId B) { return shapeOf(A) < shapeOf(B); });
    Text += "+" + itostr(T->Factor);
    for (SymbolId S : Of)
      Text += "*" + nameOf(S);
  }
  return Text;
}

std::string Naming::alike(const Number &N) const {
  std::vector<std::string> Terms = {itostr(N.constant())};
  for (const Number::Term &T : N.terms()) {
    std::vector<std::string> Of;
    for (SymbolId S : T.Of) {
      const Symbol &Each = Names[S];
      std::string Is = shapeOf(S);
      if (!Numbers.count(S) && !isOfLaunch(S)) {
        if (Each.Iteration)
          Is = "@" + Each.Name.substr(Each.Name.find(" of "));
        if (const auto &From = Each.ReadAt)
          Is += "[" + digits(From->Region) + "@" + alike(From->Offset) +
                (From->Contents == Contents(From->Region) ? "" : "'") + "]";
        if (!(Each.Divisor == Number()))
          Is += "(" + alike(Each.Dividend) + ")/(" + alike(Each.Divisor) + ")";
        if (const auto &C = Each.Chosen)
          Is += "(" + alike(C->Yes) + (C->Equality ? "==0?" : ">=0?") +
                alike(C->Then) + ":" + alike(C->Else) + ")";
      }
      Of.push_back(std::move(Is));
    }
    llvm::sort(Of);
    Terms.push_back(itostr(T.Factor) + "*" + join(Of, "*"));
  }
  llvm::sort(Terms);
  return join(Terms, "+");
}

SymbolId Naming::slot(size_t N, Symbols &In) {
  std::string Key = "slot:" + digits(N);
  return In.get(Key, [&] {
    constexpr int64_t Large = int64_t(1) << 61;
    return Symbol{Key, -Large, Large, Origin::Other, {}};
  });
}

std::optional<Number> Naming::withSlots(const Number &N, Symbols &In) const {
  Number Result = N;
  bool Possible = N.fits();
  N.forEachSymbol([&](SymbolId S) {
    auto At = Numbers.find(S);
    if (At == Numbers.end()) {
      Possible = Possible && isOfLaunch(S);
      return;
    }
    std::optional<Number> Next =
        Result.replace(S, Number::symbol(slot(At->second, In)));
    Possible = Possible && Next.has_value();
    if (Possible)
      Result = *Next;
  });
  return Possible ? std::optional(Result) : std::nullopt;
}

std::optional<Number> Naming::withoutSlots(const Number &N, Symbols &In) const {
  Number Result = N;
  for (size_t I = 0; I < Called.size(); ++I)
    if (SymbolId Slot = slot(I, In); Result.uses(Slot)) {
      std::optional<Number> Next =
          Result.replace(Slot, Number::symbol(Called[I]));
      if (!Next)
        return std::nullopt;
      Result = *Next;
    }
  return Result;
}

//===----------------------------------------------------------------------===//
// What a path has chosen
//===----------------------------------------------------------------------===//

std::optional<Findings::PathState> Findings::pathState(const Naming &Of,
                                                       Symbols &In) const {
  PathState State;
  for (const Choice &C : Trail) {
    const Atom &A = Atoms[C.Is / 2];
    if (A.What == Atom::Kind::Free)
      continue;
    if (!Of.isLive(A.About)) {
      // What decides for which launches a condition is asked stays.
      if (Names.isOfLaunch(A.About))
        return std::nullopt;
      continue;
    }
    std::optional<Number> About = Of.withSlots(A.About, In);
    if (!About)
      return std::nullopt;
    State.Chosen.push_back({A.What == Atom::Kind::Zero, C.Is % 2 == 0, *About});
  }
  for (const auto &[N, _] : Assumed)
    if (Of.isLive(N)) {
      std::optional<Number> About = Of.withSlots(N, In);
      if (!About)
        return std::nullopt;
      State.Assumed.push_back(*About);
    }
  for (const Number &N : Stated)
    if (Of.isLive(N)) {
      std::optional<Number> About = Of.withSlots(N, In);
      if (!About)
        return std::nullopt;
      State.Chosen.push_back({/*OfZero=*/false, /*Yes=*/true, *About});
    }
  State.Empty = Empty;
  return State;
}

bool Findings::covers(const PathState &Old, const PathState &Now,
                      const Naming &Of, const Facts &Known) {
  auto Holds = [&](const PathState::Choice &C) {
    std::optional<Number> N = Of.withoutSlots(C.About, Names);
    if (!N)
      return false;
    if (!C.OfZero)
      return Known.holds(C.Yes ? *N : Number(-1) - *N);
    if (C.Yes)
      return Known.isZero(*N);
    return Known.holds(*N - Number(1)) || Known.holds(Number(-1) - *N) ||
           zero(*N) == false;
  };
  return all_of(Old.Chosen, Holds) &&
         all_of(
             Now.Assumed,
             [&](const Number &N) { return is_contained(Old.Assumed, N); }) &&
         all_of(Old.Empty, [&](const Requirement &R) {
           return is_contained(Now.Empty, R);
         });
}

//===----------------------------------------------------------------------===//
// What the kernel holds
//===----------------------------------------------------------------------===//

/// Numbers of buffers that the runtime counts, as far as they tell whether a
/// tensor is still the one that its buffer was given out as.
std::string Interpreter::generationText(PathId P) const {
  const Value *V = Memory.find(P);
  for (PathId Sibling : Memory.partsOf(Memory.parentOf(P)))
    if (const Value *Of = Memory.find(Sibling); Of && Of->isPointer())
      if (std::optional<bool> Now = Device->isCurrent(Of->Id, *V))
        return *Now ? "now" : "old";
  return Device->isBuffer(Memory.parentOf(P))
             ? "own"
             : itostr(V->constant().value_or(-1));
}

std::string Interpreter::valueText(const Value &V, Naming &Names) const {
  std::string Text = digits(static_cast<unsigned>(V.What)) + ":";
  for (const Wrap *W : {V.Wrapped, V.MayWrap, V.MayBeNegative, V.Narrowed})
    Text += W ? digits(W->At.getRawEncoding()) + "," : ",";
  if (V.isNumber() || V.isAddress())
    Text += Names.text(V.N);
  if (V.isAddress())
    Text += "@" + digits(V.Id);
  if (V.Callee)
    Text += digits(V.Callee->getLocation().getRawEncoding());
  return Text;
}

/// All variables that can be reached from those of the functions that are being
/// executed, if they outlive an iteration.
std::string Interpreter::variablesText(size_t Outer, Naming &Names) const {
  std::vector<PathId> Roots;
  DenseMap<PathId, unsigned> Order;
  auto Add = [&](PathId P) {
    PathId Root = P ? Memory.rootIdOf(P) : 0;
    if (Root && (Root < Outer || isGlobal(Root)) && !isConstant(Root) &&
        Order.try_emplace(Root, Roots.size()).second)
      Roots.push_back(Root);
    return Root;
  };
  std::string Text;
  auto AddAll = [&](const auto &Variables) {
    std::map<std::string, Place> Sorted;
    for (const auto &[D, At] : Variables)
      Sorted.emplace(digits(D->getLocation().getRawEncoding()), At);
    for (const auto &[Name, At] : Sorted) {
      if (At.Memory)
        Text += Name + "*" + valueText(*At.Memory, Names) + ";";
      PathId Root = Add(At.Path);
      if (Order.count(Root))
        Text += Name + "&" + digits(Order[Root]) + Memory.keyOf(At.Path) + ";";
    }
  };
  for (const Frame &F : Frames) {
    Text += "|" + digits(reinterpret_cast<uintptr_t>(F.Function)) + "," +
            digits(reinterpret_cast<uintptr_t>(F.Call)) + ":";
    Add(F.This);
    Add(F.Result);
    AddAll(F.Variables);
  }
  std::map<unsigned, PathId> Global;
  for (const auto &[D, P] : Globals)
    Global.emplace(D->getLocation().getRawEncoding(), P);
  for (const auto &[_, P] : Global)
    Add(P);
  std::map<PathId, const DenseMap<const clang::ValueDecl *, Place> *> Closures;
  for (const auto &[P, Each] : Captures)
    Closures.emplace(P, &Each);
  for (const auto &[_, Each] : Closures)
    AddAll(*Each);
  std::function<void(PathId, unsigned)> Write = [&](PathId P, unsigned Of) {
    if (const Value *V = Memory.find(P)) {
      const clang::ValueDecl *D = Memory.declOf(P);
      bool Counted = D && inHeaders(D->getLocation()) &&
                     D->getDeclName().isIdentifier() &&
                     D->getName().ends_with_insensitive("generation");
      Text += digits(Of) + Memory.keyOf(P) + "=";
      if (Counted) {
        Text += generationText(P) + ";";
      } else {
        Text += valueText(*V, Names);
        if (V->isPointer()) {
          PathId Root = Add(V->Id);
          // One that does not outlive the iteration is not looked at.
          Text += "&" + (Order.count(Root) ? digits(Order[Root]) : "gone") +
                  Memory.keyOf(V->Id);
        }
        Text += ";";
      }
    }
    std::map<std::pair<unsigned, int64_t>, PathId> Parts;
    for (PathId Part : Memory.partsOf(P))
      Parts.emplace(
          std::pair(Memory.fieldOf(Part)
                        ? Memory.fieldOf(Part)->getLocation().getRawEncoding()
                        : 0,
                    Memory.indexOf(Part)),
          Part);
    for (const auto &[_, Part] : Parts)
      Write(Part, Of);
  };
  for (size_t N = 0; N < Roots.size(); ++N)
    Write(Roots[N], N);
  return Text;
}

/// At the head of a loop; see Visited.h.
bool Interpreter::wasVisited(const clang::Stmt *Loop, size_t Outer,
                             SymbolId Iteration) {
  auto Contents = [&](uint32_t R) { return Device->contentsOf(R); };
  // Also for variables that the loop has just lost.
  Device->widenAccesses();
  Naming Names(symbols(), Contents);
  std::string State = digits(reinterpret_cast<uintptr_t>(Loop)) + ":" +
                      variablesText(Outer, Names);
  Runtime::OrderState Order = Device->exactState(Loop, Iteration, Names, State);
  // All that is known of numbers which nothing holds is forgotten.
  Facts Kept(symbols());
  bool Possible = true;
  VisitedState Now = {std::move(Order.Pending), {}, {}, {}};
  for (const Number &Fact : Known.all()) {
    if (!Names.isLive(Fact, /*Iterations=*/true))
      continue;
    Kept.assume(Fact);
    if (!Names.isLive(Fact)) {
      Now.OfIterations.insert(Names.alike(Fact));
      continue;
    }
    std::optional<Number> InSlots = Names.withSlots(Fact, symbols());
    Possible = Possible && InSlots;
    if (InSlots)
      Now.Known.push_back(std::move(*InSlots));
  }
  Known = Kept;
  Kernel.Found.forgetData();
  auto Chosen = Kernel.Found.pathState(Names, symbols());
  bool Alone = all_of(Frames, [](const Frame &F) { return F.Alone; });
  if (Decisions.replays() || !Possible || !Chosen || !Alone ||
      !Device->mayJoin())
    return false;
  Now.Chosen = std::move(*Chosen);
  auto &Old = Kernel.Visited[State];
  for (const VisitedState &Each : Old)
    if (Runtime::OrderState::covers(Each.Pending, Now.Pending) &&
        Kernel.Found.covers(Each.Chosen, Now.Chosen, Names, Known) &&
        includes(Now.OfIterations, Each.OfIterations) &&
        all_of(Each.Known, [&](const Number &Fact) {
          std::optional<Number> N = Names.withoutSlots(Fact, symbols());
          return N && Known.holds(*N);
        })) {
      Device->joined();
      return true;
    }
  Old.push_back(std::move(Now));
  return false;
}
