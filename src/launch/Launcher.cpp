//===- Launcher.cpp - Running a kernel in a child process -----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "launch/Launcher.h"
#include "abi/MachineOf.h"
#include "launch/KernelOutput.h"
#include "report/FailureReport.h"
#include "support/Resources.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <csignal>
#include <cstring>
#include <unistd.h>

using namespace llvm;
using namespace belay;
using namespace belay::cases;
using namespace belay::launch;
using namespace belay::report;
using namespace belay::support;
using belay::sim::Arg;
using belay::sim::Plan;

/// The launch is descriptor 3 of the child, the buffers follow.
static constexpr int LaunchFd = 3;
/// Time for the runner to write down where its cores are.
static constexpr std::chrono::milliseconds Grace{1000};
/// Kernels have no business with files.
static constexpr uint64_t MaxFileBytes = 1 << 20;
static constexpr uint64_t MaxTraceBytes = uint64_t(64) << 30;

template <size_t N> static void copyText(char (&To)[N], StringRef From) {
  size_t Length = std::min(From.size(), N - 1);
  std::memcpy(To, From.data(), Length);
  To[Length] = '\0';
}

belay::sim::Machine belay::launch::describeMachine(StringRef Name) {
  const targets::Soc *Soc = targets::findSoc(Name);
  assert(Soc && "validate() has seen the case");
  return sim::machineOf(*Soc);
}

/// Describes the arguments in the plan and lists the descriptors to inherit.
/// Outputs and workspace hold nothing that a kernel may rely on.
static bool hasValues(const ArgumentBuffer &Buffer) {
  return Buffer.Spec ? Buffer.Spec->reads() : !Buffer.Writable;
}

/// The sanitizer compares only floating-point types: integers of another width
/// or sign are common views of the same bytes.
static bool floatTypeOf(DataType Type, sim::Elem &Elem) {
  if (element_types::of(idOf(Type)).what != element_types::kind::Float)
    return false;
  switch (idOf(Type)) {
#define BELAY_ELEMENT_KERNEL(Id, Type, Dump)                                   \
  case element_types::id::Id:                                                  \
    Elem = sim::Elem::Id;                                                      \
    return true;
#include "belay/elements.def"
  default:
    return false;
  }
}

/// Descriptors that the child inherits, numbered from LaunchFd on.
static int inherit(ProcessSpec &Spec, int Here) {
  int Fd = LaunchFd + static_cast<int>(Spec.Fds.size());
  Spec.Fds.push_back({Here, Fd});
  return Fd;
}

static void planMemory(const ArgumentBuffer &Buffer, Arg &A,
                       ProcessSpec &Spec) {
  A.What = Arg::Kind::Memory;
  A.Writable = Buffer.Writable;
  A.HasValues = hasValues(Buffer);
  A.TypeKnown = Buffer.isTensor() && floatTypeOf(Buffer.Tensor.Type, A.Type);
  A.MustWrite = Buffer.MustWrite;
  if (Buffer.isTensor() && Buffer.Tensor.elements())
    A.ElementBytes = static_cast<uint32_t>(std::max<uint64_t>(
        1, Buffer.Tensor.bytes() / Buffer.Tensor.elements()));
  copyText(A.Name, Buffer.Name);
  A.Bytes = Buffer.Memory.size();
  A.SlackBytes = Buffer.Memory.slack().size();
  A.Fd = inherit(Spec, Buffer.Memory.fd());
}

static Error planInline(const ArgumentBuffer &Buffer, Arg &A, Plan &Ask,
                        uint32_t &Used) {
  Used = alignTo(Used, 64);
  if (Buffer.Inline.size() > sim::InlineBytes - Used)
    return createStringError(formatv(
        "arguments by value take at most {0} bytes in all", sim::InlineBytes));
  A.What = Arg::Kind::Inline;
  A.Fd = -1;
  A.Bytes = Buffer.Inline.size();
  A.InlineOffset = Used;
  copyText(A.Name, Buffer.Name);
  std::memcpy(Ask.Inline + Used, Buffer.Inline.data(), Buffer.Inline.size());
  Used += Buffer.Inline.size();
  return Error::success();
}

static Error planList(const ArgumentBuffer &Buffer, Arg &A, Plan &Ask,
                      ProcessSpec &Spec) {
  if (Buffer.Elements.size() > sim::MaxElements - Ask.NumElements)
    return createStringError(
        formatv("lists hold at most {0} tensors in all", sim::MaxElements));
  planMemory(Buffer, A, Spec);
  A.What = Arg::Kind::List;
  A.HasValues = true;
  A.MustWrite = false; // its tensors are, the table is not
  A.FirstElement = Ask.NumElements;
  A.NumElements = static_cast<uint32_t>(Buffer.Elements.size());
  for (const ArgumentBuffer &Element : Buffer.Elements)
    planMemory(Element, Ask.Elements[Ask.NumElements++], Spec);
  return Error::success();
}

