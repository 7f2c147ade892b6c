//===- CorpusMarkdown.cpp - docs/corpus.md --------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CorpusReport.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace belay;
using namespace belay::corpus;
using namespace belay::tool;
using namespace llvm;

static const char Introduction[] = R"(# The corpus

<!-- Made by 'belay corpus --markdown' from corpus/. -->

Small AscendC kernels with one defect each, beside a twin that one edit has fixed,
and right kernels that look wrong (*bait*). They measure checkers: whether a defect
is found, at its line and by its name, and whether right kernels are left alone.

```sh
belay corpus                                  # what there is
belay corpus --dynamic                        # run all, print recall and false alarms
belay corpus --dynamic --class queue          # one class
belay corpus --dynamic --id V6.1 -v           # one pattern, with what was reported
belay corpus --dynamic --examples             # also examples/ascendc, as right kernels
belay corpus --static                         # only read them: the score of belay check
```

A pattern counts as found if the expected diagnostic stands at the line marked
`// site` on every architecture and in every mode that its label names; for defects
with two sides the other side's line, marked `// other`, has to be named too. Any
report about a safe twin or a bait is a false alarm.

A line of a bait that ends in `// without: ID` is one that the kernel needs: a test
leaves it out and expects ID.

## Labels

`case.json` says how to run both kernels and what to expect:

| member | meaning |
|---|---|
| `id`, `class`, `description` | what the defect is |
| `seed` | `real`: learnt from the named public fix and written anew; `doc`: from a rule in the manuals; `invented` |
| `archs` | architectures that the label speaks of |
| `autoSync` | the label holds with the flags that bisheng inserts (`on`), without (`off`), or both (`any`) |
| `run` | members of a case of `belay run`: data that triggers the defect |
| `unsafe`, `safe` | members that differ: then the defect is in what the host passes |
| `expected.dynamic` | what `belay run --check` has to say; or `none`, why no run can show it |
| `expected.static` | what a checker that only reads the source could say |
| `result` | what the safe kernel computes, as NumPy writes it; a test compares |

)";

static std::string seedOf(const Pattern &P) {
  switch (P.Origin.From) {
  case Seed::Kind::Real:
    return P.Origin.Commit;
  case Seed::Kind::Doc:
    return "doc";
  case Seed::Kind::Invented:
    return "invented";
  }
  return "";
}

static std::string modesOf(const Pattern &P) {
  std::vector<std::string> Archs;
  for (uint32_t Arch : P.Archs)
    Archs.push_back(utostr(Arch));
  StringRef Sync = P.Sync == SyncMode::On    ? ", auto-sync on"
                   : P.Sync == SyncMode::Off ? ", auto-sync off"
                                             : "";
  return join(Archs, " ") + Sync.str();
}

static std::string linkTo(const Verdict &V) {
  return V.showable() ? formatv("[{0}](errors/{0}.md)", V.Id).str() : "-";
}

static void printClass(raw_ostream &OS, ArrayRef<Pattern> Patterns) {
  const Pattern &First = Patterns.front();
  OS << "\n## " << First.Class << "\n\n";
  if (First.isBait())
    OS << "| kernel | what looks wrong and is not | runs on |\n|---|---|---|\n";
  else
    OS << "| id | defect | seed | runs on | dynamic | static |\n"
          "|---|---|---|---|---|---|\n";
  for (const Pattern &P : Patterns) {
    StringRef Folder = sys::path::filename(P.Directory);
    OS << formatv("| [{0}](../corpus/{1}/{2}) | {3} |", P.Id, P.Class, Folder,
                  P.Description);
    if (!P.isBait())
      OS << formatv(" {0} |", seedOf(P));
    OS << formatv(" {0} |", modesOf(P));
    if (!P.isBait())
      OS << formatv(" {0} | {1} |", linkTo(P.Dynamic), linkTo(P.Static));
    OS << '\n';
  }
}

void belay::tool::printCorpusMarkdown(raw_ostream &OS,
                                      ArrayRef<Pattern> Patterns) {
  size_t Bait = count_if(Patterns, [](const Pattern &P) { return P.isBait(); });
  size_t Real = count_if(Patterns, [](const Pattern &P) {
    return !P.isBait() && P.Origin.From == Seed::Kind::Real;
  });
  OS << Introduction
     << formatv(
            "{0} patterns, {1} of them learnt from real fixes; {2} baits.\n",
            Patterns.size() - Bait, Real, Bait);
  for (size_t Begin = 0; Begin < Patterns.size();) {
    size_t End = Begin;
    while (End < Patterns.size() &&
           Patterns[End].Class == Patterns[Begin].Class)
      ++End;
    printClass(OS, Patterns.slice(Begin, End - Begin));
    Begin = End;
  }
  OS << "\n## What no run can show\n\n";
  for (const Pattern &P : Patterns)
    if (!P.isBait() && !P.Dynamic.showable())
      OS << "- **" << P.Id << "** " << P.Dynamic.None << ".\n";
  OS << "\n## What the source alone does not show\n\n";
  for (const Pattern &P : Patterns)
    if (!P.isBait() && !P.Static.showable())
      OS << "- **" << P.Id << "** " << P.Static.None << ".\n";
}
