//===- RowConverter.cpp - Rows of results in the type they leave in -------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/instructions/RowConverter.h"

namespace belay::sim {

bool Conversion::known() const {
  struct Kind {
    QuantMode Mode;
    Elem From, To;
  };
  static constexpr Kind Kinds[] = {
      {QuantMode::None, Elem::F32, Elem::F32},
      {QuantMode::None, Elem::S32, Elem::S32},
      {QuantMode::F32ToF16, Elem::F32, Elem::F16},
      {QuantMode::F32ToBF16, Elem::F32, Elem::BF16},
      {QuantMode::S32ToF16, Elem::S32, Elem::F16},
      {QuantMode::F32ToB8, Elem::F32, Elem::S8},
      {QuantMode::F32ToB8, Elem::F32, Elem::U8},
      {QuantMode::S32ToB8, Elem::S32, Elem::S8},
      {QuantMode::S32ToB8, Elem::S32, Elem::U8},
      {QuantMode::S32ToBF16, Elem::S32, Elem::BF16},
      {QuantMode::QuantF32ToF16, Elem::F32, Elem::F16},
      {QuantMode::QuantF32ToBF16, Elem::F32, Elem::BF16},
      {QuantMode::QuantF32ToF32, Elem::F32, Elem::F32},
  };
  for (const Kind &K : Kinds)
    if (K.Mode == Mode && K.From == From && K.To == To)
      return true;
  return false;
}

void RowConverter::gather(const uint8_t *RowStart, size_t PieceStride,
                          uint32_t Begin, uint32_t Count) {
  for (uint32_t N = 0; N < Count;) {
    uint32_t Column = Begin + N;
    uint32_t Take = std::min(Count - N, FractalRows - Column % FractalRows);
    std::memcpy(&Row[N],
                RowStart + Column / FractalRows * PieceStride +
                    Column % FractalRows * sizeof(Word),
                Take * sizeof(Word));
    N += Take;
  }
}

template <typename Fn> void RowConverter::store(uint32_t Count, Fn Value) {
  // Dequantised halves saturate; a plain cast keeps infinities.
  bool Saturate = How.Mode != QuantMode::F32ToF16;
  for (uint32_t N = 0; N < Count; ++N) {
    float V = Value(N);
    if (How.To == Elem::F32)
      reinterpret_cast<float *>(Out.data())[N] = V;
    else if (How.To == Elem::BF16)
      reinterpret_cast<BF16 *>(Out.data())[N] = BF16(V);
    else
      reinterpret_cast<F16 *>(Out.data())[N] =
          static_cast<F16>(Saturate ? std::clamp(V, -65504.0F, 65504.0F) : V);
  }
}

const uint8_t *RowConverter::convert(const uint8_t *RowStart,
                                     size_t PieceStride, uint32_t Begin,
                                     uint32_t Count) {
  gather(RowStart, PieceStride, Begin, Count);
  if (How.Relu)
    for (uint32_t N = 0; N < Count; ++N)
      if (How.From == Elem::F32 ? Row[N].Float < 0 : Row[N].Int < 0)
        Row[N].Int = 0;
  switch (How.Mode) {
  case QuantMode::None:
    std::memcpy(Out.data(), Row.data(), Count * sizeof(Word));
    break;
  case QuantMode::F32ToF16:
  case QuantMode::F32ToBF16:
    store(Count, [&](uint32_t N) { return Row[N].Float; });
    break;
  case QuantMode::F32ToB8:
  case QuantMode::S32ToB8:
    for (uint32_t N = 0; N < Count; ++N) {
      QuantWord Q = word(Begin + N);
      Out[N] = Q.toByte(scaled(N, Q));
    }
    break;
  default:
    store(Count, [&](uint32_t N) { return scaled(N, word(Begin + N)); });
  }
  return Out.data();
}

} // namespace belay::sim
