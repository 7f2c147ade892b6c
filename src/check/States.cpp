//===- States.cpp - The device at the head of a loop ----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two heads of a loop are alike if whatever follows one of them can follow the
// other. What has no influence any more is left out, what lies in an earlier
// iteration of the same walk through a tensor counts as the later one. The
// buffers of a queue are alike, too: they are numbered from the one that the
// queue gives out next, so that a loop with two buffers does the same in each
// iteration, not in every second one.
//
//===----------------------------------------------------------------------===//

#include "check/Runtime.h"
#include "check/Visited.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"

using namespace belay;
using namespace belay::check;
using namespace llvm;
using sim::Pipe;
using sim::Space;

static std::string text(uint64_t N) { return std::to_string(N); }

/// Whether the kernel itself holds a tensor of the queue. Another one is not
/// the same to it then, so that the buffers keep their numbers.
bool Runtime::isHeld(const Queue &Q, const std::set<RegionId> &Regions,
                     const std::set<PathId> &Records) const {
  return any_of(Q.Buffers, [&](PathId Record) {
    const Buffer &B = Buffers.at(Record);
    switch (B.State) {
    case sim::BufferState::Free:
      return false; // a tensor of it may not be used any more
    case sim::BufferState::InQueue:
      return Regions.count(B.In) || Records.count(Record);
    default:
      return true;
    }
  });
}

std::string Runtime::BufferNames::region(RegionId R) const {
  auto At = OfRegion.find(R);
  return At == OfRegion.end() ? text(R) : At->second;
}

Runtime::BufferNames Runtime::bufferNames() const {
  std::set<RegionId> Regions;
  std::set<PathId> Records;
  I.forEachLiveValue([&](const Value &V) {
    if (V.isAddress())
      Regions.insert(V.Id);
    else if (V.isPointer())
      Records.insert(V.Id);
  });
  BufferNames Called;
  auto Add = [&](const Buffer &B, std::string Name) {
    Called.Order.push_back(&B);
    Called.OfRegion[B.In] = Name;
    Called.OfRecord[B.Record] = std::move(Name);
  };
  for (const auto &[Id, Q] : Queues) {
    size_t First = isHeld(Q, Regions, Records) ? 0 : Q.Next;
    for (size_t N = 0; N < Q.Buffers.size(); ++N)
      Add(Buffers.at(Q.Buffers[(First + N) % Q.Buffers.size()]),
          "q" + text(Id) + "." + text(N));
  }
  for (const auto &[Record, B] : Buffers)
    if (!Called.OfRecord.count(Record))
      Add(B, "b" + text(Record));
  return Called;
}

/// What is known of a number that was read or made in an iteration, but not of
/// another one of another iteration by itself.
std::string Runtime::factsOf(SymbolId S, const LoopHead &Head,
                             ArrayRef<SymbolId> Naming) const {
  SmallVector<SymbolId> Inner(Naming);
  Inner.push_back(S);
  std::set<std::string> Each;
  for (const Number &Fact : I.facts().all())
    if (Fact.uses(S))
      Each.insert(canonical(Fact, Head, Inner));
  return "{" + join(Each, ";") + "}";
}

/// A number that was read is called by its place, and by whether who reads
/// there again gets the same one; one that is not known, by where it was made
/// in the loop. Nothing if it is this one and no other in all iterations.
std::string Runtime::dataName(SymbolId S, const LoopHead &Head,
                              ArrayRef<SymbolId> Naming) const {
  const Symbol &Each = Kernel.Names[S];
  if (const auto *Again = find(Naming, S); Again != Naming.end())
    return "$" + text(Again - Naming.begin());
  if (const auto &From = Each.ReadAt; From && Each.From == Origin::Data)
    return "[" + Head.Called.region(From->Region) + "@" +
           canonical(From->Offset, Head, Naming) +
           (From->Contents == contentsOf(From->Region) ? "" : "'") + ":" +
           itostr(Each.Least) + "]" + factsOf(S, Head, Naming);
  if (Each.Made > Head.Made)
    return "?" + text(Each.MadeAt) + factsOf(S, Head, Naming);
  return "";
}

