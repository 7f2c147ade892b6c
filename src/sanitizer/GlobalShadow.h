//===- GlobalShadow.h - Who touched global memory last ----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SANITIZER_GLOBALSHADOW_H
#define BELAY_SANITIZER_GLOBALSHADOW_H

#include "order/PipeClocks.h"
#include "sanitizer/Sites.h"

#include <map>
#include <mutex>
#include <vector>

namespace belay::sim {

class Core;

/// An access to global memory by any core.
struct GlobalAccess {
  const Core *Who = nullptr;
  uint32_t Block = 0; // that the core was busy with
  Epoch When;
  Site Where;
  bool Write = false;
  bool Atomic = false;
};

/// Shadow of global memory as intervals: DMA moves long runs of bytes, and a
/// launch touches each of them a few times, so a tree of runs is both smaller
/// and faster than cells.
class GlobalShadow {
public:
  /// Records an access to [Begin, End) and calls Conflict(const GlobalAccess &)
  /// for every earlier access to the same bytes that may conflict: at least one
  /// of the two writes, and not both are atomic. The caller knows the order.
  template <typename Fn>
  void access(uint64_t Begin, uint64_t End, const GlobalAccess &A, Fn Conflict);

  /// A write to the bytes in front of Address, the nearest that is known in
  /// [Begin, Address); or null.
  const GlobalAccess *writeBefore(uint64_t Begin, uint64_t Address) const;

private:
  /// The last plain write, if there was one, then the reads and the atomic
  /// writes since, one per core and pipe.
  struct Run {
    uint64_t End;
    std::vector<GlobalAccess> Accesses;
  };
  using Runs = std::map<uint64_t, Run>;

  void splitAt(uint64_t Address);
  static bool isPlainWrite(const GlobalAccess &A) {
    return A.Write && !A.Atomic;
  }
  static void update(Run &R, const GlobalAccess &A);

  std::mutex M;
  Runs Shadow;
};

inline const GlobalAccess *GlobalShadow::writeBefore(uint64_t Begin,
                                                     uint64_t Address) const {
  for (auto It = Shadow.lower_bound(Address); It != Shadow.begin();) {
    --It;
    if (It->first < Begin)
      break;
    for (const GlobalAccess &A : It->second.Accesses)
      if (A.Write)
        return &A;
  }
  return nullptr;
}

inline void GlobalShadow::splitAt(uint64_t Address) {
  auto It = Shadow.upper_bound(Address);
  if (It == Shadow.begin())
    return;
  --It;
  if (It->first == Address || It->second.End <= Address)
    return;
  Run Tail = It->second;
  It->second.End = Address;
  Shadow.emplace_hint(std::next(It), Address, std::move(Tail));
}

inline void GlobalShadow::update(Run &R, const GlobalAccess &A) {
  if (isPlainWrite(A))
    R.Accesses.clear();
  for (GlobalAccess &X : R.Accesses)
    if (!isPlainWrite(X) && X.Write == A.Write && X.Who == A.Who &&
        X.When.On == A.When.On) {
      X = A;
      return;
    }
  R.Accesses.push_back(A);
}

template <typename Fn>
void GlobalShadow::access(uint64_t Begin, uint64_t End, const GlobalAccess &A,
                          Fn Conflict) {
  std::lock_guard<std::mutex> Lock(M);
  splitAt(Begin);
  splitAt(End);
  uint64_t At = Begin;
  auto It = Shadow.lower_bound(Begin);
  while (At < End) {
    if (It == Shadow.end() || It->first > At) {
      uint64_t Stop = It == Shadow.end() ? End : std::min(End, It->first);
      Run New = {Stop, {}};
      update(New, A);
      It = std::next(Shadow.emplace_hint(It, At, std::move(New)));
      At = Stop;
      continue;
    }
    Run &R = It->second;
    bool AnyRead = false;
    for (const GlobalAccess &X : R.Accesses)
      AnyRead |= !X.Write;
    for (const GlobalAccess &X : R.Accesses) {
      // Whoever comes after the reads comes after the write they read.
      if (isPlainWrite(X) ? !A.Write || !AnyRead
          : X.Write       ? !A.Atomic
                          : A.Write)
        Conflict(X);
    }
    update(R, A);
    At = R.End;
    ++It;
  }
}

} // namespace belay::sim

#endif // BELAY_SANITIZER_GLOBALSHADOW_H
