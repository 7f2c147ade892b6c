//===- LaunchContract.cpp - What a language kernel admits -----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "launch/LaunchContract.h"
#include "belay/launch.h"
#include "report/FrameResolver.h"
#include "support/DiagnosticError.h"
#include "support/Json.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>
#include <variant>

using namespace llvm;
using namespace belay;
using namespace belay::cases;
using namespace belay::launch;
using namespace belay::report;
using namespace belay::support;
using belay::launch::real;
using belay::launch::truth;
using belay::launch::whole;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Of a view.
static constexpr size_t MostExtents = 5;

static Error malformed(const char *What) {
  return createStringError(
      formatv("the kernel's description is malformed: {0}", What));
}

std::string ContractParam::wanted() const {
  if (!IsView)
    return formatv("--scalar {0}=...", nameOf(Type));
  StringRef Role = How == Access::In    ? "in"
                   : How == Access::Out ? "out"
                                        : "inout";
  std::string Shape;
  for (std::optional<uint64_t> Extent : Extents)
    Shape += (Shape.empty() ? "" : "x") +
             (Extent ? std::to_string(*Extent) : std::string("?"));
  return formatv("--{0} {1}:{2}", Role, nameOf(Type), Shape);
}

static bool readView(const json::Object &Object, ContractParam &Param) {
  using Access = ContractParam::Access;
  auto How = StringSwitch<std::optional<Access>>(
                 Object.getString("access").value_or(""))
                 .Case("in", Access::In)
                 .Case("out", Access::Out)
                 .Case("inout", Access::InOut)
                 .Case("percore", Access::PerCore)
                 .Default(std::nullopt);
  const json::Array *Extents = Object.getArray("extents");
  if (!How || !Extents || Extents->empty() || Extents->size() > MostExtents)
    return false;
  Param.IsView = true;
  Param.How = *How;
  for (const json::Value &Extent : *Extents) {
    std::optional<uint64_t> Number = Extent.getAsUINT64();
    if (!Number && !Extent.getAsObject())
      return false;
    Param.Extents.push_back(Number);
  }
  return true;
}

static std::string textOf(const json::Object &Object, StringRef Key) {
  return Object.getString(Key).value_or("").str();
}

/// The file as the user would write it.
static belay::support::SourcePlace placeOf(const json::Object &Object) {
  belay::support::SourcePlace Place;
  SmallString<128> Here;
  sys::fs::current_path(Here);
  Place.File = shorten(textOf(Object, "file"), Here);
  Place.Line = static_cast<unsigned>(
      getUnsigned(Object, "line", UINT32_MAX).value_or(0));
  return Place;
}

