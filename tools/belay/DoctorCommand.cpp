//===- DoctorCommand.cpp - belay doctor -----------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"

#include "compiler/Cann.h"
#include "sandbox/Sandbox.h"
#include "support/Resources.h"
#include "support/Styling.h"
#include "support/Subprocess.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <thread>
#include <unistd.h>

using namespace belay;
using namespace belay::support;
using namespace belay::tool;
using namespace llvm;

namespace {

struct Finding {
  enum Verdict {
    Found,
    Missing,  ///< Belay cannot work without it.
    Optional, ///< Absent, and most users can do without.
  };
  Verdict What;
  std::string Subject;
  std::string Detail;
  std::string Remedy;
};

} // namespace

static std::string install(StringRef Packages) {
  return (::geteuid() ? "sudo apt-get install " : "apt-get install ") +
         Packages.str();
}

/// How to get the parts of Belay itself that are not there.
static std::string rebuild() {
  const std::string &Prefix = getPrefix();
  return sys::fs::exists(Prefix + "/CMakeCache.txt")
             ? "cmake --build " + Prefix
             : "cmake --install BUILD_FOLDER --prefix " + Prefix;
}

static ProcessResult ask(std::vector<std::string> Args,
                         std::vector<std::string> Env = {}) {
  ProcessSpec Spec;
  Spec.Args = std::move(Args);
  Spec.Env = std::move(Env);
  Spec.Timeout = std::chrono::seconds(20);
  return runProcess(Spec);
}

static std::string firstLine(StringRef Text) {
  return Text.split('\n').first.trim().str();
}

//===----------------------------------------------------------------------===//
// One function per subject
//===----------------------------------------------------------------------===//

/// Not only that clang is there: that it finds a C++ standard library, which is
/// another package.
static Finding checkCompiler() {
  auto Path = sys::findProgramByName("clang++-22");
  if (!Path)
    return {Finding::Missing, "clang++-22", "compiles kernels",
            install("clang-22")};
  ProcessResult Compiled = ask({*Path, "-std=c++20", "-fsyntax-only", "-x",
                                "c++", "-include", "cmath", "/dev/null"});
  if (!Compiled.succeeded())
    return {Finding::Missing, "clang++-22",
            "cannot compile C++: " + firstLine(Compiled.Err),
            install("libstdc++-12-dev")};
  return {Finding::Found, "clang++-22",
          firstLine(ask({*Path, "--version"}).Out), ""};
}

static Finding checkFile(StringRef Subject, const std::string &Path) {
  if (sys::fs::exists(Path))
    return {Finding::Found, Subject.str(), Path, ""};
  return {Finding::Missing, Subject.str(), Path + " does not exist", rebuild()};
}

/// Debian's Python is asked first, as the tests do: it has Debian's packages.
static std::string findPython() {
  if (sys::fs::can_execute("/usr/bin/python3"))
    return "/usr/bin/python3";
  auto Path = sys::findProgramByName("python3");
  return Path ? *Path : "";
}

static Finding checkPython(const std::string &Python) {
  if (Python.empty())
    return {Finding::Optional, "python3", "runs the tests' reference values",
            install("python3")};
  return {Finding::Found, "python3",
          Python + ", " + firstLine(ask({Python, "--version"}).Out), ""};
}

/// Asks for the version without the import, which takes seconds for torch.
static Finding checkModule(const std::string &Python, const std::string &Module,
                           StringRef Use) {
  constexpr char Query[] =
      "import sys, importlib.util as u, importlib.metadata as m\n"
      "name = sys.argv[1]\n"
      "if not u.find_spec(name): sys.exit(1)\n"
      "try: print(m.version(name))\n"
      "except m.PackageNotFoundError: print('version unknown')\n";
  ProcessResult Answer;
  if (!Python.empty())
    Answer = ask({Python, "-c", Query, Module});
  if (!Answer.succeeded())
    return {Finding::Optional, Module, Use.str(), install("python3-" + Module)};
  return {Finding::Found, Module, firstLine(Answer.Out), ""};
}

static Finding checkCcache() {
  if (auto Path = sys::findProgramByName("ccache"))
    return {Finding::Found, "ccache", *Path, ""};
  return {Finding::Optional, "ccache", "makes rebuilding Belay faster",
          install("ccache")};
}

static Finding checkCann() {
  std::optional<compiler::Cann> Cann = compiler::findCann();
  if (!Cann)
    return {Finding::Optional, "CANN",
            "only needed to build for and run on a real NPU", ""};
  std::string Detail = Cann->Root;
  if (!Cann->Version.empty())
    Detail += ", version " + Cann->Version;
  Detail += Cann->Bisheng.empty() ? ", without bisheng" : ", with bisheng";
  if (!Cann->Rtc.empty())
    Detail += ", with aclrtc";
  return {Finding::Found, "CANN", Detail, ""};
}

/// What programs with belay/host.h bind here: CANN's libraries, or those of the
/// simulated device.
static void checkLibraries(std::vector<Finding> &Findings) {
  ProcessResult Result =
      ask({getLibexecPath("belay-libraries")}, {"BELAY_HOME=" + getPrefix()});
  if (!Result.succeeded()) {
    Findings.push_back({Finding::Optional, "host libraries",
                        firstLine(Result.Err), rebuild()});
    return;
  }
  SmallVector<StringRef, 8> Lines;
  StringRef(Result.Out).split(Lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef Line : Lines) {
    SmallVector<StringRef, 3> Parts;
    Line.split(Parts, '\t');
    if (Parts.size() != 3)
      continue;
    std::string Detail = Parts[1].str();
    if (!Parts[2].empty())
      Detail += ", " + Parts[2].str();
    Findings.push_back({Finding::Found, Parts[0].str(), Detail, ""});
  }
}

