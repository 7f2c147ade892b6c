//===- Counter.cpp - Counting what cores execute --------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/core/Counter.h"

#include "model/core/Observer.h"
#include "model/core/Product.h"

#include <cstring>

namespace belay::sim {

namespace {

uint64_t bytesOf(const Extent &E) { return E.work(); }

class Counter : public Observer {
public:
  explicit Counter(LaunchCounts &Into) : Into(Into) {}

  void onInstruction(const InstructionRecord &I) override { count(I); }
  void onEnd() override {
    std::lock_guard Lock(Into.Mutex);
    auto Each = [&](uint64_t &To, uint64_t &From) {
      To += From;
      From = 0;
    };
    merge(Into.All, Mine, Each);
    Into.All.Known = true;
  }

private:
  template <typename F> static void merge(Counts &To, Counts &From, F &&Each) {
    for (unsigned P = 0; P < Counts::NumPipes; ++P)
      Each(To.ByPipe[P], From.ByPipe[P]);
    for (unsigned S = 0; S < Counts::NumSpaces; ++S)
      for (unsigned D = 0; D < Counts::NumSpaces; ++D)
        Each(To.Moved[S][D], From.Moved[S][D]);
    for (auto Field :
         {&Counts::Multiplications, &Counts::Products, &Counts::Slots,
          &Counts::Loads, &Counts::SetFlags, &Counts::WaitFlags,
          &Counts::Barriers, &Counts::CrossSets, &Counts::CrossWaits,
          &Counts::SyncAlls, &Counts::QueueSteps, &Counts::Locks})
      Each(To.*Field, From.*Field);
  }

  void count(const InstructionRecord &I) {
    switch (I.Kind) {
    case InstructionKind::Copy:
      countCopy(I);
      [[fallthrough]];
    case InstructionKind::Compute:
    case InstructionKind::ScalarAccess:
    case InstructionKind::CacheClean:
      if (I.On != Pipe::All)
        ++Mine.ByPipe[static_cast<unsigned>(I.On)];
      if (I.Shape)
        countProduct(*I.Shape);
      return;
    case InstructionKind::SetFlag:
      ++Mine.SetFlags;
      return;
    case InstructionKind::WaitFlag:
      ++Mine.WaitFlags;
      return;
    case InstructionKind::Barrier:
      ++Mine.Barriers;
      return;
    case InstructionKind::CrossSet:
      ++Mine.CrossSets;
      return;
    case InstructionKind::CrossWait:
      ++Mine.CrossWaits;
      return;
    case InstructionKind::SyncAll:
      ++Mine.SyncAlls;
      return;
    case InstructionKind::Alloc:
    case InstructionKind::EnQue:
    case InstructionKind::DeQue:
    case InstructionKind::Free:
      ++Mine.QueueSteps;
      return;
    case InstructionKind::Lock:
    case InstructionKind::Unlock:
      ++Mine.Locks;
      return;
    }
  }

  /// A copy has its source and its destination among its operands; parameters
  /// of a quantisation follow them.
  void countCopy(const InstructionRecord &I) {
    Mine.Loads += !std::strncmp(I.Name, "LoadData", 8);
    const OperandRecord *Source = nullptr, *Target = nullptr;
    uint64_t Read = 0, Written = 0;
    for (unsigned N = 0; N < I.NumOperands; ++N) {
      const OperandRecord &O = I.Operands[N];
      const OperandRecord *&First = O.Write ? Target : Source;
      if (!First)
        First = &O;
      if (O.Where == First->Where)
        (O.Write ? Written : Read) += bytesOf(O.Bytes);
    }
    if (!Source || !Target || Source->Where == Space::Host ||
        Target->Where == Space::Host)
      return;
    Mine.Moved[static_cast<unsigned>(Source->Where)]
              [static_cast<unsigned>(Target->Where)] +=
        Source->Where == Space::GM ? Read : Written;
  }

  void countProduct(const Product &P) {
    ++Mine.Multiplications;
    Mine.Products += uint64_t(P.M) * P.N * P.K;
    Mine.Slots += uint64_t(P.Rows) * P.Columns * P.Inner * P.C0 *
                  Product::FractalRows * Product::FractalRows;
  }

  LaunchCounts &Into;
  Counts Mine = {};
};

} // namespace

std::unique_ptr<Observer> makeCounter(LaunchCounts &Into) {
  return std::make_unique<Counter>(Into);
}

} // namespace belay::sim
