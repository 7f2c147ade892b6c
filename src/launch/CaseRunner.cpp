//===- CaseRunner.cpp - From a case to its result -------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "launch/CaseRunner.h"
#include "cache/Fingerprint.h"
#include "cases/Npy.h"
#include "launch/CostFile.h"
#include "launch/TemplateArguments.h"
#include "launch/TimeMemory.h"
#include "ophost/OpHost.h"
#include "report/FailureReport.h"
#include "report/TimeReport.h"
#include "report/TimelineReport.h"
#include "support/DiagnosticError.h"
#include "support/Numbers.h"
#include "toolchain/CompilerMessages.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <chrono>

using namespace llvm;
using namespace belay;
using namespace belay::cache;
using namespace belay::cases;
using namespace belay::launch;
using namespace belay::ophost;
using namespace belay::report;
using namespace belay::support;
using namespace belay::toolchain;

/// What two cases have to agree in to share one object.
static std::string shareKey(const Case &Case) {
  Fingerprint Key;
  Key.add(Case.Source).add(Case.Kernel).add(Case.Soc);
  Key.add(Case.Tiling.Struct).add(Case.Tiling.Header).add(Case.Prelude);
  Key.add(Case.Code).add(Case.Deny ? "deny" : "");
  for (const std::string &Define : Case.Defines)
    Key.add(Define);
  Key.add("includes");
  for (const std::string &Dir : Case.IncludeDirs)
    Key.add(Dir);
  return Key.str();
}

/// Expected values may lie beside a source, which must not include them.
static void hideExpected(const Case &Case, std::vector<std::string> &Hidden) {
  for (const ArgSpec &Arg : Case.Args)
    if (Arg.Expect) {
      SmallString<128> Path(Arg.Expect->Path);
      if (!sys::fs::make_absolute(Path) && !is_contained(Hidden, Path))
        Hidden.push_back(Path.str().str());
    }
}

Expected<CaseRunner> CaseRunner::create(ArrayRef<Case> Cases, Options Opts) {
  for (const Case &Case : Cases)
    hideExpected(Case, Opts.Compiler.Hidden);
  llvm::sort(Opts.Compiler.Hidden);
  Expected<KernelCompiler> Compiler = KernelCompiler::create(Opts.Compiler);
  if (!Compiler)
    return Compiler.takeError();
  CaseRunner Runner(std::move(*Compiler), std::move(Opts));
  for (const Case &Case : Cases) {
    std::string Key = shareKey(Case);
    auto Found = find_if(Runner.SharedFields,
                         [&](const auto &Entry) { return Entry.first == Key; });
    if (Found == Runner.SharedFields.end())
      Found = Runner.SharedFields.insert(Runner.SharedFields.end(), {Key, {}});
    append_range(Found->second, Case.Tiling.fieldNames());
  }
  for (auto &[_, Fields] : Runner.SharedFields) {
    sort(Fields);
    Fields.erase(llvm::unique(Fields), Fields.end());
  }
  return Runner;
}

CaseResult CaseRunner::run(const Case &Case) {
  CaseResult Result;
  Result.Name = Case.Name;
  Result.Kernel = Case.Kernel;
  Result.Blocks = Case.Blocks;
  Result.Sealed = Opts.Sealed;
  if (Opts.BudgetSeconds > 0) {
    Deadline = std::chrono::steady_clock::now() +
               std::chrono::milliseconds(
                   static_cast<int64_t>(Opts.BudgetSeconds * 1000));
    Compiler.setDeadline(Deadline);
  }
  double CpuBefore = Compiler.cpuSeconds();
  if (Opts.CpuBudgetSeconds > 0)
    Compiler.setCpuBudget(Opts.CpuBudgetSeconds);
  startRunner(Case);
  Error E = Case.OpHost.given()      ? runOperator(Case, Result)
            : isLanguageSource(Case) ? runLanguage(Case, Result)
                                     : runInto(Case, Result);
  if (E)
    Result.Problems.push_back(toDiagnostic(std::move(E)));
  Ready.reset();
  Result.CompilerCpuSeconds = Compiler.cpuSeconds() - CpuBefore;
  return Result;
}

