//===- CompileRequest.cpp - What decides a compiled kernel ----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "toolchain/CompileRequest.h"
#include "support/DiagnosticError.h"
#include "support/Files.h"
#include "support/Spelling.h"
#include "support/WrapperName.h"
#include "targets/Target.h"
#include "toolchain/CompilerFlags.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace belay;
using namespace belay::cases;
using namespace belay::support;
using namespace belay::toolchain;

std::string CompileRequest::wrapper() const {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << "#line 1 \"" << WrapperName << "\"\n" << Prelude;
  if (!TilingHeader.empty())
    OS << "#include \"" << TilingHeader << "\"\n";
  // What GET_TILING_DATA means where the kernel does not register it.
  if (!TilingHeader.empty() && !TilingStruct.empty())
    OS << "using BelayDefaultTiling = " << TilingStruct << ";\n";
  if (IsGenerated)
    OS << Content << "\n";
  else
    OS << "#include \"" << Source << "\"\n";
  OS << "#include \"belay/entry.h\"\n";
  if (TilingFields.empty() && TilingStruct.empty()) {
    OS << "BELAY_ENTRY(" << Kernel.Name << ")\n";
    return Text;
  }
  StringRef Struct =
      TilingStruct.empty() ? StringRef("BelayDefaultTiling") : TilingStruct;
  OS << "BELAY_TILING_TABLE(" << Struct;
  for (const std::string &Field : TilingFields)
    OS << ",\n  BELAY_FIELD(" << Struct << ", " << Field << ")";
  OS << ")\nBELAY_ENTRY_WITH_TILING(" << Struct << ", " << Kernel.Name << ")\n";
  return Text;
}

static Expected<std::string> absolute(StringRef Path) {
  SmallString<128> Full(Path);
  if (std::error_code EC = sys::fs::make_absolute(Full))
    return createStringError(EC, Path + ": " + EC.message());
  sys::path::remove_dots(Full, /*remove_dot_dot=*/false);
  return Full.str().str();
}

/// The kernel that is meant, by name or because there is only one.
static Expected<ScannedKernel> chooseKernel(const Case &Case,
                                            const KernelScan &Scan) {
  if (Case.Kernel.empty()) {
    if (Scan.Kernels.size() == 1 && !Scan.Kernels[0].Template)
      return Scan.Kernels[0];
    if (Scan.Kernels.empty())
      return createStringError(
          formatv("{0} has no function marked __global__; --kernel names one "
                  "that a macro defines",
                  Case.Source));
    if (Scan.Kernels.size() == 1)
      return createStringError(formatv(
          "{0} is a template; name an instance, as in --kernel '{0}<half>'",
          Scan.Kernels[0].Name));
    return createStringError(formatv("{0} has several kernels; choose with "
                                     "--kernel: {1}",
                                     Case.Source, Scan.listKernels()));
  }
  if (const ScannedKernel *Found = Scan.find(Case.Kernel)) {
    ScannedKernel Kernel = *Found;
    Kernel.Name = Case.Kernel;
    return Kernel;
  }
  // A macro or a header may define it: the compiler decides.
  ScannedKernel Unknown;
  Unknown.Name = Case.Kernel;
  return Unknown;
}