static Finding checkMachine() {
  uint64_t Memory =
      uint64_t(::sysconf(_SC_PHYS_PAGES)) * uint64_t(::sysconf(_SC_PAGESIZE)) >>
      20;
  return {Finding::Found, "machine",
          utostr(std::thread::hardware_concurrency()) + " cores, " +
              utostr(Memory / 1024) + " GB memory",
          ""};
}

/// Whether this user could limit memory, processes and CPU time of a whole run.
/// Belay does without: docs/security.md says what that leaves open.
static std::string describeControlGroups() {
  constexpr StringLiteral Roots[] = {"/sys/fs/cgroup",
                                     "/sys/fs/cgroup/unified"};
  for (StringRef Root : Roots) {
    auto Controllers =
        MemoryBuffer::getFile(Root + "/cgroup.controllers", /*IsText=*/false,
                              /*RequiresNullTerminator=*/false);
    if (!Controllers)
      continue;
    SmallVector<StringRef> Words;
    (*Controllers)->getBuffer().trim().split(Words, ' ');
    return is_contained(Words, "memory") && is_contained(Words, "pids")
               ? "cgroup 2 not used"
               : "no cgroup 2 with memory and pids";
  }
  return "no cgroup 2";
}

/// Whether untrusted kernels can be run here, and what keeps them in.
static Finding checkSandbox() {
  sandbox::Ability Found = sandbox::examineMachine();
  if (!Found.WhyNot.empty())
    return {Finding::Optional, "sandbox",
            "'belay run --sealed' is refused: " + Found.WhyNot,
            "'belay explain no-sandbox' tells what it takes"};
  const sandbox::Status &Said = Found.Said;
  std::string Detail = "namespaces, system calls";
  Detail += Said.Landlock ? ", landlock " + utostr(Said.Landlock)
                          : std::string(", no landlock");
  Detail += ", " + describeControlGroups();
  Detail += "; runs as user " + utostr(Said.User);
  return {Finding::Found, "sandbox", Detail, ""};
}

static std::vector<Finding> examine() {
  std::vector<Finding> Findings;
  if (getPrefix().empty()) {
    Findings.push_back({Finding::Missing, "belay",
                        "no share/belay above the executable",
                        "set BELAY_HOME, or install with 'cmake --install'"});
  } else {
    Findings.push_back({Finding::Found, "belay", getPrefix(), ""});
    Findings.push_back(checkFile("AscendC headers",
                                 getSharePath("ascendc/kernel_operator.h")));
    Findings.push_back(checkFile("runner", getLibexecPath("belay-runner")));
  }
  Findings.push_back(checkCompiler());
  Findings.push_back(checkMachine());
  if (!getPrefix().empty())
    Findings.push_back(checkSandbox());
  std::string Python = findPython();
  Findings.push_back(checkPython(Python));
  Findings.push_back(checkModule(Python, "numpy", "reference values"));
  Findings.push_back(checkModule(Python, "torch", "reference values"));
  Findings.push_back(checkCcache());
  Findings.push_back(checkCann());
  if (!getPrefix().empty())
    checkLibraries(Findings);
  return Findings;
}

//===----------------------------------------------------------------------===//
// The report
//===----------------------------------------------------------------------===//

static void print(raw_ostream &OS, const Styling &Style, const Finding &F) {
  switch (F.What) {
  case Finding::Found:
    OS << Style.paint(Tone::Good, "ok      ");
    break;
  case Finding::Missing:
    OS << Style.paint(Tone::Bad, "missing ");
    break;
  case Finding::Optional:
    OS << Style.paint(Tone::Faint, "absent  ");
    break;
  }
  OS << ' ' << Style.paint(Tone::Strong, F.Subject);
  OS.indent(gapAfter(F.Subject, 17)) << F.Detail << '\n';
  if (!F.Remedy.empty())
    OS.indent(26) << "-> " << F.Remedy << '\n';
}

static int runDoctor(const Command &Self, const Arguments &Args) {
  if (!Args.Positional.empty())
    return usageError(Self, "unexpected '" + Args.Positional[0] + "'");
  Styling Style(outs());
  unsigned Missing = 0;
  for (const Finding &Each : examine()) {
    print(outs(), Style, Each);
    Missing += Each.What == Finding::Missing;
  }
  if (Missing == 0)
    outs() << "\nReady to run kernels.\n";
  else
    outs() << "\nNot ready: " << Missing
           << (Missing == 1 ? " thing is" : " things are") << " missing.\n";
  return Missing ? ExitFailure : ExitSuccess;
}

namespace belay::tool {
extern const Command DoctorCommand;
const Command DoctorCommand = {
    "doctor",
    "what was found on this machine, and what is missing",
    "",
    R"(
Looks for everything that Belay uses and says of each whether it is there, which
one was found, and which command installs it. "missing" is needed; "absent" is
not, unless you want what stands beside it. Exits with 1 if something is missing.
)",
    {},
    "belay doctor",
    runDoctor,
};
} // namespace belay::tool
