//===- UserOptions.cpp - Options from untrusted input ---------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/UserOptions.h"
#include "support/DiagnosticError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace belay::compiler;
using belay::support::DiagId;
using belay::support::makeError;

/// Nobody writes more by hand, and generators have no reason to.
static constexpr size_t MaxOptions = 4096;
static constexpr size_t MaxOptionBytes = 32 << 10;

namespace {

/// Why an option that people do try is refused.
struct Refusal {
  StringLiteral Prefix;
  StringLiteral Why;
};

} // namespace

static constexpr Refusal Refusals[] = {
    {"@", "it would read further options from a file"},
    {"-o", "the output is named by the caller, not by an option"},
    {"-fplugin", "it would load code into the compiler"},
    {"-fpass-plugin", "it would load code into the compiler"},
    {"-load", "it would load code into the compiler"},
    {"-Xclang", "it reaches past the compiler's own checks"},
    {"-cc1", "it reaches past the compiler's own checks"},
    {"-Xlinker", "it reaches past the compiler's own checks"},
    {"-Xassembler", "it reaches past the compiler's own checks"},
    {"-Xpreprocessor", "it reaches past the compiler's own checks"},
    {"-Wl,", "it passes options on to the linker unseen"},
    {"-Wa,", "it passes options on to the assembler unseen"},
    {"-Wp,", "it passes options on to the preprocessor unseen"},
    {"-B", "it would start other programs as parts of the compiler"},
    {"-wrapper", "it would start other programs"},
    {"-fuse-ld", "it would start another linker"},
    {"--ld-path", "it would start another linker"},
    {"-specs", "it would read further options from a file"},
    {"--config", "it would read further options from a file"},
    {"-M", "dependencies are Belay's to write"},
    {"-save-temps", "it writes files that nobody asked for"},
    {"--save-temps", "it writes files that nobody asked for"},
    {"-ftime-trace", "it writes files that nobody asked for"},
    {"-fprofile", "it reads or writes files beside the output"},
    {"-include-pch", "a precompiled header is not compared with its sources"},
    {"-x", "the target decides the language"},
    {"--npu-arch", "the SoC decides the architecture"},
    {"--cce-aicore-arch", "the SoC decides the architecture"},
    {"--target", "the SoC decides the architecture"},
    {"-target", "the SoC decides the architecture"},
    {"-lib", "--shared, --static or neither decide the kind of output"},
    {"--shared", "--shared, --static or neither decide the kind of output"},
    {"-shared", "--shared, --static or neither decide the kind of output"},
    {"-c", "--shared, --static or neither decide the kind of output"},
    {"-E", "only whole compilations are made"},
    {"-S", "only whole compilations are made"},
};

/// Options without a value that mean the same wherever they stand.
static constexpr StringLiteral PlainOptions[] = {
    "-g",
    "-g0",
    "-gline-tables-only",
    "-w",
    "-fPIC",
    "-fpic",
    "-pthread",
    "-fno-exceptions",
    "-fno-rtti",
    "-fno-strict-aliasing",
    "-fstrict-aliasing",
    "-fwrapv",
    "-funroll-loops",
    "-fno-unroll-loops",
    "-ffast-math",
    "-fno-fast-math",
    "-fvisibility=hidden",
    "-fvisibility=default",
    "-fvisibility-inlines-hidden",
    "-ffp-contract=off",
    "-ffp-contract=on",
    "-ffp-contract=fast",
    "-fdiagnostics-color=never",
    "-fno-color-diagnostics",
    "-fno-common",
    "--sanitizer",
    "--enable-simt",
    "--enable-pto-tile-fusion",
    "--run-mode=npu",
    "--run-mode=sim",
    "--run-mode=cpu",
};

static Error refuse(StringRef Arg, const Twine &Why) {
  std::string Shown = Arg.take_front(200).str();
  for (char &C : Shown)
    if (!isPrint(C))
      C = '?';
  return makeError(DiagId::OptionRefused,
                   "option '" + Shown + "' is refused: " + Why);
}

