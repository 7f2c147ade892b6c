//===- Corpus.h - Unsafe kernels, safe twins, labels ------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   corpus/<class>/<id>/unsafe.cpp   a kernel with one defect
//                       safe.cpp     the same, fixed with one edit
//                       case.json    how to run both, and what to expect
//   corpus/bait/<name>/safe.cpp      a right kernel that looks wrong
//                      case.json
//
// Lines that a report has to name end in a marker comment, "// site" or
// "// other", so that labels hold no line numbers.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_CORPUS_CORPUS_H
#define BELAY_CORPUS_CORPUS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <set>
#include <string>
#include <vector>

namespace belay::corpus {

/// What one kind of checker is expected to say of the unsafe kernel.
struct Verdict {
  /// The id of the diagnostic; "" if this kind cannot see the defect.
  std::string Id;
  /// Why it cannot.
  std::string None;
  /// The report stands at a line marked "// site", and names a line marked
  /// "// other" as its second place.
  bool Site = true, Other = false;

  bool showable() const { return !Id.empty(); }
};

/// Where the idea of a pattern comes from.
struct Seed {
  enum class Kind { Real, Doc, Invented } From = Kind::Invented;
  /// Real: the fix it was learnt from, "<repository>-<hash>".
  std::string Commit;
};

/// Whether the label holds with the compiler's own flags, without, or both.
enum class SyncMode { On, Off, Any };

struct Pattern {
  std::string Id;    // "V6.1"; of a bait, its folder
  std::string Class; // the folder above
  std::string Directory;
  std::string Description;
  Seed Origin;
  std::vector<uint32_t> Archs;
  SyncMode Sync = SyncMode::Any;
  Verdict Dynamic, Static;
  /// Members of a case, for both kernels; then what only one of them has.
  llvm::json::Object Run, UnsafeRun, SafeRun;

  bool isBait() const { return Class == BaitClass; }
  std::string pathOf(llvm::StringRef File) const;

  static constexpr llvm::StringLiteral BaitClass = "bait";
};

/// The lines of one kernel that carry markers.
struct Marks {
  std::set<unsigned> Site, Other;
};

/// Reads one case.json. Directory is its folder.
llvm::Expected<Pattern> parsePattern(llvm::StringRef Json,
                                     llvm::StringRef Directory);

/// Reads every pattern below Root, ordered by class and folder.
llvm::Expected<std::vector<Pattern>> readCorpus(llvm::StringRef Root);

/// Finds "// site" and "// other" at the ends of lines.
Marks parseMarks(llvm::StringRef Source);

} // namespace belay::corpus

#endif // BELAY_CORPUS_CORPUS_H
