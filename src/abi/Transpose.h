//===- Transpose.h - Calls from a kernel: moving within blocks --*- C++ -*-===//
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

extern "C" {
BELAY_SIM_CALL void
belay_sim_transpose_blocks(const belay::sim::BlockTranspose *T);
/// The same with lists of addresses that lie in local memory.
BELAY_SIM_CALL void
belay_sim_transpose_listed(const belay::sim::BlockTranspose *T,
                           const uint64_t *Dst, const uint64_t *Src);
/// The same with the lists in address registers, two of which hold one list.
BELAY_SIM_CALL void
belay_sim_transpose_registers(const belay::sim::BlockTranspose *T, uint32_t Dst,
                              uint32_t Src);
BELAY_SIM_CALL void belay_sim_set_addresses(uint32_t Register,
                                            const uint64_t *Addresses);
BELAY_SIM_CALL void
belay_sim_transpose_layout(const belay::sim::LayoutTranspose *T);
BELAY_SIM_CALL void belay_sim_pad_blocks(const belay::sim::Padding *P);
BELAY_SIM_CALL void belay_sim_interpolate(const belay::sim::Interpolation *P);
}

#endif // BELAY_ABI_TRANSPOSE_H