/// A number as text that is the same in every iteration: iterations of the loop
/// are all called alike, and so are those of loops inside it that have ended.
std::string Runtime::canonical(const Number &N, const LoopHead &Head,
                               ArrayRef<SymbolId> Naming) const {
  if (Head.Exact)
    return Head.Exact->text(N);
  std::vector<std::string> Terms = {itostr(N.constant())};
  for (const Number::Term &T : N.terms()) {
    std::vector<std::string> Of;
    for (SymbolId S : T.Of) {
      const Symbol &Each = Kernel.Names[S];
      auto Iteration = Kernel.Iterations.find(S);
      if (Iteration != Kernel.Iterations.end() &&
          Iteration->second == Head.Loop)
        Of.push_back("@");
      else if (Iteration != Kernel.Iterations.end() &&
               !I.isOpen(Iteration->second))
        Of.push_back("@" +
                     text(Iteration->second->getBeginLoc().getRawEncoding()));
      else if (auto By = Kernel.CarriedBy.find(S);
               By != Kernel.CarriedBy.end() &&
               (By->second.first == Head.Loop || !I.isOpen(By->second.first)))
        Of.push_back("c" +
                     text(By->second.first->getBeginLoc().getRawEncoding()) +
                     "." + text(By->second.second));
      else if (const auto &C = Each.Chosen)
        Of.push_back("(" + canonical(C->Yes, Head, Naming) +
                     (C->Equality ? "==0?" : ">=0?") +
                     canonical(C->Then, Head, Naming) + ":" +
                     canonical(C->Else, Head, Naming) + ")");
      else if (!(Each.Divisor == Number()))
        Of.push_back("(" + canonical(Each.Dividend, Head, Naming) + ")/(" +
                     canonical(Each.Divisor, Head, Naming) + ")");
      else if (std::string Name = dataName(S, Head, Naming); !Name.empty())
        Of.push_back(Name);
      else
        Of.push_back("s" + text(S));
    }
    llvm::sort(Of);
    Terms.push_back(itostr(T.Factor) + "*" + join(Of, "*"));
  }
  llvm::sort(Terms);
  return join(Terms, "+");
}

/// Who knows that an instruction is complete: each pipe, and who waits for a
/// flag that is raised, takes a buffer or a mutex.
std::string Runtime::waitersOf(sim::Epoch When,
                               const BufferNames &Called) const {
  std::string Who;
  for (unsigned P = 0; P < sim::NumPipes; ++P)
    Who += Clocks.ordered(When, static_cast<Pipe>(P)) ? '1' : '0';
  bool OfScalar = When.On == Pipe::S;
  for (unsigned P = 0; OfScalar && P < sim::NumPipes; ++P)
    Who += Clocks.storeOrdered(When, static_cast<Pipe>(P)) ? '1' : '0';
  const std::optional<sim::Clock> Nothing;
  auto Knows = [&](const sim::Clock &C) {
    Who += C[When.On] >= When.Time ? '1' : '0';
    if (OfScalar)
      Who += C.Stored >= When.Time ? '1' : '0';
  };
  for (const auto &[Key, F] : Flags)
    if (F.Raised)
      Knows(*F.Raised);
  // One that was never used says nothing to who takes it.
  for (const Buffer *B : Called.Order)
    if (const auto &Said = B->State == sim::BufferState::Free      ? B->Emptied
                           : B->State == sim::BufferState::InQueue ? B->Filled
                                                                   : Nothing;
        Said)
      Knows(*Said);
    else
      Who += '0';
  for (const auto &[_, C] : Mutexes)
    Knows(C);
  return Who;
}

std::string Runtime::registersState(const LoopHead &Head) const {
  const BufferNames &Called = Head.Called;
  std::string Text;
  for (bool Each : {Counter, Atomic, Clean, Threads, CrossSynced, LostWrites,
                    CrossWaits > 0})
    Text += Each ? '1' : '0';
  Text += AtomicType ? text(static_cast<unsigned>(*AtomicType)) : "?";
  for (const auto &Mask : {MaskLow, MaskHigh})
    Text += (Mask ? canonical(*Mask, Head) : "?") + ";";
  for (const Number &Each : Used)
    Text += canonical(Each, Head) + ";";
  for (const auto &[Key, F] : Flags)
    if (F.Raised || F.Lost)
      Text += "f" + text(static_cast<unsigned>(std::get<0>(Key))) + "," +
              text(static_cast<unsigned>(std::get<1>(Key))) + "," +
              itostr(std::get<2>(Key)) + (F.Raised ? "r" : "") + text(F.Lost);
  for (const auto &Pipe : Delayed) {
    Text += "|";
    for (const Pending &Each : Pipe)
      Text += text(static_cast<unsigned>(Each.E.Kind)) + "," +
              text(Each.E.At.getRawEncoding()) + "," + itostr(Each.E.Id) + ";";
  }
  for (const auto &[Id, C] : Cross)
    if (C.Sets != C.Waits)
      Text += "x" + itostr(Id) + ":" +
              itostr(static_cast<int64_t>(C.Sets) - C.Waits) + ";";
  for (const auto &[_, Q] : Queues) {
    Text += Q.Buffers.empty() ? std::string("q:")
                              : Called.OfRecord.at(Q.Buffers[Q.Next]) + ":";
    for (PathId B : Q.Held)
      Text += Called.OfRecord.at(B) + ",";
  }
  for (const Buffer *B : Called.Order)
    Text += text(static_cast<unsigned>(B->State));
  return Text + cacheState(Head);
}

