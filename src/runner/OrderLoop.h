//===- OrderLoop.h - One kernel in many orders, in one process --*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_RUNNER_ORDERLOOP_H
#define BELAY_RUNNER_ORDERLOOP_H

#include "abi/Launch.h"

#include <functional>
#include <vector>

namespace belay::sim {

/// Runs a kernel in the order of seed 0 and then in random ones until an output
/// differs. A process per order would spend nearly all its time on starting.
class OrderLoop {
public:
  /// "COUNT:ARG,ARG,..." with the numbers of the arguments that are outputs;
  /// false if it is something else.
  bool parse(const char *Text);

  /// Memory that the kernel may write, as it is before the first run.
  void add(const Arg &A, uint32_t Number, uint8_t *Address);
  void addElement(const Arg &A, uint8_t *Address) {
    if (A.Writable)
      remember(A, /*Output=*/true, Address);
  }

  /// Ask.OrderSeed is that of the first order; afterwards, and in a failure,
  /// that of the last one that ran.
  void run(Plan &Ask, const std::function<void()> &Once);

private:
  struct Memory {
    uint8_t *Address;
    uint64_t Bytes;
    int Fd;
    bool Output;
    std::vector<uint8_t> Before, Reference; // empty: zeros, not compared
  };

  void remember(const Arg &A, bool Output, uint8_t *Address);
  void restore();
  bool differs() const;

  unsigned Count = 0;
  std::vector<uint32_t> Outputs;
  std::vector<Memory> Memories;
};

} // namespace belay::sim

#endif // BELAY_RUNNER_ORDERLOOP_H
