//===- FailureReport.cpp - What went wrong in a launch --------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/FailureReport.h"
#include "report/FindingText.h"
#include "support/ControlCharacters.h"
#include "support/Numbers.h"
#include "support/Wording.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <csignal>
#include <cstring>

using namespace llvm;
using namespace belay::cases;
using namespace belay::report;
using namespace belay::support;
using belay::sim::CoreKind;
using belay::sim::Place;
using belay::sim::Report;
using belay::sim::Status;

/// The child may have written anything: ends all text, and takes from it what
/// could move the user's cursor.
static void cleanText(MutableArrayRef<char> Text) {
  Text.back() = '\0';
  for (char &C : Text)
    if (C != '\0' && isControl(C))
      C = ' ';
}

void belay::report::cleanReport(Report &Report) {
  cleanText(Report.FailureId);
  cleanText(Report.Message);
  cleanText(Report.Hint);
  for (auto &Text : Report.WaitingFor)
    cleanText(Text);
  auto CleanPlace = [](belay::sim::Place &Place) {
    Place.NumFrames = std::min(Place.NumFrames, belay::sim::MaxStack);
  };
  CleanPlace(Report.Where);
  CleanPlace(Report.Other);
  cleanText(Report.OtherRole);
  for (belay::sim::Place &Place : Report.Waiting)
    CleanPlace(Place);
  Report.NumWaiting = std::min(Report.NumWaiting, belay::sim::MaxWaiting);
  Report.NumFindings = std::min(Report.NumFindings, belay::sim::MaxFindings);
  for (belay::sim::Finding &Finding : Report.Findings) {
    for (MutableArrayRef<char> Text :
         {MutableArrayRef<char>(Finding.Id),
          MutableArrayRef<char>(Finding.Message),
          MutableArrayRef<char>(Finding.Hint),
          MutableArrayRef<char>(Finding.Insert),
          MutableArrayRef<char>(Finding.BufferName),
          MutableArrayRef<char>(Finding.HereRole),
          MutableArrayRef<char>(Finding.OtherRole)})
      cleanText(Text);
    CleanPlace(Finding.Here);
    CleanPlace(Finding.Other);
    CleanPlace(Finding.BufferSetUp);
  }
}

/// Callers beyond these are seldom read.
static constexpr size_t MaxCallers = 6;

std::string belay::report::nameCore(const Place &Place) {
  switch (Place.Kind) {
  case CoreKind::Vector:
    return Place.SubBlock
               ? formatv("vector core of block {0}, sub-block {1}", Place.Block,
                         Place.SubBlock)
                     .str()
               : formatv("vector core of block {0}", Place.Block).str();
  case CoreKind::Cube:
    return formatv("cube core of block {0}", Place.Block);
  case CoreKind::Coupled:
    return formatv("AI core of block {0}", Place.Block);
  }
  return formatv("core of block {0}", Place.Block);
}

/// "on the vector core of block 0, the 3rd time that this line ran"
static std::string nameVisit(const Visitor &Who) {
  std::string Text = "on the " + Who.Core;
  if (Who.Execution)
    Text += ", the " + ordinal(Who.Execution) + " time that this line ran";
  return Text;
}

static bool samePlace(const SourcePlace &A, const SourcePlace &B) {
  return A.File == B.File && A.Line == B.Line && A.Column == B.Column;
}

/// The place of the failure, the core, and the calls that led there. Other may
/// be among them: it has a note of its own.
static void addStack(Diagnostic &Diag, const Place &Where,
                     FrameResolver &Resolver) {
  std::vector<Frame> Frames = Resolver.resolve(Where);
  if (!Frames.empty())
    Diag.Where = Frames.front().Where;
  if (Where.OnCore) {
    Diag.Who = {nameCore(Where), Where.Execution};
    Diag.Notes.push_back({{}, nameVisit(Diag.Who)});
  }
  if (Diag.Other)
    erase_if(Frames, [&](const Frame &F) {
      return samePlace(F.Where, Diag.Other->Where) &&
             !samePlace(F.Where, Diag.Where);
    });
  for (const Frame &Caller : ArrayRef(Frames)
                                 .drop_front(Frames.empty() ? 0 : 1)
                                 .take_front(MaxCallers))
    Diag.Notes.push_back(
        {Caller.Where, Caller.Function.empty()
                           ? "called from here"
                           : "called from " + Caller.Function});
}

/// The second side of the story, told first among the notes.
static void addOther(Diagnostic &Diag, const Place &Other, StringRef Role,
                     FrameResolver &Resolver) {
  std::vector<Frame> Frames;
  if (Other.NumFrames)
    Frames = Resolver.resolve(Other);
  if (Frames.empty())
    return;
  Diag.Other = {
      Frames.front().Where, Role.str(), {nameCore(Other), Other.Execution}};
  Diag.Notes.push_back(
      {Diag.Other->Where,
       formatv("{0} here, {1}", Role, nameVisit(Diag.Other->Who))});
}

