//===- Baseline.cpp - Findings that are known
//---------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Baseline.h"

#include "check/Report.h"
#include "support/Files.h"
#include "support/Json.h"
#include "support/SourceFiles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace belay;
using namespace belay::tool;
using namespace llvm;
using belay::support::Diagnostic;

static constexpr uint64_t MaxBytes = 64 << 20;

/// Only what is wrong with a kernel is known; a file that does not compile is
/// not checked at all.
static std::optional<check::Topic> topicOf(const Diagnostic &D) {
  return check::topicOf(D.Id);
}

Baseline::Key Baseline::keyOf(const Diagnostic &Finding) {
  std::string Line;
  if (std::optional<std::string> Text =
          belay::support::readSource(Finding.Where.File))
    Line = belay::support::fromLine(*Text, Finding.Where.Line)
               .split('\n')
               .first.trim()
               .str();
  SmallString<128> File(Finding.Where.File);
  sys::path::remove_dots(File);
  return {json::fixUTF8(File),
          std::string(belay::support::getInfo(Finding.Id).Name),
          json::fixUTF8(Line)};
}

void Baseline::add(const report::CaseResult &Result) {
  for (const Diagnostic &Problem : Result.Problems)
    if (topicOf(Problem))
      ++Known[keyOf(Problem)];
}

void Baseline::silence(report::CaseResult &Result) {
  std::vector<check::Topic> Topics;
  erase_if(Result.Problems, [&](const Diagnostic &Problem) {
    std::optional<check::Topic> Topic = topicOf(Problem);
    auto At = Topic ? Known.find(keyOf(Problem)) : Known.end();
    if (At == Known.end() || !At->second)
      return false;
    --At->second;
    ++NumSilenced;
    ++Result.Silenced;
    Topics.push_back(*Topic);
    return true;
  });
  for (report::TopicVerdict &V : Result.Verdicts) {
    std::optional<check::Topic> Topic = check::topicNamed(V.Topic);
    bool Open = any_of(Result.Problems, [&](const Diagnostic &Problem) {
      return topicOf(Problem) == Topic;
    });
    if (Topic && is_contained(Topics, *Topic) && !Open)
      V.Verdict = "silenced";
  }
}

Expected<Baseline> Baseline::read(StringRef Path) {
  Expected<std::string> Text = belay::support::readFile(Path, MaxBytes);
  if (!Text)
    return Text.takeError();
  Expected<json::Value> Parsed = belay::support::parseJson(*Text);
  if (!Parsed)
    return createStringError(Path + ": " + toString(Parsed.takeError()));
  const json::Object *Root = Parsed->getAsObject();
  const json::Array *Findings = Root ? Root->getArray("findings") : nullptr;
  if (!Findings || Root->getInteger("version") != 1)
    return createStringError(Path + ": not written by belay check "
                                    "--write-baseline");
  Baseline Result;
  for (const json::Value &Each : *Findings) {
    const json::Object *Entry = Each.getAsObject();
    if (!Entry)
      return createStringError(Path + ": a finding is no object");
    auto Field = [&](StringRef Name) {
      return Entry->getString(Name).value_or("").str();
    };
    Result.Known[{Field("file"), Field("id"), Field("line")}] =
        static_cast<unsigned>(
            belay::support::getUnsigned(*Entry, "count", UINT32_MAX)
                .value_or(1));
  }
  return Result;
}

Error Baseline::write(StringRef Path) const {
  json::Array Findings;
  for (const auto &[Key, Count] : Known) {
    const auto &[File, Id, Line] = Key;
    Findings.push_back(json::Object{
        {"file", File}, {"id", Id}, {"line", Line}, {"count", Count}});
  }
  json::Value Root =
      json::Object{{"version", 1}, {"findings", std::move(Findings)}};
  return belay::support::writeFile(
      Path, belay::support::toBytes(formatv("{0:2}\n", Root).str()));
}
