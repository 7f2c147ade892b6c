//===- Softmax.cpp - Softmax and its relatives ----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "routines/Routine.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <vector>

namespace belay::sim {

namespace {

constexpr uint32_t StatBytes = 32;
constexpr uint32_t FractalColumns = 16;

/// Reads and writes one row, wherever the layout puts its elements.
class Rows {
public:
  Rows(const RowShape &S, Elem T) : Shape(S), Type(T) {}

  void load(const void *Base, uint32_t Row, float *To) const {
    forEachPiece(Row, [&](uint64_t At, uint32_t First, uint32_t N) {
      widen(Type, To + First, elementAt(Base, Type, At), N);
    });
  }
  void store(void *Base, uint32_t Row, const float *From) const {
    forEachPiece(Row, [&](uint64_t At, uint32_t First, uint32_t N) {
      narrow(Type, elementAt(Base, Type, At), From + First, N);
    });
  }

  void declareRead(Routine &R, const void *P) const {
    if (Shape.Fractal)
      R.reads(P, uint64_t(Shape.Rows) * Shape.Columns, Type);
    else
      R.readsPadded(P, Shape.Rows, Shape.Valid, Shape.Columns, Type);
  }
  void declareWrite(Routine &R, void *P) const {
    R.writes(P, uint64_t(Shape.Rows) * Shape.Columns, Type);
  }

private:
  template <typename Fn> void forEachPiece(uint32_t Row, Fn F) const {
    if (!Shape.Fractal)
      return F(uint64_t(Row) * Shape.Columns, 0, Shape.Columns);
    for (uint32_t C = 0; C < Shape.Columns; C += FractalColumns)
      F(uint64_t(C) * Shape.Rows + uint64_t(Row) * FractalColumns, C,
        FractalColumns);
  }
  const RowShape &Shape;
  Elem Type;
};

/// One number per row: a block of equal elements, or a single one.
class Stats {
public:
  Stats(Elem T, bool Packed)
      : Type(T), Width(Packed ? 1 : StatBytes / bytesOf(T)) {}

  float load(const void *Base, uint32_t Row) const {
    float F;
    widen(Type, &F, elementAt(Base, Type, uint64_t(Row) * Width), 1);
    return F;
  }
  void store(void *Base, uint32_t Row, float Value) const {
    if (!Base)
      return;
    float Block[StatBytes / 2];
    std::fill_n(Block, Width, Value);
    narrow(Type, elementAt(Base, Type, uint64_t(Row) * Width), Block, Width);
  }
  void declareRead(Routine &R, const void *P, uint32_t Rows) const {
    R.reads(P, uint64_t(Rows) * Width, Type);
  }
  void declareWrite(Routine &R, void *P, uint32_t Rows) const {
    R.writes(P, uint64_t(Rows) * Width, Type);
  }

private:
  Elem Type;
  uint32_t Width;
};

float largest(const float *X, uint32_t N) {
  float Max = X[0];
  for (uint32_t I = 1; I < N; ++I)
    Max = Max != Max || Max > X[I] ? Max : X[I];
  return Max;
}

/// X = exp(X - By), and the sum over the valid part.
float expRow(std::vector<float> &X, std::vector<float> &Work, float By,
             uint32_t Valid) {
  for (float &F : X)
    F = std::exp(F - By);
  std::copy_n(X.begin(), Valid, Work.begin());
  return treeSum(Work.data(), Valid);
}

/// Parts of a row in the shifted form, and the sums that their means come from.
constexpr uint32_t ShiftedParts = 8, ShiftedSums = 64;

struct Scan {
  const SoftmaxCall &C;
  Rows Data;
  Stats Stat, ExpMaxStat;
  std::vector<float> X, Work;

  explicit Scan(const SoftmaxCall &Call)
      : C(Call), Data(C.Shape, C.Type), Stat(C.StatType, C.Packed),
        ExpMaxStat(C.Type, C.Packed) {}

  /// A row of this length is in a memory.
  void start() {
    X.resize(C.Shape.Columns);
    Work.resize(C.Shape.Columns);
  }

  void divide(float By) {
    for (float &F : X)
      F /= By;
  }

  void simple(uint32_t Row) {
    float Max = Stat.load(C.InMax, Row), Sum = Stat.load(C.InSum, Row);
    expRow(X, Work, Max, C.Shape.Valid);
    divide(Sum);
  }

  void plain(uint32_t Row) {
    float Max = largest(X.data(), C.Shape.Valid);
    float Sum = expRow(X, Work, Max, C.Shape.Valid);
    Stat.store(C.Max, Row, Max);
    Stat.store(C.Sum, Row, Sum);
    if (C.Op == SoftmaxOp::SoftmaxFlashV2)
      return;
    divide(Sum);
    // The routine takes the logarithm to base 10.
    if (C.Op == SoftmaxOp::LogSoftMax)
      for (float &F : X)
        F = std::log10(F);
  }

