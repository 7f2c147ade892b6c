//===- Library.h - What calls are given: Library ----------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The high-level routines. Each is one call and one record on the vector pipe,
// although the device runs many instructions for it: what it reads, writes and
// overwrites as scratch is the same.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ABI_LIBRARY_H
#define BELAY_ABI_LIBRARY_H

#include "abi/Instructions.h"

namespace belay::sim {

/// Memory that the caller lends to a routine. What it held is lost.
struct Scratch {
  void *Data = nullptr;
  uint32_t Bytes = 0;
};

/// A source that is a tensor, or one element that stands for a whole tensor.
struct Source {
  const void *Data = nullptr;
  bool Scalar = false;
};

/// Element-wise routines: Dst[i] = op(Src[0][i], ...).
struct MathCall {
  void *Dst;
  Source Src[3];
  Elem DstType, SrcType;
  uint32_t Count;
  bool OverwritesSource = false; // isReuseSource: Src[0] may become scratch
  float Param = 0;               // beta of Swish, terms of Exp
  void *Dst2 = nullptr;          // the cosine of SinCos
  Scratch Tmp;
};

enum class MathOp : uint8_t {
#define BELAY_MATH(Name, Sources, Types, NewTypes) Name,
#include "abi/Math.def"
};

struct CumSumCall {
  void *Dst, *LastRow; // LastRow may be null
  const void *Src;
  Elem Type;
  uint32_t Outer, Inner;
  bool LastAxis;
  Scratch Tmp;
};

enum class SoftmaxOp : uint8_t {
  SoftMax,
  SimpleSoftMax,
  LogSoftMax,
  SoftmaxFlash,
  SoftmaxFlashV2,
  SoftmaxFlashV3,
};

/// Rows of Columns elements, of which Valid take part in reductions.
struct RowShape {
  uint32_t Rows = 0, Columns = 0, Valid = 0;
  bool Fractal = false; // NZ: columns in groups of 16, rows inside a group
};

/// Statistics are one 32-byte block per row, or one element per row if Packed.
struct SoftmaxCall {
  SoftmaxOp Op;
  bool Update = false, Packed = false;
  void *Dst = nullptr, *Sum = nullptr, *Max = nullptr, *ExpMax = nullptr,
       *Mean = nullptr, *ReduceMax = nullptr;
  const void *Src = nullptr, *InSum = nullptr, *InMax = nullptr,
             *InMean = nullptr;
  Elem Type, StatType;
  RowShape Shape;
  // SoftmaxFlashV3
  uint32_t LoopCount = 1, Splits = 8;
  float Alpha = 0;
  Scratch Tmp;
};

struct SoftmaxGradCall {
  void *Dst;
  const void *Grad, *Src;
  Elem Type;
  RowShape Shape;
  bool Front;
  const char *Name;
  Scratch Tmp;
};

struct AdjustSoftmaxCall {
  void *Res;
  const void *Max, *To;
  Elem Type, MaxType;
  uint32_t FromBits;
  RowShape Shape;
  bool Packed;
};

enum class NormOp : uint8_t {
  LayerNorm,
  LayerNormRstd, // the [A, R] form: float statistics
  RmsNorm,
  BatchNorm,
  DeepNorm,
  GroupNorm,
  Normalize,
};

/// Absent operands are null.
struct NormCall {
  NormOp Op;
  void *Dst = nullptr, *Mean = nullptr, *Spread = nullptr;
  const void *Src = nullptr, *Gamma = nullptr, *Beta = nullptr,
             *Residual = nullptr, *InMean = nullptr, *InVariance = nullptr;
  Elem Type, GammaType, StatType;
  /// Groups of Channels rows of Columns elements share one mean; Valid columns
  /// take part. BatchNorm: Rows is the batch.
  uint32_t Rows = 0, Channels = 1, Columns = 0, Valid = 0;
  uint32_t GammaPeriod = 0; // GroupNorm: channels after which gamma repeats
  float Epsilon = 0, Alpha = 0;
  bool SpreadIsRstd = false, OverwritesSource = false;
  Scratch Tmp;
};

struct LayerNormGradCall {
  void *PdX, *ResForGamma;
  const void *Dy, *X, *Variance, *Mean, *Gamma;
  Elem Type;
  uint32_t Rows, Columns, Valid;
  float Epsilon;
  bool OverwritesSource;
  Scratch Tmp;
};

struct LayerNormGradBetaCall {
  void *PdGamma, *PdBeta;
  const void *ResForGamma, *Dy;
  Elem Type;
  uint32_t Rows, Columns;
  bool OverwritesSource;
  Scratch Tmp;
};

struct WelfordUpdateCall {
  void *OutMean, *OutVariance;
  const void *InMean, *InVariance, *X;
  Elem Type;
  uint32_t Length, Computed;
  float Reciprocal;
  bool InPlace, OverwritesSource;
  Scratch Tmp;
};

struct WelfordFinalizeCall {
  void *OutMean, *OutVariance;
  const void *InMean, *InVariance;
  const int32_t *Counts; // null: Head and Tail count
  uint32_t Length, HeadCount, HeadLength, TailCount, TailLength;
  float LengthReciprocal, Reciprocal, VarianceReciprocal;
  Scratch Tmp;
};

enum class FoldOp : uint8_t { Sum, Mean, Max, Min, Prod, Any, All };

/// Reduces one axis of an [Outer, Inner] matrix; rows are Stride elements
/// apart.
struct FoldCall {
  FoldOp Op;
  bool Pattern; // the Reduce* routines; otherwise Sum and Mean
  void *Dst;
  const void *Src;
  Elem Type;
  uint32_t Outer, Inner, Stride;
  bool FirstAxis; // RA: reduces Outer; otherwise AR: reduces Inner
  bool OverwritesSource;
  Scratch Tmp;
};

struct XorSumCall {
  void *Dst;
  const void *Src0, *Src1;
  Elem Type;
  uint32_t Count;
  Scratch Tmp;
};

inline constexpr unsigned MaxBroadcastRank = 9;
struct BroadcastCall {
  void *Dst;
  const void *Src;
  Elem Type;
  uint32_t Rank;
  uint32_t DstShape[MaxBroadcastRank], SrcShape[MaxBroadcastRank];
  bool OverwritesSource;
  Scratch Tmp;
};

/// Pad and UnPad: Height rows, Left and Right columns added or taken away.
struct PadCall {
  const char *Name;
  void *Dst;
  const void *Src;
  Elem Type;
  uint32_t Height, SrcStride, DstStride, Valid, Left;
  const void *Value; // one element
  bool Adds;
  Scratch Tmp;
};

struct DropOutCall {
  void *Dst;
  const void *Src;
  const uint8_t *Mask;
  Elem Type;
  uint32_t Rows, Columns, MaskColumns;
  bool Bits;
  float KeepProb;
  Scratch Tmp;
};

struct ByteSelectCall {
  void *Dst;
  Source Src[2];
  const void *Mask;
  Elem Type, MaskType;
  uint32_t Rows, Columns, MaskColumns;
  Scratch Tmp;
};

/// dst[i][j] = convert(f(src[i][j], scale, offset)), with the index of scale
/// and offset decided by Policy.
enum class QuantPolicy : uint8_t { Tensor, Channel, Token, Group };
enum class QuantOp : uint8_t {
  Quant,    // src * scale + offset
  Dequant,  // src * scale
  AntiQuant // (src + offset) * scale
};
struct QuantCall {
  QuantOp Op;
  const char *Name;
  void *Dst;
  const void *Src;
  Source Scale, Offset; // Offset.Data null: none
  Elem DstType, SrcType, ParamType;
  QuantPolicy Policy;
  uint32_t Rows, Columns, Computed; // Computed columns of each row
  uint32_t SrcStride, DstStride;    // elements from row to row
  uint32_t GroupSize;
  bool GroupRows; // groups of rows (kDim 0) instead of columns
  bool HalfSteps; // every step rounds to half
  bool Modern;    // a form that came with arch 3510
  Rounding Round;
  Scratch Tmp;
};

struct TopKCall {
  void *Values;
  int32_t *Indices;
  const void *Src;
  const int32_t *SrcIndices; // null: 0, 1, ...
  const bool *Finished;      // null: none
  Elem Type;
  uint32_t Outer, Inner, Valid, K, ValuePad, IndexPad;
  bool SharedIndices; // one row of indices for all rows
  bool Largest, OverwritesSource;
  Scratch Tmp;
};

/// ConfusionTranspose: the kinds in the order of TransposeType. The shape is
/// [B, N, S, D], heads of D columns in rows of H = N * D; NdToNd kinds use the
/// first three as they are.
enum class TransposeKind : uint8_t {
  NzToNd0213 = 1,
  NzToNz0213,
  NzToNzSplit,
  NzToNdSplit,
  NzToNdJoin,
  NzToNzJoin,
  NdToNd,
  NdToNd021 = 13,
  NdToNd102,
  NdToNd210,
};
struct TransposeCall {
  TransposeKind Kind;
  void *Dst;
  const void *Src;
  Elem Type;
  uint32_t B, N, S, D;
  Scratch Tmp;
};

/// TransData between NCDHW (planes padded to 32 bytes) and a format of C0
/// channels: NDC1HWC0, or FRACTAL_Z_3D if Fractal.
struct TransDataCall {
  void *Dst;
  const void *Src;
  Elem Type;
  uint32_t N, C, D, H, W;
  bool Fractal, Back; // Back: to NCDHW
  Scratch Tmp;
};

struct PhiloxCall {
  void *Dst;
  Elem Type;
  uint32_t Key[2], Counter[4];
  uint32_t Rows, Columns, Stride, Rounds;
};

} // namespace belay::sim

#endif // BELAY_ABI_LIBRARY_H