void CaseRunner::startRunner(const Case &Case) {
  if (!Opts.Sealed || !Opts.Compiler.Sandbox)
    return;
  Expected<AwaitingRunner> Runner =
      AwaitingRunner::start(Compiler.tools().Runner, Case);
  if (Runner)
    Ready.emplace(std::move(*Runner));
  else // launchKernel() says why
    consumeError(Runner.takeError());
}

Expected<CaseRunner::CompiledLanguage>
CaseRunner::compileLanguage(const Case &Input) {
  constexpr size_t MaxMessageBytes = 1 << 20;
  CompiledLanguage Made;
  Error Failure = Error::success();
  {
    MessageListener Listener(MaxMessageBytes);
    if (Expected<std::string> Json = Compiler.compileLanguage(Input)) {
      auto Kernels = LanguageKernel::parse(*Json);
      if (Kernels)
        Made.Kernels = std::move(*Kernels);
      else
        Failure = joinErrors(std::move(Failure), Kernels.takeError());
    } else {
      Failure = joinErrors(std::move(Failure), Json.takeError());
    }
    Made.Messages = Listener.text();
  }
  showMessages(Made.Messages);
  if (Failure)
    return std::move(Failure);
  return Made;
}

Error CaseRunner::runLanguage(const Case &Wanted, CaseResult &Result) {
  if (Error E = validate(Wanted))
    return E;
  Expected<std::string> Named = deduceKernel(Wanted);
  if (!Named)
    return Named.takeError();
  Case Input = Wanted;
  Input.Kernel = std::move(*Named);
  auto Start = std::chrono::steady_clock::now();
  auto [Known, New] = Languages.try_emplace(shareKey(Input));
  if (New) {
    Expected<CompiledLanguage> Made = compileLanguage(Input);
    if (!Made) {
      Languages.erase(Known);
      return Made.takeError();
    }
    Known->second = std::move(*Made);
  }
  Result.ProofMessages = Known->second.Messages;
  Expected<const LanguageKernel *> Kernel =
      chooseKernel(Input, Known->second.Kernels);
  if (!Kernel)
    return Kernel.takeError();
  Result.CompileSeconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - Start)
          .count();
  Result.Kernel = (*Kernel)->Contract.Kernel;
  Expected<Case> Launch = applyLanguage(Input, **Kernel);
  if (!Launch)
    return Launch.takeError();
  Error E = runInto(*Launch, Result);
  Result.Kernel = (*Kernel)->Contract.Kernel;
  for (Diagnostic &Problem : Result.Problems)
    explainAsLanguage(Problem);
  return E;
}

Error CaseRunner::runOperator(const Case &Input, CaseResult &Result) {
  if (Error E = validate(Input))
    return E;
  Expected<Case> Decided = applyOpHost(Input, Compiler);
  if (!Decided)
    return Decided.takeError();
  Result.Blocks = Decided->Blocks;
  return runInto(*Decided, Result);
}

Expected<const CompiledKernel *> CaseRunner::compiled(const Case &Case,
                                                      bool &FromCache) {
  std::vector<std::string> Fields = Case.Tiling.fieldNames();
  std::string Key = shareKey(Case);
  for (const auto &[SharedKey, Shared] : SharedFields)
    if (SharedKey == Key)
      Fields = Shared;
  Fingerprint Combined;
  Combined.add(Key).add(Case.Check ? "check" : "");
  Combined.add(Case.Optimise ? "optimise" : "");
  for (const std::string &Field : Fields)
    Combined.add(Field);
  std::string ObjectKey = Combined.str();
  if (auto Known = Objects.find(ObjectKey); Known != Objects.end()) {
    FromCache = true;
    return &Known->second;
  }
  Expected<CompiledKernel> Kernel = Compiler.compile(Case, std::move(Fields));
  if (!Kernel)
    return Kernel.takeError();
  FromCache = Kernel->FromCache;
  return &Objects.try_emplace(ObjectKey, std::move(*Kernel)).first->second;
}

