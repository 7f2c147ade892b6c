//===- routine_tiling.h - Tiling of normalisations and shapes ---*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scratch space is answered as in library_tiling.h. Of a tiling the fields are
// filled that say what is computed; those that divide the scratch space of the
// vendor's routines stay 0.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPHOST_ROUTINE_TILING_H
#define BELAY_OPHOST_ROUTINE_TILING_H

#include "abi/Library.h"
#include "ascendc/api/library/options.h"
#include "ophost/library_tiling.h"

namespace AscendC {

using TensorDataType = ge::DataType;

namespace belay_detail {
inline uint32_t dim(const TensorShape &Shape, size_t N) {
  return N < Shape.GetDimNum() ? static_cast<uint32_t>(Shape.GetDim(N)) : 1;
}
inline uint32_t roundUp(uint32_t Value, uint32_t Unit) {
  return (Value + Unit - 1) / Unit * Unit;
}
inline uint32_t bytesOf(TensorDataType Type) {
  int Bytes = ge::GetSizeByDataType(Type);
  return Bytes > 0 ? static_cast<uint32_t>(Bytes) : 1;
}
inline bool room(const TensorShape &Shape, uint32_t TypeBytes, uint32_t &Max,
                 uint32_t &Min) {
  scratch(Shape.GetShapeSize(), TypeBytes, Max, Min);
  return true;
}
template <class Tiling>
void fillRows(const TensorShape &Shape, const TensorShape &Origin, Tiling &T) {
  BELAY_PUT(T, bLength, dim(Shape, 0));
  BELAY_PUT(T, sLength, dim(Shape, 1));
  BELAY_PUT(T, hLength, dim(Shape, 2));
  BELAY_PUT(T, originalHLength, dim(Origin, 2));
}
} // namespace belay_detail

//===----------------------------------------------------------------------===//
// Scratch space
//===----------------------------------------------------------------------===//

#define BELAY_ROOM(Function)                                                   \
  inline void Function(const TensorShape &S, uint32_t Bytes, bool,             \
                       uint32_t &Max, uint32_t &Min) {                         \
    belay_detail::room(S, Bytes, Max, Min);                                    \
  }
BELAY_ROOM(GetDropOutMaxMinTmpSize)
BELAY_ROOM(GetLayerNormGradBetaMaxMinTmpSize)
BELAY_ROOM(GetLayerNormGradMaxMinTmpSize)
BELAY_ROOM(GetLayerNormMaxMinTmpSize)
BELAY_ROOM(GetReduceXorSumMaxMinTmpSize)
BELAY_ROOM(GetSiluTmpSize)
BELAY_ROOM(GetSwishTmpSize)
BELAY_ROOM(GetWelfordFinalizeMaxMinTmpSize)
#undef BELAY_ROOM

#define BELAY_ROOM(Name)                                                       \
  inline void Get##Name##MaxMinTmpSize(const TensorShape &S, uint32_t Bytes,   \
                                       uint32_t &Max, uint32_t &Min) {         \
    belay_detail::room(S, Bytes, Max, Min);                                    \
  }
BELAY_ROOM(AscendDequant)
BELAY_ROOM(AscendQuant)
BELAY_ROOM(Dequantize)
BELAY_ROOM(Pad)
BELAY_ROOM(Quantize)
#undef BELAY_ROOM

#define BELAY_ROOM(Name)                                                       \
  inline void Get##Name##MaxMinTmpSize(                                        \
      const platform_ascendc::PlatformAscendC &, const TensorShape &S,         \
      uint32_t Bytes, bool, uint32_t &Max, uint32_t &Min) {                    \
    belay_detail::room(S, Bytes, Max, Min);                                    \
  }                                                                            \
  inline void Get##Name##TmpBufferFactorSize(                                  \
      const platform_ascendc::PlatformAscendC &, uint32_t, uint32_t &Live,     \
      uint32_t &Extra) {                                                       \
    Live = 4;                                                                  \
    Extra = 0;                                                                 \
  }
