//===- ArgumentBinding.cpp - Which argument goes where --------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "launch/ArgumentBinding.h"
#include "support/DiagnosticError.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using namespace llvm;
using namespace belay::cases;
using namespace belay::launch;
using namespace belay::support;
using namespace belay::toolchain;
using belay::sim::ParamKind;

/// "0 GM_ADDR x (pointer)  <- --in f16:1024=normal:1", one line per parameter,
/// then the arguments that found none.
static std::vector<std::string> listParams(const Case &Case,
                                           const Description &Kernel,
                                           const ScannedKernel &Scanned) {
  std::vector<std::string> Lines;
  auto DescribeArg = [&](unsigned Index) {
    const ArgSpec &Arg = Case.Args[Index];
    return formatv("--{0} {1}", nameOf(Arg.What), Arg.Text).str();
  };
  for (unsigned I = 0; I < Kernel.Params.size(); ++I) {
    std::string Text = describe(Kernel.Params[I]);
    if (Scanned.Params.size() == Kernel.Params.size())
      Text = formatv("'{0}', a {1}", Scanned.Params[I], Text);
    Lines.push_back(formatv("parameter {0}: {1}; given: {2}", I, Text,
                            I < Case.Args.size() ? DescribeArg(I) : "nothing"));
  }
  for (unsigned I = Kernel.Params.size(); I < Case.Args.size(); ++I)
    Lines.push_back(formatv("no parameter for {0}", DescribeArg(I)));
  return Lines;
}

/// Whether the parameter can take the argument.
static bool accepts(const DescribedParam &Param, const ArgSpec &Arg) {
  if (Arg.What != ArgSpec::Role::Scalar)
    return Param.Kind == ParamKind::Pointer;
  DataType Type = Arg.Tensor->Type;
  if (Param.Bytes != bytesOf(Type))
    return false;
  return Param.Kind ==
         (isFloating(Type) ? ParamKind::Float : ParamKind::Integer);
}

/// Whether a parameter is named like a workspace or a tiling: usrWorkspace, ws,
/// tilingGm.
static bool soundsAdded(StringRef Name) {
  std::string Lower = Name.lower();
  return Lower.empty() ||
         any_of(
             ArrayRef<const char *>{"work", "space", "ws", "til", "usr"},
             [&](StringRef Part) { return StringRef(Lower).contains(Part); });
}

Expected<std::vector<Binding>>
belay::launch::bindArguments(const Case &Case, const Description &Kernel,
                             const ScannedKernel &Scanned) {
  ArrayRef<DescribedParam> Params = Kernel.Params;
  size_t NumArgs = Case.Args.size();
  auto Mismatch = [&](const Twine &Why) -> Error {
    return makeError(DiagId::ArgumentMismatch,
                     formatv("kernel '{0}' {1}", Kernel.Name, Why.str()),
                     listParams(Case, Kernel, Scanned));
  };
  auto CountMismatch = [&] {
    return Mismatch(formatv("takes {0} argument{1}, but {2} {3} given",
                            Params.size(), Params.size() == 1 ? "" : "s",
                            NumArgs, NumArgs == 1 ? "is" : "are")
                        .str());
  };
  if (NumArgs > Params.size())
    return CountMismatch();

  std::vector<Binding> Bindings;
  auto Bind = [&](Binding::Source From, unsigned Index, const Twine &Fallback) {
    std::string Name = Scanned.Params.size() == Params.size()
                           ? Scanned.paramName(Bindings.size())
                           : "";
    Bindings.push_back({From, Index, Name.empty() ? Fallback.str() : Name});
  };
  for (const auto &[Index, Arg] : enumerate(Case.Args)) {
    if (!accepts(Params[Index], Arg))
      return Mismatch(formatv("cannot take --{0} {1} as parameter {2}, a {3}",
                              nameOf(Arg.What), Arg.Text, Index,
                              describe(Params[Index]))
                          .str());
    Bind(Binding::Source::Positional, Index,
         nameOf(Arg.What) + " " + Twine(Index));
    if (!Arg.Name.empty())
      Bindings.back().Name = Arg.Name;
  }

  ArrayRef<DescribedParam> Rest = Params.drop_front(NumArgs);
  auto IsPointer = [](const DescribedParam &Param) {
    return Param.Kind == ParamKind::Pointer;
  };
  bool ByValue = !Rest.empty() && Rest.back().Kind == ParamKind::Aggregate;
  bool Fits =
      Rest.size() <= 2 && all_of(ByValue ? Rest.drop_back() : Rest, IsPointer);
  // A forgotten output must not become a workspace in silence: where the
  // parameters have names, the last one has to sound right.
  if (!Rest.empty() && !ByValue && !Case.Tiling.given() &&
      !Case.WorkspaceBytes && Scanned.Params.size() == Params.size() &&
      !soundsAdded(Scanned.paramName(Params.size() - 1)))
    Fits = false;
  if (!Fits)
    return CountMismatch();
  bool LastIsTiling = Rest.size() == 2 || ByValue || Case.Tiling.given();
  if (Rest.empty() && Case.Tiling.given())
    return Mismatch("has no parameter left for the tiling");
  if (ByValue && !Case.Tiling.given())
    return Mismatch("takes its tiling by value, but none is given");
  for (unsigned I = 0; I < Rest.size(); ++I) {
    bool IsTiling = I + 1 == Rest.size() && LastIsTiling;
    Bind(IsTiling ? Binding::Source::Tiling : Binding::Source::Workspace, 0,
         IsTiling ? "tiling" : "workspace");
  }
  return Bindings;
}

std::string belay::launch::encodeScalar(const ArgSpec &Arg) {
  StringRef Text = Arg.Source;
  return visitType(Arg.Tensor->Type, [&](auto Element) {
    using T = decltype(Element);
    if constexpr (std::is_integral_v<T>) {
      // parseArg has seen that the value fits.
      if (int64_t Signed;
          Text.starts_with("-") && !Text.getAsInteger(0, Signed))
        Element = static_cast<T>(Signed);
      else if (uint64_t Unsigned; !Text.getAsInteger(0, Unsigned))
        Element = static_cast<T>(Unsigned);
    } else if constexpr (std::is_same_v<T, Bool>) {
      Element.Bits = Text == "1" || Text == "true";
    } else {
      double Value = 0;
      Text.getAsDouble(Value);
      if constexpr (std::is_same_v<T, Half>)
        Element = toHalf(static_cast<float>(Value));
      else if constexpr (std::is_same_v<T, BFloat16>)
        Element = toBFloat16(static_cast<float>(Value));
      else
        Element = static_cast<T>(Value);
    }
    return std::string(reinterpret_cast<const char *>(&Element),
                       sizeof Element);
  });
}
