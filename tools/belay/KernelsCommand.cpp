//===- KernelsCommand.cpp - belay kernels ---------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the kernel library has is data: kernels/catalogue.json, which
// docs/generate/kernel-catalogue makes from a run of all its tests.
//
//===----------------------------------------------------------------------===//

#include "Command.h"

#define BELAY_OPTIONS "options/Kernels.inc"
#include "OptionTable.h"

#include "support/Resources.h"
#include "support/Spelling.h"
#include "support/Styling.h"
#include "support/Subprocess.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace belay;
using namespace belay::support;
using namespace belay::tool;
using namespace llvm;

using Entries = std::vector<const json::Object *>;

static StringRef text(const json::Object &Of, StringRef Key) {
  return Of.getString(Key).value_or("");
}

/// The strings of a list, one after the other.
static std::string joined(const json::Object &Of, StringRef Key,
                          StringRef Separator) {
  std::vector<StringRef> Items;
  if (const json::Array *List = Of.getArray(Key))
    for (const json::Value &Item : *List)
      Items.push_back(Item.getAsString().value_or(""));
  return join(Items, Separator);
}

static Expected<json::Value> readCatalogue() {
  std::string Path = getSharePath("kernels/catalogue.json");
  auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/true);
  if (!Buffer)
    return createFileError(Path, Buffer.getError());
  Expected<json::Value> Read = json::parse((*Buffer)->getBuffer());
  if (!Read || !Read->getAsObject() ||
      !Read->getAsObject()->getArray("kernels"))
    return Read ? createStringError(Path + ": not a catalogue of kernels")
                : Read.takeError();
  return Read;
}

/// Entries in which every word stands: in the name, the summary or what they
/// cover.
static Entries matching(const json::Value &Catalogue,
                        ArrayRef<StringRef> Words) {
  Entries Found;
  for (const json::Value &Each :
       *Catalogue.getAsObject()->getArray("kernels")) {
    const json::Object *Entry = Each.getAsObject();
    if (!Entry)
      continue;
    std::string All =
        (text(*Entry, "name") + " " + text(*Entry, "kernel") + " " +
         text(*Entry, "summary") + " " + joined(*Entry, "covers", " "))
            .str();
    if (all_of(Words, [&](StringRef Word) {
          return StringRef(All).contains_insensitive(Word);
        }))
      Found.push_back(Entry);
  }
  return Found;
}

/// The entries of a name: of a file, activation/elu or elu, or of a kernel in
/// it.
static Entries named(const json::Value &Catalogue, StringRef Name) {
  Entries Found;
  for (const json::Object *Entry : matching(Catalogue, {})) {
    StringRef File = text(*Entry, "name");
    if (Name == File || Name == File.split('/').second ||
        Name == text(*Entry, "kernel"))
      Found.push_back(Entry);
  }
  return Found;
}

static int unknownName(const json::Value &Catalogue, const Command &Self,
                       StringRef Name) {
  std::vector<std::string_view> Names;
  for (const json::Object *Entry : matching(Catalogue, {}))
    for (StringRef Each : {text(*Entry, "name"), text(*Entry, "kernel"),
                           text(*Entry, "name").split('/').second})
      Names.push_back(Each);
  return usageError(Self, "there is no kernel '" + Name + "'" +
                              didYouMean(nearestName(Name, Names)));
}

static void printList(raw_ostream &OS, const Entries &Chosen) {
  Styling Style(OS);
  size_t Width = 0;
  for (const json::Object *Entry : Chosen)
    Width = std::max(Width, text(*Entry, "title").size() + 2);
  for (const json::Object *Entry : Chosen) {
    StringRef Title = text(*Entry, "title");
    OS << Style.paint(Tone::Name, Title);
    OS.indent(gapAfter(Title, Width)) << text(*Entry, "summary") << '\n';
  }
}

static void printJson(raw_ostream &OS, const Entries &Chosen) {
  json::Array List;
  for (const json::Object *Entry : Chosen)
    List.push_back(json::Object(*Entry));
  OS << formatv("{0:2}", json::Value(std::move(List))) << '\n';
}