/// Of an access, which may be one of an earlier iteration.
std::string Runtime::accessName(const Number &N, const LoopHead &Head) const {
  return Head.Exact ? Head.Exact->alike(N) : canonical(N, Head);
}

/// X in another iteration. What was read at a place that the iteration decides
/// is what Y has from there.
static std::optional<Number> inIteration(const Number &X, SymbolId Iteration,
                                         const Number &Which, const Number &Y,
                                         const Symbols &Names) {
  std::optional<Number> Then = X.replace(Iteration, Which);
  X.forEachSymbol([&](SymbolId S) {
    const auto &Of = Names[S].ReadAt;
    if (!Then || !Of || !Of->Offset.uses(Iteration))
      return;
    std::optional<Number> Place = Of->Offset.replace(Iteration, Which);
    std::optional<SymbolId> There;
    Y.forEachSymbol([&](SymbolId T) {
      const auto &From = Names[T].ReadAt;
      if (Place && From && From->Region == Of->Region &&
          From->Contents == Of->Contents && From->Offset == *Place)
        There = T;
    });
    Then = There ? Then->replace(S, Number::symbol(*There)) : std::nullopt;
  });
  return Then;
}

/// Whether Y is what X was some periods ago.
static bool isEarlier(const Number &Y, const Number &X, SymbolId Iteration,
                      const Symbols &Names) {
  constexpr int64_t Periods = 12;
  // What was chosen in this iteration says nothing of the choice in another.
  bool Uses =
      Iteration && (X.uses(Iteration) || Names.any(X, [&](const Symbol &S) {
        return S.ReadAt && S.ReadAt->Offset.uses(Iteration);
      }));
  if (!Uses || Names.findChosen(X))
    return Y == X;
  for (int64_t Back = 1; Back <= Periods; ++Back)
    if (std::optional<Number> Then =
            inIteration(X, Iteration, Number(-Back), Y, Names);
        Then && *Then == Y)
      return true;
  return false;
}

/// Whether all that know of X know of Y.
static bool knownAsWell(StringRef OfY, StringRef OfX) {
  for (size_t N = 0; N < OfX.size(); ++N)
    if (OfX[N] == '1' && OfY[N] == '0')
      return false;
  return true;
}

Runtime::LoopHead Runtime::loopHead(const clang::Stmt *Loop, SymbolId Iteration,
                                    unsigned Made) const {
  return {Loop, Iteration, Made, bufferNames()};
}

/// The accesses of a list that may still race with later ones.
std::vector<Runtime::OpenAccess>
Runtime::openAccesses(const Bounded<Access> &List, const LoopHead &Head) const {
  auto Called = [&](const Number &N) { return accessName(N, Head); };
  std::vector<OpenAccess> Open;
  for (const Access &X : List) {
    std::string Who = waitersOf(X.When, Head.Called);
    // What all pipes know to be complete races with nothing any more.
    if (X.When.On != Pipe::S &&
        StringRef(Who).take_front(sim::NumPipes).count('1') == sim::NumPipes)
      continue;
    if (X.Widened) {
      Open.push_back(
          {&X,
           (X.Bytes.Write ? "w" : "r") + text(static_cast<unsigned>(X.When.On)),
           Called(X.Bytes.Begin), std::move(Who)});
      continue;
    }
    Open.push_back({&X,
                    text(X.At.getRawEncoding()) + (X.Bytes.Write ? "w" : "r") +
                        (X.Bytes.Atomic ? "a" : "") + (X.UnitFlag ? "u" : "") +
                        (X.Interlocked ? "i" : "") + (X.ByPointer ? "p" : "") +
                        X.Name + ":" + text(static_cast<unsigned>(X.When.On)) +
                        ":" + Called(X.Bytes.Span) + ":" +
                        Called(X.Bytes.Certain) +
                        (X.Bytes.Pitch ? ":" + Called(*X.Bytes.Pitch) : ""),
                    Called(X.Bytes.Begin), std::move(Who)});
  }
  return Open;
}

