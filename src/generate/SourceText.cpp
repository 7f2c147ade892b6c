//===- SourceText.cpp - The source in what a model says -------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "generate/SourceText.h"
#include "llvm/ADT/STLExtras.h"
#include <vector>

using namespace llvm;
using namespace belay::generate;

namespace {
struct Block {
  std::string Text;
  bool IsClosed = false;
};
} // namespace

static bool hasKernel(StringRef Text) {
  return Text.contains("__global__") || Text.contains("belay::kernel");
}

/// A line of at least three backquotes or tildes: how many, and of which. What
/// follows is the name of a language, which a closing fence does not have.
static bool isFence(StringRef Line, char &Mark, size_t &Length,
                    StringRef &Rest) {
  Line = Line.trim();
  if (Line.empty() || (Line.front() != '`' && Line.front() != '~'))
    return false;
  Mark = Line.front();
  Rest = Line.ltrim(Mark);
  Length = Line.size() - Rest.size();
  Rest = Rest.trim();
  return Length >= 3 && !Rest.contains('`');
}

static std::vector<Block> blocksOf(StringRef Answer) {
  std::vector<Block> Blocks;
  bool Inside = false;
  char Mark = 0;
  size_t Length = 0, Indent = 0;
  while (!Answer.empty()) {
    StringRef Line;
    std::tie(Line, Answer) = Answer.split('\n');
    Line = Line.rtrim('\r');
    char ThisMark;
    size_t ThisLength;
    StringRef Rest;
    bool IsFence = isFence(Line, ThisMark, ThisLength, Rest);
    if (!Inside && IsFence) {
      Inside = true;
      Mark = ThisMark;
      Length = ThisLength;
      Indent = Line.size() - Line.ltrim().size();
      Blocks.emplace_back();
      continue;
    }
    if (!Inside)
      continue;
    if (IsFence && ThisMark == Mark && ThisLength >= Length && Rest.empty()) {
      Inside = false;
      Blocks.back().IsClosed = true;
      continue;
    }
    // A block in a list is indented as its fence is.
    size_t Spaces = std::min(Indent, Line.size() - Line.ltrim().size());
    Blocks.back().Text += Line.drop_front(Spaces).str() + "\n";
  }
  return Blocks;
}

/// What follows the last end of thinking aloud.
static StringRef withoutThoughts(StringRef Answer) {
  size_t End = Answer.rfind("</think>");
  if (End != StringRef::npos)
    return Answer.drop_front(End + StringRef("</think>").size());
  return Answer.ltrim().starts_with("<think>") ? "" : Answer;
}

SourceText belay::generate::sourceIn(StringRef Answer, bool IsWhole) {
  Answer = withoutThoughts(Answer);
  std::vector<Block> Blocks = blocksOf(Answer);
  bool WasCut = any_of(Blocks, [](const Block &B) { return !B.IsClosed; });
  if (!IsWhole)
    erase_if(Blocks, [](const Block &B) { return !B.IsClosed; });
  for (const Block &B : reverse(Blocks))
    if (hasKernel(B.Text))
      return {B.Text, ""};
  if (WasCut && !IsWhole)
    return {"", "it was cut before its end"};
  if (Blocks.size() == 1 && !StringRef(Blocks[0].Text).trim().empty())
    return {Blocks[0].Text, ""};
  if (!Blocks.empty())
    return {"", "none of its code blocks has a kernel"};
  StringRef Bare = Answer.trim();
  bool IsSource =
      hasKernel(Bare) && (Bare.starts_with("#") || Bare.starts_with("//") ||
                          Bare.starts_with("/*") || Bare.starts_with("extern"));
  if (IsSource && IsWhole)
    return {Bare.str() + "\n", ""};
  return {"", "it has no code block"};
}
