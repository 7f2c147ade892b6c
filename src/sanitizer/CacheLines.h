//===- CacheLines.h - What the scalar units' caches hide --------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SANITIZER_CACHELINES_H
#define BELAY_SANITIZER_CACHELINES_H

#include "order/PipeClocks.h"
#include "sanitizer/Sites.h"

#include <atomic>
#include <map>
#include <mutex>
#include <vector>

namespace belay::sim {

class Core;
class CrossCoreClocks;
class Findings;

/// The data caches of all scalar units, in lines of 64 bytes. GetValue and
/// SetValue of global memory go through them, copies do not, and nothing but
/// DataCacheCleanAndInvalid keeps them in step. The model never evicts: what
/// it reports may go well on the device when a line happens to be gone.
class CacheLines {
public:
  static constexpr uint64_t LineBytes = 64;

  CacheLines(CrossCoreClocks &Order, Findings &Out) : Order(Order), Out(Out) {}

  struct Access {
    const Core *Who;
    const PipeClocks *Clocks; // of Who
    Epoch When;
    Site Where;
    uint64_t Begin, End;
  };
  void scalarRead(const Access &A);
  void scalarWrite(const Access &A);
  void copyRead(const Access &A);
  void copyWrite(const Access &A);
  /// From Address to the end of its line, or all lines of the core.
  void clean(const Core &C, Epoch When, uint64_t Address);
  void cleanAll(const Core &C, Epoch When);

private:
  /// A line in the cache of one core.
  struct Copy {
    const Core *Who = nullptr;
    bool Present = true;
    uint64_t Dirty = 0; // a bit for each byte that SetValue wrote
    Epoch Written, Cleaned;
    Site Writer;
    uint64_t Old = 0; // bytes that memory has newer than this copy
    Epoch Renewed;
    Site Renewer;
    const Core *RenewedBy = nullptr;
  };
  using Line = std::vector<Copy>;

  static uint64_t bytesOf(const Access &A, uint64_t Line);
  static Copy &copyOf(Line &L, const Core *Who);
  static void drop(Copy &X, Epoch When, uint64_t Bytes);
  static void renew(Copy &X, const Access &A, uint64_t Bytes);
  bool ordered(const Core &Other, Epoch Before, const Access &A);
  /// Whether X has bytes that memory does not have when A comes.
  bool hides(const Copy &X, const Access &A, uint64_t Bytes);
  void reportHidden(const Copy &X, const Access &A);
  template <typename Fn> void forEachLine(const Access &A, Fn Visit);

  CrossCoreClocks &Order;
  Findings &Out;
  std::mutex M;
  std::map<uint64_t, Line> Lines;
  /// Most kernels never touch global memory by scalar; their copies need no
  /// lock.
  std::atomic<bool> Used{false};
};

} // namespace belay::sim

#endif // BELAY_SANITIZER_CACHELINES_H
