//===- LaunchConditions.cpp - Conditions of a check, for a launch ---------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchConditions.h"
#include "support/Files.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace belay;
using namespace belay::check;
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

/// A whole number of so many bytes, in the order of the device.
static std::optional<int64_t> readNumber(ArrayRef<uint8_t> Bytes,
                                         const LaunchNumber &N) {
  if (N.Width == 0 || N.Width > sizeof(uint64_t) || N.Offset > Bytes.size() ||
      Bytes.size() - N.Offset < N.Width)
    return std::nullopt;
  uint64_t Value = 0;
  for (unsigned I = N.Width; I--;)
    Value = Value << 8 | Bytes[N.Offset + I];
  unsigned Unused = 64 - 8 * N.Width;
  if (N.Signed)
    return static_cast<int64_t>(Value << Unused) >> Unused;
  if (Value > INT64_MAX)
    return std::nullopt;
  return static_cast<int64_t>(Value);
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
  default:
    return std::nullopt;
  }
}

/// "n = 129, bytes of x = 64": what the clause is about, in this launch.
static std::string valuesOf(const Clause &C, ArrayRef<LaunchNumber> Numbers,
                            uint32_t Blocks, const ArgumentBuffers &Arguments) {
  std::set<uint32_t> Used;
  std::function<void(const Polynomial &)> Visit = [&](const Polynomial &P) {
    for (const Polynomial::Term &T : P.Terms)
      for (uint32_t N : T.Of)
        if (Used.insert(N).second) {
          Visit(Numbers[N].Dividend);
          Visit(Numbers[N].Divisor);
        }
  };
  for (const Clause::Atom &A : C.Any)
    Visit(A.About);
  std::vector<std::string> Texts;
  for (uint32_t At : Used) {
    const LaunchNumber &N = Numbers[At];
    if (N.What == LaunchNumber::Kind::Blocks)
      Texts.push_back(N.Name + " = " + utostr(Blocks));
    else if (std::optional<int64_t> V = valueOf(N, Arguments))
      Texts.push_back(N.Name + " = " + itostr(*V));
  }
  return join(Texts, ", ");
}

std::vector<Diagnostic>
LaunchConditions::unmet(const cases::Case &Case, StringRef Kernel,
                        const ArgumentBuffers &Arguments) {
  const Report &R = reportOf(Case);
  std::vector<Diagnostic> Unmet = R.Problems;
  // Forced to run on both kinds of cores, it has other indices of blocks.
  bool OwnBlocks =
      Case.Task == sim::TaskKind::Unset || Case.Task == sim::TaskKind::Vector;
  auto Value = [&](const LaunchNumber &N) { return valueOf(N, Arguments); };
  for (const KernelReport &K : R.Kernels)
    for (const auto &[T, Doubts] : K.Doubts) {
      if (K.Name != Kernel || R.verdictOf(K, T) != Verdict::CleanIf)
        continue;
      for (const Doubt &D : Doubts) {
        Answer Is = OwnBlocks ? evaluate(*D.If, K.Numbers, Case.Blocks, Value)
                              : Answer::NotKnown;
        if (Is == Answer::Holds)
          continue;
        Diagnostic Diag;
        Diag.Id = DiagId::ExpectsNotMet;
        Diag.Where = D.Where;
        Diag.Message =
            nameOf(T).str() + " is clean if " + D.If->Text +
            (Is == Answer::Violated ? ", which does not hold in this launch"
                                    : ", which is not known of this launch");
        std::string Values = valuesOf(*D.If, K.Numbers, Case.Blocks, Arguments);
        if (!Values.empty())
          Diag.Message += ": " + Values;
        Unmet.push_back(std::move(Diag));
      }
    }
  return Unmet;
}
