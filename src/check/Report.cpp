//===- Report.cpp - Findings and verdicts ---------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/Report.h"
#include "support/SourceFiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <deque>

using namespace belay;
using namespace belay::check;
using namespace llvm;
using belay::support::DiagId;
using belay::support::Diagnostic;
using belay::support::readSource;
using belay::support::SourcePlace;

StringRef belay::check::nameOf(Topic T) {
  static constexpr StringLiteral Names[] = {
#define BELAY_TOPIC(Name, Text, Title) Text,
#include "check/Topics.def"
  };
  return Names[static_cast<unsigned>(T)];
}

StringRef belay::check::titleOf(Topic T) {
  static constexpr StringLiteral Titles[] = {
#define BELAY_TOPIC(Name, Text, Title) Title,
#include "check/Topics.def"
  };
  return Titles[static_cast<unsigned>(T)];
}

std::optional<Topic> belay::check::topicNamed(StringRef Name) {
  for (unsigned T = 0; T < NumTopics; ++T)
    if (nameOf(static_cast<Topic>(T)) == Name)
      return static_cast<Topic>(T);
  return std::nullopt;
}

std::optional<Topic> belay::check::topicOf(DiagId Id) {
  switch (Id) {
#define BELAY_TOPIC_OF(Name, Diagnostic)                                       \
  case DiagId::Diagnostic:                                                     \
    return Topic::Name;
#include "check/Topics.def"
  default:
    return std::nullopt;
  }
}

StringRef belay::check::nameOf(Verdict V) {
  static constexpr StringLiteral Names[] = {"finding", "unknown", "clean if",
                                            "clean", "not asked"};
  return Names[static_cast<unsigned>(V)];
}

Verdict Report::verdictOf(const KernelReport &K, Topic T) const {
  for (const Diagnostic &D : K.Findings)
    if (topicOf(D.Id) == T)
      return Verdict::Finding;
  if (auto At = K.Doubts.find(T); At != K.Doubts.end() && !At->second.empty())
    return all_of(At->second, [](const Doubt &D) { return D.If.has_value(); })
               ? Verdict::CleanIf
               : Verdict::Unknown;
  if (Quick && T != Topic::Entry && T != Topic::Capacity)
    return Verdict::NotRequested;
  return Verdict::Clean;
}