static int show(raw_ostream &OS, const Entries &Chosen) {
  Styling Style(OS);
  for (const json::Object *Entry : Chosen) {
    OS << Style.paint(Tone::Strong, text(*Entry, "title")) << '\n';
    auto Row = [&](StringRef Name, const Twine &Value) {
      std::string Shown = Value.str();
      if (!Shown.empty())
        OS.indent(2) << Name << std::string(gapAfter(Name, 12), ' ') << Shown
                     << '\n';
    };
    Row("signature", text(*Entry, "signature"));
    Row("covers", joined(*Entry, "covers", ", "));
    Row("tested", joined(*Entry, "instances", ", "));
    Row("on", joined(*Entry, "socs", ", "));
    // Not of every kernel: only a build tells.
    auto Count = [&](StringRef Name, StringRef Key, StringRef What) {
      if (auto Number = Entry->getInteger(Key))
        Row(Name, Twine(*Number) + What);
    };
    Count("proven", "proven", " properties, no guard");
    Count("memory", "ubBytes", " bytes of the unified buffer");
    Count("order", "syncs", " flags and barriers in its AscendC");
    Row("scalar", formatv("{0:f4} accesses for each element of the output",
                          Entry->getNumber("scalarAccesses").value_or(0))
                      .str());
    Row("AscendC",
        "belay build " + getSharePath(text(*Entry, "source")) + " --kernel '" +
            StringRef(joined(*Entry, "instances", "\n")).split('\n').first +
            "' --emit ascendc");
    OS << '\n';
  }
  std::string Path = getSharePath(text(*Chosen.front(), "source"));
  auto Source = MemoryBuffer::getFile(Path, /*IsText=*/true);
  if (!Source)
    return reportError(createFileError(Path, Source.getError()));
  OS << (*Source)->getBuffer();
  return ExitSuccess;
}

/// Runs what compares kernels with PyTorch, which is a program in Python.
static int test(const Arguments &Args, ArrayRef<StringRef> Names) {
  const char *Python = std::getenv("BELAY_PYTHON");
  ProcessSpec Spec;
  Spec.Args = {Python ? Python : "python3", getSharePath("kernels/tests/run")};
  for (StringRef Name : Names)
    Spec.Args.push_back(Name.str());
  for (const Arguments::OptionValue &Each : Args.Options)
    if (!Each.Value.empty())
      Spec.Args.push_back((Each.Name + "=" + Each.Value).str());
    else if (static_cast<Opt>(Each.Id) != Opt::json)
      Spec.Args.push_back(Each.Name.str());
  Spec.Env = {"BELAY=" + getPrefix() + "/bin/belay",
              "PYTHONDONTWRITEBYTECODE=1"};
  Spec.ShowOutput = true;
  ProcessResult Result = runProcess(Spec);
  if (Result.How == ProcessResult::Status::Exited)
    return Result.Code ? ExitFailure : ExitSuccess;
  return reportError(
      createStringError(Spec.Args.front() + ": " + Result.describe()));
}

static int runKernels(const Command &Self, const Arguments &Args) {
  bool Json = false;
  for (const Arguments::OptionValue &Each : Args.Options)
    switch (static_cast<Opt>(Each.Id)) {
    case Opt::json:
      Json = true;
      break;
    case Opt::soc:
    case Opt::dtypes:
    case Opt::schedules:
    case Opt::all:
    case Opt::summary:
      break;
    }
  Expected<json::Value> Catalogue = readCatalogue();
  if (!Catalogue)
    return reportError(Catalogue.takeError());
  ArrayRef<StringRef> Words = Args.Positional;
  StringRef Verb = Words.empty() ? "" : Words.front();
  if (Verb != "test" && Args.Options.size() > size_t(Json))
    return usageError(Self, "only 'test' takes " + Args.Options.front().Name);
  if (Verb != "show" && Verb != "test") {
    Entries Found = matching(*Catalogue, Words);
    if (Json)
      printJson(outs(), Found);
    else
      printList(outs(), Found);
    return Found.empty() ? ExitFailure : ExitSuccess;
  }
  Words = Words.drop_front();
  Entries Chosen;
  for (StringRef Name : Words) {
    Entries Some = named(*Catalogue, Name);
    if (Some.empty())
      return unknownName(*Catalogue, Self, Name);
    append_range(Chosen, Some);
  }
  if (Verb == "test")
    return test(Args, Words);
  if (Chosen.empty())
    return usageError(Self, "name a kernel; 'belay kernels' lists them");
  if (Json) {
    printJson(outs(), Chosen);
    return ExitSuccess;
  }
  return show(outs(), Chosen);
}

namespace belay::tool {
extern const Command KernelsCommand;
const Command KernelsCommand = {
    "kernels",
    "list, show and test the kernel library",
    "[WORD...] | show NAME... | test [NAME...] [OPTIONS]",
    R"(
Kernels that come with Belay, in the kernel language (belay/kernel.h), each proven
and held against PyTorch. Without a word the command lists them; with words, those
that have all of them in their name or summary.

'show' prints what is known of a kernel, and its source. 'test' runs it on the
simulated AI Core in all its element types, for none and one element, odd tails,
long rows, NaN and infinities, and compares it with PyTorch in float64; it needs
python3 with PyTorch (BELAY_PYTHON names another).
)",
    optionTable,
    R"(
belay kernels softmax
belay kernels show layer_norm
belay kernels test rms_norm --soc Ascend950PR_9599 --schedules 5
belay kernels test --all --summary
)",
    runKernels,
};
} // namespace belay::tool
