//===- CheckText.cpp - The reasons and conditions of verdicts -------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <set>

using namespace belay;
using namespace belay::support;
using namespace belay::tool;
using namespace llvm;
using belay::report::TopicVerdict;

/// Of claims that hold on some paths, so many are printed, and so long a line
/// has the conditions of its path.
static constexpr size_t MostClaims = 12, LongestLine = 200;

void belay::tool::printNotes(const Twine &Topic, ArrayRef<DiagNote> Notes) {
  for (const DiagNote &Note : Notes) {
    outs() << "            " << Topic << ": ";
    if (Note.Where.Line)
      outs() << "line " << Note.Where.Line << ": ";
    outs() << Note.Message << '\n';
  }
}

namespace {
/// One note of the topics, with the names of those that have it.
struct SharedNote {
  DiagNote Note;
  std::string Topics;

  StringRef claim() const {
    return StringRef(Note.Message).split(", where ").first;
  }
};
} // namespace

static std::vector<SharedNote>
share(ArrayRef<const TopicVerdict *> Of,
      function_ref<ArrayRef<DiagNote>(const TopicVerdict &)> NotesOf) {
  auto Has = [&](const TopicVerdict &V, const DiagNote &Note) {
    return any_of(NotesOf(V), [&](const DiagNote &Each) {
      return Each.Where.Line == Note.Where.Line &&
             Each.Where.File == Note.Where.File && Each.Message == Note.Message;
    });
  };
  std::vector<SharedNote> Notes;
  for (const auto &[I, V] : enumerate(Of))
    for (const DiagNote &Note : NotesOf(*V)) {
      if (any_of(Of.take_front(I), [&](const TopicVerdict *Before) {
            return Has(*Before, Note);
          }))
        continue;
      std::vector<std::string> Topics;
      for (const TopicVerdict *Each : Of)
        if (Has(*Each, Note))
          Topics.push_back(Each->Topic);
      bool All = Topics.size() > 2 && Topics.size() == Of.size();
      Notes.push_back({Note, All ? "all" : join(Topics, ", ")});
    }
  return Notes;
}

/// One line for the same claim on several paths, or on one that takes many
/// words.
static void printClaim(ArrayRef<SharedNote> Notes, const SharedNote &First) {
  std::set<unsigned> Lines;
  std::set<StringRef> Paths;
  for (const SharedNote &Each : Notes)
    if (Each.claim() == First.claim() && Each.Topics == First.Topics) {
      Lines.insert(Each.Note.Where.Line);
      Paths.insert(Each.Note.Message);
    }
  outs() << "            " << First.Topics << ": "
         << (Lines.size() > 1 ? "lines " : "line ")
         << join(map_range(Lines, [](unsigned L) { return std::to_string(L); }),
                 ", ")
         << ": " << First.claim() << ", where a launch comes here"
         << (Paths.size() > 1
                 ? " (on " + std::to_string(Paths.size()) + " paths"
                 : std::string(" (on one path"))
         << "; -v says which)\n";
}

static void printConditions(ArrayRef<SharedNote> Notes) {
  size_t Printed = 0;
  std::set<std::pair<StringRef, StringRef>> Claimed;
  auto Same = [](const SharedNote &A, const SharedNote &B) {
    return A.claim() == B.claim() && A.Topics == B.Topics;
  };
  for (const SharedNote &Each : Notes) {
    if (Claimed.count({Each.claim(), Each.Topics}))
      continue;
    if (Printed++ == MostClaims) {
      outs() << "            and others: -v has all " << Notes.size()
             << " conditions\n";
      return;
    }
    size_t Alike = count_if(
        Notes, [&](const SharedNote &Other) { return Same(Each, Other); });
    bool Guarded = Each.claim().size() < Each.Note.Message.size();
    if (!Guarded || (Alike < 3 && Each.Note.Message.size() <= LongestLine)) {
      --Printed;
      printNotes(Each.Topics, Each.Note);
      continue;
    }
    Claimed.insert({Each.claim(), Each.Topics});
    printClaim(Notes, Each);
  }
}

void belay::tool::printReasons(ArrayRef<const TopicVerdict *> Of,
                               bool Verbose) {
  // One reason will do; of conditions, all have to hold.
  for (const SharedNote &Each : share(Of, [&](const TopicVerdict &V) {
         return ArrayRef(V.Reasons).take_front(Verbose ? V.Reasons.size() : 1);
       }))
    printNotes(Each.Topics, Each.Note);
  std::vector<SharedNote> Conditions =
      share(Of, [](const TopicVerdict &V) { return ArrayRef(V.Conditions); });
  if (!Verbose)
    return printConditions(Conditions);
  for (const SharedNote &Each : Conditions)
    printNotes(Each.Topics, Each.Note);
}