/// One note per place where cores still were, with all cores that were there.
static void addWaiting(Diagnostic &Diag, const Report &Report,
                       FrameResolver &Resolver) {
  struct Group {
    SourcePlace Where;
    std::string What;
    std::vector<std::string> Cores;
  };
  std::vector<Group> Groups;
  for (unsigned I = 0; I < Report.NumWaiting; ++I) {
    std::vector<Frame> Frames = Resolver.resolve(Report.Waiting[I]);
    SourcePlace Where = Frames.empty() ? SourcePlace() : Frames.front().Where;
    std::string What = Report.WaitingFor[I];
    auto Same = find_if(Groups, [&](const Group &G) {
      return G.Where.File == Where.File && G.Where.Line == Where.Line &&
             G.What == What;
    });
    if (Same == Groups.end())
      Same = Groups.insert(Groups.end(), {Where, What, {}});
    Same->Cores.push_back(nameCore(Report.Waiting[I]));
  }
  for (const Group &G : Groups) {
    std::string Text = "the " + G.Cores.front();
    if (G.Cores.size() > 1)
      Text += formatv(" and {0} other{1}", G.Cores.size() - 1,
                      G.Cores.size() == 2 ? "" : "s");
    if (!G.Where.File.empty())
      Text += G.Cores.size() > 1 ? " were here" : " was here";
    if (!G.What.empty())
      Text += ": " + G.What;
    Diag.Notes.push_back({G.Where, std::move(Text)});
  }
}

/// What the runner wrote down before it left.
static Diagnostic fromReport(const Report &Report, FrameResolver &Resolver) {
  Diagnostic Diag;
  const DiagInfo *Known = findDiagnostic(Report.FailureId);
  Diag.Id = Known ? Known->Id : DiagId::KernelCrash;
  Diag.Message = Report.Message;
  if (!Known)
    Diag.Message += formatv(" ({0})", Report.FailureId);
  if (Diag.Id == DiagId::KernelTimeout) {
    addWaiting(Diag, Report, Resolver);
  } else {
    addOther(Diag, Report.Other, Report.OtherRole, Resolver);
    addStack(Diag, Report.Where, Resolver);
    addWaiting(Diag, Report, Resolver);
  }
  Diag.Help = Report.Hint;
  return Diag;
}

/// Whether a failed allocation explains the end of a process.
static bool nearLimit(const ProcessResult &Process, const Case &Case) {
  return Process.PeakBytes > Case.MemoryLimitBytes / 4 * 3;
}

/// The child went without a word.
static Diagnostic fromProcess(const ProcessResult &Process,
                              const Report &Report, const Case &Case) {
  using How = ProcessResult::Status;
  Diagnostic Diag;
  Diag.Id = DiagId::KernelCrash;
  Diag.Message =
      formatv("the kernel ended its process: {0}", Process.describe());
  if (Process.How == How::TimedOut ||
      (Process.How == How::Signaled && Process.Code == SIGXCPU)) {
    Diag.Id = DiagId::KernelTimeout;
    Diag.Message = "the kernel did not end within its time limit";
  } else if (Process.How == How::TooLarge) {
    Diag.Id = DiagId::MemoryLimit;
    Diag.Message = "the kernel used more memory than it may have";
  } else if (Process.How == How::Signaled && Process.Code == SIGKILL &&
             !nearLimit(Process, Case)) {
    // Of a sealed run it is the judge that was killed, which no kernel can.
    Diag.Id = DiagId::BelayFailed;
    Diag.Message =
        formatv("the launch was killed with {0} of its {1} MiB in "
                "use; most likely the machine ran out of memory",
                Process.PeakBytes >> 20, Case.MemoryLimitBytes >> 20);
    Diag.Notes.push_back({{}, "this says nothing about the kernel"});
  } else if (Process.How == How::NotConfined) {
    Diag.Id = DiagId::NoSandbox;
    Diag.Message = Process.Error;
  } else if (Process.How == How::NotRun) {
    Diag.Id = DiagId::BelayFailed;
    Diag.Message = Process.Error;
  } else if (Report.State == Status::NotStarted ||
             Report.State == Status::Loading) {
    Diag.Message =
        formatv("the kernel could not be loaded: {0}", Process.describe());
  }
  if (Diag.Id == DiagId::KernelTimeout)
    Diag.Notes.push_back({{},
                          formatv("{0} of {1} blocks were done",
                                  Report.BlocksDone, Case.Blocks)});
  return Diag;
}

