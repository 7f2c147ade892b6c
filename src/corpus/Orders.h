//===- Orders.h - The sanitizer's word against random orders ----*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sanitizer computes which accesses nothing orders; running the pipes in
// random legal orders shows what that does. The two share no code but the table
// of what compilers and interlocks order, so each is a test of the other: a
// kernel without a finding has to give the same bits in every order, and most
// kernels with one should not.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_CORPUS_ORDERS_H
#define BELAY_CORPUS_ORDERS_H

#include "corpus/Trials.h"

namespace belay::corpus {

/// What the sanitizer says of the order of a kernel's instructions.
enum class OrderVerdict {
  RaceFree,
  /// Flags that may be lost or stay set, but no race in this run.
  Flags,
  Racy,
};

/// What random orders did with a kernel.
enum class OrderEffect {
  None,
  Differs,
  /// It does not get through in program order either.
  NoResult,
};

struct OrderTrial {
  const Trial *Of;
  OrderVerdict Said;
  OrderEffect Seen;
  /// The kernel under random orders.
  const report::CaseResult *Reordered;
};

struct OrderScore {
  unsigned RaceFree = 0, Same = 0;
  unsigned Racy = 0, Different = 0;
  unsigned Flags = 0, FlagsDifferent = 0;
  unsigned NoResult = 0;

  void count(const OrderTrial &Each);
};

struct OrderBoard {
  /// In the order of the corpus; examples come last.
  std::vector<std::pair<std::string, OrderScore>> Classes;
  OrderScore Total;
  std::vector<OrderTrial> Trials;

  /// Every race-free kernel is the same in all orders, and of the racy ones at
  /// least four of five are not.
  bool holds() const {
    return Total.Same == Total.RaceFree &&
           Total.Different * 5 >= Total.Racy * 4;
  }
};

/// Compares the results of the same trials with --check and with --schedules.
OrderBoard compareOrders(llvm::ArrayRef<Trial> Trials,
                         llvm::ArrayRef<report::CaseResult> Checked,
                         llvm::ArrayRef<report::CaseResult> Reordered);

} // namespace belay::corpus

#endif // BELAY_CORPUS_ORDERS_H
