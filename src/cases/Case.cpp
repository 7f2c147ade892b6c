//===- Case.cpp - One launch of a kernel, as the user describes it --------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cases/Case.h"
#include "abi/Launch.h"
#include "cases/Generators.h"
#include "support/Files.h"
#include "targets/Target.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace belay::cases;
using namespace belay::support;
using belay::sim::TaskKind;

StringRef belay::cases::nameOf(ArgSpec::Role Role) {
  switch (Role) {
  case ArgSpec::Role::In:
    return "in";
  case ArgSpec::Role::Out:
    return "out";
  case ArgSpec::Role::InOut:
    return "inout";
  case ArgSpec::Role::Scalar:
    return "scalar";
  }
  llvm_unreachable("unknown role");
}

static bool isDataFile(StringRef Text) {
  return Text.ends_with(".npy") || Text.ends_with(".bin");
}

/// The source of an `in` or `inout` whose type, if given, has been read.
static Error checkSource(const ArgSpec &Arg) {
  if (Arg.Source.empty())
    return createStringError(formatv(
        "--{0} '{1}' names no values; write {1}=normal:1 or {1}=FILE.npy",
        nameOf(Arg.What), Arg.Text));
  if (isDataFile(Arg.Source)) {
    if (Arg.Tensor || StringRef(Arg.Source).ends_with(".npy"))
      return Error::success();
    return createStringError(formatv(
        "{0} has no type of its own; write TYPE:SHAPE={0}", Arg.Source));
  }
  if (!Arg.Tensor)
    return createStringError(
        formatv("--{0} '{1}' is neither TYPE:SHAPE=VALUES nor FILE.npy",
                nameOf(Arg.What), Arg.Text));
  Expected<Generator> G = Generator::parse(Arg.Source);
  if (!G)
    return G.takeError();
  return G->check(Arg.Tensor->Type);
}

static Error parseScalar(ArgSpec &Arg) {
  auto [Type, Value] = StringRef(Arg.Text).split('=');
  std::optional<DataType> Known = parseDataType(Type);
  if (!Known || Known == DataType::C64 || Value.empty())
    return createStringError(
        formatv("--scalar '{0}' is not of the form TYPE=VALUE; types are {1}",
                Arg.Text, listDataTypes()));
  Arg.Tensor = TensorType{*Known, {}};
  Arg.Source = Value.str();
  if (isFloating(*Known)) {
    double Real;
    if (!Value.getAsDouble(Real))
      return Error::success();
  } else if (*Known == DataType::Bool) {
    if (Value == "0" || Value == "1" || Value == "true" || Value == "false")
      return Error::success();
  } else {
    unsigned Bits = 8 * bytesOf(*Known);
    bool Signed = belay::cases::nameOf(*Known).starts_with("i");
    int64_t Negative;
    uint64_t Integer;
    if (Value.starts_with("-") ? Signed && !Value.getAsInteger(0, Negative) &&
                                     isIntN(Bits, Negative)
                               : !Value.getAsInteger(0, Integer) &&
                                     isUIntN(Signed ? Bits - 1 : Bits, Integer))
      return Error::success();
  }
  return createStringError(formatv("'{0}' is not a value of type {1}", Value,
                                   belay::cases::nameOf(*Known)));
}

/// The tensors between the brackets of a list.
static Error parseList(ArgSpec &Arg) {
  Arg.IsList = true;
  StringRef Inside = StringRef(Arg.Text).drop_front().drop_back().trim();
  while (!Inside.empty()) {
    auto [First, Rest] = Inside.split(';');
    Expected<ArgSpec> Element = parseArg(Arg.What, First.trim());
    if (!Element)
      return Element.takeError();
    if (Element->IsList || Element->Absent)
      return createStringError(
          formatv("'{0}' cannot be part of a list", Element->Text));
    Arg.List.push_back(std::move(*Element));
    Inside = Rest.trim();
  }
  return Error::success();
}

Expected<ArgSpec> belay::cases::parseArg(ArgSpec::Role Role, StringRef Text) {
  ArgSpec Arg;
  Arg.What = Role;
  Arg.Text = Text.str();
  if (Role != ArgSpec::Role::Scalar && Text == "none") {
    Arg.Absent = true;
    return Arg;
  }
  if (Role != ArgSpec::Role::Scalar && Text.starts_with("[") &&
      Text.ends_with("]")) {
    if (Error E = parseList(Arg))
      return std::move(E);
    return Arg;
  }
  if (Role == ArgSpec::Role::Scalar) {
    if (Error E = parseScalar(Arg))
      return E;
    return Arg;
  }

  StringRef Rest = Text;
  if (Role == ArgSpec::Role::InOut) {
    auto [Before, After] = Rest.rsplit('@');
    if (isDataFile(After)) {
      Rest = Before;
      Arg.Output = After.str();
    }
  }
  // A type is the part before the first '=' or ':'; a path that starts with a
  // type's name and a colon has to be written with "./".
  StringRef TypeText = Rest.take_until([](char C) { return C == '='; });
  if (parseDataType(TypeText.split(':').first)) {
    Expected<TensorType> Tensor = parseTensorType(TypeText);
    if (!Tensor)
      return Tensor.takeError();
    Arg.Tensor = *Tensor;
    Rest = Rest.drop_front(TypeText.size());
    Rest.consume_front("=");
  }
  if (Role != ArgSpec::Role::Out) {
    Arg.Source = Rest.str();
    if (Error E = checkSource(Arg))
      return E;
    return Arg;
  }
  if (!Arg.Tensor)
    return createStringError(formatv(
        "--out '{0}' is not of the form TYPE:SHAPE or TYPE:SHAPE=FILE.npy; "
        "types are {1}",
        Text, listDataTypes()));
  if (!Rest.empty() && !isDataFile(Rest))
    return createStringError(
        formatv("output file '{0}' ends neither in .npy nor in .bin", Rest));
  Arg.Output = Rest.str();
  return Arg;
}

