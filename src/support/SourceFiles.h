//===- SourceFiles.h - Sources whose lines may be shown ---------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The file that a diagnostic names is untrusted input: `#line 1 "/dev/zero"` in
// a source names any file. Lines are shown only of files that a compiler has
// read or the user has named, and only if they are regular and not too large.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SUPPORT_SOURCEFILES_H
#define BELAY_SUPPORT_SOURCEFILES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace belay::support {

/// From now on lines of these files may be shown. Of all threads.
void allowSources(llvm::ArrayRef<std::string> Paths);

/// Lines of all files may be shown: for tools that are started by the program
/// whose sources they show.
void allowAllSources();

/// The text of a source whose lines may be shown.
std::optional<std::string> readSource(llvm::StringRef Path);

/// A text from the beginning of a line, counted from 1.
llvm::StringRef fromLine(llvm::StringRef Text, unsigned Line);

} // namespace belay::support

#endif // BELAY_SUPPORT_SOURCEFILES_H