static Error planArguments(const ArgumentBuffers &Arguments, Plan &Ask,
                           ProcessSpec &Spec) {
  uint32_t InlineUsed = 0;
  for (const ArgumentBuffer &Buffer : Arguments.buffers()) {
    if (Ask.NumArgs == sim::MaxArgs)
      return createStringError(
          formatv("a kernel takes at most {0} arguments", sim::MaxArgs));
    Arg &A = Ask.Args[Ask.NumArgs++];
    if (Buffer.IsInline) {
      if (Error E = planInline(Buffer, A, Ask, InlineUsed))
        return E;
    } else if (Buffer.Spec && Buffer.Spec->Absent) {
      A.What = Arg::Kind::Null;
    } else if (Buffer.Spec && Buffer.Spec->SameAs) {
      A.What = Arg::Kind::Same;
      A.FirstElement = *Buffer.Spec->SameAs;
    } else if (Buffer.Spec && Buffer.Spec->IsList) {
      if (Error E = planList(Buffer, A, Ask, Spec))
        return E;
    } else {
      planMemory(Buffer, A, Spec);
    }
  }
  return Error::success();
}

/// How many orders to try, and which arguments to compare.
static std::string ordersArgument(const ArgumentBuffers &Arguments,
                                  unsigned Count) {
  std::vector<std::string> Outputs;
  for (const auto &[Number, Buffer] : enumerate(Arguments.buffers()))
    if (Buffer.isTensor() && Buffer.Spec->writes())
      Outputs.push_back(std::to_string(Number));
  return formatv("--orders={0}:{1}", Count, join(Outputs, ","));
}

/// The memory files for the costs of a SoC and what a launch costs by them.
namespace {
struct TimingFiles {
  MemoryFile Costs, Answer;

  static Expected<TimingFiles> create(StringRef Text, bool Timeline) {
    Expected<MemoryFile> Costs = MemoryFile::create("costs", Text.size());
    if (!Costs)
      return Costs.takeError();
    Expected<MemoryFile> Answer = MemoryFile::create(
        "time",
        sizeof(timing::Answer) + (Timeline ? timing::Timeline::MaxBytes : 0));
    if (!Answer)
      return Answer.takeError();
    std::memcpy(Costs->bytes().data(), Text.data(), Text.size());
    return TimingFiles{std::move(*Costs), std::move(*Answer)};
  }
  std::string argument(ProcessSpec &Spec, bool AllDraws) const {
    int From = inherit(Spec, Costs.fd()), To = inherit(Spec, Answer.fd());
    return formatv("--time={0}:{1}:{2}:{3}:{4}", From, Costs.size(), To,
                   AllDraws ? 1 : 0, Answer.size() - sizeof(timing::Answer));
  }
  std::shared_ptr<timing::Answer> take() const {
    auto Taken = std::make_shared<timing::Answer>();
    std::memcpy(Taken.get(), Answer.bytes().data(), sizeof *Taken);
    timing::clean(*Taken);
    return Taken;
  }
};
} // namespace

/// What was enforced; a kernel that did not start is not at fault.
static void noteConfinement(const AwaitingRunner &Runner,
                            LaunchOutcome &Outcome) {
  Outcome.Confined = Runner.confined();
  std::string WhyNot = sandbox::whyNotStarted(*Outcome.Confined);
  using How = ProcessResult::Status;
  if (WhyNot.empty() || Outcome.Process.How == How::TimedOut ||
      Outcome.Report.State == sim::Status::Failed)
    return;
  Outcome.Process.How = How::NotConfined;
  Outcome.Process.Error = "the sandbox cannot be set up: " + WhyNot;
}

/// Lets a debugger start the runner: it has the terminal, and time. What it
/// stops at first is the kernel, whose object is loaded later.
static void debug(ProcessSpec &Spec, const std::string &Debugger,
                  StringRef Kernel) {
  std::vector<std::string> Runner = std::move(Spec.Args);
  Spec.Args = {
      Debugger, "--quiet", "-iex", "source " + getSharePath("gdb/belay_gdb.py"),
      "-ex", "set breakpoint pending on", "-ex",
      // Of kernel<float, 8>, all instances.
      ("break " + Kernel.take_until([](char C) { return C == '<'; })).str(),
      "--args"};
  append_range(Spec.Args, Runner);
  Spec.ClearEnv = false;
  Spec.ShowOutput = true;
  Spec.OnOutput = nullptr;
  Spec.Fds.push_back({STDIN_FILENO, STDIN_FILENO});
  Spec.Timeout = Spec.CpuTime = std::chrono::milliseconds(0);
  Spec.CpuSeconds = Spec.DataBytes = Spec.ResidentBytes = Spec.FileBytes = 0;
}

/// The runner that was started in advance, or a new one.
static Expected<AwaitingRunner> takeRunner(const Case &Case,
                                           const LaunchOptions &Options) {
  if (!Options.Ready || !*Options.Ready)
    return AwaitingRunner::start(Options.Runner, Case);
  AwaitingRunner Taken = std::move(**Options.Ready);
  Options.Ready->reset();
  return Taken;
}

