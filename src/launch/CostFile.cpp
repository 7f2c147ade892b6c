//===- CostFile.cpp - The costs of a SoC ----------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "launch/CostFile.h"
#include "support/DiagnosticError.h"
#include "support/Files.h"
#include "support/Resources.h"
#include "targets/Target.h"
#include "timing/Costs.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace belay;
using namespace belay::support;

static constexpr uint64_t MaxBytes = 1 << 20;
static constexpr unsigned MaxDepth = 4;

static Error unknown(const Twine &Message, std::string Help = "") {
  Diagnostic Diag;
  Diag.Id = DiagId::TimeUnknown;
  Diag.Message = Message.str();
  Diag.Help = std::move(Help);
  return make_error<DiagnosticError>(std::move(Diag));
}

/// "Ascend910B3, Ascend310P3": all that there is a file for.
static std::string knownSocs() {
  std::vector<std::string> Names;
  for (const targets::Soc &Soc : targets::allSocs())
    if (sys::fs::exists(
            getSharePath("timing/" + std::string(Soc.name) + ".csv")))
      Names.push_back(Soc.name);
  return join(Names, ", ");
}

static Error append(StringRef Name, std::string &To, unsigned Depth) {
  Expected<std::string> Text =
      readFile(getSharePath(("timing/" + Name).str()), MaxBytes);
  if (!Text)
    return Text.takeError();
  SmallVector<StringRef> Lines;
  StringRef(*Text).split(Lines, '\n');
  for (StringRef Line : Lines) {
    if (!Line.consume_front("include,")) {
      To += Line.str() + "\n";
      continue;
    }
    Line = Line.take_until([](char C) { return C == ','; }).trim();
    if (Depth == MaxDepth || Line.contains('/'))
      return createStringError(Name + ": include," + Line);
    if (Error E = append(Line, To, Depth + 1))
      return E;
  }
  return Error::success();
}

Expected<std::string> belay::launch::readCosts(StringRef Name) {
  const targets::Soc *Soc = targets::findSoc(Name);
  std::string File = Soc ? std::string(Soc->name) + ".csv" : "";
  if (!Soc || !sys::fs::exists(getSharePath("timing/" + File)))
    return unknown("there are no costs for " + Name,
                   "there are for " + knownSocs());
  std::string Text;
  if (Error E = append(File, Text, 0))
    return E;
  timing::CostTable Table;
  std::string Wrong = Table.parse(Text);
  if (Wrong.empty())
    Wrong = Table.missing();
  if (!Wrong.empty())
    return unknown("share/belay/timing/" + File + ": " + Wrong);
  return Text;
}