BELAY_ROOM(BitwiseAnd)
BELAY_ROOM(BitwiseNot)
BELAY_ROOM(BitwiseOr)
BELAY_ROOM(BitwiseXor)
BELAY_ROOM(Fma)
BELAY_ROOM(IsInf)
BELAY_ROOM(IsNan)
BELAY_ROOM(LogicalAnd)
BELAY_ROOM(LogicalAnds)
BELAY_ROOM(LogicalNot)
BELAY_ROOM(LogicalOr)
BELAY_ROOM(LogicalOrs)
BELAY_ROOM(LogicalXor)
BELAY_ROOM(Rint)
BELAY_ROOM(Round)
BELAY_ROOM(SinCos)
BELAY_ROOM(Where)
#undef BELAY_ROOM

#define BELAY_ROOM(Name)                                                       \
  inline void Get##Name##MaxMinTmpSize(                                        \
      const TensorShape &S, TensorDataType Type, ReducePattern, bool, bool,    \
      uint32_t &Max, uint32_t &Min) {                                          \
    belay_detail::room(S, belay_detail::bytesOf(Type), Max, Min);              \
  }
BELAY_ROOM(ReduceAll)
BELAY_ROOM(ReduceAny)
BELAY_ROOM(ReduceMax)
BELAY_ROOM(ReduceMean)
BELAY_ROOM(ReduceMin)
BELAY_ROOM(ReduceProd)
BELAY_ROOM(ReduceSum)
#undef BELAY_ROOM

#define BELAY_ROOM(Name)                                                       \
  inline void Get##Name##MaxMinTmpSize(                                        \
      const TensorShape &S, const TensorShape &, bool, TensorDataType In,      \
      TensorDataType Out, uint32_t &Max, uint32_t &Min) {                      \
    belay_detail::room(                                                        \
        S, std::max(belay_detail::bytesOf(In), belay_detail::bytesOf(Out)),    \
        Max, Min);                                                             \
  }
BELAY_ROOM(AntiQuantize)
BELAY_ROOM(AscendAntiQuant)
#undef BELAY_ROOM

#define BELAY_ROOM(Name)                                                       \
  inline void Get##Name##MaxMinTmpSize(                                        \
      const TensorShape &A, const TensorShape &B, uint32_t Bytes,              \
      const TensorShape &, uint32_t, bool, uint32_t &Max, uint32_t &Min) {     \
    belay_detail::room(A.GetShapeSize() < B.GetShapeSize() ? B : A, Bytes,     \
                       Max, Min);                                              \
  }                                                                            \
  inline uint32_t Get##Name##MaxTmpSize(                                       \
      const TensorShape &A, const TensorShape &B, uint32_t Bytes,              \
      const TensorShape &Mask, uint32_t MaskBytes, bool Reuse) {               \
    uint32_t Max, Min;                                                         \
    Get##Name##MaxMinTmpSize(A, B, Bytes, Mask, MaskBytes, Reuse, Max, Min);   \
    return Max;                                                                \
  }                                                                            \
  inline uint32_t Get##Name##MinTmpSize(                                       \
      const TensorShape &A, const TensorShape &B, uint32_t Bytes,              \
      const TensorShape &Mask, uint32_t MaskBytes, bool Reuse) {               \
    uint32_t Max, Min;                                                         \
    Get##Name##MaxMinTmpSize(A, B, Bytes, Mask, MaskBytes, Reuse, Max, Min);   \
    return Min;                                                                \
  }
BELAY_ROOM(Select)
BELAY_ROOM(SelectWithBytesMask)
#undef BELAY_ROOM

#define BELAY_ROOM(Name, ...)                                                  \
  inline uint32_t Get##Name##MaxTmpSize(const TensorShape &S,                  \
                                        uint32_t Bytes __VA_ARGS__) {          \
    uint32_t Max, Min;                                                         \
    belay_detail::room(S, Bytes, Max, Min);                                    \
    return Max;                                                                \
  }                                                                            \
  inline uint32_t Get##Name##MinTmpSize(const TensorShape &S,                  \
                                        uint32_t Bytes __VA_ARGS__) {          \
    uint32_t Max, Min;                                                         \
    belay_detail::room(S, Bytes, Max, Min);                                    \
    return Min;                                                                \
  }
BELAY_ROOM(Gelu)
BELAY_ROOM(DropOut, , bool)
BELAY_ROOM(LogSoftMax, , bool)
#undef BELAY_ROOM