/// Its processes waited: for a machine that has other work, or for nothing.
static Diagnostic starved(const Case &Case) {
  Diagnostic Diag;
  Diag.Id = DiagId::BelayFailed;
  Diag.Message =
      formatv("the kernel did not get its {0} s of CPU time in as long as a "
              "launch is waited for",
              formatNumber(Case.CpuLimitSeconds));
  Diag.Notes.push_back({{}, "this says nothing about the kernel"});
  Diag.Where.File = Case.Source;
  return Diag;
}

std::optional<Diagnostic>
belay::report::explainOutcome(const ProcessResult &Process,
                              const Report &Report, const Case &Case,
                              FrameResolver &Resolver) {
  if (Process.succeeded() && Report.State == Status::Passed)
    return std::nullopt;
  if (Process.Starved)
    return starved(Case);
  bool Reported = Report.FailureId[0] && (Report.State == Status::Failed ||
                                          Report.State == Status::Crashed);
  // Without a sandbox the runner only knows that no kernel came.
  Diagnostic Diag =
      Reported && Process.How != ProcessResult::Status::NotConfined
          ? fromReport(Report, Resolver)
          : fromProcess(Process, Report, Case);
  // A failed allocation shows as the crash of whoever did not look.
  if (Diag.Id == DiagId::KernelCrash && nearLimit(Process, Case)) {
    Diag.Id = DiagId::MemoryLimit;
    Diag.Notes.insert(Diag.Notes.begin(), {{}, std::move(Diag.Message)});
    Diag.Message = "the kernel used all the memory that it may have";
  }
  if (Diag.Id == DiagId::KernelTimeout)
    Diag.Message +=
        Case.CpuLimitSeconds > 0
            ? " of " + formatNumber(Case.CpuLimitSeconds) + " s of CPU time"
            : " of " + formatNumber(Case.TimeLimitSeconds) + " s";
  if (Diag.Id == DiagId::MemoryLimit)
    Diag.Notes.push_back(
        {{},
         formatv("--memory-limit is {0} MiB", Case.MemoryLimitBytes >> 20)});
  if (Diag.Where.File.empty())
    Diag.Where.File = Case.Source;
  return Diag;
}

/// Names the buffer as the kernel spells it: an argument's name, or what
/// InitBuffer was given. Returns how to speak of it, at least by the line that
/// set it up.
static std::string nameBuffer(Diagnostic &Diag,
                              const belay::sim::Finding &Finding,
                              FrameResolver &Resolver) {
  Diag.Buffer = Finding.BufferName;
  std::vector<Frame> Frames;
  if (Diag.Buffer.empty() && Finding.BufferSetUp.NumFrames)
    Frames = Resolver.resolve(Finding.BufferSetUp);
  if (!Frames.empty())
    Diag.Buffer = firstArgumentAt(Frames.front().Where);
  if (!Diag.Buffer.empty())
    return "'" + Diag.Buffer + "'";
  return Frames.empty()
             ? std::string()
             : formatv("the buffer of line {0}", Frames.front().Where.Line)
                   .str();
}

static Diagnostic explainFinding(const belay::sim::Finding &Finding,
                                 FrameResolver &Resolver) {
  Diagnostic Diag;
  const DiagInfo *Known = findDiagnostic(Finding.Id);
  Diag.Id = Known ? Known->Id : DiagId::KernelCrash;
  addOther(Diag, Finding.Other, Finding.OtherRole, Resolver);
  addStack(Diag, Finding.Here, Resolver);
  Diag.Count = Finding.Count;
  if (Finding.Count > 1)
    Diag.Notes.push_back(
        {{}, formatv("{0} more times at the same lines", Finding.Count - 1)});
  std::string Buffer = nameBuffer(Diag, Finding, Resolver);
  SourcePlace Other = Diag.Other ? Diag.Other->Where : SourcePlace();
  auto Complete = [&](const char *Text) {
    return completeText(Text, Diag.Where, Other, Buffer);
  };
  Diag.Message = Complete(Finding.Message);
  Diag.Help = Complete(Finding.Hint);
  Diag.Insert = Finding.Insert;
  return Diag;
}

std::vector<Diagnostic>
belay::report::explainFindings(const Report &Report, FrameResolver &Resolver) {
  auto Findings = ArrayRef(Report.Findings).take_front(Report.NumFindings);
  std::vector<const Place *> Places;
  for (const belay::sim::Finding &Finding : Findings)
    append_range(Places,
                 std::initializer_list<const Place *>{
                     &Finding.Here, &Finding.Other, &Finding.BufferSetUp});
  Resolver.prepare(Places);
  std::vector<Diagnostic> Diags;
  for (const belay::sim::Finding &Finding : Findings)
    Diags.push_back(explainFinding(Finding, Resolver));
  return Diags;
}
