//===- Prompts.cpp - What models are asked --------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "generate/Prompts.h"
#include "support/Files.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;
using namespace belay;
using namespace belay::generate;

ArrayRef<StringRef> belay::generate::templateNames() {
  static constexpr StringRef Names[] = {"zero-shot", "one-shot", "api",
                                        "language"};
  return Names;
}

Expected<std::string> Prompts::read(StringRef Name) const {
  constexpr uint64_t MaxTemplate = 1 << 20;
  return support::readFile((Folder + "/" + Name + ".txt").str(), MaxTemplate);
}

Expected<std::string> Prompts::fill(StringRef Name, const Values &With,
                                    unsigned Depth) const {
  constexpr unsigned MaxDepth = 4;
  if (Depth > MaxDepth)
    return createStringError("the template " + Name + " includes itself");
  Expected<std::string> Text = read(Name);
  if (!Text)
    return Text.takeError();
  StringRef Rest = StringRef(*Text).rtrim();
  std::string Filled;
  while (true) {
    auto [Before, After] = Rest.split("{{");
    Filled += Before;
    if (Before.size() == Rest.size())
      return Filled;
    StringRef Word;
    std::tie(Word, Rest) = After.split("}}");
    if (Word.consume_front("include ")) {
      Expected<std::string> Part = fill(Word, With, Depth + 1);
      if (!Part)
        return Part.takeError();
      Filled += *Part;
    } else if (auto At = With.find(Word.str()); At != With.end()) {
      Filled += At->second;
    } else {
      return createStringError("the template " + Name + " asks for '" + Word +
                               "', which there is not");
    }
  }
}

Expected<std::string> Prompts::fill(StringRef Name, const Values &With) const {
  return fill(Name, With, 0);
}

/// The words of a source that are followed by a parenthesis or by arguments of
/// a template.
static std::set<StringRef> calledIn(StringRef Source) {
  std::set<StringRef> Names;
  while (!Source.empty()) {
    Source = Source.drop_until([](char C) { return isAlpha(C) || C == '_'; });
    StringRef Word =
        Source.take_while([](char C) { return isAlnum(C) || C == '_'; });
    Source = Source.drop_front(Word.size());
    if (Source.starts_with("(") || Source.starts_with("<") ||
        Source.starts_with("{"))
      Names.insert(Word);
  }
  return Names;
}

Expected<std::string> Prompts::factsFor(StringRef Source) const {
  Expected<std::string> All = read("facts");
  if (!All)
    return All.takeError();
  std::set<StringRef> Called = calledIn(Source);
  std::string Facts;
  for (StringRef Rest = *All; !Rest.empty();) {
    StringRef Line;
    std::tie(Line, Rest) = Rest.split('\n');
    auto [Name, Fact] = Line.split(": ");
    if (!Fact.empty() && Called.count(Name))
      Facts += ("- " + Fact + "\n").str();
  }
  return Facts;
}