Error CaseRunner::runInto(const Case &Case, CaseResult &Result) {
  if (Error E = validate(Case))
    return E;
  auto Start = std::chrono::steady_clock::now();
  Expected<const CompiledKernel *> Compiled = compiled(Case, Result.FromCache);
  if (!Compiled)
    return Compiled.takeError();
  const CompiledKernel *Kernel = *Compiled;
  Result.CompileSeconds +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - Start)
          .count();
  Result.Kernel = Kernel->Entry.Name;

  Expected<std::vector<Binding>> Bindings =
      bindArguments(Case, Kernel->Entry, Kernel->Scanned);
  if (!Bindings)
    return Bindings.takeError();
  Expected<ArgumentBuffers> Arguments =
      ArgumentBuffers::create(Case, Kernel->Entry, *Bindings);
  if (!Arguments)
    return Arguments.takeError();
  if (Error E = keep(Case, *Kernel, *Arguments, ".before"))
    return E;
  std::vector<Diagnostic> Unmet;
  if (Opts.OnLaunch)
    Unmet = Opts.OnLaunch(Case, Kernel->Entry.Name, *Arguments);
  Error Failed = launch(Case, *Kernel, *Arguments, Result);
  Result.Problems.insert(Result.Problems.begin(), Unmet.begin(), Unmet.end());
  if (Failed)
    return Failed;
  if (Result.Remembered)
    return Error::success();
  if (Error E = keep(Case, *Kernel, *Arguments, ""))
    return E;
  if (!Result.passed())
    return Error::success();
  if (Opts.OnArguments) {
    Opts.OnArguments(*Arguments);
    return Error::success();
  }
  for (const ArgumentBuffer *Buffer : Arguments->tensors())
    if (Buffer->Spec->writes() && !Buffer->Spec->Internal)
      if (Error E = finishOutput(*Buffer, Result))
        return E;
  return Error::success();
}

FrameResolver CaseRunner::resolverOf(const CompiledKernel &Kernel) const {
  return {Kernel.ObjectPath, Kernel.CubeObjectPath, Opts.Compiler.Sandbox};
}

double CaseRunner::timeLimitOf(const Case &Case) const {
  if (Deadline == std::chrono::steady_clock::time_point::max())
    return Case.TimeLimitSeconds;
  std::chrono::duration<double> Left =
      Deadline - std::chrono::steady_clock::now();
  return std::clamp(Left.count(), 0.001, Case.TimeLimitSeconds);
}

double CaseRunner::cpuLimitOf(const Case &Case,
                              const CaseResult &Result) const {
  if (!(Opts.CpuBudgetSeconds > 0))
    return Case.CpuLimitSeconds;
  double Left = Compiler.cpuLeft() - Result.RunnerCpuSeconds;
  double Most = Case.CpuLimitSeconds > 0 ? Case.CpuLimitSeconds : Left;
  return std::max(0.001, std::min(Left, Most));
}