  /// Continues from the statistics of the columns before these.
  void update(uint32_t Row) {
    float OldMax = Stat.load(C.InMax, Row), OldSum = Stat.load(C.InSum, Row);
    float RowMax = largest(X.data(), C.Shape.Valid);
    float Max = std::max(OldMax, RowMax);
    float ExpMax = std::exp(OldMax - Max);
    float Sum = expRow(X, Work, Max, C.Shape.Valid) + ExpMax * OldSum;
    Stat.store(C.ReduceMax, Row, RowMax);
    Stat.store(C.Max, Row, Max);
    Stat.store(C.Sum, Row, Sum);
    if (C.Op == SoftmaxOp::SoftmaxFlash) {
      ExpMax = ExpMax * OldSum / Sum;
      divide(Sum);
    }
    ExpMaxStat.store(C.ExpMax, Row, ExpMax);
  }

  /// What the shifted form takes for the means of a row's eight parts. Only the
  /// first 512 columns are added part by part, eight neighbours at a time; each
  /// 64 columns after them are added to these 64 sums, so that a part has eight
  /// columns of each.
  std::array<float, ShiftedParts> partMeans() {
    uint32_t K = C.Shape.Columns;
    std::array<float, ShiftedSums> Sums;
    for (uint32_t I = 0; I < ShiftedSums; ++I) {
      std::copy_n(X.begin() + size_t(I) * 8, 8, Work.begin());
      Sums[I] = treeSum(Work.data(), 8);
    }
    for (uint32_t I = ShiftedSums * 8; I < K; ++I)
      Sums[I % ShiftedSums] += X[I];
    std::array<float, ShiftedParts> Means;
    const uint32_t PerPart = K / ShiftedParts;
    for (uint32_t P = 0; P < ShiftedParts; ++P)
      Means[P] = treeSum(Sums.data() + size_t(P) * 8, 8) / float(PerPart);
    return Means;
  }

  /// The shifted form for low precision (PASA): each eighth of a row is moved
  /// towards the mean of the row.
  void shifted(uint32_t Row) {
    uint32_t K = C.Shape.Columns, Part = K / ShiftedParts;
    float Scale = C.Alpha / (1 - C.Alpha);
    auto Means = partMeans(), All = Means;
    float Mean = treeSum(All.data(), ShiftedParts) / ShiftedParts;
    for (uint32_t I = 0; I < K; ++I)
      X[I] -= (Mean - Means[I / Part]) * Scale;
    float RowMax = largest(X.data(), K), NewMean = Mean, Max = RowMax;
    float OldMax = 0, OldSum = 0, ShiftOld = 0, ShiftNow = 0;
    if (C.Update) {
      float OldMean = Stat.load(C.InMean, Row);
      OldMax = Stat.load(C.InMax, Row);
      OldSum = Stat.load(C.InSum, Row);
      NewMean = (Mean + OldMean * (C.LoopCount - 1)) / C.LoopCount;
      ShiftNow = (Mean - NewMean) * Scale;
      ShiftOld = (OldMean - NewMean) * Scale;
      Max = std::max(RowMax + ShiftNow, OldMax + ShiftOld);
    }
    float Sum = expRow(X, Work, Max - ShiftNow, K);
    if (C.Update) {
      float ExpMax = std::exp(OldMax - Max + ShiftOld);
      Sum += ExpMax * OldSum;
      ExpMaxStat.store(C.ExpMax, Row, ExpMax);
    }
    Stat.store(C.Mean, Row, NewMean);
    Stat.store(C.Max, Row, Max);
    Stat.store(C.Sum, Row, Sum);
  }

  void row(uint32_t Row) {
    Data.load(C.Src, Row, X.data());
    if (C.Op == SoftmaxOp::SimpleSoftMax)
      simple(Row);
    else if (C.Op == SoftmaxOp::SoftmaxFlashV3)
      shifted(Row);
    else if (C.Update)
      update(Row);
    else
      plain(Row);
    Data.store(C.Dst, Row, X.data());
  }
};

const char *nameOf(SoftmaxOp Op) {
  static constexpr const char *Names[] = {"SoftMax",        "SimpleSoftMax",
                                          "LogSoftMax",     "SoftmaxFlash",
                                          "SoftmaxFlashV2", "SoftmaxFlashV3"};
  return Names[static_cast<unsigned>(Op)];
}

/// The last axis has to fill whole blocks, and some of it has to count.
void checkShape(Routine &R, const RowShape &S, Elem T) {
  uint32_t Step = S.Fractal ? FractalColumns : StatBytes / bytesOf(T);
  if (!S.Rows || !S.Valid || S.Valid > S.Columns || S.Columns % Step)
    fail("bad-repeat", R.issue().pc(),
         "round srcK up to 32 bytes, keep the real length in oriSrcK, and set "
         "both in SoftMaxShapeInfo",
         "%s got %u rows of %u columns (%u valid); the columns must be a "
         "multiple of %u",
         R.issue().name(), S.Rows, S.Columns, S.Valid, Step);
}

} // namespace
} // namespace belay::sim

using namespace belay::sim;