Expected<LaunchOutcome>
belay::launch::launchKernel(const Case &Case, const ArgumentBuffers &Arguments,
                            const LaunchOptions &Options) {
  Expected<MemoryFile> Memory =
      MemoryFile::create("launch", sizeof(sim::Launch));
  if (!Memory)
    return Memory.takeError();
  auto &Launch = *reinterpret_cast<sim::Launch *>(Memory->bytes().data());
  Plan &Ask = Launch.Ask;
  Ask.Magic = sim::LaunchMagic;
  Ask.Version = sim::LaunchVersion;
  Ask.Target = describeMachine(Case.Soc);
  Ask.NumBlocks = Case.Blocks;
  Ask.Task = Case.Task;
  Ask.TilingKey = Case.TilingKey;
  Ask.RunSlots = Options.Slots;
  if (Options.TracePath.size() >= sizeof Ask.TracePath)
    return createStringError(formatv("the path of the trace is longer than {0}",
                                     sizeof Ask.TracePath - 1));
  // The runner writes it; what cannot be written is said before.
  if (!Options.TracePath.empty())
    if (Error E = writeFile(Options.TracePath, ArrayRef<uint8_t>()))
      return E;
  copyText(Ask.TracePath, Options.TracePath);
  Ask.Count = Options.Count;
  Ask.Check = Case.Check;
  Ask.Change = Options.Change;
  Ask.CompilerSync = Case.CompilerSync;
  Ask.OrderSeed = Options.OrderSeed;
  Ask.LocalFill = Options.LocalFill;

  ProcessSpec Spec;
  Spec.Args = {Options.Runner, "--launch", std::to_string(LaunchFd),
               Options.ObjectPath};
  if (!Options.CubeObjectPath.empty())
    Spec.Args.push_back(Options.CubeObjectPath);
  Spec.ClearEnv = true;
  Spec.Fds.push_back({Memory->fd(), LaunchFd});
  if (Error E = planArguments(Arguments, Ask, Spec))
    return E;
  std::optional<AwaitingRunner> Confined;
  if (Options.Sealed && Options.Sandbox) {
    Expected<AwaitingRunner> Runner = takeRunner(Case, Options);
    if (!Runner)
      return Runner.takeError();
    Confined.emplace(std::move(*Runner));
  } else if (Options.Sealed) {
    Spec.Args.push_back("--sealed");
  }
  std::optional<TimingFiles> Time;
  if (Options.Orders) {
    Spec.Args.push_back(ordersArgument(Arguments, *Options.Orders));
  } else if (!Options.Costs.empty()) {
    Expected<TimingFiles> Files =
        TimingFiles::create(Options.Costs, Options.Timeline);
    if (!Files)
      return Files.takeError();
    Time.emplace(std::move(*Files));
    Spec.Args.push_back(Time->argument(Spec, Options.AllDraws));
  }
  KernelOutput Output(Options.PrintToStderr, Options.Silent);
  Spec.OnOutput = [&](int Stream, std::string_view Text) {
    Output.write(Stream, Text);
  };

  Spec.Timeout = std::chrono::milliseconds(
      static_cast<int64_t>(std::ceil(Case.TimeLimitSeconds * 1000)));
  Spec.CpuTime = std::chrono::milliseconds(
      static_cast<int64_t>(std::ceil(Options.CpuSeconds * 1000)));
  Spec.OnTimeout = [](pid_t Child) { ::kill(Child, SIGUSR1); };
  Spec.Grace = Grace;
  limitRunner(Case, Spec);
  Spec.ResidentBytes = Case.MemoryLimitBytes + Arguments.totalBytes();
  Spec.FileBytes = Options.TracePath.empty() ? MaxFileBytes : MaxTraceBytes;
  if (Options.Sealed)
    Spec.FileBytes = 0; // memory files count; the kernel has a limit of its own

  if (!Options.Debugger.empty())
    debug(Spec, Options.Debugger, Case.Kernel);
  LaunchOutcome Outcome;
  if (Confined) {
    Expected<ProcessResult> Process = Confined->launch(std::move(Spec));
    if (!Process)
      return Process.takeError();
    Outcome.Process = std::move(*Process);
  } else {
    Outcome.Process = belay::support::runProcess(std::move(Spec));
  }
  Output.finish();
  std::memcpy(&Outcome.Report, &Launch.Answer, sizeof Outcome.Report);
  cleanReport(Outcome.Report);
  if (Confined)
    noteConfinement(*Confined, Outcome);
  if (Time) {
    Outcome.Time = Time->take();
    Outcome.Timeline = timing::readTimeline(
        Time->Answer.bytes().drop_front(sizeof(timing::Answer)));
  }
  Outcome.OrderSeed = Ask.OrderSeed;
  return Outcome;
}
