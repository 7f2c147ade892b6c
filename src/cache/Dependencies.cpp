//===- Dependencies.cpp - The files a compilation read --------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cache/Dependencies.h"
#include "cache/Fingerprint.h"
#include "support/Files.h"
#include "llvm/ADT/StringExtras.h"
#include <sys/stat.h>
#include <utility>

using namespace llvm;
using namespace belay::cache;
using namespace belay::support;

static constexpr uint64_t MaxFileBytes = 256 << 20;

std::vector<std::string> belay::cache::parseDependencies(StringRef Makefile) {
  std::vector<std::string> Paths;
  std::string Current;
  // The target ends at the first colon that a space follows.
  size_t Colon = Makefile.find(": ");
  if (Colon == StringRef::npos)
    return Paths;
  Makefile = Makefile.drop_front(Colon + 2);
  auto Finish = [&] {
    if (!Current.empty())
      Paths.push_back(std::exchange(Current, ""));
  };
  for (size_t I = 0; I < Makefile.size(); ++I) {
    char C = Makefile[I];
    char Next = I + 1 < Makefile.size() ? Makefile[I + 1] : '\0';
    if (C == '\\' && (Next == ' ' || Next == '#' || Next == '\\')) {
      Current += Next;
      ++I;
    } else if (C == '\\' && (Next == '\n' || Next == '\r')) {
      Finish();
      ++I;
    } else if (C == '$' && Next == '$') {
      Current += '$';
      ++I;
    } else if (isSpace(C)) {
      Finish();
    } else {
      Current += C;
    }
  }
  Finish();
  return Paths;
}

std::optional<std::string>
belay::cache::resultKey(StringRef RequestKey, ArrayRef<std::string> Headers,
                        std::optional<timespec> Since) {
  Fingerprint Key;
  Key.add("result").add(RequestKey);
  for (const std::string &Header : Headers) {
    struct stat Status;
    if (Since && (::stat(Header.c_str(), &Status) != 0 ||
                  std::pair(Status.st_mtim.tv_sec, Status.st_mtim.tv_nsec) >
                      std::pair(Since->tv_sec, Since->tv_nsec)))
      return std::nullopt;
    Expected<std::string> Content = readFile(Header, MaxFileBytes);
    if (!Content) {
      consumeError(Content.takeError());
      return std::nullopt;
    }
    Key.add(Header).add(*Content);
  }
  return Key.str();
}
