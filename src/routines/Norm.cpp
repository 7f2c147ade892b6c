//===- Norm.cpp - Normalisations and their gradients ----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "routines/Routine.h"

#include <cmath>
#include <vector>

namespace belay::sim {

namespace {

using Floats = std::vector<float>;

Floats loaded(const void *P, Elem T, size_t N) {
  Floats F(N);
  if (P)
    widen(T, F.data(), P, N);
  return F;
}
void storeOne(void *P, Elem T, uint64_t Index, float Value) {
  if (P)
    narrow(T, elementAt(P, T, Index), &Value, 1);
}
float loadOne(const void *P, Elem T, uint64_t Index) {
  float F;
  widen(T, &F, elementAt(P, T, Index), 1);
  return F;
}

struct Moments {
  float Mean, Variance;
};
/// Mean and variance of X; Work has room for as many.
Moments momentsOf(const Floats &X, Floats &Work) {
  float N = static_cast<float>(X.size());
  Work = X;
  float Mean = treeSum(Work.data(), X.size()) / N;
  for (size_t I = 0; I < X.size(); ++I)
    Work[I] = (X[I] - Mean) * (X[I] - Mean);
  return {Mean, treeSum(Work.data(), X.size()) / N};
}

/// Scale and shift per column, 1 and 0 where there is none.
struct Affine {
  Floats Gamma, Beta;
  Affine(const NormCall &C, uint32_t N)
      : Gamma(C.Gamma ? loaded(C.Gamma, C.GammaType, N) : Floats(N, 1)),
        Beta(loaded(C.Beta, C.GammaType, N)) {}
};

/// Layer, RMS and DeepNorm, Normalize: every row by itself.
void normRows(const NormCall &C) {
  Affine A(C, C.Columns);
  Floats Work;
  for (uint32_t Row = 0; Row < C.Rows; ++Row) {
    uint64_t First = uint64_t(Row) * C.Columns;
    Floats X = loaded(elementAt(C.Src, C.Type, First), C.Type, C.Columns);
    if (C.Residual) {
      Floats G =
          loaded(elementAt(C.Residual, C.Type, First), C.Type, C.Columns);
      for (uint32_t I = 0; I < C.Columns; ++I)
        X[I] = C.Alpha * X[I] + G[I];
    }
    Floats Valid(X.begin(), X.begin() + C.Valid);
    Moments M{};
    if (C.Op == NormOp::Normalize) {
      M = {loadOne(C.InMean, C.StatType, Row),
           loadOne(C.InVariance, C.StatType, Row)};
    } else if (C.Op == NormOp::RmsNorm) {
      for (float &F : Valid)
        F *= F;
      M.Variance = treeSum(Valid.data(), C.Valid) / static_cast<float>(C.Valid);
    } else {
      M = momentsOf(Valid, Work);
    }
    float Rstd = 1 / std::sqrt(M.Variance + C.Epsilon);
    for (uint32_t I = 0; I < C.Columns; ++I)
      X[I] = (X[I] - M.Mean) * Rstd * A.Gamma[I] + A.Beta[I];
    narrow(C.Type, elementAt(C.Dst, C.Type, First), X.data(), C.Columns);
    storeOne(C.Mean, C.StatType, Row, M.Mean);
    storeOne(C.Spread, C.StatType, Row, C.SpreadIsRstd ? Rstd : M.Variance);
  }
}

/// BatchNorm: columns are normalised over the rows; scale and shift go by row.
void normColumns(const NormCall &C) {
  Affine A(C, C.Rows);
  Floats X(C.Rows), Work,
      All = loaded(C.Src, C.Type, size_t(C.Rows) * C.Columns);
  for (uint32_t Column = 0; Column < C.Columns; ++Column) {
    for (uint32_t Row = 0; Row < C.Rows; ++Row)
      X[Row] = All[size_t(Row) * C.Columns + Column];
    Moments M = momentsOf(X, Work);
    float Rstd = 1 / std::sqrt(M.Variance + C.Epsilon);
    for (uint32_t Row = 0; Row < C.Rows; ++Row)
      All[size_t(Row) * C.Columns + Column] =
          (X[Row] - M.Mean) * Rstd * A.Gamma[Row] + A.Beta[Row];
    storeOne(C.Mean, C.StatType, Column, M.Mean);
    storeOne(C.Spread, C.StatType, Column, M.Variance);
  }
  narrow(C.Type, C.Dst, All.data(), All.size());
}

/// GroupNorm: Channels rows at a time share mean and variance; scale and shift
/// go by channel.
void normGroups(const NormCall &C) {
  Affine A(C, C.GammaPeriod);
  Floats Work, Valid;
  for (uint32_t First = 0; First < C.Rows; First += C.Channels) {
    uint64_t Start = uint64_t(First) * C.Columns;
    Floats X = loaded(elementAt(C.Src, C.Type, Start), C.Type,
                      size_t(C.Channels) * C.Columns);
    Valid.clear();
    for (uint32_t R = 0; R < C.Channels; ++R)
      Valid.insert(Valid.end(), X.begin() + size_t(R) * C.Columns,
                   X.begin() + size_t(R) * C.Columns + C.Valid);
    Moments M = momentsOf(Valid, Work);
    float Rstd = 1 / std::sqrt(M.Variance + C.Epsilon);
    for (uint32_t R = 0; R < C.Channels; ++R) {
      uint32_t Channel = (First + R) % C.GammaPeriod;
      for (uint32_t I = 0; I < C.Columns; ++I) {
        float &F = X[size_t(R) * C.Columns + I];
        F = (F - M.Mean) * Rstd * A.Gamma[Channel] + A.Beta[Channel];
      }
    }
    narrow(C.Type, elementAt(C.Dst, C.Type, Start), X.data(), X.size());
    storeOne(C.Mean, C.StatType, First / C.Channels, M.Mean);
    storeOne(C.Spread, C.StatType, First / C.Channels, M.Variance);
  }
}

const char *nameOf(NormOp Op) {
  static constexpr const char *Names[] = {"LayerNorm", "LayerNorm", "RmsNorm",
                                          "BatchNorm", "DeepNorm",  "GroupNorm",
                                          "Normalize"};
  return Names[static_cast<unsigned>(Op)];
}

void checkColumns(Routine &R, uint32_t Rows, uint32_t Columns, uint32_t Valid,
                  Elem T) {
  uint32_t Step = 32 / bytesOf(T);
  if (!Rows || !Valid || Valid > Columns || Columns % Step)
    fail("bad-repeat", R.issue().pc(),
         "compute the tiling structure on the host from the padded and the "
         "original shape",
         "%s got %u rows of %u elements (%u valid); a row must be a multiple "
         "of %u elements",
         R.issue().name(), Rows, Columns, Valid, Step);
}

} // namespace
} // namespace belay::sim

