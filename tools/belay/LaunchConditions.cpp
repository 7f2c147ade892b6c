//===- LaunchConditions.cpp - Conditions of a check, for a launch ---------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchConditions.h"
#include "support/DiagnosticError.h"
#include "support/Files.h"
#include "llvm/ADT/STLExtras.h"

using namespace belay;
using namespace belay::check;
using namespace belay::conditions;
using namespace belay::launch;
using namespace belay::support;
using namespace belay::tool;
using namespace llvm;

Expected<LaunchConditions>
LaunchConditions::create(const toolchain::KernelCompiler::Options &Compiler) {
  Checker::Options Options;
  Options.Compiler = Compiler;
  Expected<check::Checker> Made = Checker::create(Options);
  if (!Made)
    return Made.takeError();
  return LaunchConditions(std::move(*Made));
}

const Report &LaunchConditions::reportOf(const cases::Case &Case) {
  CheckRequest Request;
  Request.Source = Case.Source;
  Request.Text = Case.Text;
  if (!Case.Code.empty()) // built from a kernel of the language
    Request.Text = Case.Code;
  Request.Soc = Case.Soc;
  Request.Defines = Case.Defines;
  Request.IncludeDirs = Case.IncludeDirs;
  Request.OpHost = Case.OpHost;
  Request.CompilerSync = Case.CompilerSync;
  std::vector<std::string> Key = {Request.Source, Request.Text.value_or(""),
                                  Request.Soc,
                                  Request.CompilerSync ? "on" : "off"};
  append_range(Key, Request.Defines);
  Key.push_back("-I");
  append_range(Key, Request.IncludeDirs);
  Key.push_back("host");
  append_range(Key, Request.OpHost.Sources);
  auto [At, New] = Reports.try_emplace(std::move(Key));
  if (New)
    At->second = Checker.check(Request);
  return At->second;
}

/// The bytes of an argument: of what it points to, or of the value itself.
static ArrayRef<uint8_t> bytesOf(const ArgumentBuffer &Argument) {
  return Argument.IsInline ? toBytes(Argument.Inline) : Argument.Memory.bytes();
}

static std::optional<int64_t> valueOf(const LaunchNumber &N,
                                      const ArgumentBuffers &Arguments) {
  if (N.Argument >= Arguments.buffers().size())
    return std::nullopt;
  const ArgumentBuffer &Argument = Arguments.buffers()[N.Argument];
  switch (N.What) {
  case LaunchNumber::Kind::Scalar:
    return Argument.IsInline ? readNumber(bytesOf(Argument), N) : std::nullopt;
  case LaunchNumber::Kind::Field:
    return readNumber(bytesOf(Argument), N);
  case LaunchNumber::Kind::Size:
    if (Argument.IsInline || !Argument.Elements.empty())
      return std::nullopt;
    return Argument.Memory.bytes().size();
  case LaunchNumber::Kind::Smallest:
  case LaunchNumber::Kind::Largest:
    if (Argument.IsInline || !Argument.Elements.empty())
      return std::nullopt;
    return readExtreme(bytesOf(Argument), N);
  default:
    return std::nullopt;
  }
}

Expected<std::vector<KernelConditions>>
LaunchConditions::ofAll(const cases::Case &Case) {
  const Report &R = reportOf(Case);
  if (!R.Problems.empty())
    return make_error<DiagnosticError>(R.Problems.front());
  std::vector<KernelConditions> All;
  All.reserve(R.Kernels.size());
  for (const KernelReport &K : R.Kernels)
    All.push_back(conditionsOf(R, K));
  return All;
}

Expected<KernelConditions> LaunchConditions::of(const cases::Case &Case) {
  Expected<std::vector<KernelConditions>> All = ofAll(Case);
  if (!All)
    return All.takeError();
  for (KernelConditions &Each : *All)
    if (Each.Kernel == Case.Kernel)
      return std::move(Each);
  return createStringError("belay check says nothing of kernel '" +
                           Case.Kernel + "', so that there are no conditions");
}

std::vector<Diagnostic>
LaunchConditions::unmet(const cases::Case &Case, StringRef Kernel,
                        const ArgumentBuffers &Arguments) {
  const Report &R = reportOf(Case);
  std::vector<Diagnostic> Unmet = R.Problems;
  append_range(Unmet, unmetConditions(R, Case, Kernel, Arguments));
  return Unmet;
}

std::vector<Diagnostic>
belay::tool::unmetConditions(const Report &Found, const cases::Case &Case,
                             StringRef Kernel,
                             const ArgumentBuffers &Arguments) {
  std::vector<Diagnostic> Unmet;
  // Forced to run on both kinds of cores, it has other indices of blocks.
  std::optional<uint32_t> Blocks;
  if (Case.Task == sim::TaskKind::Unset || Case.Task == sim::TaskKind::Vector)
    Blocks = Case.Blocks;
  auto Value = [&](const LaunchNumber &N) { return valueOf(N, Arguments); };
  for (const KernelReport &K : Found.Kernels) {
    if (K.Name != Kernel)
      continue;
    KernelConditions Conditions = conditionsOf(Found, K);
    for (const conditions::Unmet &Each : unmetBy(Conditions, Blocks, Value)) {
      Diagnostic &Diag = Unmet.emplace_back();
      Diag.Id = DiagId::ExpectsNotMet;
      Diag.Where = {Each.What->File, Each.What->Line, Each.What->Column};
      Diag.Message = Each.Message;
    }
  }
  return Unmet;
}