static bool isWord(StringRef Text, StringRef Extra) {
  return !Text.empty() &&
         all_of(Text, [&](char C) { return isAlnum(C) || Extra.contains(C); });
}

static bool isIdentifier(StringRef Name) {
  return isWord(Name, "_") && !isDigit(Name[0]);
}

/// -O2, -Os, but not -object.
static bool isOptimisation(StringRef Arg) {
  return Arg.consume_front("-O") &&
         (Arg.empty() || is_contained({"0", "1", "2", "3", "s"}, Arg));
}

static bool isStandard(StringRef Arg) {
  if (!Arg.consume_front("-std="))
    return false;
  if (!Arg.consume_front("c++") && !Arg.consume_front("gnu++"))
    return false;
  return is_contained({"11", "14", "17", "20", "2a"}, Arg);
}

/// -Wall, -Wno-unused, -Werror=return-type; nothing with a comma or a path.
static bool isWarning(StringRef Arg) {
  return Arg.consume_front("-W") && isWord(Arg, "-+=_");
}

/// Switches of the device's compiler, alone or after -mllvm, one or two dashes
/// in front, with or without "=VALUE". Those that name files are left out.
static constexpr StringLiteral DeviceSwitches[] = {
    "api-deps-filter",
    "cce-aicore-addr-transform",
    "cce-aicore-dcci-insert-for-scalar",
    "cce-aicore-fp-ceiling",
    "cce-aicore-function-stack-size",
    "cce-aicore-jump-expand",
    "cce-aicore-mask-opt",
    "cce-aicore-only",
    "cce-aicore-record-overflow",
    "cce-aicore-stack-size",
    "cce-auto-sync",
    "cce-disable-kernel-global-attr-check",
    "cce-enable-mix",
    "cce-enable-print",
    "cce-enable-sanitizer",
    "cce-fatobj-link",
    "cce-generic-addrspace",
    "cce-long-scbz",
    "cce-mask-opt",
    "cce-simd-vf-fusion",
    "cce-vf-fusion-max-candidate-set-threshold",
    "tile-fusion-skip-legality-check",
    "tile-fusion-skip-reduceop-fusion",
    "tile-fusion-skip-shape-inference",
};

static bool isDeviceSwitch(StringRef Name) {
  auto [Key, Value] = Name.split('=');
  return is_contained(DeviceSwitches, Key) &&
         (Key.size() == Name.size() || isWord(Value, "_"));
}

namespace {

class Parser {
public:
  Parser(ArrayRef<std::string> Words, StringRef WorkingDir)
      : Words(Words), WorkingDir(WorkingDir) {}

  Expected<UserOptions> parse() {
    if (Words.size() > MaxOptions)
      return makeError(DiagId::OptionRefused,
                       formatv("{0} options are more than the {1} that are "
                               "read",
                               Words.size(), MaxOptions));
    while (At < Words.size())
      if (Error E = parseOne())
        return std::move(E);
    return std::move(Result);
  }

private:
  Error parseOne() {
    StringRef Arg = Words[At++];
    if (Arg.size() > MaxOptionBytes)
      return refuse(Arg, "it is too long");
    if (Arg.find_first_of(StringRef("\0\n\r", 3)) != StringRef::npos)
      return refuse(Arg, "it holds a line end or a NUL byte");
    if (Arg.starts_with("-D") || Arg.starts_with("-U"))
      return parseMacro(Arg);
    for (StringRef Name : {"-isystem", "-iquote", "-include"})
      if (Arg.starts_with(Name) && !Arg.starts_with("-include-pch"))
        return parsePath(Arg, Name);
    if (Arg.starts_with("-I") || Arg.starts_with("-L"))
      return parsePath(Arg, Arg.take_front(2));
    // -lib would turn the output into an archive.
    if (Arg.starts_with("-l") && Arg != "-lib" && Arg != "-load" &&
        isWord(Arg.drop_front(2), "_+-"))
      return keep(Arg);
    if (Arg == "-mllvm")
      return parseMllvm();
    return parsePlain(Arg);
  }