using namespace belay::sim;

void belay_sim_norm(const NormCall *C) {
  if (Routine::absent())
    return;
  Routine R(nameOf(C->Op), BELAY_PC);
  bool Separate = C->Op == NormOp::LayerNormRstd || C->Op == NormOp::Normalize;
  R.accepts(C->Type, types::HalfFloat,
            Separate ? types::HalfFloat | types::Bfloat : types::HalfFloat);
  R.accepts(C->GammaType, types::HalfFloat, types::HalfFloat | types::Bfloat);
  R.accepts(C->StatType, types::HalfFloat, types::HalfFloat | types::Bfloat);
  checkColumns(R, C->Rows, C->Columns, C->Valid, C->Type);
  if (!C->Channels || (C->Op == NormOp::GroupNorm &&
                       (!C->GammaPeriod || C->Rows % C->Channels)))
    fail("bad-repeat", BELAY_PC, "compute the tiling structure on the host",
         "%s got %u rows in groups of %u, with a scale for every %u",
         R.issue().name(), C->Rows, C->Channels, C->GammaPeriod);
  uint64_t Size = uint64_t(C->Rows) * C->Columns;
  uint32_t Parameters = C->Op == NormOp::BatchNorm   ? C->Rows
                        : C->Op == NormOp::GroupNorm ? C->GammaPeriod
                                                     : C->Columns;
  uint32_t Statistics = C->Op == NormOp::BatchNorm   ? C->Columns
                        : C->Op == NormOp::GroupNorm ? C->Rows / C->Channels
                                                     : C->Rows;
  R.readsPadded(C->Src, C->Rows, C->Valid, C->Columns, C->Type);
  if (C->Residual)
    R.readsPadded(C->Residual, C->Rows, C->Valid, C->Columns, C->Type);
  R.readsIf(C->Gamma, Parameters, C->GammaType);
  R.readsIf(C->Beta, Parameters, C->GammaType);
  if (C->Op == NormOp::Normalize || C->InMean)
    R.reads(C->InMean, Statistics, C->StatType);
  if (C->Op == NormOp::Normalize || C->InVariance)
    R.reads(C->InVariance, Statistics, C->StatType);
  if (C->OverwritesSource)
    R.writes(const_cast<void *>(C->Src), Size, C->Type);
  R.writes(C->Dst, Size, C->Type);
  R.writesIf(C->Mean, Statistics, C->StatType);
  R.writesIf(C->Spread, Statistics, C->StatType);
  if (!R.ready(C->Tmp, belay_sim_norm, C))
    return;
  if (C->Op == NormOp::BatchNorm)
    normColumns(*C);
  else if (C->Op == NormOp::GroupNorm)
    normGroups(*C);
  else
    normRows(*C);
}

