//===- TargetsCommand.cpp - belay targets ---------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TargetsCommand.h"
#include "Command.h"

#define BELAY_OPTIONS "options/Targets.inc"
#include "OptionTable.h"

#include "support/Styling.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

using namespace belay;
using namespace belay::tool;
using namespace llvm;
using belay::support::Styling;
using belay::support::Tone;
using targets::Arch;
using targets::Coverage;
using targets::Soc;

//===----------------------------------------------------------------------===//
// Formatting
//===----------------------------------------------------------------------===//

std::string belay::tool::formatBytes(uint64_t Bytes) {
  if (!Bytes)
    return "-";
  const char *Units[] = {" B", " KB", " MB", " GB"};
  size_t Unit = 0;
  for (; Unit < 3 && Bytes % 1024 == 0; ++Unit)
    Bytes /= 1024;
  // Some memories are no multiple of 1024; a figure of nine digits
  // tells nobody more.
  for (; Unit < 3 && Bytes >= 100000; ++Unit)
    Bytes /= 1024;
  return utostr(Bytes) + Units[Unit];
}

StringRef belay::tool::formatCoverage(Coverage Value) {
  switch (Value) {
  case Coverage::Simulated:
    return "simulated";
  case Coverage::Described:
    return "described";
  case Coverage::SizesOnly:
    return "sizes only";
  }
  return "";
}

std::string belay::tool::formatCores(const Soc &S) {
  if (S.split)
    return utostr(S.cubeCores) + " cube + " + utostr(S.vectorCores) + " vector";
  std::string Text = utostr(S.aiCores) + " AI";
  // A fused core counts as an AI core and again as a vector core; only 310P has
  // vector cores beside its AI cores.
  if (S.vectorCores && S.vectorCores != S.aiCores)
    Text += " + " + utostr(S.vectorCores) + " vector";
  return Text;
}

std::string belay::tool::formatModes(uint32_t Modes) {
  std::string Text;
  for (unsigned Mode = 0; Mode < 32; ++Mode)
    if (Modes >> Mode & 1)
      Text += (Text.empty() ? "" : ", ") + utostr(Mode);
  return Text.empty() ? "-" : Text;
}

//===----------------------------------------------------------------------===//
// The list and one part, for people
//===----------------------------------------------------------------------===//

static void printList(raw_ostream &OS) {
  Styling Style(OS);
  const Arch *Last = nullptr;
  for (const Soc &Each : targets::allSocs()) {
    const Arch &A = *Each.arch;
    if (&A != Last) {
      OS << (Last ? "\n" : "") << Style.paint(Tone::Strong, A.name) << " ("
         << A.coreVersion << "), " << formatCoverage(A.coverage) << '\n';
      OS << Style.paint(Tone::Faint,
                        "  name               cores                 "
                        "UB usable      L1     L0C      L2    clock\n");
    }
    Last = &A;
    OS << "  " << Style.paint(Tone::Name, Each.name);
    OS.indent(gapAfter(Each.name, 19));
    OS << format("%-22s%9s%8s%8s%8s", formatCores(Each).c_str(),
                 formatBytes(targets::usableUb(Each)).c_str(),
                 formatBytes(Each.l1).c_str(), formatBytes(Each.l0c).c_str(),
                 formatBytes(Each.l2).c_str());
    if (Each.clockMHz)
      OS << format("%5u MHz", Each.clockMHz);
    OS << '\n';
  }
}

static std::string formatUb(const Soc &S) {
  std::string Text = formatBytes(S.ub);
  if (S.arch->ubReserved)
    Text += ", of which kernels may use " + formatBytes(targets::usableUb(S));
  return Text;
}

static std::string formatFixpipeBuffers(const Soc &S) {
  std::string Text;
  for (uint32_t Bytes : S.fb)
    Text += (Text.empty() ? "" : " / ") + formatBytes(Bytes);
  return Text;
}

