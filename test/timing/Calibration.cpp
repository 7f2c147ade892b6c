//===- Calibration.cpp - The clock against published device times ---------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// timing-calibration COSTS PUBLISHED.csv WALL.csv
//
// Writes the streams of the kernels that were measured, replays them, prints
// both times, and fails if they are further apart than docs/timing.md says.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <map>
#include <numeric>

using namespace belay::timing;
using namespace belay::timing::test;

namespace {

struct Timed {
  double Microseconds = 0;
  double Busy[NumPipes] = {}; // of each core, in microseconds
};

Timed timeOf(const Launch &L, const CostTable &T) {
  Costs C(T, Draws[MiddleDraw]);
  ReplayResult R = replay(L, footprintOf(L.Cores, L.GlobalBytes), C, false);
  Timed Result;
  double Scale = 1 / (T.ClockGHz * 1e3);
  Result.Microseconds = R.Known ? R.Cycles * Scale : NAN;
  for (unsigned P = 0; P < NumPipes; ++P)
    Result.Busy[P] = R.Busy[P] * Scale / static_cast<double>(L.Cores.size());
  return Result;
}

double pipeOf(const Timed &T, Pipe P) {
  return T.Busy[static_cast<unsigned>(P)];
}

/// 1000 calls of Add with 64 repeats each.
Launch adds(const CostTable &T, uint64_t X, uint64_t Y, uint64_t Z) {
  Launch L;
  L.Cores.resize(1);
  Writer W(T, L.Cores[0]);
  for (unsigned N = 0; N < 1000; ++N)
    W.vector("Add", "b32", 64 * 256, {X, Y, Z});
  return L;
}

/// 301.99 MB read by all vector cores, copies of Bursts x Burst bytes.
Launch copies(const CostTable &T, unsigned Cores, uint32_t Bursts,
              uint32_t Burst, Space To) {
  constexpr uint64_t Total = 301'989'888;
  Launch L;
  L.GlobalBytes = Total;
  L.Cores.resize(Cores);
  uint64_t PerCore = Total / Cores;
  for (unsigned C = 0; C < Cores; ++C) {
    L.Cores[C].Kind = To == Space::UB ? CoreKind::Vector : CoreKind::Cube;
    Writer W(T, L.Cores[C]);
    const uint64_t Bytes = uint64_t(Bursts) * Burst;
    for (uint64_t At = 0; At + Bytes <= PerCore; At += Bytes)
      W.load(C * PerCore + At, Bursts * Burst, Bursts, To);
  }
  return L;
}

/// The products of 8192 x 8192 halves by 8192 x 8192, in steps of 128 x 256 x
/// 64.
Launch products(const CostTable &T, unsigned Cores) {
  Launch L;
  L.Cores.resize(Cores);
  double Steps = std::pow(8192.0, 3) / (128.0 * 256 * 64) / Cores;
  for (Stream &Core : L.Cores) {
    Core.Kind = CoreKind::Cube;
    Writer W(T, Core);
    for (unsigned N = 0; N < std::lround(Steps); ++N)
      W.add(StepKind::Cube, Pipe::M).Work = 128 * 256 / 256 * 64;
  }
  return L;
}

/// All numbers in a text, in order.
std::vector<unsigned> numbersIn(const std::string &Text) {
  std::vector<unsigned> Numbers;
  const char *At = Text.data(), *End = At + Text.size();
  while (At != End) {
    unsigned Number = 0;
    auto [Next, Error] = std::from_chars(At, End, Number);
    if (Error == std::errc())
      Numbers.push_back(Number);
    At = Next == At ? At + 1 : Next;
  }
  return Numbers;
}

/// The modelled time of a row of PUBLISHED.csv.
double modelled(const std::string &Case, const std::string &Soc,
                const CostTable &T) {
  bool A2 = Soc == "Ascend910B1";
  unsigned Vectors = A2 ? 48 : 64, Cubes = A2 ? 24 : 32;
  if (Case.rfind("Add x1000", 0) == 0) {
    // Sources half of the groups apart, the result in another bank; or
    // the sources in the same groups; or the result in the first source's bank.
    Launch L = Case.find("read-read") != std::string::npos
                   ? adds(T, 0, 0x4000, 0x10000)
               : Case.find("read-write") != std::string::npos
                   ? adds(T, 0, 0x4100, 0x8000)
                   : adds(T, 0, 0x4100, 0x10000);
    return pipeOf(timeOf(L, T), Pipe::V);
  }
  const std::string_view Copy = "data_copy UB ";
  const bool Copies = Case.rfind("data_copy ", 0) == 0;
  const std::vector<unsigned> Numbers =
      numbersIn(Copies ? Case.substr(Copy.size(),
                                     Case.find(' ', Copy.size()) - Copy.size())
                       : Case);
  if (Case.rfind(Copy, 0) == 0 && Numbers.size() == 2)
    return pipeOf(
        timeOf(copies(T, Vectors, Numbers[0], Numbers[1], Space::UB), T),
        Pipe::MTE2);
  if (Case.rfind("data_copy UB 128B", 0) == 0)
    return pipeOf(timeOf(copies(T, Vectors, 1, 128, Space::UB), T), Pipe::MTE2);
  if (Case.rfind("data_copy L1 ", 0) == 0)
    return pipeOf(
        timeOf(copies(T, Cubes, Numbers.at(0), Numbers.at(1), Space::L1), T),
        Pipe::MTE2);
  if (Case.rfind("Matmul", 0) == 0)
    return pipeOf(timeOf(products(T, Cubes), T), Pipe::M);
  AddShape Shape = {};
  bool Vector = Case.rfind("vec pipe", 0) == 0;
  Shape.Cores = Numbers.at(0);
  Shape.Tile = Numbers.at(1);
  Shape.Buffers = (Numbers.size() > 2 ? Numbers[2] : 0) + 1;
  bool Tuned = Shape.Tile == 16256;
  Shape.Bypass = Shape.Interleaved = Tuned;
  if (Tuned)
    Shape.Buffers = 2;
  Timed Result = timeOf(addKernel(T, Shape), T);
  return Vector ? pipeOf(Result, Pipe::V) : Result.Microseconds;
}

std::vector<double> ranksOf(const std::vector<double> &Values) {
  std::vector<size_t> Order(Values.size());
  std::iota(Order.begin(), Order.end(), 0);
  std::sort(Order.begin(), Order.end(),
            [&](size_t X, size_t Y) { return Values[X] < Values[Y]; });
  std::vector<double> Ranks(Values.size());
  for (size_t N = 0; N < Order.size();) {
    size_t End = N;
    while (End < Order.size() && Values[Order[End]] == Values[Order[N]])
      ++End;
    for (size_t K = N; K < End; ++K)
      Ranks[Order[K]] = static_cast<double>(N + End - 1) / 2;
    N = End;
  }
  return Ranks;
}

double correlation(const std::vector<double> &X, const std::vector<double> &Y) {
  double N = static_cast<double>(X.size());
  double MeanX = std::accumulate(X.begin(), X.end(), 0.0) / N;
  double MeanY = std::accumulate(Y.begin(), Y.end(), 0.0) / N;
  double XY = 0, XX = 0, YY = 0;
  for (size_t K = 0; K < X.size(); ++K) {
    XY += (X[K] - MeanX) * (Y[K] - MeanY);
    XX += (X[K] - MeanX) * (X[K] - MeanX);
    YY += (Y[K] - MeanY) * (Y[K] - MeanY);
  }
  return XY / std::sqrt(XX * YY);
}

/// Linear between the two nearest.
double quantile(std::vector<double> Values, double Share) {
  std::sort(Values.begin(), Values.end());
  double At = Share * static_cast<double>(Values.size() - 1);
  auto Low = static_cast<size_t>(At);
  size_t High = std::min(Low + 1, Values.size() - 1);
  return Values[Low] +
         (At - static_cast<double>(Low)) * (Values[High] - Values[Low]);
}

bool isClose(const char *What, double Value, double Limit, bool AtLeast) {
  bool Holds = AtLeast ? Value >= Limit : Value <= Limit;
  std::printf("%-34s %.3f, %s %.3f%s\n", What, Value,
              AtLeast ? "at least" : "at most", Limit, Holds ? "" : "  MISSED");
  return Holds;
}

std::vector<std::vector<std::string>> readTable(const char *Path) {
  std::vector<std::vector<std::string>> Rows;
  std::ifstream In(Path);
  std::string Line;
  while (std::getline(In, Line)) {
    if (Line.empty() || Line[0] == '#')
      continue;
    std::stringstream Cells(Line);
    auto &Row = Rows.emplace_back();
    for (std::string Cell; std::getline(Cells, Cell, ',');)
      Row.push_back(Cell);
  }
  Rows.erase(Rows.begin()); // the names of the columns
  return Rows;
}

bool comparePublished(const std::string &Folder, const char *Path) {
  std::vector<double> Measured, Model, Errors;
  bool Banks = true;
  std::printf("%-46s %-17s %-9s %10s %10s %6s\n", "case", "SoC", "role",
              "measured", "modelled", "ratio");
  for (const auto &Row : readTable(Path)) {
    CostTable T = tableFor(Folder, Row[1]);
    double Was = std::stod(Row[3]), Is = modelled(Row[0], Row[1], T);
    std::printf("%-46s %-17s %-9s %10.2f %10.2f %6.3f\n", Row[0].c_str(),
                Row[1].c_str(), Row[2].c_str(), Was, Is, Is / Was);
    if (Row[0].rfind("Add x1000", 0) == 0)
      Banks &= std::fabs(Is / Was - 1) <= 0.1;
    if (Row[2] == "fitted")
      continue;
    Measured.push_back(Was);
    Model.push_back(Is);
    Errors.push_back(std::fabs(Is / Was - 1));
  }
  std::printf("%zu rows that are not fitted, microseconds of the device:\n",
              Errors.size());
  bool Good = isClose(
      "Spearman", correlation(ranksOf(Measured), ranksOf(Model)), 0.95, true);
  Good &= isClose("median error", quantile(Errors, 0.5), 0.10, false);
  Good &= isClose("error at 90 %", quantile(Errors, 0.9), 0.30, false);
  std::printf("bank conflicts within 10 %%: %s\n", Banks ? "yes" : "MISSED");
  return Good && Banks && Errors.size() == 27;
}

/// The kernels of WALL.csv, one block, all in one tile.
Launch small(const CostTable &T, const std::string &Kernel, uint32_t N) {
  Launch L;
  L.GlobalBytes = N * 8 + 8192;
  L.Cores.resize(1);
  Writer W(T, L.Cores[0]);
  uint32_t Bytes = N * 4;
  W.load(0, Bytes);
  if (Kernel == "softmax_scalar") {
    W.event(StepKind::Set, Pipe::MTE2, 0);
    W.event(StepKind::Wait, Pipe::S, 0);
    for (uint32_t K = 0; K < 5 * N; ++K) // max; exp and sum; divide
      W.add(StepKind::Scalar, Pipe::S).Bytes = 1;
  } else {
    std::map<std::string, std::vector<const char *>> Bodies = {
        {"relu", {"Relu"}},
        {"sigmoid", {"Muls", "Exp", "Adds", "Reciprocal"}},
        {"tanh", {"Muls", "Exp", "Adds", "Adds", "Div"}},
        {"gelu", {"Mul", "Mul", "Muls", "Add", "Muls", "Exp", "Adds", "Div"}},
        {"softmax",
         {"WholeReduceMax", "Adds", "Exp", "WholeReduceSum", "Muls"}}};
    W.event(StepKind::Set, Pipe::MTE2, 0);
    W.event(StepKind::Wait, Pipe::V, 0);
    for (const char *Name : Bodies.at(Kernel))
      W.vector(Name, "b32", Bytes, {0, 0x10000});
    W.event(StepKind::Set, Pipe::V, 1);
    W.event(StepKind::Wait, Pipe::MTE3, 1);
  }
  W.store(N * 4 + 4096, Bytes);
  return L;
}

bool compareWall(const std::string &Folder, const char *Path) {
  unsigned Above = 0, All = 0;
  for (const auto &Row : readTable(Path)) {
    CostTable T = tableFor(Folder, Row[0]);
    auto N = static_cast<uint32_t>(std::stoul(Row[2]));
    double Wall = std::stod(Row[3]);
    double Is = timeOf(small(T, Row[1], N), T).Microseconds;
    ++All;
    if (Is <= Wall)
      continue;
    ++Above;
    std::printf("%s %s %u: modelled %.1f, above the wall time %.1f\n",
                Row[0].c_str(), Row[1].c_str(), N, Is, Wall);
  }
  std::printf("wall times: %u of %u rows are above what was measured%s\n",
              Above, All, Above ? "  MISSED" : "");
  return Above == 0;
}

} // namespace

int main(int Argc, char **Argv) {
  if (Argc != 4) {
    std::fputs("usage: timing-calibration COSTS PUBLISHED.csv WALL.csv\n",
               stderr);
    return 2;
  }
  bool Good = comparePublished(Argv[1], Argv[2]);
  Good &= compareWall(Argv[1], Argv[3]);
  return Good ? 0 : 1;
}