void belay_sim_softmax(const SoftmaxCall *C) {
  if (Routine::absent())
    return;
  Routine R(nameOf(C->Op), BELAY_PC);
  R.accepts(C->Type, types::HalfFloat, types::HalfFloat);
  R.accepts(C->StatType, types::HalfFloat, types::HalfFloat);
  checkShape(R, C->Shape, C->Type);
  bool IsShifted = C->Op == SoftmaxOp::SoftmaxFlashV3;
  if (IsShifted &&
      (C->Splits != ShiftedParts || C->Shape.Columns < ShiftedSums * 8 ||
       C->Shape.Columns % ShiftedSums))
    fail("bad-repeat", BELAY_PC,
         "use rows of at least 512 columns, a multiple of 64, and split them "
         "into 8",
         "%s splits rows of %u columns into %u parts", nameOf(C->Op),
         C->Shape.Columns, C->Splits);
  Scan S(*C);
  uint32_t Rows = C->Shape.Rows;
  bool Continues = C->Update && C->Op != SoftmaxOp::SimpleSoftMax;
  S.Data.declareRead(R, C->Src);
  if (Continues || C->Op == SoftmaxOp::SimpleSoftMax || C->InMax)
    S.Stat.declareRead(R, C->InMax, Rows);
  if (Continues || C->Op == SoftmaxOp::SimpleSoftMax || C->InSum)
    S.Stat.declareRead(R, C->InSum, Rows);
  if ((Continues && IsShifted) || C->InMean)
    S.Stat.declareRead(R, C->InMean, Rows);
  S.Data.declareWrite(R, C->Dst);
  for (void *Statistic : {C->Sum, C->Max, C->Mean, C->ReduceMax})
    if (Statistic)
      S.Stat.declareWrite(R, Statistic, Rows);
  if (C->ExpMax)
    S.ExpMaxStat.declareWrite(R, C->ExpMax, Rows);
  if (!R.ready(C->Tmp, belay_sim_softmax, C))
    return;
  S.start();
  for (uint32_t Row = 0; Row < Rows; ++Row)
    S.row(Row);
}

void belay_sim_softmax_grad(const SoftmaxGradCall *C) {
  if (Routine::absent())
    return;
  Routine R(C->Name, BELAY_PC);
  R.accepts(C->Type, types::HalfFloat, types::HalfFloat);
  checkShape(R, C->Shape, C->Type);
  Rows Data(C->Shape, C->Type);
  Stats Stat(C->Type, false);
  Data.declareRead(R, C->Grad);
  Data.declareRead(R, C->Src);
  if (C->Front)
    Stat.declareWrite(R, C->Dst, C->Shape.Rows);
  else
    Data.declareWrite(R, C->Dst);
  if (!R.ready(C->Tmp, belay_sim_softmax_grad, C))
    return;
  std::vector<float> Grad(C->Shape.Columns), Y(C->Shape.Columns),
      Work(C->Shape.Columns);
  for (uint32_t Row = 0; Row < C->Shape.Rows; ++Row) {
    Data.load(C->Grad, Row, Grad.data());
    Data.load(C->Src, Row, Y.data());
    for (uint32_t I = 0; I < C->Shape.Valid; ++I)
      Work[I] = Grad[I] * Y[I];
    float Sum = treeSum(Work.data(), C->Shape.Valid);
    if (C->Front) {
      Stat.store(C->Dst, Row, Sum);
      continue;
    }
    for (uint32_t I = 0; I < C->Shape.Columns; ++I)
      Grad[I] = (Grad[I] - Sum) * Y[I];
    Data.store(C->Dst, Row, Grad.data());
  }
}

bool belay_sim_adjust_softmax(const AdjustSoftmaxCall *C) {
  if (Routine::absent())
    return false;
  Routine R("AdjustSoftMaxRes", BELAY_PC);
  R.accepts(C->Type, types::HalfFloat, types::HalfFloat);
  R.accepts(C->MaxType, types::HalfFloat, types::HalfFloat);
  checkShape(R, C->Shape, C->Type);
  Rows Data(C->Shape, C->Type);
  uint32_t Size = bytesOf(C->MaxType);
  uint32_t Width = C->Packed ? 1 : StatBytes / Size;
  R.reads(C->Max, uint64_t(C->Shape.Rows) * Width, C->MaxType);
  Data.declareWrite(R, C->Res);
  R.ready({});
  float To;
  widen(C->Type, &To, C->To, 1);
  std::vector<float> Filled(C->Shape.Columns, To);
  bool Adjusted = false;
  for (uint32_t Row = 0; Row < C->Shape.Rows; ++Row) {
    uint32_t Bits = 0;
    std::memcpy(&Bits, elementAt(C->Max, C->MaxType, uint64_t(Row) * Width),
                Size);
    if (Bits != (Size == 2 ? C->FromBits & 0xffff : C->FromBits))
      continue;
    Adjusted = true;
    Data.store(C->Res, Row, Filled.data());
  }
  return Adjusted;
}
