//===- BuiltRecord.cpp - What is kept beside a binary ---------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/BuiltRecord.h"
#include "check/Report.h"
#include "support/Json.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace belay;
using namespace belay::compiler;
using namespace belay::support;
using Verdict = Validation::Verdict;

/// Findings in the form in which the checker itself tells them.
static json::Value findingsToJson(ArrayRef<Diagnostic> Diags) {
  check::Report Kept;
  Kept.Kernels.emplace_back().Findings = Diags.vec();
  return toJson(Kept);
}

static std::vector<Diagnostic> findingsOfJson(StringRef Text) {
  Expected<check::Report> Kept = check::parseReport(Text);
  if (Kept && !Kept->Kernels.empty())
    return std::move(Kept->Kernels.front().Findings);
  consumeError(Kept.takeError());
  return {};
}

std::string belay::compiler::toText(const BuiltRecord &Record) {
  json::Object Facts{
      {"source", json::fixUTF8(Record.Source)},
      {"target", Record.Target},
      {"output", Record.Output},
      {"cann", json::fixUTF8(Record.Cann)},
      {"check", nameOf(Record.Checked).str()},
      {"read", Record.Read},
      {"findings", formatv("{0}", findingsToJson(Record.Findings))},
      {"reason", json::fixUTF8(Record.Reason)},
      {"log", json::fixUTF8(Record.Log)}};
  return formatv("{0}", json::Value(std::move(Facts)));
}

std::optional<BuiltRecord> belay::compiler::parseBuiltRecord(StringRef Text) {
  Expected<json::Value> Facts = parseJson(Text);
  if (!Facts) {
    consumeError(Facts.takeError());
    return std::nullopt;
  }
  const json::Object *Members = Facts->getAsObject();
  if (!Members)
    return std::nullopt;
  auto Said = [&](StringRef Name) {
    return Members->getString(Name).value_or("").str();
  };
  BuiltRecord Record;
  Record.Source = Said("source");
  Record.Target = Said("target");
  Record.Output = Said("output");
  Record.Cann = Said("cann");
  for (Verdict Each : {Verdict::Passed, Verdict::Findings, Verdict::Unknown})
    if (Said("check") == nameOf(Each))
      Record.Checked = Each;
  Record.Read = Members->getBoolean("read").value_or(false);
  Record.Reason = Said("reason");
  Record.Log = Said("log");
  Record.Findings = findingsOfJson(Said("findings"));
  return Record;
}