Error CaseRunner::launch(const Case &Input, const CompiledKernel &Kernel,
                         ArgumentBuffers &Arguments, CaseResult &Result) {
  Case Case = Input;
  LaunchOptions Options;
  Options.Runner = Compiler.tools().Runner;
  Options.ObjectPath = Kernel.ObjectPath;
  Options.CubeObjectPath = Kernel.CubeObjectPath;
  Options.Sealed = Opts.Sealed;
  Options.Sandbox = Opts.Compiler.Sandbox;
  Options.Ready = &Ready;
  Options.Slots = Opts.Slots;
  Options.TracePath = Opts.TracePath;
  Options.Count = Opts.Count;
  if (Opts.Time) {
    Expected<std::string> Costs = readCosts(Case.Soc);
    if (!Costs)
      return Costs.takeError();
    Options.Costs = std::move(*Costs);
    Options.AllDraws = Opts.AllDraws;
    Options.Timeline = !Opts.Timelines.empty();
  }
  std::string NameOfTime;
  if (Opts.RememberTimes &&
      recallTime(Case, Kernel, Arguments, Options.Costs, NameOfTime, Result))
    return Error::success();
  Options.Change = Opts.Change;
  Options.PrintToStderr = Opts.PrintToStderr;
  Options.Silent = Opts.Silent;
  Options.Debugger = Opts.Debugger;
  if (!Opts.Debugger.empty()) // it stops at the kernel, which has a name
    Case.Kernel = Kernel.Entry.Name;
  for (unsigned I = 0; I < Opts.Repeat; ++I) {
    if (I > 0)
      if (Error E = Arguments.refill())
        return E;
    Case.TimeLimitSeconds = timeLimitOf(Input);
    Options.CpuSeconds = cpuLimitOf(Input, Result);
    Expected<LaunchOutcome> Outcome = launchKernel(Case, Arguments, Options);
    if (!Outcome)
      return Outcome.takeError();
    Result.RunnerCpuSeconds += Outcome->Process.CpuSeconds;
    Result.Confined = Outcome->Confined;
    FrameResolver Resolver = resolverOf(Kernel);
    Result.Problems = explainFindings(Outcome->Report, Resolver);
    if (auto Problem =
            explainOutcome(Outcome->Process, Outcome->Report, Case, Resolver))
      Result.Problems.push_back(std::move(*Problem));
    if (!Result.passed())
      return Error::success();
    Result.KernelSeconds.push_back(
        static_cast<double>(Outcome->Report.KernelNanoseconds) * 1e-9);
    Result.Instructions = Outcome->Report.Instructions;
    Result.Executed = Outcome->Report.Executed;
    if (Outcome->Time)
      if (Error E = finishTime(*Outcome, Resolver, Result))
        return E;
    if (!Result.passed())
      return Error::success();
    if (!NameOfTime.empty() && Outcome->Time)
      rememberTime(NameOfTime, *Outcome->Time);
  }
  if (!Opts.Orders.Count)
    return Error::success();
  FrameResolver Resolver = resolverOf(Kernel);
  Options.TracePath.clear();
  Options.Count = false;
  Options.Costs.clear();
  auto Problem = trySchedules(Case, Arguments, Options, Opts.Orders, Resolver);
  if (!Problem)
    return Problem.takeError();
  if (*Problem)
    Result.Problems.push_back(std::move(**Problem));
  return Error::success();
}

bool CaseRunner::recallTime(const Case &Case, const CompiledKernel &Kernel,
                            const ArgumentBuffers &Arguments, StringRef Costs,
                            std::string &Name, CaseResult &Result) {
  bool Only = isOnlyTimed(Case) && Opts.TracePath.empty() && !Opts.Count &&
              !Opts.Orders.Count && Opts.Timelines.empty() &&
              Opts.KeepDir.empty() && !Opts.MaxCycles;
  if (!Only || Opts.Compiler.CacheRoot.empty())
    return false;
  auto Cache = ContentCache::open(Opts.Compiler.CacheRoot);
  if (!Cache) {
    consumeError(Cache.takeError());
    return false;
  }
  Expected<std::string> Known =
      nameOfLaunch(Case, Kernel, Arguments, Compiler.tools().Runner, Costs);
  if (!Known) {
    consumeError(Known.takeError());
    return false;
  }
  Name = *Known;
  std::optional<std::string> Text = Cache->read(Name, "time");
  std::optional<timing::Answer> Time = Text ? readRecord(*Text) : std::nullopt;
  if (!Time)
    return false;
  Result.Time = std::make_shared<TimeReport>(TimeReport{*Time, {}});
  Result.Remembered = true;
  return true;
}

