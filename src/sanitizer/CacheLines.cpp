//===- CacheLines.cpp - What the scalar units' caches hide ----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sanitizer/CacheLines.h"

#include "model/core/Core.h"
#include "sanitizer/CrossCoreClocks.h"
#include "sanitizer/Findings.h"

namespace belay::sim {

uint64_t CacheLines::bytesOf(const Access &A, uint64_t Line) {
  uint64_t Begin = Line * LineBytes;
  uint64_t First = A.Begin > Begin ? A.Begin - Begin : 0;
  uint64_t Last = std::min(A.End - Begin, LineBytes);
  uint64_t Count = Last - First;
  uint64_t Ones =
      Count == LineBytes ? ~uint64_t(0) : (uint64_t(1) << Count) - 1;
  return Ones << First;
}

/// Calls Visit(Line &, Bytes) for the lines of an access that some core has.
template <typename Fn> void CacheLines::forEachLine(const Access &A, Fn Visit) {
  if (!Used)
    return;
  std::lock_guard<std::mutex> Lock(M);
  auto It = Lines.lower_bound(A.Begin / LineBytes);
  for (; It != Lines.end() && It->first * LineBytes < A.End; ++It)
    Visit(It->second, bytesOf(A, It->first));
}

CacheLines::Copy &CacheLines::copyOf(Line &L, const Core *Who) {
  for (Copy &X : L)
    if (X.Who == Who) {
      if (!X.Present)
        X.Old = 0; // it is loaded anew
      X.Present = true;
      return X;
    }
  L.emplace_back().Who = Who;
  return L.back();
}

bool CacheLines::ordered(const Core &Other, Epoch Before, const Access &A) {
  return Order.ordered(Other, Before, *A.Who, *A.Clocks, A.When.On);
}

bool CacheLines::hides(const Copy &X, const Access &A, uint64_t Bytes) {
  if (!(X.Dirty & Bytes))
    return false;
  if (X.Who == A.Who)
    return X.Cleaned.Time == 0; // a copy: GetValue sees its own cache
  // What is not even ordered is a race, and reported as one.
  if (!ordered(*X.Who, X.Written, A))
    return false;
  return X.Cleaned.Time == 0 || !ordered(*X.Who, X.Cleaned, A);
}

void CacheLines::reportHidden(const Copy &X, const Access &A) {
  wording::Text T = wording::staleCache(A.Where.Name, X.Who == A.Who);
  Out.add("stale-cache", {A.Who, A.Where.PC, "read"},
          {X.Who, X.Writer.PC, "written"}, T.Message, T.Hint);
}

void CacheLines::scalarRead(const Access &A) {
  Used = true;
  {
    std::lock_guard<std::mutex> Lock(M);
    for (uint64_t N = A.Begin / LineBytes; N * LineBytes < A.End; ++N)
      Lines[N];
  }
  forEachLine(A, [&](Line &L, uint64_t Bytes) {
    for (const Copy &X : L)
      if (X.Who != A.Who && hides(X, A, Bytes))
        reportHidden(X, A);
    Copy &Mine = copyOf(L, A.Who);
    bool Ordered =
        Mine.RenewedBy == A.Who ||
        (Mine.RenewedBy && ordered(*Mine.RenewedBy, Mine.Renewed, A));
    if ((Mine.Old & Bytes) && Ordered)
      Out.add("stale-cache", {A.Who, A.Where.PC, "read"},
              {Mine.RenewedBy, Mine.Renewer.PC, "written"},
              std::string(A.Where.Name) +
                  " reads a line that is in the data cache of this core since "
                  "an earlier access, and may show the value from before it "
                  "was written",
              "call DataCacheCleanAndInvalid on the reading core, after the "
              "two are synchronised");
  });
}

void CacheLines::scalarWrite(const Access &A) {
  Used = true;
  {
    std::lock_guard<std::mutex> Lock(M);
    for (uint64_t N = A.Begin / LineBytes; N * LineBytes < A.End; ++N)
      Lines[N];
  }
  forEachLine(A, [&](Line &L, uint64_t Bytes) {
    for (Copy &X : L) {
      if (X.Who == A.Who)
        continue;
      bool Back = X.Cleaned.Time && ordered(*X.Who, X.Cleaned, A);
      if (X.Dirty && !Back)
        Out.add("stale-cache", {A.Who, A.Where.PC, "written"},
                {X.Who, X.Writer.PC, "written"},
                "two cores write to the same 64 bytes with SetValue: each "
                "writes back its whole cache line, and what the other wrote "
                "may be lost",
                "keep the numbers of different cores 64 bytes apart, or store "
                "them with DataCopyPad");
      renew(X, A, Bytes);
    }
    Copy &Mine = copyOf(L, A.Who);
    if (Mine.Cleaned.Time)
      Mine.Dirty = 0;
    Mine.Dirty |= Bytes;
    Mine.Old &= ~Bytes;
    Mine.Written = A.When;
    Mine.Writer = A.Where;
    Mine.Cleaned = {};
  });
}

void CacheLines::copyRead(const Access &A) {
  forEachLine(A, [&](Line &L, uint64_t Bytes) {
    for (const Copy &X : L)
      if (hides(X, A, Bytes))
        reportHidden(X, A);
  });
}

void CacheLines::renew(Copy &X, const Access &A, uint64_t Bytes) {
  if (!X.Present)
    return;
  X.Old |= Bytes;
  X.Renewed = A.When;
  X.Renewer = A.Where;
  X.RenewedBy = A.Who;
}

void CacheLines::copyWrite(const Access &A) {
  forEachLine(A, [&](Line &L, uint64_t Bytes) {
    for (Copy &X : L)
      renew(X, A, Bytes);
  });
}

void CacheLines::drop(Copy &X, Epoch When, uint64_t Bytes) {
  X.Old &= ~Bytes;
  if (X.Dirty & ~Bytes) { // a part stays in the cache
    X.Dirty &= ~Bytes;
    return;
  }
  X.Present = false;
  if (X.Dirty && !X.Cleaned.Time)
    X.Cleaned = When;
}

void CacheLines::clean(const Core &C, Epoch When, uint64_t Address) {
  Access A = {&C, nullptr, When,
              {}, Address, (Address / LineBytes + 1) * LineBytes};
  forEachLine(A, [&](Line &L, uint64_t Bytes) {
    for (Copy &X : L)
      if (X.Who == &C)
        drop(X, When, Bytes);
  });
}

void CacheLines::cleanAll(const Core &C, Epoch When) {
  Access A = {&C, nullptr, When, {}, 0, ~uint64_t(0)};
  forEachLine(A, [&](Line &L, uint64_t) {
    for (Copy &X : L)
      if (X.Who == &C)
        drop(X, When, ~uint64_t(0));
  });
}

} // namespace belay::sim