void belay_sim_layer_norm_grad(const LayerNormGradCall *C) {
  if (Routine::absent())
    return;
  Routine R("LayerNormGrad", BELAY_PC);
  Elem T = C->Type;
  R.accepts(T, types::HalfFloat, types::HalfFloat);
  checkColumns(R, C->Rows, C->Columns, C->Valid, T);
  uint64_t Size = uint64_t(C->Rows) * C->Columns;
  R.readsPadded(C->Dy, C->Rows, C->Valid, C->Columns, T);
  R.readsPadded(C->X, C->Rows, C->Valid, C->Columns, T);
  R.reads(C->Variance, C->Rows, T);
  R.reads(C->Mean, C->Rows, T);
  R.readsPadded(C->Gamma, 1, C->Valid, C->Columns, T);
  if (C->OverwritesSource)
    R.writes(const_cast<void *>(C->X), Size, T);
  R.writes(C->PdX, Size, T);
  R.writes(C->ResForGamma, Size, T);
  if (!R.ready(C->Tmp, belay_sim_layer_norm_grad, C))
    return;
  Floats Gamma = loaded(C->Gamma, T, C->Columns), Work(C->Columns);
  float H = static_cast<float>(C->Valid);
  for (uint32_t Row = 0; Row < C->Rows; ++Row) {
    uint64_t First = uint64_t(Row) * C->Columns;
    Floats Dy = loaded(elementAt(C->Dy, T, First), T, C->Columns);
    Floats X = loaded(elementAt(C->X, T, First), T, C->Columns);
    float Mean = loadOne(C->Mean, T, Row);
    float Rstd = 1 / std::sqrt(loadOne(C->Variance, T, Row) + C->Epsilon);
    auto SumOf = [&](auto Term) {
      for (uint32_t I = 0; I < C->Valid; ++I)
        Work[I] = Term(I);
      return treeSum(Work.data(), C->Valid);
    };
    for (uint32_t I = 0; I < C->Columns; ++I) {
      Dy[I] *= Gamma[I];
      X[I] -= Mean;
    }
    float PdVar = SumOf(
        [&](uint32_t I) { return -0.5f * Dy[I] * X[I] * Rstd * Rstd * Rstd; });
    float PdMean = SumOf([&](uint32_t I) { return -Dy[I] * Rstd; }) +
                   PdVar / H * SumOf([&](uint32_t I) { return -2 * X[I]; });
    for (uint32_t I = 0; I < C->Columns; ++I) {
      Dy[I] = Dy[I] * Rstd + PdVar * (2 / H) * X[I] + PdMean / H;
      X[I] *= Rstd;
    }
    narrow(T, elementAt(C->PdX, T, First), Dy.data(), C->Columns);
    narrow(T, elementAt(C->ResForGamma, T, First), X.data(), C->Columns);
  }
}

void belay_sim_layer_norm_grad_beta(const LayerNormGradBetaCall *C) {
  if (Routine::absent())
    return;
  Routine R("LayerNormGradBeta", BELAY_PC);
  Elem T = C->Type;
  R.accepts(T, types::HalfFloat, types::HalfFloat);
  checkColumns(R, C->Rows, C->Columns, C->Columns, T);
  size_t Size = size_t(C->Rows) * C->Columns;
  R.reads(C->ResForGamma, Size, T);
  R.reads(C->Dy, Size, T);
  if (C->OverwritesSource)
    R.writes(const_cast<void *>(C->Dy), Size, T);
  R.writes(C->PdGamma, C->Columns, T);
  R.writes(C->PdBeta, C->Columns, T);
  if (!R.ready(C->Tmp, belay_sim_layer_norm_grad_beta, C))
    return;
  Floats Res = loaded(C->ResForGamma, T, Size), Dy = loaded(C->Dy, T, Size);
  Floats Gamma(C->Columns), Beta(C->Columns), Work(C->Rows);
  for (uint32_t I = 0; I < C->Columns; ++I) {
    for (uint32_t Row = 0; Row < C->Rows; ++Row)
      Work[Row] =
          Res[size_t(Row) * C->Columns + I] * Dy[size_t(Row) * C->Columns + I];
    Gamma[I] = treeSum(Work.data(), C->Rows);
    for (uint32_t Row = 0; Row < C->Rows; ++Row)
      Work[Row] = Dy[size_t(Row) * C->Columns + I];
    Beta[I] = treeSum(Work.data(), C->Rows);
  }
  narrow(T, C->PdGamma, Gamma.data(), C->Columns);
  narrow(T, C->PdBeta, Beta.data(), C->Columns);
}

