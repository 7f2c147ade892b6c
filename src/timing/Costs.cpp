//===- Costs.cpp - What instructions of a SoC cost ------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing/Costs.h"

#include <charconv>
#include <cmath>
#include <cstdlib>

namespace belay::timing {

namespace {

enum class Better { Low, High };

struct ParameterInfo {
  const char *Name, *Unit;
  Group In;
  Better When;
};
constexpr ParameterInfo Infos[] = {
#define BELAY_PARAMETER(Enumerator, Name, Unit, Of, When)                      \
  {Name, Unit, Group::Of, Better::When},
#include "timing/Parameters.def"
};

/// The next field of a line; quotes keep commas together.
std::string_view takeField(std::string_view &Line) {
  bool Quoted = !Line.empty() && Line[0] == '"';
  size_t End = Quoted ? Line.find('"', 1) : Line.find(',');
  if (End == std::string_view::npos)
    End = Line.size();
  std::string_view Field =
      Quoted ? Line.substr(1, End - 1) : Line.substr(0, End);
  if (Quoted)
    End = Line.find(',', End);
  Line = End < Line.size() ? Line.substr(End + 1) : std::string_view();
  return Field;
}

bool readNumber(std::string_view Text, double &Number) {
  auto [End, Wrong] =
      std::from_chars(Text.data(), Text.data() + Text.size(), Number);
  return Wrong == std::errc() && End == Text.data() + Text.size() &&
         std::isfinite(Number) && Number >= 0;
}

bool readConfidence(std::string_view Text, Confidence &Known) {
  constexpr std::string_view Names[] = {"high", "medium", "low", "none"};
  for (unsigned N = 0; N < 4; ++N)
    if (Text == Names[N]) {
      Known = static_cast<Confidence>(N);
      return true;
    }
  return false;
}

double pick(const Figure &F, Level L, Better When) {
  if (L == Level::Middle)
    return F.Middle;
  return (L == Level::Fast) == (When == Better::Low) ? F.Low : F.High;
}

/// From the unit of the file to cycles and bytes for each cycle.
double inCycles(double Value, std::string_view Unit, double GHz) {
  if (Unit == "ns")
    return Value * GHz;
  if (Unit == "us")
    return Value * 1e3 * GHz;
  if (Unit == "GB/s")
    return Value / GHz;
  if (Unit == "TB/s")
    return Value * 1e3 / GHz;
  return Value;
}

} // namespace

std::string CostTable::parseLine(std::string_view Line) {
  std::string_view Name = takeField(Line);
  std::string Where = std::string(Name) + ": ";
  Figure F;
  F.HasValue = true;
  double *Numbers[] = {&F.Low, &F.Middle, &F.High};
  for (double *Each : Numbers)
    if (!readNumber(takeField(Line), *Each))
      return Where + "low, middle and high are numbers that are not negative";
  if (F.Low > F.Middle || F.Middle > F.High)
    return Where + "low, middle and high are not in order";
  std::string_view Unit = takeField(Line);
  if (takeField(Line).empty())
    return Where + "no source is given";
  if (!readConfidence(takeField(Line), F.Known))
    return Where + "the confidence is high, medium, low or none";
  for (unsigned P = 0; P < NumParameters; ++P)
    if (Name == Infos[P].Name) {
      if (Unit != Infos[P].Unit)
        return Where + "the unit is " + Infos[P].Unit;
      Figures[P] = F;
      return "";
    }
  // V.Exp.f32.slope
  if (Name.substr(0, 2) != "V." || Unit != "cycles")
    return Where + "no such parameter";
  Name.remove_prefix(2);
  size_t Dot = Name.rfind('.');
  std::string_view Kind =
      Dot == std::string_view::npos ? "" : Name.substr(Dot + 1);
  if (Kind != "slope" && Kind != "fixed")
    return Where + "an instruction has a slope and a fixed cost";
  Name = Name.substr(0, Dot);
  Dot = Name.find('.');
  std::string_view Type =
      Dot == std::string_view::npos ? "" : Name.substr(Dot + 1);
  Name = Name.substr(0, Dot);
  VectorRow *Row = nullptr;
  for (VectorRow &Each : Rows)
    if (Each.Name == Name && Each.Type == Type)
      Row = &Each;
  if (!Row) {
    Row = &Rows.emplace_back();
    Row->Name = Name;
    Row->Type = Type;
  }
  (Kind == "slope" ? Row->Slope : Row->Fixed) = F;
  return "";
}

std::string CostTable::parse(std::string_view Text) {
  for (unsigned Number = 1; !Text.empty(); ++Number) {
    size_t End = Text.find('\n');
    std::string_view Line = Text.substr(0, End);
    Text = End == std::string_view::npos ? "" : Text.substr(End + 1);
    if (Line.empty() || Line[0] == '#' || Line.substr(0, 5) == "name,")
      continue;
    if (std::string Wrong = parseLine(Line); !Wrong.empty())
      return "line " + std::to_string(Number) + ": " + Wrong;
  }
  return "";
}

std::string CostTable::missing() const {
  for (unsigned P = 0; P < NumParameters; ++P)
    if (!Figures[P].HasValue)
      return std::string("no value for ") + Infos[P].Name;
  for (const VectorRow &Row : Rows)
    if (!Row.Slope.HasValue)
      return "no slope for " + Row.Name;
  return "";
}

uint16_t CostTable::rowOf(std::string_view Name, std::string_view Type) const {
  uint16_t Found = NoRow;
  for (size_t N = 0; N < Rows.size(); ++N)
    if (Rows[N].Name == Name && (Rows[N].Type.empty() || Rows[N].Type == Type))
      if (Found == NoRow || !Rows[N].Type.empty())
        Found = static_cast<uint16_t>(N);
  return Found;
}

Costs::Costs(const CostTable &Table, const Draw &D) : L2Bytes(Table.L2Bytes) {
  auto LevelOf = [&](Group G) { return D.Of[static_cast<unsigned>(G)]; };
  for (unsigned P = 0; P < NumParameters; ++P) {
    const Figure &F = Table.at(static_cast<Parameter>(P));
    Values[P] = inCycles(pick(F, LevelOf(Infos[P].In), Infos[P].When),
                         Infos[P].Unit, Table.ClockGHz);
    Guess[P] = isGuess(F.Known);
  }
  Level Compute = LevelOf(Group::Compute);
  auto Pick = [&](const Figure &F) { return pick(F, Compute, Better::Low); };
  for (const VectorRow &Row : Table.rows()) {
    bool Own = Row.Fixed.HasValue;
    Rows.push_back({Pick(Row.Slope),
                    Own ? Pick(Row.Fixed) : (*this)[Parameter::VectorFixed],
                    isGuess(Row.Slope.Known)});
  }
  Library = {(*this)[Parameter::LibrarySlope], (*this)[Parameter::LibraryFixed],
             guess(Parameter::LibrarySlope)};
}

} // namespace belay::timing