conditions::KernelConditions belay::check::conditionsOf(const Report &R,
                                                        const KernelReport &K) {
  conditions::KernelConditions Result{K.Name, K.Numbers, {}};
  for (const auto &[T, Doubts] : K.Doubts)
    if (R.verdictOf(K, T) == Verdict::CleanIf)
      for (const Doubt &D : Doubts)
        Result.Conditions.push_back({nameOf(T).str(), D.Where.File,
                                     D.Where.Line, D.Where.Column, *D.If});
  return Result;
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static json::Object toJson(const SourcePlace &P) {
  return json::Object{
      {"file", json::fixUTF8(P.File)}, {"line", P.Line}, {"column", P.Column}};
}

static SourcePlace placeOf(const json::Object *O) {
  SourcePlace P;
  if (!O)
    return P;
  P.File = O->getString("file").value_or("").str();
  P.Line = O->getInteger("line").value_or(0);
  P.Column = O->getInteger("column").value_or(0);
  return P;
}

static json::Object toJson(const Diagnostic &D) {
  json::Array Notes;
  for (const belay::support::DiagNote &N : D.Notes)
    Notes.push_back(json::Object{{"where", toJson(N.Where)},
                                 {"message", json::fixUTF8(N.Message)}});
  json::Object O{{"id", std::string(getName(D.Id))},
                 {"where", toJson(D.Where)},
                 {"message", json::fixUTF8(D.Message)},
                 {"help", json::fixUTF8(D.Help)},
                 {"insert", json::fixUTF8(D.Insert)},
                 {"buffer", json::fixUTF8(D.Buffer)},
                 {"count", D.Count},
                 {"notes", std::move(Notes)}};
  if (D.Other)
    O["other"] = json::Object{{"where", toJson(D.Other->Where)},
                              {"role", json::fixUTF8(D.Other->Role)}};
  return O;
}

static std::optional<Diagnostic> diagnosticOf(const json::Object &O) {
  const belay::support::DiagInfo *Info =
      belay::support::findDiagnostic(O.getString("id").value_or("").str());
  if (!Info)
    return std::nullopt;
  auto Text = [&](StringRef Key) {
    return O.getString(Key).value_or("").str();
  };
  Diagnostic D;
  D.Id = Info->Id;
  D.Where = placeOf(O.getObject("where"));
  D.Message = Text("message");
  D.Help = Text("help");
  D.Insert = Text("insert");
  D.Buffer = Text("buffer");
  D.Count = O.getInteger("count").value_or(1);
  if (const json::Array *Notes = O.getArray("notes"))
    for (const json::Value &N : *Notes)
      if (const json::Object *Each = N.getAsObject())
        D.Notes.push_back({placeOf(Each->getObject("where")),
                           Each->getString("message").value_or("").str()});
  if (const json::Object *Other = O.getObject("other"))
    D.Other =
        belay::support::OtherSide{placeOf(Other->getObject("where")),
                                  Other->getString("role").value_or("").str(),
                                  {}};
  return D;
}

static json::Array toJson(ArrayRef<Diagnostic> All) {
  json::Array List;
  for (const Diagnostic &D : All)
    List.push_back(toJson(D));
  return List;
}

json::Value belay::check::toJson(const Report &R) {
  json::Array Kernels;
  for (const KernelReport &K : R.Kernels) {
    json::Object Doubts;
    for (const auto &[T, List] : K.Doubts) {
      json::Array Each;
      for (const Doubt &D : List) {
        json::Object O{{"where", ::toJson(D.Where)},
                       {"why", json::fixUTF8(D.Why)}};
        if (D.If)
          O["if"] = toJson(*D.If);
        Each.push_back(std::move(O));
      }
      Doubts[nameOf(T)] = std::move(Each);
    }
    json::Array Numbers;
    for (const LaunchNumber &N : K.Numbers)
      Numbers.push_back(toJson(N));
    Kernels.push_back(json::Object{{"name", json::fixUTF8(K.Name)},
                                   {"where", ::toJson(K.Where)},
                                   {"paths", K.Paths},
                                   {"findings", ::toJson(K.Findings)},
                                   {"numbers", std::move(Numbers)},
                                   {"doubts", std::move(Doubts)}});
  }
  return json::Object{{"quick", R.Quick},
                      {"kernels", std::move(Kernels)},
                      {"files", json::Array(R.Files)},
                      {"problems", ::toJson(R.Problems)}};
}

static std::vector<Diagnostic> diagnosticsOf(const json::Array *All) {
  std::vector<Diagnostic> List;
  if (All)
    for (const json::Value &V : *All)
      if (const json::Object *O = V.getAsObject())
        if (std::optional<Diagnostic> D = diagnosticOf(*O))
          List.push_back(std::move(*D));
  return List;
}

/// Numbers that clauses name, each after those it is made from; nothing if one
/// of them cannot be read, so that no clause means another number.
static std::vector<LaunchNumber> numbersOf(const json::Array *All) {
  std::vector<LaunchNumber> List;
  if (All)
    for (const json::Value &V : *All) {
      std::optional<LaunchNumber> N = launchNumberOf(V.getAsObject());
      if (!N || !namesOnly(N->Dividend, List.size()) ||
          !namesOnly(N->Divisor, List.size()))
        return {};
      List.push_back(std::move(*N));
    }
  return List;
}

/// A clause that cannot be read is none: what it was about is unknown.
static Doubt doubtOf(const json::Object &O, ArrayRef<LaunchNumber> Numbers) {
  std::optional<Clause> If = clauseOf(O.getObject("if"));
  if (If && any_of(If->Any, [&](const Clause::Atom &A) {
        return !namesOnly(A.About, Numbers.size());
      }))
    If.reset();
  return {placeOf(O.getObject("where")), O.getString("why").value_or("").str(),
          std::move(If)};
}

Expected<Report> belay::check::parseReport(StringRef Json) {
  Expected<json::Value> Parsed = json::parse(Json);
  if (!Parsed)
    return Parsed.takeError();
  const json::Object *Top = Parsed->getAsObject();
  if (!Top)
    return createStringError("the report is no object");
  Report R;
  R.Quick = Top->getBoolean("quick").value_or(false);
  R.Problems = diagnosticsOf(Top->getArray("problems"));
  if (const json::Array *Files = Top->getArray("files"))
    for (const json::Value &File : *Files)
      R.Files.push_back(File.getAsString().value_or("").str());
  if (const json::Array *Kernels = Top->getArray("kernels"))
    for (const json::Value &V : *Kernels) {
      const json::Object *O = V.getAsObject();
      if (!O)
        continue;
      KernelReport K;
      K.Name = O->getString("name").value_or("").str();
      K.Where = placeOf(O->getObject("where"));
      K.Paths = O->getInteger("paths").value_or(0);
      K.Findings = diagnosticsOf(O->getArray("findings"));
      K.Numbers = numbersOf(O->getArray("numbers"));
      if (const json::Object *Doubts = O->getObject("doubts"))
        for (const auto &[Name, List] : *Doubts)
          if (std::optional<Topic> T = topicNamed(Name))
            for (const json::Value &D : *List.getAsArray())
              if (const json::Object *Each = D.getAsObject())
                K.Doubts[*T].push_back(doubtOf(*Each, K.Numbers));
      R.Kernels.push_back(std::move(K));
    }
  return R;
}

//===----------------------------------------------------------------------===//
// Allowances
//===----------------------------------------------------------------------===//

/// The ids that a line allows. A reason has to follow the id.
static bool allows(StringRef Line, StringRef Id) {
  size_t At = Line.find("// belay: allow ");
  if (At == StringRef::npos)
    return false;
  StringRef Rest = Line.substr(At + strlen("// belay: allow ")).trim();
  auto [Named, Reason] = Rest.split(' ');
  return Named == Id && !Reason.trim().empty();
}

void belay::check::applyAllowances(Report &R, StringRef Name,
                                   const std::optional<std::string> &MainText) {
  std::map<std::string, SmallVector<StringRef, 0>> Files;
  std::deque<std::string> Texts;
  auto LinesOf = [&](const std::string &Path) -> ArrayRef<StringRef> {
    auto [At, New] = Files.try_emplace(Path);
    if (New && MainText && Path == Name)
      StringRef(*MainText).split(At->second, '\n');
    else if (New)
      if (std::optional<std::string> Text = readSource(Path)) {
        Texts.push_back(std::move(*Text));
        StringRef(Texts.back()).split(At->second, '\n');
      }
    return At->second;
  };
  auto IsAllowed = [&](const Diagnostic &D) {
    ArrayRef<StringRef> Lines = LinesOf(D.Where.File);
    if (!D.Where.Line || D.Where.Line > Lines.size())
      return false;
    StringRef Id(getName(D.Id).data(), getName(D.Id).size());
    if (allows(Lines[D.Where.Line - 1], Id))
      return true;
    StringRef Before =
        D.Where.Line > 1 ? Lines[D.Where.Line - 2].trim() : StringRef();
    return Before.starts_with("//") && allows(Before, Id);
  };
  for (KernelReport &K : R.Kernels)
    erase_if(K.Findings, [&](const Diagnostic &D) {
      bool Allowed = IsAllowed(D);
      if (Allowed)
        if (std::optional<Topic> T = topicOf(D.Id))
          ++K.Silenced[*T];
      return Allowed;
    });
}
