//===- SarifReport.cpp - Results for code scanning ------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/SarifReport.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace belay::cases;
using namespace belay::report;
using namespace belay::support;

static json::Object textOf(StringRef Text) {
  return json::Object{{"text", json::fixUTF8(Text)}};
}

/// "missing-sync" as "MissingSync", which SARIF prefers for names.
static std::string ruleName(StringRef Id) {
  std::string Name;
  bool Upper = true;
  for (char C : Id) {
    if (C != '-')
      Name += Upper ? toUpper(C) : C;
    Upper = C == '-';
  }
  return Name;
}

static json::Array allRules() {
  json::Array Rules;
  for (const DiagInfo &Info : AllDiagnostics) {
    StringRef Page = getExplainPage(Info.Name);
    Rules.push_back(json::Object{
        {"id", std::string(Info.Name)},
        {"name", ruleName(Info.Name)},
        {"shortDescription", textOf(Info.Title)},
        {"help", json::Object{{"text", json::fixUTF8(Page)},
                              {"markdown", json::fixUTF8(Page)}}},
        {"defaultConfiguration",
         json::Object{{"level", std::string(nameOf(Info.Level))}}},
    });
  }
  return Rules;
}

/// A path as RFC 3986 wants it: relative ones stay relative.
static std::string uriOf(StringRef Path) {
  std::string Uri = sys::path::is_absolute(Path) ? "file://" : "";
  for (char C : Path)
    if (isAlnum(C) || StringRef("/-._~").contains(C))
      Uri += C;
    else
      Uri += formatv("%{0:X-2}", static_cast<uint8_t>(C)).str();
  return Uri;
}

static json::Object artifactOf(const SourcePlace &Where) {
  return json::Object{{"uri", uriOf(Where.File)}};
}

static json::Object locationOf(const SourcePlace &Where) {
  json::Object Physical{{"artifactLocation", artifactOf(Where)}};
  if (Where.Line) {
    json::Object Region{{"startLine", Where.Line}};
    if (Where.Column)
      Region["startColumn"] = Where.Column;
    Physical["region"] = std::move(Region);
  }
  return json::Object{{"physicalLocation", std::move(Physical)}};
}

/// The statements that fix a finding, at the beginning of its line.
static json::Object fixOf(const Diagnostic &Diag) {
  json::Object Replacement{
      {"deletedRegion", json::Object{{"startLine", Diag.Where.Line},
                                     {"startColumn", 1},
                                     {"endColumn", 1}}},
      {"insertedContent", textOf(Diag.Insert + "\n")},
  };
  json::Object Change{
      {"artifactLocation", artifactOf(Diag.Where)},
      {"replacements", json::Array{std::move(Replacement)}},
  };
  return json::Object{{"description", textOf(Diag.Help)},
                      {"artifactChanges", json::Array{std::move(Change)}}};
}

/// What SARIF has no field for.
static json::Object propertiesOf(const Diagnostic &Diag, StringRef Case) {
  json::Object Bag;
  auto Put = [&Bag](StringRef Key, StringRef Value) {
    if (!Value.empty())
      Bag[Key] = json::fixUTF8(Value);
  };
  Put("case", Case);
  Put("core", Diag.Who.Core);
  if (Diag.Who.Execution)
    Bag["execution"] = Diag.Who.Execution;
  Put("buffer", Diag.Buffer);
  Put("fix", Diag.Help);
  if (Diag.Other) {
    Put("otherCore", Diag.Other->Who.Core);
    if (Diag.Other->Who.Execution)
      Bag["otherExecution"] = Diag.Other->Who.Execution;
  }
  return Bag;
}

static json::Object resultOf(const Diagnostic &Diag, StringRef Case) {
  const DiagInfo &Info = getInfo(Diag.Id);
  std::string Text =
      Diag.Message.empty() ? std::string(Info.Title) : Diag.Message;
  if (!Diag.Help.empty())
    Text += "\nHelp: " + Diag.Help;
  json::Object Result{
      {"ruleId", std::string(Info.Name)},
      {"ruleIndex", static_cast<unsigned>(Diag.Id)},
      {"level", std::string(nameOf(Info.Level))},
      {"message", textOf(Text)},
      {"occurrenceCount", Diag.Count},
      {"properties", propertiesOf(Diag, Case)},
  };
  if (!Diag.Where.File.empty())
    Result["locations"] = json::Array{locationOf(Diag.Where)};
  json::Array Related;
  for (const DiagNote &Note : Diag.Notes) {
    if (Note.Where.File.empty())
      continue;
    json::Object Location = locationOf(Note.Where);
    Location["id"] = Related.size();
    Location["message"] = textOf(Note.Message);
    Related.push_back(std::move(Location));
  }
  if (!Related.empty())
    Result["relatedLocations"] = std::move(Related);
  if (!Diag.Insert.empty() && Diag.Where.Line)
    Result["fixes"] = json::Array{fixOf(Diag)};
  return Result;
}

/// A topic about which nothing could be said, for its first reason, or that is
/// clean under conditions, with all of them: neither a failure nor a success.
static json::Object openResultOf(const TopicVerdict &Open, StringRef Case,
                                 StringRef Kernel) {
  std::string Text = Open.Topic + " of " + Kernel.str() + " is " + Open.Verdict;
  json::Object Result{{"kind", "open"}, {"level", "none"}};
  ArrayRef<DiagNote> Notes = Open.Conditions.empty()
                                 ? ArrayRef(Open.Reasons).take_front(1)
                                 : ArrayRef(Open.Conditions);
  for (const DiagNote &Each : Notes)
    Text += (&Each == Notes.begin() ? ": " : "; ") + Each.Message;
  if (!Notes.empty() && !Notes[0].Where.File.empty())
    Result["locations"] = json::Array{locationOf(Notes[0].Where)};
  Result["message"] = textOf(Text);
  Result["properties"] = json::Object{{"case", json::fixUTF8(Case)},
                                      {"topic", json::fixUTF8(Open.Topic)}};
  return Result;
}

void belay::report::printSarif(raw_ostream &Out, ArrayRef<CaseResult> Results,
                               StringRef Version) {
  json::Array Found;
  for (const CaseResult &Case : Results) {
    for (const Diagnostic &Problem : Case.Problems)
      Found.push_back(resultOf(Problem, Case.Name));
    for (const TopicVerdict &Each : Case.Verdicts)
      if (Each.Verdict == "unknown" || Each.Verdict == "clean if")
        Found.push_back(openResultOf(Each, Case.Name, Case.Kernel));
    if (Case.Proof && Case.Proof->Verdict == "unknown")
      Found.push_back(openResultOf(*Case.Proof, Case.Name, Case.Kernel));
  }
  ExitStatus Status = exitStatusOf(Results);
  json::Object Driver{
      {"name", "belay"}, {"version", Version}, {"rules", allRules()}};
  json::Object Run{
      {"tool", json::Object{{"driver", std::move(Driver)}}},
      {"columnKind", "utf16CodeUnits"},
      {"invocations",
       json::Array{json::Object{
           // Not whether the kernel is right, but whether all of it was seen.
           {"executionSuccessful",
            Status == ExitStatus::Passed || Status == ExitStatus::Found},
           {"exitCode", static_cast<int>(Status)}}}},
      {"results", std::move(Found)},
  };
  Out << formatv(
      "{0:2}\n",
      json::Value(json::Object{
          {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
          {"version", "2.1.0"},
          {"runs", json::Array{std::move(Run)}},
      }));
}