inline void GetArithProgressionMaxMinTmpSize(uint32_t &Max, uint32_t &Min) {
  Max = Min = 0; // it needs none
}
inline void GetArangeMaxMinTmpSize(uint32_t &Max, uint32_t &Min) {
  Max = Min = 0;
}
inline void GetCumSumMaxMinTmpSize(const TensorShape &S, uint32_t Bytes, bool,
                                   bool, uint32_t &Max, uint32_t &Min) {
  belay_detail::room(S, Bytes, Max, Min);
}
inline void GetWelfordUpdateMaxMinTmpSize(const TensorShape &S, uint32_t Bytes,
                                          uint32_t MeanBytes, bool, bool,
                                          uint32_t &Max, uint32_t &Min) {
  belay_detail::room(S, std::max(Bytes, MeanBytes), Max, Min);
}
inline void GetLayerNormMaxMinTmpSize(const TensorShape &S, uint32_t Bytes,
                                      bool, bool, bool, uint32_t &Max,
                                      uint32_t &Min) {
  belay_detail::room(S, Bytes, Max, Min);
}
inline void GetNormalizeMaxMinTmpSize(const TensorShape &S, uint32_t GammaBytes,
                                      uint32_t Bytes, bool, bool, bool,
                                      uint32_t &Max, uint32_t &Min) {
  belay_detail::room(S, std::max(Bytes, GammaBytes), Max, Min);
}
inline bool GetDeepNormMaxMinTmpSize(const TensorShape &S, uint32_t Bytes, bool,
                                     bool, uint32_t &Max, uint32_t &Min) {
  return belay_detail::room(S, Bytes, Max, Min);
}
inline bool GetRmsNormMaxMinTmpSize(const TensorShape &S, uint32_t Bytes,
                                    uint32_t &Max, uint32_t &Min,
                                    bool = false) {
  return belay_detail::room(S, Bytes, Max, Min);
}
inline bool GetBatchNormMaxMinTmpSize(const TensorShape &S, const TensorShape &,
                                      uint32_t Bytes, bool, uint32_t &Max,
                                      uint32_t &Min, bool = false) {
  return belay_detail::room(S, Bytes, Max, Min);
}
inline void GetGroupNormMaxMinTmpSize(const TensorShape &S, uint32_t Bytes,
                                      bool, uint32_t, uint32_t &Max,
                                      uint32_t &Min) {
  belay_detail::room(S, Bytes, Max, Min);
}
inline void GetBroadCastMaxMinTmpSize(const platform_ascendc::PlatformAscendC &,
                                      const TensorShape &,
                                      const TensorShape &Dst, uint32_t Bytes,
                                      bool, uint32_t &Max, uint32_t &Min) {
  belay_detail::room(Dst, Bytes, Max, Min);
}
inline void GetUnPadMaxMinTmpSize(const platform_ascendc::PlatformAscendC &,
                                  const TensorShape &S, uint32_t Bytes,
                                  uint32_t &Max, uint32_t &Min) {
  belay_detail::room(S, Bytes, Max, Min);
}
inline void GetTransposeMaxMinTmpSize(const TensorShape &S, uint32_t Bytes,
                                      uint32_t, uint32_t &Max, uint32_t &Min) {
  belay_detail::room(S, Bytes, Max, Min);
}
inline void GetConfusionTransposeMaxMinTmpSize(const TensorShape &S,
                                               uint32_t Bytes, uint32_t Kind,
                                               uint32_t &Max, uint32_t &Min) {
  GetTransposeMaxMinTmpSize(S, Bytes, Kind, Max, Min);
}
/// The pairs of a value and an index that sorting works on take 8 bytes each,
/// and are merged from one place to another.
inline uint32_t GetConcatTmpSize(const platform_ascendc::PlatformAscendC &,
                                 uint32_t Elements, uint32_t) {
  return Elements * 8;
}
inline uint32_t GetSortTmpSize(const platform_ascendc::PlatformAscendC &,
                               uint32_t Elements, uint32_t) {
  return Elements * 8;
}
inline void GetSortMaxMinTmpSize(const TensorShape &S, TensorDataType Type,
                                 TensorDataType Index, bool, const SortConfig &,
                                 uint32_t &Max, uint32_t &Min) {
  belay_detail::room(
      S, std::max(belay_detail::bytesOf(Type), belay_detail::bytesOf(Index)),
      Max, Min);
}
inline bool GetTopKMaxMinTmpSize(const platform_ascendc::PlatformAscendC &,
                                 int32_t Inner, int32_t Outer, bool, bool,
                                 TopKMode, bool, uint32_t, uint32_t &Max,
                                 uint32_t &Min) {
  Max = Min = static_cast<uint32_t>(Inner) * static_cast<uint32_t>(Outer) * 16;
  return true;
}
inline bool GetTopKMaxMinTmpSize(int32_t Inner, int32_t Outer, int32_t, bool,
                                 bool, TopKMode, bool, TensorDataType,
                                 const TopKConfig &, uint32_t &Max,
                                 uint32_t &Min) {
  Max = Min = static_cast<uint32_t>(Inner) * static_cast<uint32_t>(Outer) * 16;
  return true;
}

