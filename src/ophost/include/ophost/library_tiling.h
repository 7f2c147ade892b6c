//===- library_tiling.h - Tiling of library routines ------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPHOST_LIBRARY_TILING_H
#define BELAY_OPHOST_LIBRARY_TILING_H

#include "ophost/graph.h"
#include "ophost/platform.h"
#include "ophost/tiling_data.h"

#include <algorithm>

namespace optiling {

#define BELAY_TILING(Class)                                                    \
  class Class : public TilingDef {                                             \
  public:                                                                      \
    const char *GetTilingClassName() const override { return #Class; }         \
    bool isLibrary() const override { return true; }
#define BELAY_TILING_FIELD(Type, Name) TILING_DATA_FIELD_DEF(Type, Name)
#define BELAY_TILING_END(Class)                                                \
  }                                                                            \
  ;
#include "abi/LibraryTilings.def"

} // namespace optiling

namespace AscendC {

using TensorShape = ge::Shape;

//===----------------------------------------------------------------------===//
// Scratch space of element-wise routines
//===----------------------------------------------------------------------===//
//
// The simulated routines need no scratch space. What is answered here is room
// for four copies of the source, or of one repeat of 256 bytes: the order of
// what the device's routines ask for, so that tiles come out of similar size.

namespace belay_detail {
inline void scratch(uint64_t Elements, uint32_t TypeBytes, uint32_t &Max,
                    uint32_t &Min) {
  constexpr uint64_t Copies = 4, Repeat = 256;
  uint64_t Bytes = (Elements * TypeBytes + Repeat - 1) / Repeat * Repeat;
  Min = static_cast<uint32_t>(Copies * Repeat);
  Max = static_cast<uint32_t>(std::max(Copies * Bytes, Copies * Repeat));
}
} // namespace belay_detail

#define BELAY_SCRATCH(Name)                                                    \
  inline void Get##Name##MaxMinTmpSize(const TensorShape &Shape,               \
                                       uint32_t TypeBytes, bool,               \
                                       uint32_t &Max, uint32_t &Min) {         \
    belay_detail::scratch(Shape.GetShapeSize(), TypeBytes, Max, Min);          \
  }                                                                            \
  inline void Get##Name##TmpBufferFactorSize(uint32_t, uint32_t &Live,         \
                                             uint32_t &Extra) {                \
    Live = 4;                                                                  \
    Extra = 0;                                                                 \
  }
BELAY_SCRATCH(Acos)
BELAY_SCRATCH(Acosh)
BELAY_SCRATCH(Asin)
BELAY_SCRATCH(Asinh)
BELAY_SCRATCH(Atan)
BELAY_SCRATCH(Atanh)
BELAY_SCRATCH(Axpy)
BELAY_SCRATCH(Ceil)
BELAY_SCRATCH(Clamp)
BELAY_SCRATCH(Cos)
BELAY_SCRATCH(Cosh)
BELAY_SCRATCH(Digamma)
BELAY_SCRATCH(Erf)
BELAY_SCRATCH(Erfc)
BELAY_SCRATCH(Floor)
BELAY_SCRATCH(Fmod)
BELAY_SCRATCH(Frac)
BELAY_SCRATCH(Hypot)
BELAY_SCRATCH(Lgamma)
BELAY_SCRATCH(Log)
BELAY_SCRATCH(Log2)
BELAY_SCRATCH(Log10)
BELAY_SCRATCH(Sigmoid)
BELAY_SCRATCH(Sign)
BELAY_SCRATCH(Silu)
BELAY_SCRATCH(Sin)
BELAY_SCRATCH(Sinh)
BELAY_SCRATCH(Swish)
BELAY_SCRATCH(Tan)
BELAY_SCRATCH(Tanh)
BELAY_SCRATCH(Trunc)
BELAY_SCRATCH(Xor)
BELAY_SCRATCH(Gelu)
BELAY_SCRATCH(ReGlu)
BELAY_SCRATCH(GeGLU)
#undef BELAY_SCRATCH

/// The only one with its results before the last argument.
inline void GetSwiGLUMaxMinTmpSize(const TensorShape &Shape, uint32_t TypeBytes,
                                   uint32_t &Max, uint32_t &Min, bool) {
  belay_detail::scratch(Shape.GetShapeSize(), TypeBytes, Max, Min);
}
inline void GetSwiGLUTmpBufferFactorSize(uint32_t, uint32_t &Live,
                                         uint32_t &Extra) {
  Live = 4;
  Extra = 0;
}

inline void GetPowerMaxMinTmpSize(const TensorShape &A, const TensorShape &B,
                                  bool, uint32_t TypeBytes, bool, uint32_t &Max,
                                  uint32_t &Min) {
  belay_detail::scratch(std::max(A.GetShapeSize(), B.GetShapeSize()), TypeBytes,
                        Max, Min);
}
inline void GetExpMaxMinTmpSize(const TensorShape &Shape, uint32_t TypeBytes,
                                bool, uint32_t &Max, uint32_t &Min) {
  belay_detail::scratch(Shape.GetShapeSize(), TypeBytes, Max, Min);
}
inline void GetMeanMaxMinTmpSize(uint32_t Elements, uint32_t TypeBytes,
                                 uint32_t SumBytes, bool, uint32_t &Max,
                                 uint32_t &Min) {
  belay_detail::scratch(Elements, std::max(TypeBytes, SumBytes), Max, Min);
}
inline void GetSumMaxMinTmpSize(uint32_t Elements, uint32_t TypeBytes, bool,
                                uint32_t &Max, uint32_t &Min) {
  belay_detail::scratch(Elements, TypeBytes, Max, Min);
}

} // namespace AscendC

// A tiling T is a class of optiling, or a structure of AscendC::tiling.
#define BELAY_PUT(Tiling, Field, Value)                                        \
  if constexpr (std::is_base_of_v<optiling::TilingDef,                         \
                                  std::decay_t<decltype(Tiling)>>)             \
    Tiling.set_##Field(Value);                                                 \
  else                                                                         \
    Tiling.Field = Value
#include "ophost/matmul_tiling.h"
#include "ophost/softmax_tiling.h"

#include "ophost/routine_tiling.h"
#undef BELAY_PUT

#endif // BELAY_OPHOST_LIBRARY_TILING_H
