//===- main.cpp - Stands in PATH where bisheng is called ------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Tools that call `bisheng` by name, or by a variable, get this instead: it
// checks the kernel, looks for the binary in the cache, and calls the real
// compiler with the tool's own flags if it is not there. What it does not
// understand it passes on as it is, and says so.
//
//   BELAY_SHIM        on (default), strict: refuse instead of passing on, off
//   BELAY_SHIM_CHECK  on (default), required, off
//
// See docs/integrations/shim.md.
//
//===----------------------------------------------------------------------===//

#include "compiler/DeviceCompiler.h"
#include "support/DiagnosticLevel.h"
#include "support/Styling.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

using namespace llvm;
using namespace belay;
using namespace belay::compiler;
using belay::support::Diagnostic;
using belay::support::Styling;

namespace {

/// What a command line of bisheng means.
struct CommandLine {
  std::vector<std::string> Sources;
  std::string OutputPath;
  const DeviceTarget *Target = nullptr;
  Output Kind = Output::Object;
  bool HasKind = false;
  /// Flags that the request decides for itself elsewhere: language,
  /// architecture, kind of output.
  std::vector<std::string> Decisions;
  /// All others.
  std::vector<std::string> Options;

  static CommandLine parse(ArrayRef<std::string> Words);
};

} // namespace

static StringRef setting(const char *Name) {
  const char *Value = std::getenv(Name);
  return Value && *Value ? Value : "on";
}

/// Options of ours whose value is the next word.
static bool takesWord(StringRef Word) {
  return is_contained(
      {"-D", "-U", "-I", "-L", "-isystem", "-iquote", "-include", "-mllvm"},
      Word);
}

CommandLine CommandLine::parse(ArrayRef<std::string> Words) {
  CommandLine Line;
  auto SetKind = [&](Output Kind, StringRef Word) {
    Line.Kind = Kind;
    Line.HasKind = true;
    Line.Decisions.push_back(Word.str());
  };
  for (size_t I = 0; I < Words.size(); ++I) {
    StringRef Word = Words[I];
    bool More = I + 1 < Words.size();
    if (Word == "-o" && More) {
      Line.OutputPath = Words[++I];
    } else if (Word == "-x" && More) {
      Line.Decisions.push_back("-x" + Words[++I]);
    } else if (Word == "-xcce" || Word == "-xasc") {
      Line.Decisions.push_back(Word.str());
    } else if (Word == "-c") {
      SetKind(Output::Object, Word);
    } else if (Word == "-shared" || Word == "--shared") {
      SetKind(Output::Shared, Word);
    } else if (Word == "-lib") {
      SetKind(Output::Static, Word);
    } else if (Word.starts_with("--npu-arch=") ||
               Word.starts_with("--cce-aicore-arch=")) {
      Line.Target = targetOfFlag(Word);
      Line.Decisions.push_back(Word.str());
    } else if (!Word.starts_with("-") && !Word.starts_with("@")) {
      Line.Sources.push_back(Word.str());
    } else {
      Line.Options.push_back(Word.str());
      if (takesWord(Word) && More)
        Line.Options.push_back(Words[++I]);
    }
  }
  return Line;
}

/// Why a command line is not ours to handle; "" if it is, "-" if it compiles
/// nothing at all.
static std::string reasonToPassOn(const CommandLine &Line,
                                  Expected<UserOptions> &Options) {
  if (Line.Sources.empty() || Line.OutputPath.empty())
    return "-";
  if (Line.Sources.size() > 1)
    return "it has several inputs";
  if (is_contained({".o", ".a", ".so"},
                   sys::path::extension(Line.Sources.front())))
    return "-";
  if (!Line.Target)
    return "it names no architecture that Belay knows";
  if (!Line.HasKind)
    return "it is neither -c nor -shared nor -lib";
  if (!Options)
    return toString(Options.takeError());
  return "";
}

/// Becomes the real compiler. PATH loses this folder, so that a compiler that
/// calls itself by name does not come back here.
static int passOn(const std::string &Compiler, StringRef OwnDir, char **Argv) {
  SmallVector<StringRef, 32> Dirs;
  const char *Path = std::getenv("PATH");
  StringRef(Path ? Path : "").split(Dirs, ':');
  std::vector<std::string> Others;
  for (StringRef Dir : Dirs) {
    SmallString<128> Real;
    if (sys::fs::real_path(Dir, Real) || Real != OwnDir)
      Others.push_back(Dir.str());
  }
  ::setenv("PATH", join(Others, ":").c_str(), /*overwrite=*/1);
  std::string Name = Compiler;
  Argv[0] = Name.data();
  ::execv(Compiler.c_str(), Argv);
  errs() << "belay: error: " << Compiler << ": " << std::strerror(errno)
         << '\n';
  return 1;
}

static int report(const Result &Made) {
  errs() << (Made.Succeeded ? Made.Log : "");
  Styling Style(errs());
  for (const Diagnostic &Diag : Made.Diags)
    printDiagnosticAs(errs(), Made.levelOf(Diag), Diag, Style);
  return Made.Succeeded ? 0 : 1;
}

static int compile(const CommandLine &Line, const UserOptions &Options,
                   StringRef OwnDir) {
  Request Req;
  Req.Path = Line.Sources.front();
  Req.Target = Line.Target;
  Req.Out = Line.Kind;
  Req.Options = Line.Options;
  Req.Check = checkingNamed(setting("BELAY_SHIM_CHECK")).value_or(Checking::On);
  Req.ForeignFlags = Line.Decisions;
  append_range(*Req.ForeignFlags, Options.Args);
  DeviceCompiler::Options Setup;
  Setup.NotFrom = OwnDir.str();
  Result Made = DeviceCompiler(std::move(Setup)).compile(Req);
  if (Made.Succeeded)
    if (Error E = writeOutput(Line.OutputPath, Made.Object,
                              Line.Kind == Output::Shared)) {
      errs() << "belay: error: " << toString(std::move(E)) << '\n';
      return 1;
    }
  return report(Made);
}

int main(int Argc, char **Argv) {
  SmallString<256> Own(sys::fs::getMainExecutable(
      Argv[0], reinterpret_cast<void *>(&CommandLine::parse)));
  std::string OwnDir = sys::path::parent_path(Own).str();
  Expected<Cann> Found = requireCann("", OwnDir);
  if (!Found || Found->Bisheng.empty()) {
    errs() << "belay: error: there is no bisheng to call: "
           << (Found ? Found->Root + " has none" : toString(Found.takeError()))
           << '\n';
    return 1;
  }
  std::vector<std::string> Words(Argv + 1, Argv + Argc);
  StringRef Mode = setting("BELAY_SHIM");
  if (Mode == "off")
    return passOn(Found->Bisheng, OwnDir, Argv);

  CommandLine Line = CommandLine::parse(Words);
  SmallString<128> Here;
  sys::fs::current_path(Here);
  Expected<UserOptions> Options = parseUserOptions(Line.Options, Here);
  std::string Reason = reasonToPassOn(Line, Options);
  if (Reason.empty())
    return compile(Line, *Options, OwnDir);
  consumeError(Options.takeError());
  if (Reason != "-" && Mode == "strict") {
    errs() << "belay: error: refused, because " << Reason
           << " [option-refused]\n";
    return 1;
  }
  if (Reason != "-")
    errs() << "belay: note: passed on to bisheng unchecked, because " << Reason
           << '\n';
  return passOn(Found->Bisheng, OwnDir, Argv);
}