Expected<LaunchContract> LaunchContract::parse(const json::Object &Object) {
  LaunchContract Result;
  auto Kernel = Object.getString("kernel"), Entry = Object.getString("entry");
  const json::Object *Target = Object.getObject("target");
  const json::Object *Limits = Object.getObject("limits");
  const json::Array *Names = Object.getArray("arguments");
  const json::Array *Params = Object.getArray("parameters");
  const json::Array *Expects = Object.getArray("expects");
  if (!Kernel || !Entry || !Target || !Limits || !Names || !Params || !Expects)
    return malformed("a member is missing");
  auto MaxBlocks = getUnsigned(*Limits, "maxBlocks", UINT32_MAX);
  if (!MaxBlocks)
    return malformed("maxBlocks");
  Result.Kernel = Kernel->str();
  Result.Entry = Entry->str();
  Result.Soc = Target->getString("soc").value_or("").str();
  Result.MaxBlocks = static_cast<uint32_t>(*MaxBlocks);
  Result.CoresMeet = Limits->getBoolean("coresMeet").value_or(false);
  for (const json::Value &Name : *Names)
    Result.Params.emplace_back().Name = Name.getAsString().value_or("").str();

  using Kind = EntryParam::Kind;
  for (const json::Value &Value : *Params) {
    const json::Object *Param = Value.getAsObject();
    if (!Param)
      return malformed("parameters");
    StringRef What = Param->getString("kind").value_or("");
    StringRef Name =
        Param->getString(What == "extent" ? "of" : "name").value_or("");
    auto Found = find_if(Result.Params, [&](const ContractParam &Known) {
      return Known.Name == Name;
    });
    if (Found == Result.Params.end())
      return malformed("parameters");
    EntryParam &Added = Result.Entries.emplace_back();
    Added.Index = static_cast<unsigned>(Found - Result.Params.begin());
    if (What == "extent") {
      auto Dim = getUnsigned(*Param, "dimension", MostExtents - 1);
      if (!Dim || *Dim >= Found->Extents.size())
        return malformed("dimension");
      Added.What = Kind::Extent;
      Added.Dim = static_cast<unsigned>(*Dim);
      continue;
    }
    std::optional<DataType> Type =
        parseDataType(Param->getString("dtype").value_or(""));
    if (!Type || (What == "view" && !readView(*Param, *Found)))
      return malformed("parameters");
    Found->Type = *Type;
    Added.What = What == "view" ? Kind::View : Kind::Scalar;
  }
  for (const json::Value &Value : *Expects) {
    const json::Object *One = Value.getAsObject();
    if (!One || !One->get("condition"))
      return malformed("expects");
    Result.Expectations.push_back(
        {textOf(*One, "text"), placeOf(*One), *One->get("condition")});
  }
  return Result;
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

namespace {

using Term = std::variant<whole, real, truth>;

/// Evaluates a condition, and remembers the numbers that decide it.
class Evaluator {
public:
  Evaluator(const LaunchContract &Contract, const LaunchValues &Values)
      : Contract(Contract), Values(Values) {}

  std::optional<Term> evaluate(const json::Value &Node);
  /// "x.rows() is 5, y.rows() is 6"
  std::string values() const { return join(Seen, ", "); }

private:
  std::optional<Term> evaluateScalar(StringRef Name);
  std::optional<Term> evaluateExtent(const json::Object &Node);
  std::optional<Term> evaluateOperation(StringRef Name,
                                        const json::Array &Args);
  void see(const std::string &Text) {
    if (!is_contained(Seen, Text))
      Seen.push_back(Text);
  }

  const LaunchContract &Contract;
  const LaunchValues &Values;
  std::vector<std::string> Seen;
  unsigned Hidden = 0; ///< Nodes around that say their own value.
};

} // namespace

static whole wholeOf(int64_t Number) { return whole(Number); }

std::optional<Term> Evaluator::evaluateScalar(StringRef Name) {
  auto Param = find_if(Contract.Params, [&](const ContractParam &Param) {
    return Param.Name == Name;
  });
  auto Found = Values.Scalars.find(Name.str());
  if (Param == Contract.Params.end() || Found == Values.Scalars.end())
    return std::nullopt;
  auto Read = [&](auto Value) {
    std::memcpy(&Value, Found->second.data(),
                std::min(sizeof Value, Found->second.size()));
    return Value;
  };
  auto Real = [&](float Value) -> Term {
    see(launch::named(Param->Name.c_str(), Value).text());
    return real(Value);
  };
  auto MakeInteger = [&](int64_t Value) -> Term {
    see(formatv("{0} is {1}", Name, Value));
    return wholeOf(Value);
  };
  switch (Param->Type) {
  case DataType::F32:
    return Real(Read(float(0)));
  case DataType::F16:
    return Real(launch::to_float(Read(launch::half_bits{0})));
  case DataType::BF16:
    return Real(launch::to_float(Read(launch::bfloat16_bits{0})));
  case DataType::S8:
    return MakeInteger(Read(int8_t(0)));
  case DataType::S16:
    return MakeInteger(Read(int16_t(0)));
  case DataType::S32:
    return MakeInteger(Read(int32_t(0)));
  case DataType::S64:
    return MakeInteger(Read(int64_t(0)));
  case DataType::Bool: {
    bool Value = Read(uint8_t(0)) != 0;
    see(formatv("{0} is {1}", Name, Value ? "true" : "false"));
    return truth(Value);
  }
  default:
    return std::nullopt;
  }
}

std::optional<Term> Evaluator::evaluateExtent(const json::Object &Node) {
  StringRef Name = Node.getString("extent").value_or("");
  auto Found = Values.Shapes.find(Name.str());
  auto Dim = getUnsigned(Node, "dimension", MostExtents - 1);
  if (Found == Values.Shapes.end() || !Dim || *Dim >= Found->second.size())
    return std::nullopt;
  const Extents &Shape = Found->second;
  std::string Shown = Shape.size() == 1   ? ".size()"
                      : Shape.size() == 2 ? (*Dim ? ".cols()" : ".rows()")
                                          : formatv(".extent({0})", *Dim).str();
  see(formatv("{0}{1} is {2}", Name, Shown, Shape[*Dim]));
  return wholeOf(static_cast<int64_t>(Shape[*Dim]));
}

template <class T>
static std::optional<Term> combine(StringRef Name, T A, T B) {
  if constexpr (!std::is_same_v<T, truth>) {
    if (Name == "add")
      return A + B;
    if (Name == "sub")
      return A - B;
    if (Name == "mul")
      return A * B;
    if (Name == "div")
      return A / B;
    if constexpr (std::is_same_v<T, whole>)
      if (Name == "rem")
        return A % B;
    if (Name == "min")
      return belay::launch::least(A, B);
    if (Name == "max")
      return belay::launch::most(A, B);
    if (Name == "lt")
      return A < B;
    if (Name == "le")
      return A <= B;
    if (Name == "gt")
      return A > B;
    if (Name == "ge")
      return A >= B;
  } else {
    if (Name == "and")
      return belay::launch::both(A, B);
    if (Name == "or")
      return belay::launch::either(A, B);
  }
  if (Name == "eq")
    return A == B;
  if (Name == "ne")
    return A != B;
  return std::nullopt;
}

std::optional<Term> Evaluator::evaluateOperation(StringRef Name,
                                                 const json::Array &Args) {
  SmallVector<Term, 3> Terms;
  for (const json::Value &Arg : Args) {
    std::optional<Term> Value = evaluate(Arg);
    if (!Value)
      return std::nullopt;
    Terms.push_back(*Value);
  }
  if (Terms.size() == 1 && Name == "neg" && std::get_if<real>(&Terms[0]))
    return -std::get<real>(Terms[0]);
  if (Terms.size() == 1 && Name == "float" && std::get_if<whole>(&Terms[0]))
    return real(std::get<whole>(Terms[0]));
  // The last two are of one kind in every operation that has more than one.
  if (Terms.size() < 2 ||
      Terms[Terms.size() - 2].index() != Terms.back().index())
    return std::nullopt;
  return std::visit(
      [&](auto B) -> std::optional<Term> {
        auto A = std::get<decltype(B)>(Terms[Terms.size() - 2]);
        if (Terms.size() == 2)
          return combine(Name, A, B);
        const auto *Condition = std::get_if<truth>(&Terms[0]);
        if (Name != "select" || !Condition)
          return std::nullopt;
        return belay::launch::choose(*Condition, A, B);
      },
      Terms.back());
}

std::optional<Term> Evaluator::evaluate(const json::Value &Value) {
  const json::Object *Node = Value.getAsObject();
  if (!Node)
    return std::nullopt;
  auto Shown = Node->getString("shown");
  if (auto Number = Node->getInteger("integer")) {
    if (Shown)
      see(formatv("{0} is {1}", *Shown, *Number));
    return wholeOf(*Number);
  }
  if (auto Number = Node->getNumber("float"))
    return real(static_cast<float>(*Number));
  if (auto Text = Node->getString("float"))
    return real(*Text == "nan" ? NAN : *Text == "inf" ? INFINITY : -INFINITY);
  if (auto Truth = Node->getBoolean("bool"))
    return truth(*Truth);
  if (Node->get("extent"))
    return evaluateExtent(*Node);
  if (auto Name = Node->getString("scalar"))
    return evaluateScalar(*Name);
  if (Node->get("blocks")) {
    if (!Hidden)
      see(formatv("core_count() is {0}", Values.Blocks));
    return wholeOf(Values.Blocks);
  }
  auto Name = Node->getString("op");
  const json::Array *Args = Node->getArray("args");
  if (!Name || !Args)
    return std::nullopt;
  // How many cores work is what people know, not what it is computed from.
  Hidden += Shown.has_value();
  std::optional<Term> Result = evaluateOperation(*Name, *Args);
  Hidden -= Shown.has_value();
  const whole *Number = Result ? std::get_if<whole>(&*Result) : nullptr;
  if (Shown && Number)
    see(formatv("{0} is {1}", *Shown, static_cast<int64_t>(Number->value)));
  return Result;
}

//===----------------------------------------------------------------------===//
// Checking
//===----------------------------------------------------------------------===//

Error LaunchContract::checkExpectation(const Expectation &Expected,
                                       const LaunchValues &Values) const {
  Evaluator Evaluator(*this, Values);
  std::optional<Term> Result = Evaluator.evaluate(Expected.Condition);
  const truth *Holds = Result ? std::get_if<truth>(&*Result) : nullptr;
  if (!Holds)
    return malformed("a condition");
  if (Holds->holds())
    return Error::success();
  support::Diagnostic Diag;
  Diag.Id = DiagId::ExpectsNotMet;
  Diag.Where = Expected.Where;
  std::string Numbers = Evaluator.values();
  Diag.Message =
      formatv("{0} expects {1}{2}{3}", Kernel, Expected.Text,
              !Holds->known     ? ", which has no value (a divisor is 0, or a "
                                  "number leaves 128 bits): "
              : Numbers.empty() ? ", which is never so"
                                : ", but ",
              Numbers);
  Diag.Help = "the launch was refused before the kernel started; give "
              "arguments that meet this line";
  return make_error<DiagnosticError>(std::move(Diag));
}

Error LaunchContract::check(const LaunchValues &Values) const {
  if (Values.Blocks < 1 || Values.Blocks > MaxBlocks)
    return makeError(
        DiagId::BadBlockCount,
        formatv("{0} has 1 to {1} blocks{2}, not {3}", Kernel, MaxBlocks,
                CoresMeet ? ", since its cores wait for each other and " + Soc +
                                " has no more"
                          : std::string(),
                Values.Blocks));
  for (const ContractParam &Param : Params) {
    if (!Param.IsView)
      continue;
    const Extents &Shape = Values.Shapes.at(Param.Name);
    for (unsigned I = 0; I < Param.Extents.size(); ++I)
      if (Param.Extents[I] && *Param.Extents[I] != Shape[I])
        return makeError(
            DiagId::BadExtent,
            formatv("{0} takes '{1}', whose extent {2} is {3}, not {4}", Kernel,
                    Param.Name, I, *Param.Extents[I], Shape[I]));
  }
  for (const Expectation &Expected : Expectations)
    if (Error E = checkExpectation(Expected, Values))
      return E;
  return Error::success();
}
