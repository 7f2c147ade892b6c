//===- RowConverter.h - Rows of results in the type they leave in -*- C++
//-*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MODEL_INSTRUCTIONS_ROWCONVERTER_H
#define BELAY_MODEL_INSTRUCTIONS_ROWCONVERTER_H

#include "model/instructions/Cube.h"
#include "model/instructions/Quantize.h"
#include "model/instructions/Values.h"

#include <cstring>
#include <vector>

namespace belay::sim {

/// How the numbers of a result change on their way out.
struct Conversion {
  Elem From = Elem::F32, To = Elem::F32;
  QuantMode Mode = QuantMode::None;
  bool Vector = false;
  uint64_t Scalar = 0;
  const void *Tensor = nullptr; // a word per column
  bool Relu = false;

  /// Whether Mode leads from From to To.
  bool known() const;
};

/// Converts rows of float or int32_t.
class RowConverter {
public:
  RowConverter(const Conversion &How, uint32_t Columns)
      : How(How), Row(Columns), Out(size_t(Columns) * bytesOf(How.To)) {}

  /// Columns [Begin, Begin + Count) of a row that lies in pieces of 16
  /// elements, PieceStride bytes apart.
  const uint8_t *convert(const uint8_t *RowStart, size_t PieceStride,
                         uint32_t Begin, uint32_t Count);

private:
  union Word {
    float Float;
    int32_t Int;
  };

  void gather(const uint8_t *RowStart, size_t PieceStride, uint32_t Begin,
              uint32_t Count);
  QuantWord word(uint32_t Column) const {
    uint64_t Bits = How.Scalar;
    if (How.Vector) // in global memory words lie anywhere
      std::memcpy(&Bits,
                  static_cast<const uint8_t *>(How.Tensor) + size_t(Column) * 8,
                  sizeof(Bits));
    return QuantWord(Bits);
  }
  float scaled(uint32_t N, const QuantWord &Q) const {
    float V = How.From == Elem::F32 ? Row[N].Float
                                    : static_cast<float>(Q.shifted(Row[N].Int));
    return V * Q.shortScale();
  }
  template <typename Fn> void store(uint32_t Count, Fn Value);

  Conversion How;
  std::vector<Word> Row;
  std::vector<uint8_t> Out;
};

} // namespace belay::sim

#endif // BELAY_MODEL_INSTRUCTIONS_ROWCONVERTER_H
