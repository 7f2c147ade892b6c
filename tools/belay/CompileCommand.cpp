//===- CompileCommand.cpp - belay compile ---------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"

#define BELAY_OPTIONS "options/Compile.inc"
#include "OptionTable.h"

#include "compiler/Cann.h"
#include "compiler/DeviceCompiler.h"
#include "report/RunReport.h"
#include "support/DiagnosticError.h"
#include "support/DiagnosticLevel.h"
#include "support/SourceFiles.h"
#include "support/Styling.h"
#include "toolchain/KernelScan.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace belay;
using namespace belay::tool;
using namespace belay::support;
using namespace llvm;
using belay::compiler::Backend;
using belay::compiler::Checking;
using belay::compiler::DeviceCompiler;
using belay::compiler::Output;

/// "kernel.o", "libkernel.so", "libkernel.a".
static std::string defaultOutput(StringRef Source, Output Out) {
  std::string Stem = sys::path::stem(Source).str();
  switch (Out) {
  case Output::Object:
    return Stem + ".o";
  case Output::Shared:
    return "lib" + Stem + ".so";
  case Output::Static:
    return "lib" + Stem + ".a";
  }
  llvm_unreachable("output outside its enumeration");
}

namespace {
/// The command line, taken apart.
struct Wanted {
  compiler::Request Request;
  DeviceCompiler::Options Options;
  std::string Output, Depfile;
  bool Shared = false, Static = false, Json = false, Verbose = false;
};
} // namespace

/// Applies one option; says what is wrong with it, or "".
static std::string apply(const Arguments::OptionValue &Each, Wanted &To) {
  auto Bad = [&](StringRef Takes) {
    return (Each.Name + " is " + Takes + ", not '" + Each.Value + "'").str();
  };
  switch (static_cast<Opt>(Each.Id)) {
  case Opt::soc:
    To.Request.Soc = Each.Value.str();
    break;
  case Opt::core:
    To.Request.Core = Each.Value.str();
    break;
  case Opt::shared:
    To.Shared = true;
    break;
  case Opt::static_:
    To.Static = true;
    break;
  case Opt::o:
    To.Output = Each.Value.str();
    break;
  // For the compiler, in the order in which they were given.
  case Opt::D:
  case Opt::I:
  case Opt::O:
    To.Request.Options.push_back((Each.Name + Each.Value).str());
    break;
  case Opt::option:
    To.Request.Options.push_back(Each.Value.str());
    break;
  case Opt::check: {
    std::optional<Checking> Checks = compiler::checkingNamed(Each.Value);
    if (!Checks)
      return Bad("on, quick, required or off");
    To.Request.Check = *Checks;
    break;
  }
  case Opt::cann:
    To.Options.CannRoot = Each.Value.str();
    break;
  case Opt::backend: {
    auto By = StringSwitch<std::optional<Backend>>(Each.Value)
                  .Case("auto", Backend::Auto)
                  .Case("bisheng", Backend::Bisheng)
                  .Case("aclrtc", Backend::Aclrtc)
                  .Default(std::nullopt);
    if (!By)
      return Bad("auto, bisheng or aclrtc");
    To.Request.By = *By;
    break;
  }
  case Opt::depfile:
    To.Depfile = Each.Value.str();
    break;
  case Opt::timeout: {
    unsigned Seconds;
    if (Each.Value.getAsInteger(10, Seconds) || Seconds == 0)
      return Bad("a number of seconds");
    To.Request.Timeout = std::chrono::seconds(Seconds);
    break;
  }
  case Opt::no_cache:
    To.Options.CacheRoot.clear();
    break;
  case Opt::dry_run:
    To.Request.PlanOnly = true;
    break;
  case Opt::verbose:
    To.Verbose = true;
    break;
  case Opt::format:
    if (Each.Value != "text" && Each.Value != "json")
      return Bad("text or json");
    To.Json = Each.Value == "json";
    break;
  }
  return "";
}

static std::optional<std::string> readRequest(const Arguments &Args,
                                              Wanted &To) {
  if (Args.Positional.size() != 1)
    return "name one file to compile";
  To.Request.Path = Args.Positional[0].str();
  for (const Arguments::OptionValue &Each : Args.Options)
    if (std::string Mistake = apply(Each, To); !Mistake.empty())
      return Mistake;
  if (To.Shared && To.Static)
    return "--shared and --static exclude each other";
  To.Request.Out = To.Shared   ? Output::Shared
                   : To.Static ? Output::Static
                               : Output::Object;
  return std::nullopt;
}

/// A command as one could type it.
static std::string shown(ArrayRef<std::string> Command) {
  std::string Text;
  for (StringRef Arg : Command) {
    bool Plain = !Arg.empty() && all_of(Arg, [](char C) {
      return isAlnum(C) || StringRef("-_=+./,:@%<>").contains(C);
    });
    Text += Text.empty() ? "" : " ";
    if (Plain) {
      Text += Arg;
      continue;
    }
    Text += '\'';
    for (char C : Arg)
      Text += C == '\'' ? std::string("'\\''") : std::string(1, C);
    Text += '\'';
  }
  return Text;
}

