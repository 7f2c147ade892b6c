//===- ThreadAccesses.h - What threads touch, and in what order -*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two views of the same accesses, while someone watches. For the other pipes
// and cores a line of the function touches some ranges of bytes, by the vector
// unit: those are handed to the observer when the function ends. For the
// threads among themselves each access is compared with earlier ones at once.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MODEL_THREADS_THREADACCESSES_H
#define BELAY_MODEL_THREADS_THREADACCESSES_H

#include "abi/Threads.h"
#include "model/threads/ThreadOrder.h"
#include "model/threads/ThreadShadow.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace belay::sim {

class Core;
struct BufferRecord;

struct ThreadAccess {
  uint32_t Thread;
  const void *PC;
  const char *Name;
  bool Write, Atomic;
};

class ThreadAccesses {
public:
  void begin(Core &Of, uint32_t Threads, uint32_t X, uint32_t Y);
  void end();

  void access(const ThreadAccess &A, const void *Address, uint64_t Bytes);
  void event(ThreadEvent What, uint32_t Thread, uint32_t Other, uint32_t Mask,
             const void *PC);
  /// Ends the run if the bytes are in no memory.
  static void inside(Core &Of, const ThreadAccess &A, const void *Address,
                     uint64_t Bytes);

  struct Misuse {
    const char *Id;
    std::string Message;
    const char *Hint;
  };
  static Misuse misuseOf(ThreadEvent What, const std::string &Thread,
                         const std::string &Other);

private:
  /// The bytes that one line touches in one way.
  struct Line {
    ThreadAccess How;
    bool Global;
    std::vector<std::pair<uint64_t, uint64_t>> Runs;
    /// The buffer that it was in before, and where that was set up.
    uint64_t InBegin = 0, InEnd = 0;
    const void *InitializedAt = nullptr;
  };

  std::string nameOf(uint32_t Thread) const;
  void compare(const ThreadAccess &A, uint64_t Begin, uint64_t End,
               bool Global);
  void report(const ThreadAccess &A, const Touch &Before, bool BeforeWrites,
              bool Global);
  void checkValues(const ThreadAccess &A, const uint8_t *Address,
                   uint64_t Bytes, bool Global);
  void reportUnwritten();
  void note(const ThreadAccess &A, uint64_t Begin, uint64_t End, bool Global);
  const BufferRecord *bufferAt(uint64_t Address) const;
  void checkBuffer(Line &L, uint64_t Begin, uint64_t End);
  bool isNew(const void *PC, const void *Other);
  void tellOthers(const void *PC, uint64_t Word);
  void handOver();
  void handOver(Line &L);
  uint32_t siteOf(const ThreadAccess &A);

  Core *C = nullptr;
  uint32_t X = 1, Y = 1;
  ThreadOrder Order;
  ThreadShadow Local, Global;
  struct Site {
    const void *PC;
    const char *Name;
  };
  std::vector<Site> Sites;
  std::unordered_map<const void *, uint32_t> SiteOf;
  std::unordered_map<uint64_t, Line> Lines;
  size_t NumRuns = 0;
  std::set<std::pair<const void *, const void *>> Reported;
  /// Lines that read bytes without a value, and those that race: where both are
  /// true, the value comes too late.
  struct Unwritten {
    uint32_t Thread;
    bool Global;
  };
  std::map<const void *, Unwritten> Empty;
  std::set<const void *> Racing;
};

} // namespace belay::sim

#endif // BELAY_MODEL_THREADS_THREADACCESSES_H
