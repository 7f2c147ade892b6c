//===- Tails.h - The bytes after arguments, compared ------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A store through a plain pointer faults where the last page of its argument
// ends. What lies between the end of the argument and the end of that page is
// filled before the launch and compared after it: this finds the store without
// its line, which a run with --check has.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_RUNNER_TAILS_H
#define BELAY_RUNNER_TAILS_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace belay::sim {

struct GlobalBuffer;

class Tails {
public:
  /// Watches what B's last page of Page bytes has left.
  void add(const GlobalBuffer &B, size_t Page);
  void fill() const;
  /// Ends the run if a byte has changed.
  void check() const;

private:
  struct Tail {
    const GlobalBuffer *Of;
    uint8_t *Begin, *End;
  };
  std::vector<Tail> All;
};

} // namespace belay::sim

#endif // BELAY_RUNNER_TAILS_H
