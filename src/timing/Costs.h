//===- Costs.h - What instructions of a SoC cost ----------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TIMING_COSTS_H
#define BELAY_TIMING_COSTS_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace belay::timing {

enum class Parameter : uint8_t {
#define BELAY_PARAMETER(Enumerator, Name, Unit, Group, Better) Enumerator,
#include "timing/Parameters.def"
};
inline constexpr unsigned NumParameters = 0
#define BELAY_PARAMETER(Enumerator, Name, Unit, Group, Better) +1
#include "timing/Parameters.def"
    ;

/// How well a number is known. What is Low or None is a guess.
enum class Confidence : uint8_t { High, Medium, Low, None };
constexpr bool isGuess(Confidence C) { return C >= Confidence::Low; }

/// One number of a file of costs.
struct Figure {
  double Low = 0, Middle = 0, High = 0;
  Confidence Known = Confidence::None;
  bool HasValue = false;
};

/// What a draw takes from the ranges: of each group one end or the middle.
enum class Group : uint8_t { Memory, Compute, Sync };
inline constexpr unsigned NumGroups = 3;
enum class Level : uint8_t { Fast, Middle, Slow };
struct Draw {
  Level Of[NumGroups];
  const char *Name;
};
/// The first three are the range that is reported; all are what a comparison
/// has to hold in.
inline constexpr Draw Draws[] = {
    {{Level::Fast, Level::Fast, Level::Fast}, "fast"},
    {{Level::Middle, Level::Middle, Level::Middle}, "middle"},
    {{Level::Slow, Level::Slow, Level::Slow}, "slow"},
    {{Level::Slow, Level::Fast, Level::Middle}, "slow memory"},
    {{Level::Fast, Level::Slow, Level::Middle}, "slow compute"},
    {{Level::Middle, Level::Middle, Level::Slow}, "slow sync"},
};
inline constexpr unsigned NumDraws = sizeof(Draws) / sizeof(Draws[0]);
inline constexpr unsigned NumRangeDraws = 3, MiddleDraw = 1;

/// An instruction of the vector unit: cycles for a repeat of 256 bytes, and for
/// each call.
struct VectorRow {
  std::string Name, Type; // no type: any
  Figure Slope, Fixed;
};

/// The costs of one SoC with their ranges, as its file has them.
class CostTable {
public:
  /// Reads lines of name,low,middle,high,unit,source,confidence. Later lines
  /// replace earlier ones. Returns what is wrong, or "".
  std::string parse(std::string_view Text);
  /// What parse() has not seen and a replay needs, or "".
  std::string missing() const;

  const Figure &at(Parameter P) const {
    return Figures[static_cast<unsigned>(P)];
  }
  /// The row for an instruction, or NoRow: a routine of the library.
  static constexpr uint16_t NoRow = 0xffff;
  uint16_t rowOf(std::string_view Name, std::string_view Type) const;
  const std::vector<VectorRow> &rows() const { return Rows; }

  /// Cycles in a nanosecond, which comes from the table of targets.
  double ClockGHz = 1;
  uint64_t L2Bytes = 0;

private:
  std::string parseLine(std::string_view Line);
  Figure Figures[NumParameters];
  std::vector<VectorRow> Rows;
};

/// The table as one draw has it, in cycles and bytes for each cycle.
struct Costs {
  Costs(const CostTable &Table, const Draw &D);

  double operator[](Parameter P) const {
    return Values[static_cast<unsigned>(P)];
  }
  struct Vector {
    double Slope, Fixed;
    bool Guess;
  };
  const Vector &vector(uint16_t Row) const {
    return Row < Rows.size() ? Rows[Row] : Library;
  }
  bool guess(Parameter P) const { return Guess[static_cast<unsigned>(P)]; }
  uint64_t L2Bytes;

private:
  double Values[NumParameters];
  bool Guess[NumParameters];
  std::vector<Vector> Rows;
  Vector Library;
};

} // namespace belay::timing

#endif // BELAY_TIMING_COSTS_H
