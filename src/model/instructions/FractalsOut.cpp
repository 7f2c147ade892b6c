//===- FractalsOut.cpp - 310P: results from L0C into UB -------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/instructions/Cube.h"
#include "model/instructions/Quantize.h"
#include "model/instructions/Values.h"

#include <cstring>

using namespace belay::sim;

namespace {

union Word {
  float Float;
  int32_t Int;
};

/// One element of L0C as the destination wants it.
class Converter {
public:
  explicit Converter(const FractalsOut *F) : F(F) {}

  /// Column is the position in its row of 16, Block the block it belongs to:
  /// each has its own 16 words of a quantisation vector.
  void operator()(uint8_t *Dst, const uint8_t *Src, uint32_t Block,
                  uint32_t Column) const {
    if (F->SrcType == Elem::F16)
      return storeFloat(
          Dst, static_cast<float>(*reinterpret_cast<const F16 *>(Src)) *
                   halfScale(Block, Column));
    Word W;
    std::memcpy(&W, Src, sizeof(W));
    if (F->Quant == DequantMode::None && F->SrcType == F->DstType) {
      if (F->Relu && (F->SrcType == Elem::F32 ? W.Float < 0 : W.Int < 0))
        W.Int = 0;
      std::memcpy(Dst, &W, sizeof(W));
      return;
    }
    if (F->SrcType == Elem::F32)
      return storeFloat(Dst, W.Float);
    storeDequantised(Dst, W.Int, Block, Column);
  }

private:
  uint64_t bits(uint32_t Block, uint32_t Column) const {
    return F->QuantVector ? static_cast<const uint64_t *>(
                                F->QuantTensor)[uint64_t(Block) * 16 + Column]
                          : F->QuantScalar;
  }

  float halfScale(uint32_t Block, uint32_t Column) const {
    if (F->Quant != DequantMode::Half)
      return 1;
    uint16_t Raw = F->QuantVector
                       ? static_cast<const uint16_t *>(
                             F->QuantTensor)[uint64_t(Block) * 16 + Column]
                       : static_cast<uint16_t>(F->QuantScalar);
    return static_cast<float>(std::bit_cast<F16>(Raw));
  }

  void storeFloat(uint8_t *Dst, float V) const {
    if (F->Relu)
      V = std::max(V, 0.0F);
    if (F->DstType == Elem::F32)
      std::memcpy(Dst, &V, sizeof(V));
    else {
      F16 H = static_cast<F16>(V);
      std::memcpy(Dst, &H, sizeof(H));
    }
  }

  void storeDequantised(uint8_t *Dst, int32_t V, uint32_t Block,
                        uint32_t Column) const {
    if (F->Quant == DequantMode::Half)
      return storeFloat(Dst, static_cast<float>(V) * halfScale(Block, Column));
    QuantWord Q(bits(Block, Column));
    if (F->DstType == Elem::S16) {
      int32_t S = std::clamp(V >> Q.Shift, -32768, 32767);
      auto Short = static_cast<int16_t>(F->Relu ? std::max(S, 0) : S);
      std::memcpy(Dst, &Short, sizeof(Short));
      return;
    }
    float Scaled = static_cast<float>(Q.shifted(V)) * Q.Scale;
    if (F->Relu)
      Scaled = std::max(Scaled, 0.0F);
    if (bytesOf(F->DstType) == 1)
      *Dst = Q.toByte(Scaled);
    else
      storeFloat(Dst, Scaled);
  }

  const FractalsOut *F;
};

void checkTypes(Issue &I, const FractalsOut *F) {
  bool Same = F->SrcType == F->DstType && F->Quant == DequantMode::None &&
              (F->SrcType == Elem::F32 || F->SrcType == Elem::S32 ||
               F->SrcType == Elem::F16);
  bool Narrow = F->SrcType == Elem::F32 && F->DstType == Elem::F16 &&
                F->Quant == DequantMode::None;
  bool Half = F->Quant == DequantMode::Half && F->DstType == Elem::F16 &&
              (F->SrcType == Elem::S32 || F->SrcType == Elem::F16);
  bool Byte = F->Quant == DequantMode::B8 && F->SrcType == Elem::S32 &&
              (F->DstType == Elem::S8 || F->DstType == Elem::U8);
  bool Short = F->Quant == DequantMode::B16 && F->SrcType == Elem::S32 &&
               (F->DstType == Elem::F16 || F->DstType == Elem::S16);
  if (!(Same || Narrow || Half || Byte || Short))
    I.unsupported(F->DstType, F->SrcType);
}

} // namespace

void belay_sim_cube_fractals_out(const FractalsOut *F) {
  Issue I("DataCopy", on::cube_fractals_out, BELAY_PC, InstructionKind::Copy);
  if (I.dropped() || !F->Blocks || !F->BlockFractals)
    return;
  if (I.core().arch().hasFixpipe)
    fail("unsupported-api", I.pc(), "use Fixpipe",
         "DataCopy from L0C to UB does not exist on arch %u",
         I.core().machine().Arch);
  requireSpace(I, F->Src, "source", {Space::L0C});
  requireSpace(I, F->Dst, "destination", {Space::UB});
  checkTypes(I, F);
  uint32_t Rows = F->RowOnly ? 1 : FractalRows;
  uint32_t SrcCell = FractalRows * FractalRows * bytesOf(F->SrcType);
  uint32_t DstSize = bytesOf(F->DstType);
  // Bytes may fill whole blocks of 32, or one half of each.
  bool HalfBlocks = DstSize == 1 && F->StoreMode != 2;
  uint32_t DstRow = HalfBlocks ? BlockBytes : FractalRows * DstSize;
  uint32_t DstFirst = HalfBlocks && F->StoreMode == 1 ? 16 : 0;
  uint64_t DstBlock = product(F->BlockFractals, Rows, DstRow);
  int64_t SrcStride = (int64_t(F->BlockFractals) + F->SrcGapFractals) * SrcCell;
  int64_t DstStride = int64_t(DstBlock) + F->DstGapBytes;
  I.read(F->Src, {product(F->BlockFractals, SrcCell), F->Blocks, SrcStride},
         F->SrcType, 64);
  if (F->QuantVector) {
    requireLocal(I, F->QuantTensor, "parameters");
    I.read(F->QuantTensor,
           {product(F->Blocks, 16u, F->Quant == DequantMode::Half ? 2u : 8u)},
           Elem::U64);
  }
  I.write(F->Dst, {DstBlock, F->Blocks, DstStride}, F->DstType);
  // Calls Visit(To, From, Block, Column) for each element.
  auto ForEachElement = [=](auto Visit) {
    for (uint32_t B = 0; B < F->Blocks; ++B)
      for (uint64_t C = 0; C < F->BlockFractals; ++C)
        for (uint32_t R = 0; R < Rows; ++R)
          for (uint32_t N = 0; N < FractalRows; ++N)
            Visit(static_cast<uint8_t *>(F->Dst) + B * DstStride +
                      (C * Rows + R) * DstRow + DstFirst +
                      uint64_t(N) * DstSize,
                  static_cast<const uint8_t *>(F->Src) + B * SrcStride +
                      C * SrcCell +
                      (uint64_t(R) * FractalRows + N) * bytesOf(F->SrcType),
                  B, N);
  };
  I.originsBy([=](auto &Tell) {
    ForEachElement([&](uint8_t *To, const uint8_t *From, uint32_t, uint32_t) {
      Tell(bytesOrigin(To, DstSize, From, bytesOf(F->SrcType)));
    });
  });
  if (I.later(belay_sim_cube_fractals_out, F))
    return;
  ForEachElement(Converter(F));
}
