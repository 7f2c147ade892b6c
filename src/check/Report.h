//===- Report.h - Findings and verdicts -------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the process that reads untrusted input (belay-checker) tells the one
// that started it, as JSON. Needs neither Clang nor the simulator.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_CHECK_REPORT_H
#define BELAY_CHECK_REPORT_H

#include "check/Clause.h"
#include "conditions/Table.h"
#include "support/Diagnostics.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <vector>

namespace belay::check {

/// What is asked of each kernel.
enum class Topic : uint8_t {
#define BELAY_TOPIC(Name, Text, Title) Name,
#include "check/Topics.def"
};
inline constexpr unsigned NumTopics = 0
#define BELAY_TOPIC(Name, Text, Title) +1
#include "check/Topics.def"
    ;
llvm::StringRef nameOf(Topic T);
llvm::StringRef titleOf(Topic T);
std::optional<Topic> topicNamed(llvm::StringRef Name);
/// The topic that a diagnostic belongs to.
std::optional<Topic> topicOf(support::DiagId Id);

/// Something that could not be told; with a clause, something that the numbers
/// of a launch tell.
struct Doubt {
  support::SourcePlace Where;
  std::string Why;
  std::optional<Clause> If = std::nullopt;
  bool Mistaken = false; ///< A path makes the mistake where it does not hold.
};

/// Of one kernel. A topic without findings and without doubts is clean; one
/// whose doubts all have a clause is clean in launches for which they hold.
struct KernelReport {
  std::string Name;
  support::SourcePlace Where;
  std::vector<support::Diagnostic> Findings;
  std::map<Topic, std::vector<Doubt>> Doubts;
  /// What the clauses are about.
  std::vector<LaunchNumber> Numbers;
  /// Findings that the source allows, by topic.
  std::map<Topic, unsigned> Silenced;
  unsigned Paths = 0;
};

enum class Verdict : uint8_t { Finding, Unknown, CleanIf, Clean, NotRequested };
llvm::StringRef nameOf(Verdict V);
/// Whether a launch may still show a mistake: what is clean under conditions is
/// not clean.
inline bool isOpen(Verdict V) {
  return V == Verdict::Unknown || V == Verdict::CleanIf;
}

struct Report {
  std::vector<KernelReport> Kernels;
  /// About the file as a whole: it does not compile, it has no kernel.
  std::vector<support::Diagnostic> Problems;
  /// Only the rules of the quick mode were asked.
  bool Quick = false;
  /// The files that were read for it, where their names are UTF-8.
  std::vector<std::string> Files;
  /// What Clang said about the file; no part of the JSON.
  std::string Messages;

  Verdict verdictOf(const KernelReport &K, Topic T) const;
};

/// What is asked of the launches of a kernel by topics that are clean if it
/// holds.
conditions::KernelConditions conditionsOf(const Report &R,
                                          const KernelReport &K);

llvm::json::Value toJson(const Report &R);
llvm::Expected<Report> parseReport(llvm::StringRef Json);

/// Takes out what a line of the source allows: `// belay: allow ID reason`, at
/// the end of the line or on the one before. Text, if given, is what the file
/// Name has in place of what the disk says.
void applyAllowances(Report &R, llvm::StringRef Name = "",
                     const std::optional<std::string> &Text = std::nullopt);

} // namespace belay::check

#endif // BELAY_CHECK_REPORT_H