//===----------------------------------------------------------------------===//
// Tilings
//===----------------------------------------------------------------------===//

template <class Tiling>
void LogSoftMaxTilingFunc(const TensorShape &S, uint32_t TypeBytes,
                          uint32_t Scratch, Tiling &T) {
  BELAY_PUT(T, srcM, belay_detail::rowsOf(S));
  BELAY_PUT(T, srcK, belay_detail::columnsOf(S));
  BELAY_PUT(T, srcSize, static_cast<uint32_t>(S.GetShapeSize()));
}
template <class Tiling>
void GetLayerNormNDTilingInfo(const TensorShape &S, uint32_t, uint32_t, bool,
                              Tiling &T) {
  belay_detail::fillRows(S, S, T);
}
template <class Tiling>
void GetLayerNormNDTillingInfo(const TensorShape &S, uint32_t, uint32_t, bool,
                               Tiling &T) {
  belay_detail::fillRows(S, S, T);
}
/// With a mean and a variance for each of the rows (a) of r elements.
template <class Tiling>
void GetLayerNormNDTilingInfo(const TensorShape &S, uint32_t, uint32_t, bool,
                              bool, Tiling &T) {
  BELAY_PUT(T, aLength, belay_detail::rowsOf(S));
  BELAY_PUT(T, rLength, belay_detail::columnsOf(S));
}
template <class Tiling>
void GetLayerNormGradNDTilingInfo(const TensorShape &S, uint32_t Scratch,
                                  uint32_t, bool, Tiling &T) {
  BELAY_PUT(T, stackBufferSize, Scratch);
  belay_detail::fillRows(S, S, T);
}
template <class Tiling>
void GetLayerNormGradBetaNDTilingInfo(const TensorShape &S, uint32_t Scratch,
                                      uint32_t, bool, Tiling &T) {
  BELAY_PUT(T, stackBufferSize, Scratch);
  belay_detail::fillRows(S, S, T);
}
template <class Tiling>
bool GetDeepNormTilingInfo(const TensorShape &S, const TensorShape &Origin,
                           uint32_t, uint32_t, bool, bool, Tiling &T) {
  belay_detail::fillRows(S, Origin, T);
  return true;
}
template <class Tiling>
bool GetRmsNormTilingInfo(const TensorShape &S, const TensorShape &Origin,
                          uint32_t, uint32_t, Tiling &T, bool = false) {
  belay_detail::fillRows(S, Origin, T);
  return true;
}
template <class Tiling>
bool GetBatchNormNDTilingInfo(const TensorShape &S, const TensorShape &Origin,
                              uint32_t, uint32_t, bool, Tiling &T,
                              bool = false) {
  BELAY_PUT(T, originalBLength, belay_detail::dim(Origin, 0));
  BELAY_PUT(T, meanVarSize, belay_detail::dim(S, 1) * belay_detail::dim(S, 2));
  return true;
}
template <class Tiling>
void GetGroupNormNDTilingInfo(const TensorShape &S, uint32_t,
                              uint32_t TypeBytes, bool, uint32_t Groups,
                              Tiling &T) {
  uint32_t Channels = belay_detail::dim(S, 1);
  uint32_t Area = belay_detail::dim(S, 2) * belay_detail::dim(S, 3);
  BELAY_PUT(T, n, belay_detail::dim(S, 0));
  BELAY_PUT(T, c, Channels);
  BELAY_PUT(T, hw, Area);
  BELAY_PUT(T, g, Groups);
  BELAY_PUT(T, d, Groups ? Channels / Groups : 0);
  BELAY_PUT(T, hwAlignSize,
            belay_detail::roundUp(Area, TypeBytes ? 32 / TypeBytes : 8));
}
template <class Tiling>
void PadTilingFunc(const TensorShape &S, const TensorShape &Origin, uint32_t,
                   uint32_t, Tiling &T) {
  BELAY_PUT(T, srcHeight, belay_detail::dim(S, 0));
  BELAY_PUT(T, srcWidth, belay_detail::dim(S, 1));
  BELAY_PUT(T, srcOriWidth, belay_detail::dim(Origin, 1));
}
template <class Tiling>
void UnPadTilingFunc(const TensorShape &S, uint32_t, uint32_t, Tiling &T) {
  BELAY_PUT(T, srcHeight, belay_detail::dim(S, 0));
  BELAY_PUT(T, srcWidth, belay_detail::dim(S, 1));
}
template <class Tiling>
bool TopKTilingFunc(const platform_ascendc::PlatformAscendC &, int32_t Inner,
                    int32_t Outer, int32_t, uint32_t, bool, TopKMode, bool,
                    Tiling &T) {
  BELAY_PUT(T, innerDataSize, Inner);
  BELAY_PUT(T, allDataSize, Inner * Outer);
  return true;
}

