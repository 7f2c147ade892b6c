//===- FindingText.h - Names and lines for what was found -------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_REPORT_FINDINGTEXT_H
#define BELAY_REPORT_FINDINGTEXT_H

#include "support/Diagnostics.h"

namespace belay::report {

/// The first argument of the call at \p Where, as the source spells it:
/// "inQueueX" of pipe.InitBuffer(inQueueX, 2, bytes). Empty if the file cannot
/// be read, or if there is no call whose first argument is a name.
std::string firstArgumentAt(const support::SourcePlace &Where);

/// "1st", "2nd", "3rd", "4th"
std::string ordinal(uint64_t Number);

} // namespace belay::report

#endif // BELAY_REPORT_FINDINGTEXT_H