static void printJson(raw_ostream &OS, const compiler::Result &Result,
                      StringRef OutputPath) {
  json::Array Problems, Commands;
  for (const Diagnostic &Diag : Result.Diags) {
    json::Object Each = report::diagnosticToJson(Diag);
    Each["severity"] = std::string(nameOf(Result.levelOf(Diag)));
    Problems.push_back(std::move(Each));
  }
  for (const std::vector<std::string> &Command : Result.Commands) {
    json::Array Words;
    for (const std::string &Word : Command)
      Words.push_back(json::fixUTF8(Word));
    Commands.push_back(std::move(Words));
  }
  json::Object Object{{"status", Result.Succeeded ? "compiled" : "failed"},
                      {"fromCache", Result.FromCache},
                      {"check", compiler::nameOf(Result.Checked).str()},
                      {"seconds", Result.Seconds},
                      {"problems", std::move(Problems)},
                      {"commands", std::move(Commands)},
                      {"log", json::fixUTF8(Result.Log)}};
  if (Result.Target)
    Object["target"] = Result.Target->Name.str();
  if (!Result.CannRoot.empty())
    Object["cann"] =
        json::Object{{"root", json::fixUTF8(Result.CannRoot)},
                     {"version", json::fixUTF8(Result.CannVersion)},
                     {"backend", nameOf(Result.By).str()}};
  if (Result.Succeeded && !Result.Object.empty())
    Object["output"] = json::fixUTF8(OutputPath);
  OS << formatv("{0:2}\n", json::Value(std::move(Object)));
}

static int exitStatus(const compiler::Result &Result) {
  int Status = 0;
  for (const Diagnostic &Diag : Result.Diags)
    if (Result.levelOf(Diag) == belay::support::Severity::Error)
      Status = std::max(Status, int(exitStatusOf(Diag.Id)));
  return Result.Succeeded ? ExitSuccess : std::max(Status, 1);
}

static int runCompile(const Command &Self, const Arguments &Args) {
  Wanted Wanted;
  if (std::optional<std::string> Mistake = readRequest(Args, Wanted))
    return usageError(Self, *Mistake);
  const compiler::Request &Request = Wanted.Request;
  allowSources(Request.Path);
  // What cannot be read is said by the compiler.
  std::optional<std::string> Text = belay::support::readSource(Request.Path);
  if (Text && toolchain::usesKernelLanguage(*Text))
    return usageError(Self, "'" + Request.Path +
                                "' is of the kernel language; 'belay build' "
                                "makes AscendC of it, which can be compiled");
  compiler::Result Result =
      DeviceCompiler(std::move(Wanted.Options)).compile(Request);

  std::string Path = Wanted.Output;
  if (Path.empty())
    Path = defaultOutput(Request.Path, Request.Out);
  auto Write = [&](StringRef To, StringRef Content) {
    if (Error E =
            compiler::writeOutput(To, Content, Request.Out == Output::Shared)) {
      Result.Succeeded = false;
      Result.Diags.push_back(
          {DiagId::OptionRefused, {}, toString(std::move(E)), {}});
    }
  };
  if (Result.Succeeded && !Request.PlanOnly)
    Write(Path, Result.Object);
  if (!Wanted.Depfile.empty() && Result.Succeeded && !Request.PlanOnly)
    Write(Wanted.Depfile, compiler::makeDepfile(Path, Result.Inputs));

  if (Wanted.Json) {
    printJson(outs(), Result, Path);
    return exitStatus(Result);
  }
  Styling Style(errs());
  // Warnings of the compiler are the user's to read, also the second time.
  if (Result.Succeeded || Wanted.Verbose)
    errs() << Result.Log;
  for (const Diagnostic &Diag : Result.Diags)
    printDiagnosticAs(errs(), Result.levelOf(Diag), Diag, Style);
  printExplainHint(errs(), Result.Diags, Style);
  if (Request.PlanOnly && Result.CannRoot == compiler::AnyCannRoot)
    errs() << "belay: note: no CANN was found; " << compiler::AnyCannRoot
           << " stands for its folder\n";
  if (Request.PlanOnly || Wanted.Verbose)
    for (const std::vector<std::string> &Command : Result.Commands)
      (Request.PlanOnly ? outs() : errs()) << shown(Command) << '\n';
  return exitStatus(Result);
}

namespace belay::tool {
extern const Command CompileCommand;
const Command CompileCommand = {
    "compile",
    "compile AscendC for a device, with your own CANN",
    "KERNEL.cpp --soc NAME [OPTIONS]",
    R"(
Checks the kernel first, as 'belay check' does, then compiles it with the flags of the target by the
compiler of an installed CANN. The result is kept by content: the source, every
header that was read, the flags, the target, CANN and its compiler. Errors come
back with the lines of your file. No shell is involved, and options that load
code, start programs or write elsewhere are refused.

Without CANN the exit status is 3, as for what does not compile.
)",
    optionTable,
    R"(
belay compile add.cpp --soc Ascend910B3 --shared -o libadd.so
belay compile add.cpp --soc Ascend310P3              # add.o for dav-m200
belay compile mm.cpp --core mix -O3 -I include       # cube and vector, linked
belay compile add.cpp --dry-run                      # what would be run
)",
    runCompile,
};
} // namespace belay::tool