/// Where a kernel's routine finds the extents depends on the kind.
template <class Tiling>
void GetTransposeTilingInfo(const TensorShape &S, uint32_t, uint32_t TypeBytes,
                            uint32_t KindNumber, Tiling &T) {
  using belay::sim::TransposeKind;
  using belay_detail::dim;
  constexpr uint32_t Cube = 16;
  auto Kind = static_cast<TransposeKind>(KindNumber);
  switch (Kind) {
  case TransposeKind::NdToNd:
    BELAY_PUT(T, param1, dim(S, 0));
    BELAY_PUT(T, param2, dim(S, 1));
    return;
  case TransposeKind::NdToNd021:
  case TransposeKind::NdToNd102:
  case TransposeKind::NdToNd210: {
    size_t First = S.GetDimNum() == 2 ? 1 : 0; // a matrix is one of a batch
    BELAY_PUT(T, param0, First ? 1 : dim(S, 0));
    BELAY_PUT(T, param1, dim(S, 1 - First));
    BELAY_PUT(T, param2, dim(S, 2 - First));
    return;
  }
  default:
    break;
  }
  uint32_t Rows = belay_detail::roundUp(dim(S, 2), Cube);
  BELAY_PUT(T, param0, TypeBytes ? 32 / TypeBytes : 0);
  BELAY_PUT(T, param1, dim(S, 0));
  BELAY_PUT(T, param2, dim(S, 1));
  BELAY_PUT(T, param3, dim(S, 3));
  if (Kind == TransposeKind::NzToNd0213 || Kind == TransposeKind::NzToNz0213) {
    BELAY_PUT(T, param3, belay_detail::roundUp(dim(S, 3), Cube));
    BELAY_PUT(T, param4, Rows);
  } else if (Kind == TransposeKind::NzToNzSplit) {
    BELAY_PUT(T, param9, Rows);
  } else {
    BELAY_PUT(T, param6, Rows / Cube);
  }
}
template <class Tiling>
void GetConfusionTransposeTilingInfo(const TensorShape &S, uint32_t Scratch,
                                     uint32_t TypeBytes, uint32_t Kind,
                                     Tiling &T) {
  GetTransposeTilingInfo(S, Scratch, TypeBytes, Kind, T);
}
template <class Tiling>
void GetConfusionTransposeOnlyTilingInfo(const TensorShape &S, uint32_t Scratch,
                                         uint32_t TypeBytes, Tiling &T) {
  GetTransposeTilingInfo(
      S, Scratch, TypeBytes,
      static_cast<uint32_t>(belay::sim::TransposeKind::NdToNd), T);
}

} // namespace AscendC

#endif // BELAY_OPHOST_ROUTINE_TILING_H
