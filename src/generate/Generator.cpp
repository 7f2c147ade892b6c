//===- Generator.cpp - Candidates that models write -----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "generate/Generator.h"
#include "generate/SourceText.h"
#include "support/Files.h"
#include "support/Styling.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <thread>

using namespace llvm;
using namespace belay;
using namespace belay::generate;
using namespace belay::support;

/// The schema of trajectories; docs/bench.md has it.
static constexpr int64_t Schema = 1;

struct Generator::Sample {
  const bench::Task &Of;
  unsigned Number = 0;
  std::vector<Message> Messages;
  std::vector<json::Value> Exchanges;
  std::string Source;
  /// "clean": nothing is known to be wrong; "limit": there are no more
  /// repairs; "single": nobody looked; "failed": the server does not answer.
  std::string Ended;
  /// What the next question is, or "" if there is none.
  std::string Next;
};

Generator::Generator(ChatServer &Model, Prompts Texts, bench::Campaign *Judge,
                     bench::Evaluator::Options Evaluate, Options Wanted)
    : Model(Model), Texts(std::move(Texts)), Judge(Judge),
      Opts(std::move(Wanted)), Answers(std::move(Evaluate)) {}

std::string belay::generate::folderOf(StringRef Model) {
  std::string Folder;
  SmallVector<StringRef, 4> Parts;
  Model.split(Parts, '/', -1, /*KeepEmpty=*/false);
  for (StringRef Part : Parts) {
    std::string Name;
    for (char C : Part)
      Name += isAlnum(C) || StringRef("._-+:").contains(C) ? C : '-';
    if (Name.front() == '.')
      Name.front() = '-';
    Folder += (Folder.empty() ? "" : "/") + Name;
  }
  return Folder.empty() ? "model" : Folder;
}

std::string Generator::pathOf(const Sample &S, StringRef Ending) const {
  return formatv("{0}/{1}/{2}/{3}{4}", Opts.Out,
                 folderOf(Model.options().Model), S.Of.Id, S.Number, Ending)
      .str();
}

Expected<std::string> Generator::firstQuestion(const bench::Task &T) {
  std::string Code;
  {
    std::lock_guard<std::mutex> Lock(Guard);
    Expected<const launch::LanguageKernel *> Answer = Answers.answer(T);
    if (!Answer)
      return Answer.takeError();
    Code = (*Answer)->Code;
  }
  size_t At = StringRef(Code).find("extern \"C\" __global__");
  StringRef Entry =
      StringRef(Code).substr(At, StringRef(Code).find(')', At) + 1 - At);
  Expected<std::string> Facts = Texts.factsFor(Code);
  if (!Facts)
    return Facts.takeError();
  Expected<std::string> Example = Texts.read("example");
  if (!Example)
    return Example.takeError();
  return Texts.fill(Opts.Template,
                    {{"soc", Answers.options().Soc},
                     {"summary", T.Summary},
                     {"arguments", join(T.Arguments, ", ")},
                     {"entry", Entry.str()},
                     {"signature", T.Signature},
                     {"instance", T.Instance},
                     {"facts", StringRef(*Facts).rtrim().str()},
                     {"example", StringRef(*Example).rtrim().str()},
                     {"guide", Opts.Guide}});
}

Expected<std::string> Generator::findingsOf(const bench::Task &T,
                                            StringRef Source) {
  constexpr size_t MostProblems = 8, MostBytes = 8 << 10;
  Expected<bench::Result> R = Judge->judge(T.Id, Source);
  if (!R)
    return R.takeError();
  std::string Text;
  raw_string_ostream OS(Text);
  size_t Shown = 0;
  for (const bench::Problem &Each : R->Problems) {
    // Whoever learns which hidden case fails can learn the hidden cases.
    if (StringRef(Each.Case).starts_with("hidden") || Shown == MostProblems)
      continue;
    ++Shown;
    if (!Each.Case.empty())
      OS << "In case " << Each.Case << ":\n";
    printDiagnostic(OS, Each.What, Styling(false));
  }
  if (!R->Compiled)
    OS << R->Messages;
  if (!R->Compiled && Text.empty())
    OS << "It does not compile.\n";
  if (Text.size() > MostBytes)
    Text = Text.substr(0, MostBytes) + "\n...";
  return json::fixUTF8(Text);
}

