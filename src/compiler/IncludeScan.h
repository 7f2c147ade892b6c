//===- IncludeScan.h - What a source may include ----------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A compiler's dependency file lists what one of its passes read. A source that
// is compiled for host and device reads different headers in each, and only one
// list survives; the runtime compile library writes none. So the cache also
// looks for itself: every file that a directive could name, whatever stands
// around it. Too many files cost a recompilation, one too few a wrong result.
//
// The search is repeated for each lookup, so a header that appears in front of
// another one is noticed as well.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_COMPILER_INCLUDESCAN_H
#define BELAY_COMPILER_INCLUDESCAN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <utility>
#include <vector>

namespace belay::compiler {

struct IncludeScan {
  /// {path, content} of each file that was found, in order of discovery.
  std::vector<std::pair<std::string, std::string>> Files;
  /// A directive names a macro, or there are too many files: what is included
  /// is only known to the compiler.
  bool Open = false;
};

/// Names in quotes are looked for beside the file, in QuoteDirs and in
/// IncludeDirs, others in IncludeDirs only. Files below Skip belong to the
/// compiler and are known by its version.
IncludeScan scanIncludes(llvm::StringRef Content, llvm::StringRef SourceDir,
                         llvm::ArrayRef<std::string> QuoteDirs,
                         llvm::ArrayRef<std::string> IncludeDirs,
                         llvm::ArrayRef<std::string> ForcedIncludes,
                         llvm::StringRef Skip);

} // namespace belay::compiler

#endif // BELAY_COMPILER_INCLUDESCAN_H