  Error parsePlain(StringRef Arg) {
    if (isOptimisation(Arg)) {
      Result.HasOptimisation = true;
      return keep(Arg);
    }
    if (isStandard(Arg)) {
      Result.HasStandard = true;
      return keep(Arg);
    }
    if (is_contained(PlainOptions, Arg)) {
      Result.HasDebugInfo |= Arg.starts_with("-g") && Arg != "-g0";
      return keep(Arg);
    }
    StringRef Name = Arg;
    bool IsSwitch = Name.consume_front("--") || Name.consume_front("-");
    if (isWarning(Arg) || (IsSwitch && isDeviceSwitch(Name)))
      return keep(Arg);
    for (const Refusal &Each : Refusals)
      if (Arg.starts_with(Each.Prefix))
        return refuse(Arg, Each.Why);
    if (!Arg.starts_with("-"))
      return refuse(Arg, "one source is compiled at a time");
    return refuse(Arg, "it is not among those that are known to be harmless");
  }

  Error parseMacro(StringRef Arg) {
    StringRef Letter = Arg.take_front(2), Text = Arg.drop_front(2);
    if (Text.empty()) {
      if (At == Words.size())
        return refuse(Arg, "it needs a name");
      Text = Words[At++];
      if (Text.find_first_of(StringRef("\0\n\r", 3)) != StringRef::npos ||
          Text.size() > MaxOptionBytes)
        return refuse(Arg, "its value holds a line end or a NUL byte");
    }
    StringRef Name = Letter == "-D" ? Text.split('=').first : Text;
    // -D'min(a,b)=...' defines a function.
    auto [Plain, Params] = Name.split('(');
    if (!isIdentifier(Plain) ||
        (Plain.size() != Name.size() &&
         !(Params.ends_with(")") && isWord(Params, "_,. )"))))
      return refuse(Arg, "'" + Name.take_front(80) + "' is no macro's name");
    Result.Macros.push_back((Letter + Text).str());
    return keep((Letter + Text).str());
  }

  Error parsePath(StringRef Arg, StringRef Name) {
    StringRef Path = Arg.drop_front(Name.size());
    if (Path.empty()) {
      if (At == Words.size())
        return refuse(Arg, "it needs a path");
      Path = Words[At++];
    }
    if (Path.empty() || Path.size() > MaxOptionBytes ||
        Path.find_first_of(StringRef("\0\n\r", 3)) != StringRef::npos)
      return refuse(Arg, "its path is empty or holds a line end or a NUL byte");
    // "=" means the compiler's own system root, whatever that is.
    if (Path.starts_with("="))
      return refuse(Arg, "its path depends on the compiler's system root");
    SmallString<128> Full(Path);
    sys::path::make_absolute(WorkingDir, Full);
    sys::path::remove_dots(Full, /*remove_dot_dot=*/false);
    std::string Absolute = Full.str().str();
    if (Name == "-include") {
      Result.Includes.push_back(Absolute);
      Result.Args.push_back(Name.str());
      return keep(Absolute);
    }
    if (Name == "-iquote")
      Result.QuoteDirs.push_back(Absolute);
    else if (Name != "-L")
      Result.IncludeDirs.push_back(Absolute);
    return keep((Name + Absolute).str());
  }

  Error parseMllvm() {
    if (At == Words.size())
      return refuse("-mllvm", "it needs a switch");
    StringRef Switch = Words[At++];
    StringRef Name = Switch;
    if (!(Name.consume_front("--") || Name.consume_front("-")) ||
        !isDeviceSwitch(Name))
      return refuse(("-mllvm " + Switch.take_front(MaxOptionBytes)).str(),
                    "it is not among those that are known to be harmless");
    Result.Args.push_back("-mllvm");
    return keep(Switch);
  }

  Error keep(StringRef Arg) {
    Result.Args.push_back(Arg.str());
    return Error::success();
  }

  ArrayRef<std::string> Words;
  StringRef WorkingDir;
  size_t At = 0;
  UserOptions Result;
};

} // namespace

Expected<UserOptions>
belay::compiler::parseUserOptions(ArrayRef<std::string> Args,
                                  StringRef WorkingDir) {
  return Parser(Args, WorkingDir).parse();
}