Error Generator::exchange(Sample &S) {
  S.Messages.push_back({"user", S.Next});
  uint64_t Seed =
      xxh3_64bits(formatv("{0} {1} {2} {3}", Opts.Seed, S.Of.Id, S.Number,
                          S.Exchanges.size())
                      .str()) >>
      33; // servers take 31 bits
  Expected<Reply> Said = Model.ask(S.Messages, Seed);
  if (!Said)
    return Said.takeError();
  json::Object Record{{"asked", json::fixUTF8(S.Next)},
                      {"requests", Said->Requests},
                      {"seed", static_cast<int64_t>(Seed)}};
  S.Next.clear();
  if (!Said->Failure.empty()) {
    Record["failure"] = json::fixUTF8(Said->Failure);
    S.Exchanges.push_back(std::move(Record));
    S.Ended = "failed";
    return Error::success();
  }
  S.Messages.push_back({"assistant", Said->Text});
  Record["answer"] = json::fixUTF8(Said->Text);
  Record["finish"] = json::fixUTF8(Said->Finish);
  Record["promptTokens"] = Said->PromptTokens;
  Record["answerTokens"] = Said->AnswerTokens;
  SourceText Found = sourceIn(Said->Text, Said->Finish != "length");
  Expected<std::string> Next("");
  if (!Found.WhyNot.empty()) {
    Record["noSource"] = Found.WhyNot;
    Next = Texts.fill("nothing", {{"why", Found.WhyNot}});
  } else {
    S.Source = Found.Text;
    Record["source"] = json::fixUTF8(Found.Text);
    if (Judge) {
      Expected<std::string> Findings = findingsOf(S.Of, S.Source);
      if (!Findings)
        return Findings.takeError();
      Record["findings"] = *Findings;
      if (Findings->empty())
        S.Ended = "clean";
      else
        Next = Texts.fill("repair", {{"diagnostics", *Findings}});
    }
  }
  S.Exchanges.push_back(std::move(Record));
  if (!Next)
    return Next.takeError();
  if (S.Ended.empty())
    S.Next = std::move(*Next);
  return Error::success();
}

Error Generator::write(const Sample &S) const {
  std::string Path = pathOf(S, ".trajectory.json");
  StringRef Folder = sys::path::parent_path(Path);
  if (std::error_code EC = sys::fs::create_directories(Folder))
    return createStringError(EC, Folder + ": " + EC.message());
  const ChatServer::Options &Requested = Model.options();
  json::Object Record{
      {"schema", Schema},
      {"task", S.Of.Id},
      {"soc", Answers.options().Soc},
      {"model", json::fixUTF8(Requested.Model)},
      {"endpoint", json::fixUTF8(Requested.Endpoint)},
      {"template", Opts.Template},
      {"temperature", Requested.Temperature},
      {"maxTokens", Requested.MaxTokens},
      {"sample", S.Number},
      {"ended", S.Ended},
      {"exchanges", json::Array(S.Exchanges)},
  };
  if (!S.Source.empty())
    if (Error E = writeFile(pathOf(S, ".cpp"), toBytes(S.Source)))
      return E;
  // Last: what has a trajectory is whole.
  std::string Text = formatv("{0:2}\n", json::Value(std::move(Record))).str();
  return writeFile(Path, toBytes(Text));
}

Error Generator::generate(Sample &S) {
  Expected<std::string> Rules = Texts.fill("system", {});
  if (!Rules)
    return Rules.takeError();
  S.Messages.push_back({"system", *Rules});
  if (Error E = firstQuestion(S.Of).moveInto(S.Next))
    return E;
  while (S.Ended.empty() && !S.Next.empty() &&
         S.Exchanges.size() <= Opts.Repairs)
    if (Error E = exchange(S))
      return E;
  if (S.Ended.empty())
    S.Ended = Judge ? "limit" : "single";
  if (Opts.Stop && *Opts.Stop)
    return Error::success(); // asked again by the next run
  return write(S);
}

/// Whether an earlier run has brought this sample to its end.
static bool isKnown(const std::string &Path) {
  constexpr uint64_t MaxTrajectory = uint64_t(64) << 20;
  Expected<std::string> Text = readFile(Path, MaxTrajectory);
  if (!Text) {
    consumeError(Text.takeError());
    return false;
  }
  Expected<json::Value> Read = json::parse(*Text);
  if (!Read) {
    consumeError(Read.takeError());
    return false;
  }
  const json::Object *Record = Read->getAsObject();
  return Record && Record->getInteger("schema") == Schema &&
         Record->getString("ended").value_or("failed") != "failed";
}

Expected<Generator::Counts> Generator::run(ArrayRef<bench::Task> Tasks) {
  Counts All;
  std::vector<Sample> Wanted;
  for (const bench::Task &T : Tasks)
    for (unsigned I = 0; I < Opts.Samples; ++I) {
      Sample S{T, I, {}, {}, "", "", ""};
      ++All.Samples;
      if (isKnown(pathOf(S, ".trajectory.json")))
        ++All.Known;
      else
        Wanted.push_back(std::move(S));
    }
  std::atomic<size_t> Next = 0;
  std::string Failure;
  auto Work = [&] {
    while (!(Opts.Stop && *Opts.Stop)) {
      size_t At = Next++;
      if (At >= Wanted.size())
        return;
      Sample &S = Wanted[At];
      Error E = generate(S);
      std::lock_guard<std::mutex> Lock(Guard);
      if (E) {
        Failure = toString(std::move(E));
        Next = Wanted.size();
        return;
      }
      All.Sources += !S.Source.empty();
      All.Clean += S.Ended == "clean";
      All.Failed += S.Ended == "failed";
    }
  };
  std::vector<std::thread> Threads;
  for (unsigned I = 0; I < std::max(1U, Opts.Jobs); ++I)
    Threads.emplace_back(Work);
  for (std::thread &Each : Threads)
    Each.join();
  if (!Failure.empty())
    return createStringError(Failure);
  return All;
}
