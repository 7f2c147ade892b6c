//===- TopicVerdict.h - What a static check says of a topic -----*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_REPORT_TOPICVERDICT_H
#define BELAY_REPORT_TOPICVERDICT_H

#include "support/Diagnostics.h"
#include <string>
#include <vector>

namespace belay::report {

/// What a check that reads the source says about one topic.
struct TopicVerdict {
  std::string Topic; // "sync"
  /// "finding", "clean", "clean if", "unknown", "not asked".
  std::string Verdict;
  /// Why it is not known.
  std::vector<support::DiagNote> Reasons;
  /// What a launch has to be like for it to be clean.
  std::vector<support::DiagNote> Conditions;
};

} // namespace belay::report

#endif // BELAY_REPORT_TOPICVERDICT_H