/// Whether X, the same access in a later iteration, stands for Y as well.
static bool standsFor(const Runtime::OpenAccess &X,
                      const Runtime::OpenAccess &Y) {
  return &X != &Y && X.What == Y.What && X.X->When.Time > Y.X->When.Time &&
         knownAsWell(Y.Who, X.Who);
}

Runtime::OrderState Runtime::orderState(const LoopHead &Head) const {
  OrderState Result = {registersState(Head), {}};
  for (const auto &[R, List] : Accesses) {
    const std::vector<OpenAccess> Open = openAccesses(List, Head);
    for (const OpenAccess &Y : Open) {
      bool Earlier = any_of(Open, [&](const OpenAccess &X) {
        return standsFor(X, Y) && (X.Where == Y.Where ||
                                   isEarlier(Y.X->Bytes.Begin, X.X->Bytes.Begin,
                                             Head.Iteration, Kernel.Names));
      });
      if (!Earlier)
        Result.Pending[Head.Called.region(R) + ":" + Y.What + "@" + Y.Where]
            .insert(Y.Who);
    }
  }
  return Result;
}

/// Of many accesses, those to places of earlier iterations that nothing can
/// refer to any more: nothing that is known tells them from later ones.
void Runtime::forgetEarlier(const LoopHead &Head) {
  constexpr size_t Many = limits::Accesses.Most / 4;
  for (auto &[R, List] : Accesses) {
    if (List.size() < Many)
      continue;
    const std::vector<OpenAccess> Open = openAccesses(List, Head);
    SmallPtrSet<const Access *, 16> Earlier;
    for (const OpenAccess &Y : Open)
      if (any_of(Open, [&](const OpenAccess &X) {
            return standsFor(X, Y) && X.Where == Y.Where;
          }))
        Earlier.insert(Y.X);
    size_t N = 0;
    std::vector<bool> Gone;
    for (const Access &X : List)
      Gone.push_back(Earlier.contains(&X));
    List.eraseIf([&](const Access &) { return Gone[N++]; });
  }
}

/// Pipes that know more have less to wait for, and what is not pending needs no
/// waiting at all.
bool Runtime::OrderState::covers(const OrderState &Other) const {
  return Registers == Other.Registers && covers(Pending, Other.Pending);
}

bool Runtime::OrderState::covers(const Accesses &Pending,
                                 const Accesses &Others) {
  return all_of(Others, [&](const auto &Theirs) {
    auto Mine = Pending.find(Theirs.first);
    return Mine != Pending.end() &&
           all_of(Theirs.second, [&](const std::string &Who) {
             return any_of(Mine->second, [&](const std::string &Fewer) {
               return Fewer.size() == Who.size() && knownAsWell(Who, Fewer);
             });
           });
  });
}

std::string Runtime::valueState(const LoopHead &Head) const {
  const BufferNames &Called = Head.Called;
  // Who takes a free buffer finds nothing in it.
  std::set<RegionId> Free;
  for (const Buffer *B : Called.Order)
    if (B->Queue && B->State == sim::BufferState::Free)
      Free.insert(B->In);
  std::set<std::string> Regions;
  for (const auto &[R, List] : AllWritten) {
    if (Free.count(R))
      continue;
    std::set<std::string> Each;
    for (size_t N = 0; N < List.size(); ++N) {
      const struct Written &Y = List[N];
      bool Earlier = false;
      for (size_t M = N + 1; M < List.size() && !Earlier; ++M)
        Earlier =
            List[M].State == Y.State && !Y.Bits && !Y.InRows &&
            isEarlier(Y.Begin, List[M].Begin, Head.Iteration, Kernel.Names) &&
            isEarlier(Y.End, List[M].End, Head.Iteration, Kernel.Names);
      if (!Earlier)
        Each.insert(canonical(Y.Begin, Head) + ".." + canonical(Y.End, Head) +
                    ":" + text(static_cast<unsigned>(Y.State)) +
                    (Y.Bits ? "#" + canonical(*Y.Bits, Head) : "") +
                    (Y.InRows ? "/" + canonical(Y.InRows->Each, Head) + "," +
                                    canonical(Y.InRows->Pitch, Head)
                              : ""));
    }
    if (!Each.empty())
      Regions.insert(Called.region(R) + (List.forgot() ? "?" : "") + ":" +
                     join(Each, ","));
  }
  return join(Regions, "|");
}

