//===- CheckReport.cpp - What the static check says of a candidate --------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/CheckReport.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace belay;
using namespace belay::bench;
using belay::support::Diagnostic;

static void addUnknown(Result &R, StringRef Topic) {
  if (!is_contained(R.Unknown, Topic))
    R.Unknown.push_back(Topic.str());
}

void bench::chargeCheck(const check::Report &Report, Result &R,
                        function_ref<void(const Diagnostic &)> Add) {
  // A checker that reached a limit has found nothing, and knows nothing. One
  // that crashed is a defect, which nobody is to gain by.
  for (const Diagnostic &Each : Report.Problems) {
    addUnknown(R, "all");
    if (faultOf(Each.Id) == Fault::NotOurs) {
      R.Judged = false;
      Add(Each);
    }
  }
  for (const check::KernelReport &Kernel : Report.Kernels) {
    for (const Diagnostic &Each : Kernel.Findings)
      if (Fault What = faultOf(Each.Id); What != Fault::None) {
        R.charge(What);
        Add(Each);
      }
    for (unsigned I = 0; I < check::NumTopics; ++I) {
      auto Topic = static_cast<check::Topic>(I);
      if (isOpen(Report.verdictOf(Kernel, Topic)))
        addUnknown(R, check::nameOf(Topic));
    }
  }
}