static void printOne(raw_ostream &OS, const Soc &S) {
  Styling Style(OS);
  const Arch &A = *S.arch;
  auto Line = [&](StringRef Name, const Twine &Value) {
    OS << "  " << Style.paint(Tone::Faint, Name);
    OS.indent(gapAfter(Name, 22)) << Value << '\n';
  };
  auto YesNo = [](bool Value) { return Value ? "yes" : "no"; };
  OS << Style.paint(Tone::Strong, S.name) << ", series " << S.series
     << ", arch " << A.name << " (" << A.coreVersion << "), "
     << formatCoverage(A.coverage) << '\n';

  Line("cores", formatCores(S));
  Line("clock", S.clockMHz ? utostr(S.clockMHz) + " MHz" : "not public");
  Line("compiler names",
       Twine(S.ccecAic) + (*S.ccecAiv ? ", " : "") + S.ccecAiv);
  Line("UB", formatUb(S));
  Line("L1", formatBytes(S.l1));
  Line("L0A / L0B / L0C", formatBytes(S.l0a) + " / " + formatBytes(S.l0b) +
                              " / " + formatBytes(S.l0c));
  Line("bias table", formatBytes(S.bt));
  Line("Fixpipe buffers", formatFixpipeBuffers(S));
  Line("L2", formatBytes(S.l2));
  Line("device memory", S.memory ? formatBytes(S.memory) : "not public");
  if (S.ubBanks)
    Line("UB banks", utostr(S.ubBanks) + " of " + formatBytes(S.ubBankBytes) +
                         " in " + utostr(S.ubBankGroups) + " groups");
  if (A.coverage == Coverage::SizesOnly)
    return;

  Line("alignment", "UB, L1 " + formatBytes(A.ubAlign) + "; L0A, L0B " +
                        formatBytes(A.l0aAlign) + "; L0C, BT, FB " +
                        formatBytes(A.l0cAlign));
  Line("vector unit", "block " + formatBytes(A.blockBytes) + ", repeat " +
                          formatBytes(A.repeatBytes) + ", at most " +
                          utostr(A.maxRepeat) + " repeats");
  Line("event ids", utostr(A.eventIds) + " per pair of pipes, " +
                        utostr(A.userEventIds) + " free for kernels");
  Line("cross-core flags", A.hasCrossCore()
                               ? utostr(A.crossCoreFlagIds) + " ids, modes " +
                                     formatModes(A.crossCoreModes)
                               : "none");
  Line("SetFlag, WaitFlag", YesNo(A.hasSetFlag));
  Line("DataCopyPad", YesNo(A.hasDataCopyPad));
  Line("bfloat16", YesNo(A.hasBf16));
  Line("vector interlock", A.vectorInterlock
                               ? "yes"
                               : "no: dependent instructions need "
                                 "PipeBarrier<PIPE_V>");
}

//===----------------------------------------------------------------------===//
// JSON, for programs
//===----------------------------------------------------------------------===//

static json::Object toJson(const Arch &A) {
  return json::Object{
      {"number", A.number},
      {"name", A.name},
      {"core_version", A.coreVersion},
      {"coverage", formatCoverage(A.coverage)},
      {"align", json::Object{{"gm", A.gmAlign},
                             {"ub", A.ubAlign},
                             {"l1", A.l1Align},
                             {"l0a", A.l0aAlign},
                             {"l0b", A.l0bAlign},
                             {"l0c", A.l0cAlign},
                             {"bt", A.btAlign},
                             {"fb", A.fbAlign}}},
      {"block_bytes", A.blockBytes},
      {"repeat_bytes", A.repeatBytes},
      {"max_repeat", A.maxRepeat},
      {"copy_max_bursts", A.copyMaxBursts},
      {"copy_max_blocks", A.copyMaxBlocks},
      {"pad_copy_max_bytes", A.padCopyMaxBytes},
      {"pad_max_bytes", A.padMaxBytes},
      {"cube", json::Array{A.cubeM, A.cubeK, A.cubeN}},
      {"ub_reserved", A.ubReserved},
      {"event_ids", A.eventIds},
      {"user_event_ids", A.userEventIds},
      {"cross_core_flag_ids", A.crossCoreFlagIds},
      {"cross_core_modes", A.crossCoreModes},
      {"mutex_ids", A.mutexIds},
      {"has_set_flag", A.hasSetFlag},
      {"has_data_sync_barrier", A.hasDataSyncBarrier},
      {"has_data_copy_pad", A.hasDataCopyPad},
      {"has_fixpipe", A.hasFixpipe},
      {"has_bf16", A.hasBf16},
      {"vector_interlock", A.vectorInterlock},
  };
}

static json::Object toJson(const Soc &S) {
  return json::Object{
      {"name", S.name},
      {"series", S.series},
      {"arch", S.arch->number},
      {"ccec_aic", S.ccecAic},
      {"ccec_aiv", S.ccecAiv},
      {"ai_cores", S.aiCores},
      {"cube_cores", S.cubeCores},
      {"vector_cores", S.vectorCores},
      {"split", S.split},
      {"ub", S.ub},
      {"usable_ub", targets::usableUb(S)},
      {"l1", S.l1},
      {"l0a", S.l0a},
      {"l0b", S.l0b},
      {"l0c", S.l0c},
      {"bt", S.bt},
      {"fb", json::Array{S.fb[0], S.fb[1], S.fb[2], S.fb[3]}},
      {"l2", S.l2},
      {"clock_mhz", S.clockMHz},
      {"core_sync", S.coreSync},
      {"ub_banks", S.ubBanks},
      {"ub_bank_bytes", S.ubBankBytes},
      {"ub_bank_groups", S.ubBankGroups},
      {"memory", S.memory},
  };
}