//===----------------------------------------------------------------------===//
// States that paths have in common
//===----------------------------------------------------------------------===//

Runtime::OrderState Runtime::exactState(const clang::Stmt *Loop,
                                        SymbolId Iteration, Naming &Names,
                                        std::string &Text) const {
  LoopHead Head = loopHead(Loop, Iteration, 0);
  Head.Exact = &Names;
  Text += "|phase" + text(Phase) + "," + text(Barriers) + "," +
          text(AsksBlock) + text(HalfChosen) + text(Cube) + text(AnySyncAll);
  for (const Region &R : Regions)
    Text += ";" + R.Name + ":" + text(static_cast<unsigned>(R.Where)) +
            (R.Sized ? "=" + Names.text(R.Bytes) : "") +
            (R.Contents ? "'" : "");
  for (const auto &[S, R] : Spaces)
    Text += ";" + text(static_cast<unsigned>(S)) + "@" + text(R);
  for (const auto &[S, R] : Rests)
    Text += ";" + text(static_cast<unsigned>(S)) + "~" + text(R);
  for (Space S : Fixed)
    Text += ";!" + text(static_cast<unsigned>(S));
  // What is said of a tensor holds until its buffer changes hands.
  std::set<std::string> Said;
  for (const Note &N : reverse(Notes))
    if (auto At = Buffers.find(N.Buffer); At != Buffers.end() &&
                                          N.When >= At->second.Changed &&
                                          N.Address.isAddress())
      Said.insert(Head.Called.region(N.Address.Id) + "+" +
                  Names.text(N.Address.N) + ":" + Names.text(N.Bytes));
  Text += "|" + join(Said, ";");
  for (const auto &[Id, _] : Mutexes)
    Text += ";m" + itostr(Id);
  Text += "|" + registersState(Head) + "|" + valueState(Head);
  return orderState(Head); // accesses last: they give no names
}

void Runtime::widenAccesses() {
  constexpr int64_t Large = int64_t(1) << 60;
  LostWrites = true;
  AllWritten.clear();
  std::set<SymbolId> Held;
  I.forEachLiveValue([&](const Value &V) {
    V.N.forEachSymbol([&](SymbolId S) { Held.insert(S); });
  });
  for (auto &[R, List] : Accesses) {
    for (size_t N = 0; N < List.size(); ++N) {
      Access &X = List[N];
      std::optional<SymbolId> Tensor = tensorOf(X.Bytes);
      bool Gone =
          Regions[R].Where != Space::GM || (Tensor && !Held.count(*Tensor));
      if (!Gone || X.Widened || X.Bytes.Atomic || X.UnitFlag || X.Interlocked ||
          X.ByPointer)
        continue;
      X.Widened = true;
      X.Bytes.Begin =
          (Tensor ? Number::symbol(*Tensor) : Number()) - Number(Large);
      X.Bytes.Span = Number(2 * Large);
      X.Bytes.Certain = Number();
      X.Bytes.Pitch.reset();
      X.Bytes.Size = Operand::Extent::AtMost;
    }
    // Who knows of the last one knows of those before it.
    std::vector<Access> All(List.begin(), List.end());
    List.eraseIf([&](const Access &X) {
      return X.Widened && any_of(All, [&](const Access &Y) {
               return Y.Widened && Y.When.On == X.When.On &&
                      Y.When.Time > X.When.Time &&
                      Y.Bytes.Write == X.Bytes.Write &&
                      Y.Bytes.Begin == X.Bytes.Begin;
             });
    });
  }
}

bool Runtime::mayJoin() const {
  return !Phase && !Barriers && !CrossSynced && !AnySyncAll &&
         !Kernel.BothHalves &&
         all_of(Delayed, [](const auto &Pipe) { return Pipe.empty(); });
}

void Runtime::joined() {
  ++Kernel.Joined;
  // What blocks do on such paths is not compared as a whole.
  Kernel.unknown(Topic::Cores, I.here(),
                 "blocks on paths that come together are not compared");
  Kernel.unknown(Topic::Values, I.here(),
                 "what paths that come together have written is not followed");
  if (!WideOffsets.empty())
    Kernel.unknown(Topic::Overflow, WideOffsets.front().Used,
                   "whether the offset fits its type is not known");
}

std::optional<bool> Runtime::isCurrent(PathId Record,
                                       const Value &Generation) const {
  auto At = Buffers.find(Record);
  if (At == Buffers.end())
    return std::nullopt;
  return Generation.constant() == int64_t(At->second.Generation);
}