/// What cannot be kept is simulated again.
void CaseRunner::rememberTime(StringRef Name, const timing::Answer &Time) {
  auto Cache = ContentCache::open(Opts.Compiler.CacheRoot);
  if (!Cache)
    return consumeError(Cache.takeError());
  consumeError(Cache->store(Name, "time", recordOf(Time)).takeError());
}

/// What a launch costs, and whether that is more than it may.
Error CaseRunner::finishTime(const LaunchOutcome &Outcome,
                             FrameResolver &Resolver, CaseResult &Result) {
  const timing::Answer &Time = *Outcome.Time;
  Diagnostic Diag;
  if (!Time.Known) {
    Diag.Id = DiagId::TimeUnknown;
    Diag.Message = formatv("what the kernel costs is not known: {0}", Time.Why);
    Result.Problems.push_back(std::move(Diag));
    return Error::success();
  }
  Result.Time = std::make_shared<TimeReport>(explainTime(Time, Resolver));
  for (const std::string &Path : Opts.Timelines)
    if (Error E = writeTimelineFile(Path, Outcome.Timeline, *Result.Time,
                                    Result.Kernel, Resolver))
      return E;
  double Cycles = Time.Cycles[timing::MiddleDraw];
  if (!Opts.MaxCycles || Cycles <= static_cast<double>(*Opts.MaxCycles))
    return Error::success();
  Diag.Id = DiagId::TooSlow;
  Diag.Message = formatv(
      "the kernel costs {0} simulated cycles, {1} are allowed",
      formatCycles(Cycles), formatCycles(static_cast<double>(*Opts.MaxCycles)));
  if (!Result.Time->Lines.empty()) {
    const TimedLine &Worst = Result.Time->Lines.front();
    Diag.Where = Worst.Where;
    Diag.Notes.push_back({Worst.Where, describeLine(*Result.Time, Worst)});
    Diag.Help = Worst.Advice;
  }
  Result.Problems.push_back(std::move(Diag));
  return Error::success();
}

static Error writeArray(StringRef Path, const TensorType &Tensor,
                        ArrayRef<uint8_t> Bytes) {
  return Path.ends_with(".npy") ? writeNpy(Path, Tensor, Bytes)
                                : writeFile(Path, Bytes);
}

/// The diagnostic for an output that is not what it should be.
static Diagnostic describeMismatch(const OutputResult &Output,
                                   const Comparison &Compared,
                                   Tolerance Allowed) {
  Diagnostic Diag;
  Diag.Id = DiagId::ValueMismatch;
  Diag.Message = formatv(
      "output '{0}' ({1}) differs from {2} in {3} of {4} elements ({5:P})",
      Output.Name, Output.Tensor.str(), Output.ExpectedPath,
      Compared.Mismatches, Compared.Elements,
      static_cast<double>(Compared.Mismatches) /
          static_cast<double>(Compared.Elements));
  Diag.Notes.push_back(
      {{},
       formatv("largest error {0} absolute, {1} relative; allowed is "
               "{2} + {3} * |expected|",
               formatNumber(Compared.MaxAbsError),
               formatNumber(Compared.MaxRelError), formatNumber(Allowed.Atol),
               formatNumber(Allowed.Rtol))});
  for (const Comparison::Sample &Sample : Compared.First) {
    std::string Where = formatIndex(Sample.Index, Output.Tensor.Shape);
    Diag.Notes.push_back(
        {{},
         Sample.NeverWritten
             ? formatv("{0}{1}: never written, expected {2}", Output.Name,
                       Where, Sample.Expected)
                   .str()
             : formatv("{0}{1}: got {2}, expected {3}", Output.Name, Where,
                       Sample.Got, Sample.Expected)
                   .str()});
  }
  if (Compared.NeverWritten)
    Diag.Notes.push_back(
        {{},
         formatv("{0} elements were never written", Compared.NeverWritten)});
  return Diag;
}

