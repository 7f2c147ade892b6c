//===- Baseline.h - Findings that are known -------------------------*- C++
//-*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A project that starts to use `belay check` has findings. Those in its
// baseline make no status, and are told from new ones by file, id and the text
// of their line, so that lines may move. A topic with such a finding is
// silenced, never clean.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TOOLS_BELAY_BASELINE_H
#define BELAY_TOOLS_BELAY_BASELINE_H

#include "report/CaseResult.h"

#include "llvm/Support/Error.h"

#include <map>
#include <tuple>

namespace belay::tool {

class Baseline {
public:
  static llvm::Expected<Baseline> read(llvm::StringRef Path);
  llvm::Error write(llvm::StringRef Path) const;

  /// Takes all findings in.
  void add(const report::CaseResult &Result);
  /// Takes out of Result what is known, each as often as it is known.
  void silence(report::CaseResult &Result);
  unsigned numSilenced() const { return NumSilenced; }

private:
  /// File, id, text of the line.
  using Key = std::tuple<std::string, std::string, std::string>;
  static Key keyOf(const support::Diagnostic &Finding);

  std::map<Key, unsigned> Known;
  unsigned NumSilenced = 0;
};

} // namespace belay::tool

#endif // BELAY_TOOLS_BELAY_BASELINE_H
