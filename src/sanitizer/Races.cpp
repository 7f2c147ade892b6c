//===- Races.cpp - Accesses that nothing orders ---------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/core/Core.h"
#include "model/core/Device.h"
#include "sanitizer/Pieces.h"
#include "sanitizer/Sanitizer.h"

namespace belay::sim {

namespace {

wording::Actor actorOf(const Site &S, bool Writes) {
  return {S.Name, S.On, Writes, S.ByPointer};
}

} // namespace

void Sanitizer::touch(const InstructionRecord &I, const Clock &Scalar) {
  Epoch Now = Clocks.issue(I.On, Scalar);
  SiteId Here = Sites.idOf(I);
  Sites.take(Here, Now.Time);
  Cube.note(I, Now);
  // A library object is one step of the scalar unit, which waits for its end.
  if (I.On == Pipe::S && I.Kind != InstructionKind::ScalarAccess)
    Clocks.barrier(Pipe::S);
  // Sources first: an instruction may read what it then overwrites.
  for (bool Writes : {false, true})
    for (unsigned N = 0; N < I.NumOperands; ++N) {
      const OperandRecord &O = I.Operands[N];
      if (O.Write != Writes)
        continue;
      if (O.Where == Space::GM) {
        touchGlobal(I, O, Now, Here);
        touchCaches(I, O, Now);
      } else
        touchLocal(I, O, Now, Here);
    }
}

void Sanitizer::touchLocal(const InstructionRecord &I, const OperandRecord &O,
                           Epoch Now, SiteId Here) {
  auto &Shadow = Locals[static_cast<unsigned>(O.Where)];
  if (!Shadow)
    Shadow = std::make_unique<LocalShadow>(C.Memories.bytes(O.Where));
  auto Base = static_cast<uint32_t>(static_cast<const uint8_t *>(O.Address) -
                                    C.Memories.base(O.Where));
  unsigned P = static_cast<unsigned>(Now.On);
  forEachPiece(O.Bytes, [&](uint64_t Offset, uint64_t Bytes) {
    uint32_t Begin = Base + static_cast<uint32_t>(Offset);
    Shadow->visit(Begin, Begin + static_cast<uint32_t>(Bytes), O.Write,
                  [&](AccessHistory &H) {
                    // Whoever comes after the reads comes after the write they
                    // read, but for the scalar unit's own reads of its stores.
                    if (!O.Write || !H.AnyRead || H.WritePipe == Pipe::S)
                      check({H.WriteTime, H.WritePipe}, H.WriteSite, true, Now,
                            Here, O);
                    if (!O.Write) {
                      H.ReadTime[P] = Now.Time;
                      H.ReadSite[P] = Here;
                      H.AnyRead = true;
                      return;
                    }
                    if (H.AnyRead)
                      for (unsigned Q = 0; Q < NumPipes; ++Q)
                        check({H.ReadTime[Q], static_cast<Pipe>(Q)},
                              H.ReadSite[Q], false, Now, Here, O);
                    H = AccessHistory();
                    H.WriteTime = Now.Time;
                    H.WritePipe = Now.On;
                    H.WriteSite = Here;
                  });
  });
}

void Sanitizer::check(Epoch Before, SiteId Other, bool OtherWrites, Epoch Now,
                      SiteId Here, const OperandRecord &O) {
  if (Before.Time == 0 || (Before.On == Now.On && Before.Time == Now.Time))
    return;
  bool Store = Before.On == Pipe::S && OtherWrites;
  if (Store ? Clocks.storeOrdered(Before, Now.On)
            : Clocks.ordered(Before, Now.On))
    return;
  if (O.Where == Space::L0C && Cube.orders(Before, Now))
    return;
  Site Earlier = Sites.at(Other, Before.Time), Later = Sites.newest(Here);
  if (!Auto.orders(Before.On, Now.On, Earlier.ByPointer || Later.ByPointer))
    reportRace(Earlier, OtherWrites, Later, O);
  // One report, not one for each that follows.
  Store ? Clocks.orderStore(Before, Now.On) : Clocks.order(Before, Now.On);
}

void Sanitizer::touchGlobal(const InstructionRecord &I, const OperandRecord &O,
                            Epoch Now, SiteId Here) {
  GlobalAccess A = {
      &C, C.Block, Now, Sites.newest(Here), O.Write, I.Atomic && O.Write};
  auto Base = reinterpret_cast<uint64_t>(O.Address);
  forEachPiece(O.Bytes, [&](uint64_t Offset, uint64_t Bytes) {
    Shared.Global.access(
        Base + Offset, Base + Offset + Bytes, A, [&](const GlobalAccess &X) {
          if (X.Who == &C) {
            if (Clocks.ordered(X.When, Now.On) ||
                (X.When.On == Now.On && X.When.Time == Now.Time) ||
                Auto.orders(X.When.On, Now.On,
                            X.Where.ByPointer || A.Where.ByPointer))
              return;
          } else if (Shared.Cross.ordered(*X.Who, X.When, C, Clocks, Now.On)) {
            return;
          }
          if (X.Who != &C)
            reportCores(X, A, O);
          else
            reportRace(X.Where, X.Write, A.Where, O);
        });
  });
}

/// Atomics and the accesses that say so go past the caches. A routine that is
/// issued from the scalar unit as a whole (a Matmul object) copies inside.
void Sanitizer::touchCaches(const InstructionRecord &I, const OperandRecord &O,
                            Epoch Now) {
  if (I.On == Pipe::S && I.Atomic)
    return;
  bool Cached = I.On == Pipe::S && I.Kind == InstructionKind::ScalarAccess;
  auto Visit =
      Cached ? (O.Write ? &CacheLines::scalarWrite : &CacheLines::scalarRead)
             : (O.Write ? &CacheLines::copyWrite : &CacheLines::copyRead);
  auto Base = reinterpret_cast<uint64_t>(O.Address);
  forEachPiece(O.Bytes, [&](uint64_t Offset, uint64_t Bytes) {
    (Shared.Caches.*Visit)({&C,
                            &Clocks,
                            Now,
                            {I.PC, I.Name, I.On},
                            Base + Offset,
                            Base + Offset + Bytes});
  });
}

void Sanitizer::reportRace(const Site &Other, bool OtherWrites,
                           const Site &Here, const OperandRecord &O) {
  wording::Actor Before = actorOf(Other, OtherWrites),
                 After = actorOf(Here, O.Write);
  wording::Text T = wording::race(Before, After, O.Where);
  Shared.Out.add(wording::raceId(Before, After),
                 {&C, Here.PC, wording::roleOf(After), {}, Here.Execution},
                 {&C, Other.PC, wording::roleOf(Before), {}, Other.Execution},
                 T.Message, T.Hint, O, T.Insert);
}

/// Which of the two cores came first in this run means nothing; where they are
/// at the same line, the block decides who is named first.
void Sanitizer::reportCores(const GlobalAccess &Before,
                            const GlobalAccess &After, const OperandRecord &O) {
  bool Swap = Before.Where.PC == After.Where.PC &&
              Before.Write == After.Write && After.Block < Before.Block;
  const GlobalAccess &Other = Swap ? After : Before;
  const GlobalAccess &Here = Swap ? Before : After;
  auto ActorOf = [](const GlobalAccess &A) {
    return actorOf(A.Where, A.Write);
  };
  auto SideOf = [&](const GlobalAccess &A) {
    return Side{A.Who, A.Where.PC, wording::roleOf(ActorOf(A)), A.Block,
                A.Where.Execution};
  };
  wording::Text T = wording::raceBetweenCores(ActorOf(Other), ActorOf(Here));
  Shared.Out.add("race-between-cores", SideOf(Here), SideOf(Other), T.Message,
                 T.Hint, O);
}

} // namespace belay::sim
