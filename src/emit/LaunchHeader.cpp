//===- LaunchHeader.cpp - The typed launcher of a kernel ------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/Launch.h"

#include "dialect/Elements.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace belay;
using namespace belay::emit;

static std::string quoted(StringRef Text) {
  std::string Result;
  llvm::raw_string_ostream OS(Result);
  OS << '"';
  OS.write_escaped(Text) << '"';
  return Result;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static std::string elementType(Type Type) {
  element_types::id Element = ascend::languageElementOf(Type);
  // The classes of belay/kernel.h, which the header declares.
  if (Type.isF16() || Type.isBF16())
    return ("belay::" + ascend::languageNameOf(Element)).str();
  StringRef Name = targets::kernelNameOf(Element);
  return (Name.ends_with("_t") ? "std::" + Name : Twine(Name)).str();
}

static std::string parameterType(const LaunchParameter &Parameter) {
  if (!Parameter.IsView) {
    // The complete classes are in belay/kernel.h, which is C++20.
    if (Parameter.Element.isF16())
      return "launch::half_bits";
    if (Parameter.Element.isBF16())
      return "launch::bfloat16_bits";
    return elementType(Parameter.Element);
  }
  std::string Result = "launch::view<";
  if (Parameter.Access == ascend::Role::In)
    Result += "const ";
  Result += elementType(Parameter.Element);
  for (int64_t Extent : Parameter.Shape)
    Result += ", " + (ShapedType::isDynamic(Extent) ? "launch::dyn"
                                                    : std::to_string(Extent));
  return Result + ">";
}

static StringRef accessName(ascend::Role Role) {
  return Role == ascend::Role::PerCore ? "per_core"
                                       : ascend::stringifyRole(Role);
}

//===----------------------------------------------------------------------===//
// The header
//===----------------------------------------------------------------------===//

namespace {

class HeaderWriter {
public:
  HeaderWriter(const LaunchDescription &Launch, const targets::Soc &Soc,
               llvm::raw_ostream &Out)
      : Launch(Launch), Soc(Soc), Out(Out), Blocks(unused("blocks")),
        Launcher(unused("launcher")), LauncherType(unused("Launcher")),
        Check(unused("check")), Block(unused("block")), Class(Launch.Entry) {
    // A class cannot have a member of its own name.
    if (Class == "info" || Class == "parameters" || Class == "check" ||
        Class == "launch")
      Class += "_";
  }

  void write(const LaunchOrigin &Origin);

private:
  std::string unused(StringRef Wanted) const;
  std::string parameters(StringRef Indent) const;
  std::string text(const Condition &Condition) const;
  std::string scalarText(StringRef Name) const;
  void collectValues(const Condition &Condition,
                     std::vector<std::string> &Values) const;
  void writeInfo();
  void writeParameters();
  void writeCheck();
  void writeLaunch();

  const LaunchDescription &Launch;
  const targets::Soc &Soc;
  llvm::raw_ostream &Out;
  /// Our own variables, named as no parameter of the kernel is.
  std::string Blocks, Launcher, LauncherType, Check, Block;
  std::string Class;
};

} // namespace

std::string HeaderWriter::unused(StringRef Wanted) const {
  std::string Name = Wanted.str();
  while (llvm::any_of(Launch.Parameters, [&](const LaunchParameter &Parameter) {
    return Parameter.Name == Name;
  }))
    Name += "_";
  return Name;
}

std::string HeaderWriter::parameters(StringRef Indent) const {
  std::string Result = "std::uint32_t " + Blocks;
  for (const LaunchParameter &Parameter : Launch.Parameters)
    Result += (",\n" + Indent + parameterType(Parameter) + " " + Parameter.Name)
                  .str();
  return Result;
}

std::string HeaderWriter::scalarText(StringRef Name) const {
  auto Found =
      llvm::find_if(Launch.Parameters, [&](const LaunchParameter &Parameter) {
        return Parameter.Name == Name;
      });
  Type Type = Found->Element;
  if (Type.isInteger(1))
    return ("launch::truth(" + Name + ")").str();
  if (Type.isF32())
    return ("launch::real(" + Name + ")").str();
  if (isa<FloatType>(Type))
    return ("launch::real(launch::to_float(" + Name + "))").str();
  return ("launch::whole(" + Name + ")").str();
}

static std::string integerText(int64_t Number) {
  if (Number == std::numeric_limits<int64_t>::min())
    return "INT64_MIN";
  std::string Text = std::to_string(Number);
  return llvm::isInt<32>(Number) ? Text : "INT64_C(" + Text + ")";
}

static std::string floatText(float Value) {
  if (std::isnan(Value))
    return "NAN";
  if (std::isinf(Value))
    return Value > 0 ? "INFINITY" : "-INFINITY";
  std::string Text;
  llvm::raw_string_ostream(Text) << llvm::format("%a", Value) << "f";
  return Text;
}

std::string HeaderWriter::text(const Condition &Condition) const {
  using Kind = Condition::Kind;
  const std::string Ours = "launch::";
  switch (Condition.What) {
  case Kind::Integer:
    return Ours + "whole(" + integerText(Condition.Number) + ")";
  case Kind::Float:
    return Ours + "real(" + floatText(Condition.Real) + ")";
  case Kind::Truth:
    return Ours + "truth(" + (Condition.Number ? "true)" : "false)");
  case Kind::Extent:
    return Ours + "whole(" + Condition.Name + ".extent(" +
           std::to_string(Condition.Number) + "))";
  case Kind::Scalar:
    return scalarText(Condition.Name);
  case Kind::Blocks:
    return Ours + "whole(" + Blocks + ")";
  case Kind::Operation:
    break;
  }
  std::vector<std::string> Args;
  for (const emit::Condition &Arg : Condition.Args)
    Args.push_back(text(Arg));
  StringRef Sign = llvm::StringSwitch<StringRef>(Condition.Name)
                       .Case("add", "+")
                       .Case("sub", "-")
                       .Case("mul", "*")
                       .Case("div", "/")
                       .Case("rem", "%")
                       .Case("eq", "==")
                       .Case("ne", "!=")
                       .Case("lt", "<")
                       .Case("le", "<=")
                       .Case("gt", ">")
                       .Case("ge", ">=")
                       .Default("");
  if (!Sign.empty())
    return ("(" + Args[0] + " " + Sign + " " + Args[1] + ")").str();
  if (Condition.Name == "neg")
    return "(-" + Args[0] + ")";
  StringRef Function = llvm::StringSwitch<StringRef>(Condition.Name)
                           .Case("and", "both")
                           .Case("or", "either")
                           .Case("select", "choose")
                           .Case("min", "least")
                           .Case("max", "most")
                           .Case("float", "real");
  return (Ours + Function + "(" + llvm::join(Args, ", ") + ")").str();
}

/// What a message about the condition shows: each number in it once.
void HeaderWriter::collectValues(const Condition &Condition,
                                 std::vector<std::string> &Values) const {
  std::string Value;
  for (const emit::Condition &Arg : Condition.Args)
    collectValues(Arg, Values);
  if (Condition.What == Condition::Kind::Extent)
    Value =
        Condition.Name + ".extent(" + std::to_string(Condition.Number) + ")";
  else if (Condition.What == Condition::Kind::Blocks &&
           !Condition.Shown.empty())
    Value = "std::int64_t(" + Blocks + ")";
  else if (Condition.What == Condition::Kind::Scalar)
    Value = StringRef(scalarText(Condition.Name)).contains("real(")
                ? scalarText(Condition.Name) + ".value"
                : "std::int64_t(" + Condition.Name + ")";
  else if (!Condition.Shown.empty())
    Value = "std::int64_t(" + text(Condition) + ".value)";
  else
    return;
  Value = "{" + quoted(Condition.Shown) + ", " + Value + "}";
  if (!llvm::is_contained(Values, Value))
    Values.push_back(Value);
}

void HeaderWriter::writeInfo() {
  Out << "  static constexpr launch::kernel_info info = {\n      "
      << quoted(Launch.Kernel) << ", " << quoted(Launch.Entry) << ", "
      << quoted(Soc.name) << ", " << quoted(Soc.arch->name) << ", "
      << maxBlocks(Launch, Soc) << ", " << (Launch.CoresMeet ? "true" : "false")
      << ", " << coresFor(Launch, Soc) << "};\n\n";
}

void HeaderWriter::writeParameters() {
  Out << "  using parameters = launch::parameters<";
  llvm::ListSeparator Comma(",");
  for (const LaunchParameter &Parameter : Launch.Parameters) {
    Out << Comma << "\n      ";
    if (Parameter.IsView)
      Out << "launch::parameter<launch::access::"
          << accessName(Parameter.Access) << ", " << parameterType(Parameter)
          << ">";
    else
      Out << parameterType(Parameter);
  }
  Out << ">;\n\n";
}

void HeaderWriter::writeCheck() {
  Out << "  /// Whether a launch is admitted; nothing is started.\n"
      << "  static launch::status check(" << parameters("      ") << ") {\n"
      << "    launch::checker " << Check << "(" << Class << "::info, " << Blocks
      << ");\n";
  for (const LaunchParameter &Parameter : Launch.Parameters)
    if (Parameter.IsView)
      Out << "    " << Check << ".look_at(" << quoted(Parameter.Name)
          << ", launch::access::" << accessName(Parameter.Access) << ", "
          << Parameter.Name << ");\n";
    else
      Out << "    (void)" << Parameter.Name << ";\n";
  for (const LaunchExpectation &Expectation : Launch.Expectations) {
    const Condition &Holds = Expectation.Holds;
    if (Holds.What == Condition::Kind::Truth && Holds.Number)
      continue; // settled by the types
    std::vector<std::string> Values;
    collectValues(Holds, Values);
    Out << "    " << Check << ".expects(" << text(Holds) << ",\n        "
        << quoted(Expectation.Text) << ", "
        << quoted(Expectation.File + ":" + std::to_string(Expectation.Line))
        << ",\n        {" << llvm::join(Values, ", ") << "});\n";
  }
  Out << "    return " << Check << ".result();\n  }\n\n";
}

void HeaderWriter::writeLaunch() {
  unsigned Bytes;
  std::vector<EntryParameter> Entries = entryParameters(Launch, Bytes);
  std::string Names = Blocks;
  for (const LaunchParameter &Parameter : Launch.Parameters)
    Names += ", " + Parameter.Name;
  Out << "  /// Checks, then starts. A launcher takes a belay::launch::request "
         "and\n  /// returns 0 for success.\n"
      << "  template <class " << LauncherType << ">\n"
      << "  static launch::status launch(" << LauncherType << " &&" << Launcher
      << ",\n      " << parameters("      ") << ") {\n"
      << "    if (launch::status " << Check << " = " << Class << "::check("
      << Names << ");\n        !" << Check << ".ok())\n"
      << "      return " << Check << ";\n"
      << "    launch::argument_block<" << Bytes << "> " << Block << ";\n";
  for (const EntryParameter &Entry : Entries) {
    const LaunchParameter &Parameter = Launch.Parameters[Entry.Index];
    Out << "    " << Block << ".template put<" << Entry.Offset << ">("
        << Parameter.Name;
    if (Entry.What == EntryParameter::Kind::View)
      Out << ".address()";
    else if (Entry.What == EntryParameter::Kind::Extent)
      Out << ".extent(" << Entry.Dim << ")";
    Out << ");\n";
  }
  Out << "    return launch::start(" << Launcher << ", " << Class << "::info, "
      << Blocks << ", " << Block << ".data(), " << Bytes << ");\n  }\n";
}

void HeaderWriter::write(const LaunchOrigin &Origin) {
  std::string Guard = "BELAY_LAUNCHER_" + Launch.Entry + "_H";
  Out << "// The launcher of " << Launch.Entry << " for " << Soc.name
      << ", made by Belay " << Origin.Version
      << ".\n// Change the kernel's source, not this file.\n"
      << "#ifndef " << Guard << "\n#define " << Guard << "\n\n"
      << "#include \"belay/launch.h\"\n\n"
      << "namespace belay::kernels {\n\n"
      << "struct " << Class << " {\n";
  writeInfo();
  writeParameters();
  writeCheck();
  writeLaunch();
  Out << "};\n\n} // namespace belay::kernels\n\n#endif // " << Guard << "\n";
}

void belay::emit::writeLauncher(const LaunchDescription &Launch,
                                const targets::Soc &Soc,
                                const LaunchOrigin &Origin,
                                llvm::raw_ostream &Out) {
  HeaderWriter(Launch, Soc, Out).write(Origin);
}
