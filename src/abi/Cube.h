//===- Cube.h - What calls are given: matrices ------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matrices move and multiply in fractals of 512 bytes: 16 rows of one block of
// 32 bytes, C0 elements. "NZ" is a matrix whose fractals follow each other down
// the columns, "ZZ" along the rows; "ZN" is the same with each fractal stored
// by columns.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ABI_CUBE_H
#define BELAY_ABI_CUBE_H

#include "abi/Instructions.h"

namespace belay::sim {

/// LoadData 2D: Repeat fractals; strides from start to start, in fractals.
struct LoadFractals {
  void *Dst;
  const void *Src;
  Elem Type;
  bool Transpose; // each fractal by itself
  uint32_t Start, Repeat;
  int32_t SrcStride;
  uint32_t DstStride;
};

/// LoadData 2D V2: Rows x Columns fractals out of an NZ matrix; strides between
/// columns of fractals. With Transpose the matrix as a whole is transposed.
struct LoadMatrix {
  void *Dst;
  const void *Src;
  Elem Type;
  bool Transpose;
  uint32_t RowStart, ColumnStart, Rows, Columns;
  int32_t SrcStride;
  uint32_t DstStride;
};

/// LoadDataWithTranspose: square matrices made of consecutive fractals, each
/// transposed and taken apart again. All strides from start to start, in
/// fractals.
struct LoadSquares {
  void *Dst;
  const void *Src;
  Elem Type;
  uint32_t Start, Repeat;
  int32_t SrcStride;
  uint32_t SrcFractalStride, DstStride, DstFractalStride;
};

/// What LoadData 3D knows of a convolution's window.
struct Window {
  uint8_t StrideW, StrideH;
  uint8_t DilationW, DilationH;
  uint16_t FilterW, FilterH;
};

/// LoadData 3D V2: a part of the matrix that image-to-column makes out of a
/// feature map in NC1HWC0.
struct LoadImage {
  void *Dst;
  const void *Src;
  Elem Type;
  bool Transpose, RightMap;
  /// Distances of columns of fractals come from SetLoadDataRepeat.
  bool UseDstStride;
  uint32_t Channels;
  uint32_t RowStart, ColumnStart, Rows, Columns; // in elements
  Window Filter;
  const char *Name;
};

/// LoadData 3D V1: one fractal per repeat.
struct LoadWindow {
  void *Dst;
  const void *Src;
  Elem Type;
  uint32_t ChannelBlock;
  uint8_t FetchW, FetchH;
  int16_t LeftTopW, LeftTopH;
  Window Filter;
  uint8_t JumpStride;
  bool AlongRows; // repeat mode 1
  uint8_t Repeat;
};

/// Fill: Repeat x Blocks blocks, of 32 bytes in L1 and 512 bytes in L0.
struct FillBlocks {
  void *Dst;
  Elem Type;
  uint64_t Bits; // one element
  uint32_t Repeat, Blocks, Gap;
};

/// DataCopy with Nd2NzParams or, ColumnMajor, Dn2NzParams.
struct NdToNz {
  void *Dst;
  const void *Src;
  Elem Type;
  bool ColumnMajor, SmallC0;
  uint32_t Matrices, Rows, Columns;
  uint64_t SrcMatrixStride, SrcRowStride; // in elements
  uint32_t DstColumnStride, DstRowStride; // in blocks of 32 bytes
  uint32_t DstMatrixStride;               // in elements
};

struct Multiply {
  void *C;
  const void *A;
  const void *B;
  const void *Bias; // null: none was given
  Elem CType, AType, BType, BiasType;
  uint32_t M, N, K;
  uint8_t UnitFlag;
  bool AlignK;    // kDirectionAlign
  bool ZeroC;     // start from nothing
  bool CFromBias; // start from the bias table
  bool DisableGemv;
};

enum class QuantMode : uint8_t {
  None,
  F32ToF16,
  F32ToBF16,
  S32ToF16,
  F32ToB8,
  S32ToB8,
  S32ToBF16,
  QuantF32ToF16,
  QuantF32ToBF16,
  QuantF32ToF32,
};

enum class OutLayout : uint8_t { NZ, ND, DN };

/// From L0C through the fixpipe.
struct FixOut {
  void *Dst;
  const void *Src;
  Elem DstType, SrcType;
  OutLayout Layout;
  uint32_t M, N;
  uint32_t SrcStride; // between columns of fractals, in rows of 16 elements
  /// Bytes between columns of fractals (NZ) or rows (ND, DN).
  uint64_t DstStride;
  uint32_t Matrices = 1;
  uint64_t SrcMatrixStride = 0; // bytes
  uint64_t DstMatrixStride = 0; // bytes
  uint32_t SrcRowStride = 1;    // in rows of 16 elements, DN only
  QuantMode Quant = QuantMode::None;
  bool QuantVector = false;
  uint64_t QuantScalar = 0;
  const void *QuantTensor = nullptr; // one uint64_t per column
  bool Relu = false;
  bool ChannelSplit = false;
  uint8_t UnitFlag = 0;
  uint8_t DualTarget = 0; // 1: rows, 2: columns shared between two vector cores
  uint8_t SubBlock = 0;
  /// DataCopy: several matrices and quantisation come from registers.
  bool FromRegisters = false;
  const char *Name = "Fixpipe";
};

enum class DequantMode : uint8_t { None, Half, B8, B16 };

/// 310P: from L0C into the unified buffer, in fractals or rows of fractals.
struct FractalsOut {
  void *Dst;
  const void *Src;
  Elem DstType, SrcType;
  bool RowOnly; // BLOCK_MODE_VECTOR: the first row of each fractal
  uint32_t Blocks, BlockFractals, SrcGapFractals, DstGapBytes;
  DequantMode Quant;
  bool QuantVector;
  uint64_t QuantScalar;
  const void *QuantTensor;
  uint8_t StoreMode;
  bool Relu;
};

/// Registers of the cube core that a kernel sets one by one.
enum class CubeRegister : uint8_t {
  LoadPadding,  // bits of one element
  LoadBoundary, // bytes; 0: none
  Hf32,
  Hf32TowardsZero,
  RowMajor,
  QuantScalar,
  QuantTensor, // address in the fixpipe buffer
  ClipRelu,
};

} // namespace belay::sim

#endif // BELAY_ABI_CUBE_H