Expected<CompileRequest>
CompileRequest::make(const Case &Case, std::vector<std::string> TilingFields) {
  const targets::Soc *Soc = targets::findSoc(Case.Soc);
  assert(Soc && "validate() has seen the case");
  if (Soc->arch->coverage != targets::Coverage::Simulated)
    return createStringError(formatv("{0} ({1}) cannot be simulated yet",
                                     Soc->name, Soc->arch->name));
  Expected<std::string> Content =
      Case.Code.empty() ? readSourceOf(Case) : Expected<std::string>(Case.Code);
  if (!Content)
    return Content.takeError();
  KernelScan Scan = scanKernels(*Content);
  Expected<ScannedKernel> Kernel = chooseKernel(Case, Scan);
  if (!Kernel)
    return Kernel.takeError();

  CompileRequest Request;
  Request.Check = Case.Check;
  Request.Optimise = Case.Optimise;
  auto SetAbsolute = [](StringRef Path, std::string &Full) -> Error {
    Expected<std::string> Result = absolute(Path);
    if (!Result)
      return Result.takeError();
    Full = std::move(*Result);
    // A compiler that sees one folder only does not find it by way of another.
    SmallString<128> Direct(Full);
    sys::path::remove_dots(Direct, /*remove_dot_dot=*/true);
    if (bool Same; !sys::fs::equivalent(Full, Direct, Same) && Same)
      Full = Direct.str().str();
    return Error::success();
  };
  if (Error E = SetAbsolute(Case.Source, Request.Source))
    return E;
  if (!Case.Tiling.Header.empty())
    if (Error E = SetAbsolute(Case.Tiling.Header, Request.TilingHeader))
      return E;
  for (const std::string &Dir : Case.IncludeDirs)
    if (Error E = SetAbsolute(Dir, Request.IncludeDirs.emplace_back()))
      return E;

  Request.ShownSource = Case.Source;
  Request.Content = std::move(*Content);
  Request.IsGenerated = !Case.Code.empty();
  Request.HasNoFile = Case.Text.has_value();
  Request.Kernel = std::move(*Kernel);
  Request.Arch = Soc->arch->number;
  if (Soc->split)
    Request.For = sim::CoreKind::Vector;
  Request.Defines = Case.Defines;
  Request.Prelude = Case.Prelude;
  Request.TilingFields = std::move(TilingFields);
  Request.TilingStruct = Case.Tiling.Struct;
  // A kernel that names one structure means that one.
  if (Request.TilingStruct.empty() && !Request.TilingFields.empty() &&
      Scan.TilingStructs.size() == 1)
    Request.TilingStruct = Scan.TilingStructs[0];
  return Request;
}

std::vector<std::string> CompileRequest::flags(const Tools &Tools) const {
  std::vector<std::string> Flags = baseFlags(Arch);
  if (For != sim::CoreKind::Coupled)
    for (const std::string &Macro : coreMacros(Arch, For))
      Flags.push_back("-D" + Macro);
  for (const std::string &Define : Defines)
    Flags.push_back("-D" + Define);
  append_range(Flags, Tools.headerFlags());
  for (const std::string &Dir : IncludeDirs)
    Flags.push_back("-I" + Dir);
  // Last, so that a project's own file of the same name wins.
  Flags.push_back("-I" + Tools.ShareDir + "/forwarding");
  if (Check)
    append_range(Flags, checkFlags(Tools.HeaderDir));
  if (!Optimise)
    Flags.emplace_back("-O0"); // the last one counts
  // Its lines are those of the source that it was made from, its columns are
  // not.
  if (IsGenerated)
    Flags.emplace_back("-gno-column-info");
  return Flags;
}

bool CompileRequest::startsWithApi() const {
  return Defines.empty() && Prelude.empty() && TilingHeader.empty() &&
         includesFirst(Content, "kernel_operator.h");
}

std::vector<std::string> CompileRequest::apiFlags(const Tools &Tools) const {
  CompileRequest Alone;
  Alone.Arch = Arch;
  Alone.For = For;
  Alone.Check = Check;
  Alone.Optimise = Optimise;
  return Alone.flags(Tools);
}

Error CompileRequest::explain(ArrayRef<std::string> AboutWrapper) const {
  KernelScan Scan = scanKernels(Content);
  for (StringRef Message : AboutWrapper) {
    if (Message.contains("BelayDefaultTiling"))
      return makeError(
          DiagId::TilingMismatch,
          formatv("kernel '{0}' has no tiling structure of its own; name one "
                  "with --tiling-struct",
                  Kernel.Name));
    // The kernel is looked for as ::NAME.
    if (Message.contains("no member named") &&
        !Message.contains("global namespace"))
      return makeError(DiagId::TilingMismatch, Message);
    if (!TilingStruct.empty() && Message.contains("'" + TilingStruct + "'"))
      return makeError(
          DiagId::TilingMismatch,
          formatv("there is no structure '{0}' in {1}; --tiling-header "
                  "includes the file that has it",
                  TilingStruct, ShownSource));
    if (Message.contains("'" + Kernel.Name + "'") && !Scan.find(Kernel.Name)) {
      std::vector<std::string> Notes;
      if (!Scan.Kernels.empty())
        Notes.push_back("it has " + Scan.listKernels());
      return makeError(
          DiagId::BadCase,
          formatv("{0} has no kernel '{1}'", ShownSource, Kernel.Name), Notes);
    }
  }
  return makeError(DiagId::CompileError,
                   formatv("kernel '{0}' cannot be launched: {1}", Kernel.Name,
                           AboutWrapper.front()));
}
