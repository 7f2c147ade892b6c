//===- ThreadAccesses.cpp - What threads touch, and in what order ---------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/threads/ThreadAccesses.h"

#include "abi/Buffers.h"
#include "model/core/Device.h"
#include "model/core/Issue.h"

#include <algorithm>

namespace belay::sim {

void ThreadAccesses::begin(Core &Of, uint32_t Threads, uint32_t XExtent,
                           uint32_t YExtent) {
  C = &Of;
  X = XExtent;
  Y = YExtent;
  Order.begin(Threads);
  Local.clear();
  Global.clear();
  Sites.clear();
  SiteOf.clear();
  Lines.clear();
  NumRuns = 0;
  Empty.clear();
  Racing.clear();
}

void ThreadAccesses::end() {
  reportUnwritten();
  handOver();
}

/// As the kernel's source would name it.
std::string ThreadAccesses::nameOf(uint32_t Thread) const {
  if (X == 0 || (Y == 1 && Thread < X))
    return "thread " + std::to_string(Thread);
  return "thread (" + std::to_string(Thread % X) + ", " +
         std::to_string(Thread / X % Y) + ", " +
         std::to_string(Thread / X / Y) + ")";
}

void ThreadAccesses::inside(Core &Of, const ThreadAccess &A,
                            const void *Address, uint64_t Bytes) {
  auto *At = static_cast<const uint8_t *>(Address);
  Space S = Of.Memories.spaceOf(At);
  if (S == Space::UB) {
    auto Offset = static_cast<uint64_t>(At - Of.Memories.base(S));
    if (Offset + Bytes <= Of.Memories.bytes(S))
      return;
  } else if (S != Space::Host) {
    fail("wrong-memory", A.PC, "give threads pointers to UB or global memory",
         "%s of a thread works on %s", A.Name, belay::sim::nameOf(S));
  }
  // What is wrong, in the words of all instructions.
  const GlobalBuffer *B = Of.device().findGlobal(At);
  auto Offset = B ? static_cast<uint64_t>(At - B->Address) : 0;
  if (B && Offset + Bytes <= B->Bytes && (!A.Write || B->Writable))
    return;
  Issue I(A.Name, Pipe::V, A.PC, InstructionKind::Copy);
  I.drain();
  I.record().OfFunction = true;
  I.inside(Address, {Bytes}, Elem::U8, A.Write);
}

/// Each pair of lines is reported once; of more than a kernel has, none.
bool ThreadAccesses::isNew(const void *PC, const void *Other) {
  constexpr size_t MostPairs = 1 << 14;
  return Reported.size() < MostPairs && Reported.emplace(PC, Other).second;
}

void ThreadAccesses::access(const ThreadAccess &A, const void *Address,
                            uint64_t Bytes) {
  constexpr uint64_t MostBytes = 1 << 20;
  inside(*C, A, Address, Bytes);
  if (Bytes > MostBytes)
    fail("memory-limit", A.PC, "copy less at once, or by DataCopy",
         "a thread touches %llu bytes at once, more than --check follows",
         static_cast<unsigned long long>(Bytes));
  auto *At = static_cast<const uint8_t *>(Address);
  bool IsGlobal = C->Memories.spaceOf(At) == Space::Host;
  auto Begin = reinterpret_cast<uint64_t>(At);
  checkValues(A, At, Bytes, IsGlobal);
  compare(A, Begin, Begin + Bytes, IsGlobal);
  note(A, Begin, Begin + Bytes, IsGlobal);
  if (A.Atomic) {
    if (IsGlobal && Order.hasFenced(A.Thread))
      tellOthers(A.PC, Begin);
    Order.atomic(A.Thread, Begin);
  }
}

// --- values ------------------------------------------------------------------

void ThreadAccesses::checkValues(const ThreadAccess &A, const uint8_t *Address,
                                 uint64_t Bytes, bool IsGlobal) {
  uint8_t Flags[64] = {};
  for (uint64_t At = 0; At < Bytes; At += sizeof Flags) {
    uint64_t Part = std::min<uint64_t>(sizeof Flags, Bytes - At);
    if (!A.Write || A.Atomic) {
      C->Watcher->undefinedBytes(Address + At, Part, Flags);
      if (std::find(Flags, Flags + Part, 1) != Flags + Part &&
          isNew(A.PC, nullptr))
        Empty.emplace(A.PC, Unwritten{A.Thread, IsGlobal});
      std::fill_n(Flags, Part, 0);
    }
    if (A.Write)
      C->Watcher->onFunctionStore(Address + At, Part, Flags, nullptr, A.Name);
  }
}

void ThreadAccesses::reportUnwritten() {
  for (const auto &[PC, U] : Empty)
    if (!Racing.count(PC))
      C->Watcher->onMisuse(
          "uninitialised-read", PC, nullptr, "",
          nameOf(U.Thread) + " reads bytes of " +
              (U.Global ? "global memory" : "the UB") +
              " that nothing has written",
          "write them first, and wait at asc_syncthreads() for the threads "
          "that do");
}

// --- among threads -----------------------------------------------------------

uint32_t ThreadAccesses::siteOf(const ThreadAccess &A) {
  constexpr size_t MostSites = 1 << 16; // more than a kernel has lines
  if (Sites.size() == MostSites && !SiteOf.count(A.PC))
    return 0;
  auto [It, New] =
      SiteOf.try_emplace(A.PC, static_cast<uint32_t>(Sites.size()));
  if (New)
    Sites.push_back({A.PC, A.Name});
  return It->second;
}

void ThreadAccesses::compare(const ThreadAccess &A, uint64_t Begin,
                             uint64_t End, bool IsGlobal) {
  ThreadShadow &Shadow = IsGlobal ? Global : Local;
  if (Shadow.full())
    fail("memory-limit", A.PC, "launch fewer threads or less data with --check",
         "a function of threads touches more bytes between two barriers than "
         "--check keeps track of");
  Touch Now = {Order.timeOf(A.Thread), A.Thread, siteOf(A)};
  auto Against = [&](const Touch &T, bool Writes) {
    if (T.Time && !Order.knows(A.Thread, T.Thread, T.Time))
      report(A, T, Writes, IsGlobal);
  };
  Shadow.visit(Begin, End, [&](Touches &T, bool Note) {
    Against(T.Store, true);
    if (!A.Atomic)
      for (const Touch &Each : T.Atomics)
        Against(Each, true);
    if (A.Write)
      for (const Touch &Each : T.Loads)
        Against(Each, false);
    if (!Note)
      return;
    if (A.Atomic)
      Touches::add(T.Atomics, Now);
    else if (A.Write)
      T.Store = Now;
    else
      Touches::add(T.Loads, Now);
  });
}

void ThreadAccesses::report(const ThreadAccess &A, const Touch &Before,
                            bool BeforeWrites, bool IsGlobal) {
  const Site &Other = Sites[Before.Site];
  Racing.insert({A.PC, Other.PC});
  if (!isNew(A.PC, Other.PC))
    return;
  const char *Where = IsGlobal ? "global memory" : "the UB";
  C->Watcher->onMisuse(
      "thread-race", A.PC, Other.PC, BeforeWrites ? "written" : "read",
      nameOf(A.Thread) + (A.Write ? " writes" : " reads") + " bytes of " +
          Where + " that " + nameOf(Before.Thread) +
          (BeforeWrites ? " writes" : " reads") +
          ", and no barrier stands between them",
      "insert asc_syncthreads() between the two, give each thread bytes of its "
      "own, or use asc_atomic_* on both sides");
}

ThreadAccesses::Misuse ThreadAccesses::misuseOf(ThreadEvent What,
                                                const std::string &Thread,
                                                const std::string &Other) {
  switch (What) {
  case ThreadEvent::Diverged:
    return {"divergent-barrier",
            Thread + " waits at a barrier that " + Other +
                " never comes to: it has returned",
            "move asc_syncthreads() to where all threads come, out of "
            "branches and before returns"};
  case ThreadEvent::Elsewhere:
    return {"divergent-barrier",
            Thread + " waits at a barrier while " + Other +
                " waits at another one",
            "let all threads come to the same asc_syncthreads(), equally "
            "often"};
  default:
    return {"inactive-thread",
            Thread + " takes a value from " + Other +
                " of its warp, which does not take part in the exchange",
            "let all threads of the warp come to it, or take the value from "
            "one that does: see asc_activemask()"};
  }
}

void ThreadAccesses::event(ThreadEvent What, uint32_t Thread, uint32_t Other,
                           uint32_t Mask, const void *PC) {
  switch (What) {
  case ThreadEvent::Barrier:
    Order.barrier();
    Local.clear();
    Global.clear();
    return;
  case ThreadEvent::Warp:
    return Order.exchange(Thread / WarpThreads * WarpThreads, Mask);
  case ThreadEvent::Fence:
    return Order.fence(Thread);
  default:
    break;
  }
  Misuse M = misuseOf(What, nameOf(Thread), nameOf(Other));
  C->Watcher->onMisuse(M.Id, PC, nullptr, "", M.Message, M.Hint);
}

// --- for other pipes and cores -----------------------------------------------

void ThreadAccesses::note(const ThreadAccess &A, uint64_t Begin, uint64_t End,
                          bool IsGlobal) {
  uint64_t Key = reinterpret_cast<uint64_t>(A.PC) * 4 + A.Write * 2 + A.Atomic;
  auto [It, New] = Lines.try_emplace(Key);
  Line &L = It->second;
  // A line of a template may touch both memories, by the same code.
  if (!New && L.Global != IsGlobal)
    handOver(L);
  L.How = A;
  L.Global = IsGlobal;
  if (!IsGlobal)
    checkBuffer(L, Begin, End);
  if (!L.Runs.empty() && L.Runs.back().second == Begin) {
    L.Runs.back().second = End;
    return;
  }
  L.Runs.emplace_back(Begin, End);
  if (++NumRuns > (1u << 16))
    handOver();
}

/// The buffer of InitBuffer that holds an address; null if there is none.
const BufferRecord *ThreadAccesses::bufferAt(uint64_t Address) const {
  for (const Core::BufferBlock &Block : C->BufferBlocks)
    for (uint32_t N = 0; N < Block.Num; ++N) {
      const BufferRecord &B = Block.Records[N];
      auto First = reinterpret_cast<uint64_t>(B.Address);
      if (Address >= First && Address < First + B.Bytes)
        return &B;
    }
  return nullptr;
}

/// A line that was inside of a buffer of InitBuffer and is in none has left it.
void ThreadAccesses::checkBuffer(Line &L, uint64_t Begin, uint64_t End) {
  if (Begin >= L.InBegin && End <= L.InEnd)
    return;
  if (const BufferRecord *B = bufferAt(Begin)) {
    L.InBegin = reinterpret_cast<uint64_t>(B->Address);
    L.InEnd = L.InBegin + B->Bytes;
    L.InitializedAt = B->InitializedAt;
    if (End <= L.InEnd)
      return;
  }
  if (!L.InEnd || !isNew(L.How.PC, L.InitializedAt))
    return;
  C->Watcher->onMisuse(
      "tensor-out-of-bounds", L.How.PC, L.InitializedAt, "set up",
      nameOf(L.How.Thread) + (L.How.Write ? " writes" : " reads") +
          (Begin < L.InBegin ? " before the start" : " past the end") +
          " of a buffer of " + std::to_string(L.InEnd - L.InBegin) + " bytes",
      "compare the index with the size of the buffer before the access");
}

void ThreadAccesses::handOver(Line &L) {
  auto &Runs = L.Runs;
  std::sort(Runs.begin(), Runs.end());
  for (size_t N = 0; N < Runs.size();) {
    auto [Begin, End] = Runs[N];
    while (++N < Runs.size() && Runs[N].first <= End)
      End = std::max(End, Runs[N].second);
    Issue I(L.How.Name, Pipe::V, L.How.PC,
            L.Global ? InstructionKind::Copy : InstructionKind::Compute);
    I.drain();
    I.record().OfFunction = true;
    I.record().Atomic = L.How.Atomic;
    auto *At = reinterpret_cast<uint8_t *>(Begin);
    if (L.How.Write)
      I.write(At, {End - Begin}, Elem::U8, 1);
    else
      I.read(At, {End - Begin}, Elem::U8, 1);
    const BufferRecord *B = L.Global ? nullptr : bufferAt(Begin);
    if (!B || End > reinterpret_cast<uint64_t>(B->Address) + B->Bytes)
      continue;
    OperandRecord &O = I.record().Operands[0];
    O.Buffer = B;
    O.Generation = B->Generation;
  }
  Runs.clear();
}

void ThreadAccesses::handOver() {
  for (auto &[Key, L] : Lines)
    handOver(L);
  Lines.clear();
  NumRuns = 0;
}

/// A fence and an atomic on a word of global memory: other cores that do the
/// same come after all that was done before.
void ThreadAccesses::tellOthers(const void *PC, uint64_t Word) {
  handOver();
  InstructionRecord I;
  I.Name = "asc_threadfence";
  I.On = Pipe::V;
  I.Soft = true;
  I.Id = static_cast<int32_t>(Word >> 2 | 1u << 30) & INT32_MAX;
  I.PC = PC;
  I.Serial = C->Instructions;
  I.Kind = InstructionKind::CrossSet;
  C->Watcher->onArrive(I);
  I.Kind = InstructionKind::CrossWait;
  C->Watcher->onInstruction(I);
}

} // namespace belay::sim