void belay_sim_welford_update(const WelfordUpdateCall *C) {
  if (Routine::absent())
    return;
  Routine R("WelfordUpdate", BELAY_PC);
  R.accepts(C->Type, types::HalfFloat, types::HalfFloat | types::Bfloat);
  checkColumns(R, 1, C->Length, C->Computed, C->Type);
  R.reads(C->InMean, C->InPlace ? C->Length : C->Computed, Elem::F32);
  R.reads(C->InVariance, C->InPlace ? C->Length : C->Computed, Elem::F32);
  R.reads(C->X, C->Computed, C->Type);
  if (C->OverwritesSource)
    R.writes(const_cast<void *>(C->X), C->Length, C->Type);
  uint32_t Written = C->InPlace ? C->Length : C->Computed;
  R.writes(C->OutMean, Written, Elem::F32);
  R.writes(C->OutVariance, Written, Elem::F32);
  if (!R.ready(C->Tmp, belay_sim_welford_update, C))
    return;
  Floats Mean = loaded(C->InMean, Elem::F32, Written),
         Variance = loaded(C->InVariance, Elem::F32, Written),
         X = loaded(C->X, C->Type, C->Computed);
  for (uint32_t I = 0; I < C->Computed; ++I) {
    float Delta = X[I] - Mean[I];
    Mean[I] += Delta * C->Reciprocal;
    Variance[I] += Delta * (X[I] - Mean[I]);
  }
  narrow(Elem::F32, C->OutMean, Mean.data(), Written);
  narrow(Elem::F32, C->OutVariance, Variance.data(), Written);
}

void belay_sim_welford_finalize(const WelfordFinalizeCall *C) {
  if (Routine::absent())
    return;
  Routine R("WelfordFinalize", BELAY_PC);
  uint32_t N = C->Length;
  checkColumns(R, 1, N, N, Elem::F32);
  if (!C->Counts && uint64_t(C->HeadLength) + C->TailLength != N)
    fail("bad-repeat", BELAY_PC,
         "headCountLength and tailCountLength add up to abLength",
         "WelfordFinalize got %u + %u counts for %u elements", C->HeadLength,
         C->TailLength, N);
  R.reads(C->InMean, N, Elem::F32);
  R.reads(C->InVariance, N, Elem::F32);
  R.readsIf(C->Counts, N, Elem::S32);
  R.writes(C->OutMean, 1, Elem::F32);
  R.writes(C->OutVariance, 1, Elem::F32);
  if (!R.ready(C->Tmp, belay_sim_welford_finalize, C))
    return;
  const auto *Mean = static_cast<const float *>(C->InMean);
  const auto *Var = static_cast<const float *>(C->InVariance);
  Floats Work(N), Count(N);
  for (uint32_t I = 0; I < N; ++I)
    Count[I] = static_cast<float>(C->Counts           ? C->Counts[I]
                                  : I < C->HeadLength ? int64_t(C->HeadCount)
                                                      : int64_t(C->TailCount));
  // Equal counts: the mean of means. Otherwise the means are weighted.
  bool Weighted = C->Counts || C->TailLength;
  for (uint32_t I = 0; I < N; ++I)
    Work[I] = Weighted ? Mean[I] * Count[I] * C->Reciprocal
                       : Mean[I] * C->LengthReciprocal;
  float Result = treeSum(Work.data(), N);
  for (uint32_t I = 0; I < N; ++I)
    Work[I] = Var[I] + Count[I] * (Mean[I] - Result) * (Mean[I] - Result);
  *static_cast<float *>(C->OutMean) = Result;
  *static_cast<float *>(C->OutVariance) =
      treeSum(Work.data(), N) * C->VarianceReciprocal;
}
