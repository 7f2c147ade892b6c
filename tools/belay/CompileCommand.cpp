//===- CompileCommand.cpp - belay compile ---------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"

#include "compiler/DeviceCompiler.h"
#include "report/RunReport.h"
#include "support/DiagnosticError.h"
#include "support/DiagnosticLevel.h"
#include "support/Styling.h"

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

/// Options for the compiler in the order in which they were given.
static std::vector<std::string> compilerOptions(const Arguments &Args) {
  std::vector<std::string> Options;
  for (auto [Name, Value] : Args.Options) {
    if (Name == "D" || Name == "I" || Name == "O")
      Options.push_back(("-" + Name + Value).str());
    if (Name == "option")
      Options.push_back(Value.str());
  }
  return Options;
}

static std::optional<std::string> readRequest(const Arguments &Args,
                                              compiler::Request &Request) {
  if (Args.Positional.size() != 1)
    return "name one file to compile";
  Request.Path = Args.Positional[0].str();
  Request.Soc = Args.get("soc").value_or(Request.Soc).str();
  Request.Core = Args.get("core").value_or("").str();
  Request.PlanOnly = Args.has("dry-run");
  Request.Options = compilerOptions(Args);
  if (Args.has("shared") && Args.has("static"))
    return "--shared and --static exclude each other";
  Request.Out = Args.has("shared")   ? Output::Shared
                : Args.has("static") ? Output::Static
                                     : Output::Object;
  StringRef Check = Args.get("check").value_or("on");
  StringRef By = Args.get("backend").value_or("auto");
  std::optional<Checking> Checks = compiler::checkingNamed(Check);
  auto Backends = StringSwitch<std::optional<Backend>>(By)
                      .Case("auto", Backend::Auto)
                      .Case("bisheng", Backend::Bisheng)
                      .Case("aclrtc", Backend::Aclrtc)
                      .Default(std::nullopt);
  if (!Checks)
    return "--check is on, quick, required or off, not '" + Check.str() + "'";
  if (!Backends)
    return "--backend is auto, bisheng or aclrtc, not '" + By.str() + "'";
  Request.Check = *Checks;
  Request.By = *Backends;
  if (std::optional<StringRef> Limit = Args.get("timeout")) {
    unsigned Seconds;
    if (Limit->getAsInteger(10, Seconds) || Seconds == 0)
      return "--timeout is a number of seconds";
    Request.Timeout = std::chrono::seconds(Seconds);
  }
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
  compiler::Request Request;
  if (std::optional<std::string> Mistake = readRequest(Args, Request))
    return usageError(Self, *Mistake);
  StringRef Format = Args.get("format").value_or("text");
  if (Format != "text" && Format != "json")
    return usageError(Self, "--format is text or json, not '" + Format + "'");
  DeviceCompiler::Options Options;
  Options.CannRoot = Args.get("cann").value_or("").str();
  if (Args.has("no-cache"))
    Options.CacheRoot.clear();
  compiler::Result Result = DeviceCompiler(std::move(Options)).compile(Request);

  std::string Path = Args.get("o").value_or("").str();
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
  if (std::optional<StringRef> Depfile = Args.get("depfile");
      Depfile && Result.Succeeded && !Request.PlanOnly)
    Write(*Depfile, compiler::makeDepfile(Path, Result.Inputs));

  if (Format == "json") {
    printJson(outs(), Result, Path);
    return exitStatus(Result);
  }
  Styling Style(errs());
  // Warnings of the compiler are the user's to read, also the second time.
  if (Result.Succeeded || Args.has("verbose"))
    errs() << Result.Log;
  for (const Diagnostic &Diag : Result.Diags)
    printDiagnosticAs(errs(), Result.levelOf(Diag), Diag, Style);
  printExplainHint(errs(), Result.Diags, Style);
  if (Request.PlanOnly || Args.has("verbose"))
    for (const std::vector<std::string> &Command : Result.Commands)
      (Request.PlanOnly ? outs() : errs()) << shown(Command) << '\n';
  return exitStatus(Result);
}

static constexpr Option CompileOptions[] = {
    {"soc", "NAME", "the target; default Ascend910B3 (see 'belay targets')"},
    {"core", "KIND",
     "vec, cube or mix: a device object for one kind of core only.\n"
     "Without it, host and device code of the file for the whole chip"},
    {"shared", "", "a library for dlopen instead of an object"},
    {"static", "", "an archive instead of an object"},
    {"o", "FILE", "the output; default NAME.o, libNAME.so or libNAME.a"},
    {"D", "NAME[=VALUE]", "define a macro"},
    {"I", "DIR", "search headers here"},
    {"O", "LEVEL", "optimise: 0, 1, 2, 3 or s"},
    {"option", "TEXT",
     "any other option of the compiler that is known to be harmless"},
    {"check", "HOW",
     "on: stop on findings that no launch can make right, warn of others\n"
     "(default); quick: the same with one path of each kernel; required:\n"
     "stop on every finding, and on what cannot be read; off: only compile"},
    {"cann", "DIR",
     "the toolkit; default ASCEND_HOME_PATH, ASCEND_TOOLKIT_HOME, the usual\n"
     "places, the one whose bisheng is in PATH"},
    {"backend", "NAME",
     "bisheng, or aclrtc: the runtime compile library (objects for 910B and\n"
     "950); default whichever is there"},
    {"depfile", "FILE", "write for make and ninja which files were read"},
    {"timeout", "SECONDS", "for each command; default 600"},
    {"no-cache", "", "compile anew and keep nothing"},
    {"dry-run", "", "show the commands instead of running them"},
    {"verbose", "", "show the commands and all that they said"},
    {"format", "NAME", "text (default) or json"},
};

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
    CompileOptions,
    R"(
belay compile add.cpp --soc Ascend910B3 --shared -o libadd.so
belay compile add.cpp --soc Ascend310P3              # add.o for dav-m200
belay compile mm.cpp --core mix -O3 -I include       # cube and vector, linked
belay compile add.cpp --dry-run                      # what would be run
)",
    runCompile,
};
} // namespace belay::tool