/// A source that is larger was not written by anyone.
static constexpr uint64_t MaxSourceBytes = 64 << 20;

Expected<std::string> belay::cases::readSourceOf(const Case &Case) {
  if (Case.Text)
    return *Case.Text;
  return support::readFile(Case.Source, MaxSourceBytes);
}

std::optional<TaskKind> belay::cases::parseTaskKind(StringRef Text) {
  return StringSwitch<std::optional<TaskKind>>(Text)
      .Case("vector", TaskKind::Vector)
      .Case("cube", TaskKind::Cube)
      .Case("mix11", TaskKind::Mix1To1)
      .Case("mix12", TaskKind::Mix1To2)
      .Default(std::nullopt);
}

Error belay::cases::attachExpectation(Case &Case, StringRef Text,
                                      std::optional<double> Rtol,
                                      std::optional<double> Atol) {
  SmallVector<ArgSpec *, 4> Outputs;
  for (ArgSpec &Arg : Case.Args)
    if (Arg.writes())
      Outputs.push_back(&Arg);

  ArgSpec *Target = nullptr;
  auto [Number, Path] = Text.split('=');
  uint64_t Index;
  if (!Path.empty() && !Number.getAsInteger(10, Index)) {
    if (Index >= Outputs.size())
      return createStringError(formatv(
          "there is no output {0}; the case has {1}", Index, Outputs.size()));
    Target = Outputs[Index];
  } else {
    Path = Text;
    for (ArgSpec *Output : Outputs)
      if (!Target && !Output->Expect)
        Target = Output;
  }
  if (!Target || Target->Expect)
    return createStringError(
        formatv("no output is left for --expect {0}", Text));
  if (!Path.ends_with(".npy"))
    return createStringError(
        formatv("--expect takes a .npy file, not '{0}'", Path));
  Target->Expect = Expectation{Path.str(), Rtol, Atol};
  return Error::success();
}

/// The path becomes the text of an #include, which has no escapes.
static Error checkIncludable(StringRef Path) {
  for (char C : Path)
    if (C == '"' || C == '\\' || static_cast<unsigned char>(C) < ' ')
      return createStringError(formatv(
          "'{0}': a path with quotes, backslashes or control characters cannot "
          "be included",
          Path));
  return Error::success();
}

/// A name that can be pasted into C++: a::b, k<half, -2>.
static bool isKernelName(StringRef Name) {
  return !Name.empty() && !isDigit(Name[0]) && all_of(Name, [](char C) {
    return isAlnum(C) || StringRef("_:<>, -").contains(C);
  });
}

Error belay::cases::validate(const Case &Case) {
  if (Case.Source.empty())
    return createStringError("no kernel source is given");
  if (Error E = checkIncludable(Case.Source))
    return E;
  if (Error E = checkIncludable(Case.Tiling.Header))
    return E;
  if (!Case.Kernel.empty() && !isKernelName(Case.Kernel))
    return createStringError(
        formatv("'{0}' is not the name of a kernel", Case.Kernel));
  if (!Case.Tiling.Struct.empty() && !isKernelName(Case.Tiling.Struct))
    return createStringError(
        formatv("'{0}' is not the name of a structure", Case.Tiling.Struct));
  if (Case.Blocks == 0 || Case.Blocks > 65535)
    return createStringError(
        formatv("a launch has 1 to 65535 blocks, not {0}", Case.Blocks));
  if (Case.Args.size() > sim::MaxArgs)
    return createStringError(
        formatv("a kernel takes at most {0} arguments", sim::MaxArgs));
  if (!(Case.TimeLimitSeconds > 0) || Case.TimeLimitSeconds > 1e6)
    return createStringError(
        "the time limit is between 0 and a million seconds");
  for (const std::string &Define : Case.Defines)
    if (StringRef(Define).take_until([](char C) { return C == '='; }).empty())
      return createStringError(formatv("'-D {0}' defines nothing", Define));

  const targets::Soc *Soc = targets::findSoc(Case.Soc);
  if (Soc && Soc->arch->coverage == targets::Coverage::Simulated)
    return Error::success();
  std::string Note = targets::nameNote(Case.Soc);
  if (Soc)
    return createStringError(formatv("{0} ({1}) cannot be simulated yet{2}",
                                     Soc->name, Soc->arch->name,
                                     Note.empty() ? "" : "; " + Note));
  if (Note.empty())
    if (const targets::Soc *Near = targets::suggestSoc(Case.Soc))
      Note = formatv("did you mean {0}?", Near->name);
  if (Note.empty())
    Note = "`belay targets` lists them";
  return createStringError(formatv("unknown SoC '{0}'; {1}", Case.Soc, Note));
}
