//===- IncludeScan.cpp - What a source may include ------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/IncludeScan.h"
#include "support/Files.h"
#include "clang/Lex/DependencyDirectivesScanner.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"
#include <sys/stat.h>

using namespace llvm;
using namespace belay::compiler;

static constexpr size_t MaxFiles = 4096;
static constexpr uint64_t MaxFileBytes = 16 << 20;

namespace {

class Scanner {
public:
  Scanner(ArrayRef<std::string> QuoteDirs, ArrayRef<std::string> IncludeDirs,
          StringRef Skip)
      : QuoteDirs(QuoteDirs), IncludeDirs(IncludeDirs), Skip(Skip) {}

  IncludeScan run(StringRef Content, StringRef SourceDir,
                  ArrayRef<std::string> ForcedIncludes) {
    for (const std::string &Path : ForcedIncludes)
      if (!take(Path))
        Result.Open = true;
    readDirectives(Content, SourceDir);
    // Grows while it is read.
    for (size_t I = 0; I < Result.Files.size(); ++I) {
      std::string Dir = sys::path::parent_path(Result.Files[I].first).str();
      std::string Text = Result.Files[I].second;
      readDirectives(Text, Dir);
    }
    return std::move(Result);
  }

private:
  /// Clang's scanner keeps the directives of all branches.
  void readDirectives(StringRef Text, StringRef Dir) {
    namespace scan = clang::dependency_directives_scan;
    SmallVector<scan::Token, 64> Tokens;
    SmallVector<scan::Directive, 32> Directives;
    if (clang::scanSourceForDependencyDirectives(Text, Tokens, Directives)) {
      Result.Open = true;
      return;
    }
    for (const scan::Directive &Each : Directives)
      switch (Each.Kind) {
      case scan::pp_include:
      case scan::pp_include_next:
      case scan::pp_import:
      case scan::pp___include_macros:
        // "#", "include", and what is named.
        readName(textFrom(Text, Each.Tokens.drop_front(2)), Dir);
        break;
      default:
        break;
      }
  }

  static StringRef
  textFrom(StringRef Text,
           ArrayRef<clang::dependency_directives_scan::Token> Tokens) {
    return Tokens.empty() ? StringRef() : Text.substr(Tokens.front().Offset);
  }

  void readName(StringRef Name, StringRef Dir) {
    bool Quoted = Name.consume_front("\"");
    if (!Quoted && !Name.consume_front("<")) {
      Result.Open = true;
      return;
    }
    Name = Name.split(Quoted ? '"' : '>').first;
    if (Name.empty() || Name.contains('\0'))
      return;
    if (sys::path::is_absolute(Name)) {
      take(Name);
      return;
    }
    if (Quoted &&
        (takeFrom(Dir, Name) || any_of(QuoteDirs, [&](StringRef Each) {
           return takeFrom(Each, Name);
         })))
      return;
    (void)any_of(IncludeDirs,
                 [&](StringRef Each) { return takeFrom(Each, Name); });
  }

  bool takeFrom(StringRef Dir, StringRef Name) {
    if (Dir.empty())
      return false;
    SmallString<256> Path(Dir);
    sys::path::append(Path, Name);
    return take(Path);
  }

  /// Whether the file is there.
  bool take(StringRef Path) {
    if (Seen.contains(Path))
      return true;
    struct stat Status;
    if (::stat(Path.str().c_str(), &Status) != 0 || !S_ISREG(Status.st_mode))
      return false;
    if (!Skip.empty() && Path.starts_with(Skip))
      return true;
    Seen.insert(Path);
    if (Seen.size() > MaxFiles) {
      Result.Open = true;
      return true;
    }
    Expected<std::string> Content =
        belay::support::readFile(Path, MaxFileBytes);
    if (!Content) {
      consumeError(Content.takeError());
      Result.Open = true;
      return true;
    }
    Result.Files.push_back({Path.str(), std::move(*Content)});
    return true;
  }

  ArrayRef<std::string> QuoteDirs, IncludeDirs;
  StringRef Skip;
  StringSet<> Seen;
  IncludeScan Result;
};

} // namespace

IncludeScan belay::compiler::scanIncludes(StringRef Content,
                                          StringRef SourceDir,
                                          ArrayRef<std::string> QuoteDirs,
                                          ArrayRef<std::string> IncludeDirs,
                                          ArrayRef<std::string> ForcedIncludes,
                                          StringRef Skip) {
  return Scanner(QuoteDirs, IncludeDirs, Skip)
      .run(Content, SourceDir, ForcedIncludes);
}