Error CaseRunner::finishOutput(const ArgumentBuffer &Buffer,
                               CaseResult &Result) {
  const ArgSpec &Spec = *Buffer.Spec;
  OutputResult Output;
  Output.Name = Buffer.Name;
  Output.Tensor = Buffer.Tensor;
  Output.Values = summarise(Buffer.view());
  Output.Path = Spec.Output;
  if (!Spec.Output.empty())
    if (Error E = writeArray(Spec.Output, Buffer.Tensor, Buffer.Memory.bytes()))
      return E;
  if (!Spec.Expect) {
    Result.Outputs.push_back(std::move(Output));
    return Error::success();
  }

  Expected<NpyFile> File = NpyFile::open(Spec.Expect->Path);
  if (!File)
    return File.takeError();
  TensorType Stored = File->header().Tensor;
  if (File->holds(Buffer.Tensor.Type))
    Stored.Type = Buffer.Tensor.Type; // bf16 travels as uint16
  if (Stored.elements() != Buffer.Tensor.elements())
    return createStringError(formatv("{0} holds {1}, but the output is {2}",
                                     Spec.Expect->Path, Stored.str(),
                                     Buffer.Tensor.str()));
  std::vector<uint8_t> Bytes(Stored.bytes());
  if (Error E = File->read(Bytes))
    return E;
  Tolerance Allowed = Tolerance::defaultFor(Buffer.Tensor.Type);
  Allowed.Rtol = Spec.Expect->Rtol.value_or(Allowed.Rtol);
  Allowed.Atol = Spec.Expect->Atol.value_or(Allowed.Atol);
  Output.ExpectedPath = Spec.Expect->Path;
  Output.Compared = compareArrays(Buffer.view(), {Stored.Type, Bytes}, Allowed);
  if (!Output.Compared->passed())
    Result.Problems.push_back(
        describeMismatch(Output, *Output.Compared, Allowed));
  Result.Outputs.push_back(std::move(Output));
  return Error::success();
}

Error CaseRunner::keep(const Case &Case, const CompiledKernel &Kernel,
                       const ArgumentBuffers &Arguments, StringRef Suffix) {
  if (Opts.KeepDir.empty())
    return Error::success();
  if (std::error_code EC = sys::fs::create_directories(Opts.KeepDir))
    return createStringError(EC, Opts.KeepDir + ": " + EC.message());
  auto PathOf = [&](const Twine &Name) {
    SmallString<128> Path(Opts.KeepDir);
    sys::path::append(Path, Name);
    return Path.str().str();
  };
  std::string Object = PathOf("kernel.so");
  if (std::error_code EC = sys::fs::copy_file(Kernel.ObjectPath, Object))
    return createStringError(EC, Object + ": " + EC.message());
  if (!Case.Code.empty())
    if (Error E = writeFile(PathOf("kernel.cpp"), toBytes(Case.Code)))
      return E;
  for (const auto &[Index, Buffer] : enumerate(Arguments.buffers())) {
    std::string Name = formatv("{0}-{1}{2}", Index, Buffer.Name, Suffix);
    for (const ArgumentBuffer &Element : Buffer.Elements)
      if (Error E = writeNpy(
              PathOf(formatv("{0}-{1}{2}.npy", Index, Element.Name, Suffix)),
              Element.Tensor, Element.Memory.bytes()))
        return E;
    if (Buffer.isTensor()) {
      if (Error E = writeNpy(PathOf(Name + ".npy"), Buffer.Tensor,
                             Buffer.Memory.bytes()))
        return E;
    } else {
      ArrayRef<uint8_t> Bytes =
          Buffer.IsInline ? toBytes(Buffer.Inline) : Buffer.Memory.bytes();
      if (Error E = writeFile(PathOf(Name + ".bin"), Bytes))
        return E;
    }
  }
  return Error::success();
}
