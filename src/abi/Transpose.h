//===- Transpose.h - What calls are given: moves in blocks ------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ABI_TRANSPOSE_H
#define BELAY_ABI_TRANSPOSE_H

#include "abi/Instructions.h"

namespace belay::sim {

/// TransDataTo5HD: sixteen blocks into sixteen blocks, element by element.
struct BlockTranspose {
  const char *Name;
  uint64_t Dst[16], Src[16]; // addresses of blocks
  Elem T;
  bool DstHighHalf, SrcHighHalf; // of bytes
  uint8_t Repeat;
  uint16_t DstRepeatStride, SrcRepeatStride; // in blocks
};

enum class LayoutChange : uint8_t { Square16, NchwToNhwc, NhwcToNchw, Other };

struct LayoutTranspose {
  void *Dst;
  const void *Src;
  void *Tmp;
  uint32_t TmpBytes;
  Elem T;
  LayoutChange Change;
  bool Extended; // the form with parameters
  uint16_t N, C, H, W;
};

/// VectorPadding: blocks made of a neighbouring block's elements.
struct Padding {
  void *Dst;
  const void *Src;
  Elem T;
  uint8_t Mode;
  bool Right;
  Walk W;
};

/// BilinearInterpolation: blocks times weights, added up.
struct Interpolation {
  void *Dst;
  const void *Src;
  uint64_t SrcBytes;
  const uint32_t *Offsets;
  uint64_t OffsetBytes;
  const void *Weights;
  uint64_t WeightBytes;
  void *Tmp;
  uint64_t TmpBytes;
  Elem T;
  bool WeightPerBlock;
  uint8_t Horizontal, Vertical;
  uint16_t DstBlockStride;
  uint16_t DstStep; // elements from one vertical step to the next
  Walk W;           // the mask
};

} // namespace belay::sim

#endif // BELAY_ABI_TRANSPOSE_H