static void printJson(raw_ostream &OS, ArrayRef<const Soc *> Chosen) {
  json::Array Socs, Archs;
  for (const Soc *Each : Chosen)
    Socs.push_back(toJson(*Each));
  for (const Arch &A : targets::allArchs())
    if (any_of(Chosen, [&](const Soc *Each) { return Each->arch == &A; }))
      Archs.push_back(toJson(A));
  OS << formatv("{0:2}", json::Value(json::Object{
                             {"archs", std::move(Archs)},
                             {"socs", std::move(Socs)},
                         }))
     << '\n';
}

//===----------------------------------------------------------------------===//
// The command
//===----------------------------------------------------------------------===//

std::string belay::tool::mistakeInSoc(StringRef Name) {
  const Soc *Found = targets::findSoc(Name);
  if (Found && Found->arch->coverage == targets::Coverage::Simulated)
    return "";
  std::string Note = targets::nameNote(Name);
  if (Found)
    return std::string(Found->name) + " (" + Found->arch->name +
           ") is not modelled" + (Note.empty() ? "" : "; " + Note);
  const Soc *Near = targets::suggestSoc(Name);
  return ("there is no SoC '" + Name + "'").str() +
         (Note.empty() ? didYouMean(Near ? StringRef(Near->name) : "")
                       : "; " + Note);
}

static int unknownSoc(StringRef Name, StringRef Note) {
  Styling Style(errs());
  errs() << Style.paint(Tone::Strong, "belay targets: ")
         << Style.paint(Tone::Bad, "error") << ": there is no SoC '" << Name
         << "'";
  if (!Note.empty())
    errs() << "\n" << Note;
  else if (const Soc *Near = targets::suggestSoc(Name))
    errs() << didYouMean(Near->name);
  errs() << "\n'belay targets' lists all\n";
  return ExitUsage;
}

static int runTargets(const Command &Self, const Arguments &Args) {
  bool Markdown = false, Json = false;
  for (const Arguments::OptionValue &Each : Args.Options)
    switch (static_cast<Opt>(Each.Id)) {
    case Opt::json:
      Json = true;
      break;
    case Opt::markdown:
      Markdown = true;
      break;
    }
  if (Markdown && Json)
    return usageError(Self, "'--markdown' and '--json' exclude each other");
  if (Markdown && !Args.Positional.empty())
    return usageError(Self, "'--markdown' always shows all SoCs");

  std::vector<const Soc *> Chosen;
  for (StringRef Name : Args.Positional) {
    std::string Note = targets::nameNote(Name);
    const Soc *Found = targets::findSoc(Name);
    if (!Found)
      return unknownSoc(Name, Note);
    if (!Note.empty())
      errs() << "note: " << Note << '\n';
    Chosen.push_back(Found);
  }
  if (Markdown) {
    printTargetsMarkdown(outs());
  } else if (Json) {
    if (Chosen.empty())
      for (const Soc &Each : targets::allSocs())
        Chosen.push_back(&Each);
    printJson(outs(), Chosen);
  } else if (Chosen.empty()) {
    printList(outs());
  } else {
    for (const Soc *Each : Chosen)
      printOne(outs(), *Each);
  }
  return ExitSuccess;
}

namespace belay::tool {
extern const Command TargetsCommand;
const Command TargetsCommand = {
    "targets",
    "list the SoCs that Belay knows, or describe one",
    "[SOC...] [--json | --markdown]",
    R"(
Lists every SoC with its cores, memories and clock, grouped by architecture, or
shows all that is known about the ones named. Case does not matter and "Ascend"
may be left out: 910b3 is Ascend910B3.

"simulated" parts can be given to 'belay run --soc'. Of "described" ones all
facts are known but the simulator does not model them; of "sizes only" ones no
more than cores and sizes are public.
)",
    optionTable,
    R"(
belay targets                 # the list
belay targets Ascend910B3     # one part: memories, alignment, events
belay targets 910b3 --json    # the same, for programs
)",
    runTargets,
};
} // namespace belay::tool
