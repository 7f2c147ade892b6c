//===- TimelineReport.h - When each instruction ran, to look at -*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_REPORT_TIMELINEREPORT_H
#define BELAY_REPORT_TIMELINEREPORT_H

#include "report/TimeReport.h"
#include "timing/Timeline.h"

namespace belay::report {

/// Writes a timeline: as a page that needs nothing else (.html), or as the
/// trace that Perfetto and chrome://tracing read, with one microsecond for each
/// cycle.
llvm::Error writeTimelineFile(llvm::StringRef Path, const timing::Timeline &T,
                              const TimeReport &Time, llvm::StringRef Kernel,
                              FrameResolver &Resolver);

} // namespace belay::report

#endif // BELAY_REPORT_TIMELINEREPORT_H
