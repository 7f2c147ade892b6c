//===- register/compute.h - What registers compute --------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// None of these touches memory.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_REGISTER_COMPUTE_H
#define BELAY_ASCENDC_API_REGISTER_COMPUTE_H

#include "api/register/moves.h"

namespace AscendC::MicroAPI {

// --- one source --------------------------------------------------------------
#define BELAY_REGISTER_UNARY(Name)                                             \
  template <class T = DefaultType, auto Mode = MaskMergeMode::ZEROING,         \
            class D, class S>                                                  \
  BELAY_API void Name(D &, S &, const MaskReg &) {                             \
    belay_sim_register_operation(#Name);                                       \
  }                                                                            \
  template <class T, class U, auto Mode = MaskMergeMode::ZEROING, class D,     \
            class S>                                                           \
  BELAY_API void Name(D &, S &, const MaskReg &) {                             \
    belay_sim_register_operation(#Name);                                       \
  }
BELAY_REGISTER_UNARY(Abs)
BELAY_REGISTER_UNARY(Exp)
BELAY_REGISTER_UNARY(Ln)
BELAY_REGISTER_UNARY(Log)
BELAY_REGISTER_UNARY(Log2)
BELAY_REGISTER_UNARY(Log10)
BELAY_REGISTER_UNARY(Neg)
BELAY_REGISTER_UNARY(Not)
BELAY_REGISTER_UNARY(Relu)
BELAY_REGISTER_UNARY(Sqrt)
#undef BELAY_REGISTER_UNARY

template <class T = DefaultType, RoundMode Round = RoundMode::CAST_NONE,
          MaskMergeMode Mode = MaskMergeMode::ZEROING, class R>
BELAY_API void Truncate(R &, R &, const MaskReg &) {
  belay_sim_register_operation("Truncate");
}
template <class T = DefaultType, class U = DefaultType,
          const CastTrait &Trait = castTrait, class D, class S>
BELAY_API void Cast(D &, S &, const MaskReg &) {
  belay_sim_register_operation("Cast");
}

// --- two sources -------------------------------------------------------------
#define BELAY_REGISTER_BINARY(Name)                                            \
  template <class T = DefaultType, auto Mode = MaskMergeMode::ZEROING,         \
            class D, class S, class R>                                         \
  BELAY_API void Name(D &, S &, R &, const MaskReg &) {                        \
    belay_sim_register_operation(#Name);                                       \
  }                                                                            \
  template <class T, class U, auto Mode = MaskMergeMode::ZEROING, class D,     \
            class S, class R>                                                  \
  BELAY_API void Name(D &, S &, R &, const MaskReg &) {                        \
    belay_sim_register_operation(#Name);                                       \
  }
BELAY_REGISTER_BINARY(Add)
BELAY_REGISTER_BINARY(AbsSub)
BELAY_REGISTER_BINARY(And)
BELAY_REGISTER_BINARY(Div)
BELAY_REGISTER_BINARY(FusedAbsSub)
BELAY_REGISTER_BINARY(FusedMulDstAdd)
BELAY_REGISTER_BINARY(FusedExpSub)
BELAY_REGISTER_BINARY(Max)
BELAY_REGISTER_BINARY(Min)
BELAY_REGISTER_BINARY(Mul)
BELAY_REGISTER_BINARY(Mula)
BELAY_REGISTER_BINARY(MulAddDst)
BELAY_REGISTER_BINARY(MulDstAdd)
BELAY_REGISTER_BINARY(Or)
BELAY_REGISTER_BINARY(Prelu)
BELAY_REGISTER_BINARY(ShiftLeft)
BELAY_REGISTER_BINARY(ShiftRight)
BELAY_REGISTER_BINARY(Sub)
BELAY_REGISTER_BINARY(Xor)
#undef BELAY_REGISTER_BINARY
// A vector and a scalar.
#define BELAY_REGISTER_SCALAR(Name)                                            \
  template <class T = DefaultType, auto Mode = MaskMergeMode::ZEROING,         \
            class D, class S, class U, class = void>                           \
  BELAY_API void Name(D &, S &, U &&, const MaskReg &) {                       \
    belay_sim_register_operation(#Name);                                       \
  }                                                                            \
  template <class T, class V, auto Mode = MaskMergeMode::ZEROING, class D,     \
            class S, class U, class = void>                                    \
  BELAY_API void Name(D &, S &, U &&, const MaskReg &) {                       \
    belay_sim_register_operation(#Name);                                       \
  }
BELAY_REGISTER_SCALAR(Adds)
BELAY_REGISTER_SCALAR(Axpy)
BELAY_REGISTER_SCALAR(LeakyRelu)
BELAY_REGISTER_SCALAR(Maxs)
BELAY_REGISTER_SCALAR(Mins)
BELAY_REGISTER_SCALAR(Muls)
BELAY_REGISTER_SCALAR(ShiftLefts)
BELAY_REGISTER_SCALAR(ShiftRights)
BELAY_REGISTER_SCALAR(Subs)
#undef BELAY_REGISTER_SCALAR

#define BELAY_REGISTER_CARRY(Name)                                             \
  template <class T = DefaultType, class R, class... More>                     \
  BELAY_API void Name(MaskReg &, R &, R &, More &&...) {                       \
    belay_sim_register_operation(#Name);                                       \
  }
BELAY_REGISTER_CARRY(AddC)
BELAY_REGISTER_CARRY(SubC)
BELAY_REGISTER_CARRY(AddCarryOut)
BELAY_REGISTER_CARRY(AddCarryOuts)
BELAY_REGISTER_CARRY(SubCarryOut)
BELAY_REGISTER_CARRY(SubCarryOuts)
#undef BELAY_REGISTER_CARRY
template <class T = DefaultType, class R>
BELAY_API void Add(MaskReg &, R &, R &, R &, const MaskReg &) {
  belay_sim_register_operation("Add");
}
template <class T = DefaultType, class R>
BELAY_API void Sub(MaskReg &, R &, R &, R &, const MaskReg &) {
  belay_sim_register_operation("Sub");
}
template <class T = DefaultType, class R>
BELAY_API void Mull(R &, R &, R &, R &, const MaskReg &) {
  belay_sim_register_operation("Mull");
}
template <class T = DefaultType, class U = DefaultType,
          RegLayout Layout = RegLayout::ZERO,
          MaskMergeMode Mode = MaskMergeMode::ZEROING, class D, class S>
BELAY_API void ExpSub(D &, S &, S &, const MaskReg &) {
  belay_sim_register_operation("ExpSub");
}
template <class T = DefaultType, class U = DefaultType, class V,
          RegLayout Layout = RegLayout::ZERO, class D, class S>
BELAY_API void MulsCast(D &, S &, V, const MaskReg &) {
  belay_sim_register_operation("MulsCast");
}

// --- comparisons -------------------------------------------------------------
template <class T = DefaultType, CMPMODE Mode = CMPMODE::EQ, class R>
BELAY_API void Compare(MaskReg &, R &, R &, const MaskReg &) {
  belay_sim_register_operation("Compare");
}
template <class T = DefaultType, CMPMODE Mode = CMPMODE::EQ, class R, class S>
BELAY_API void Compares(MaskReg &, R &, S, const MaskReg &) {
  belay_sim_register_operation("Compares");
}
template <class T = DefaultType, CMPMODE Mode = CMPMODE::EQ, class R, class S>
BELAY_API void CompareScalar(MaskReg &, R &, S, const MaskReg &) {
  belay_sim_register_operation("CompareScalar");
}
template <class T = DefaultType, class R>
BELAY_API void Select(R &, R &, R &, const MaskReg &) {
  belay_sim_register_operation("Select");
}

// --- filling and moving ------------------------------------------------------
template <class T = DefaultType, class U, class D>
BELAY_API void Duplicate(D &, const U &) {
  belay_sim_register_operation("Duplicate");
}
template <class T = DefaultType, auto Mode = MaskMergeMode::ZEROING, class U,
          class D>
BELAY_API void Duplicate(D &, const U &, const MaskReg &) {
  belay_sim_register_operation("Duplicate");
}
template <class T, HighLowPart Part, MaskMergeMode Mode, class D, class S>
BELAY_API void Duplicate(D &, S &, const MaskReg &) {
  belay_sim_register_operation("Duplicate");
}
template <class T = DefaultType, IndexOrder Order = IndexOrder::INCREASE_ORDER,
          class U, class D>
BELAY_API void Arange(D &, const U &) {
  belay_sim_register_operation("Arange");
}
#define BELAY_REGISTER_MOVE(Name)                                              \
  template <class T = DefaultType,                                             \
            MaskMergeMode Mode = MaskMergeMode::MERGING, class D, class S>     \
  BELAY_API void Name(D &, S &, const MaskReg &) {                             \
    belay_sim_register_operation(#Name);                                       \
  }                                                                            \
  template <class T = DefaultType, class D, class S>                           \
  BELAY_API void Name(D &, S &) {                                              \
    belay_sim_register_operation(#Name);                                       \
  }
BELAY_REGISTER_MOVE(Copy)
BELAY_REGISTER_MOVE(Move)
BELAY_REGISTER_MOVE(MaskMov)
#undef BELAY_REGISTER_MOVE
#define BELAY_REGISTER_PACK(Name)                                              \
  template <class T, class U = DefaultType,                                    \
            HighLowPart Part = HighLowPart::LOWEST, class D, class S>          \
  BELAY_API void Name(D &, S &) {                                              \
    belay_sim_register_operation(#Name);                                       \
  }                                                                            \
  template <HighLowPart Part = HighLowPart::LOWEST, class D, class S>          \
  BELAY_API void Name(D &, S &) {                                              \
    belay_sim_register_operation(#Name);                                       \
  }
BELAY_REGISTER_PACK(Pack)
BELAY_REGISTER_PACK(UnPack)
BELAY_REGISTER_PACK(MaskPack)
BELAY_REGISTER_PACK(MaskUnPack)
#undef BELAY_REGISTER_PACK
#define BELAY_REGISTER_PAIRS(Name)                                             \
  template <class T = DefaultType, class R>                                    \
  BELAY_API void Name(R &, R &, R &, R &) {                                    \
    belay_sim_register_operation(#Name);                                       \
  }
BELAY_REGISTER_PAIRS(Interleave)
BELAY_REGISTER_PAIRS(DeInterleave)
BELAY_REGISTER_PAIRS(MaskInterleave)
BELAY_REGISTER_PAIRS(MaskDeInterleave)
#undef BELAY_REGISTER_PAIRS
template <class T = DefaultType, class U = DefaultType, class D, class X>
BELAY_API void Gather(D &, D &, X &) {
  belay_sim_register_operation("Gather");
}
template <class T = DefaultType,
          GatherMaskMode Store = GatherMaskMode::NO_STORE_REG, class D, class S>
BELAY_API void GatherMask(D &, S &, const MaskReg &) {
  belay_sim_register_operation("GatherMask");
}
template <class T = DefaultType,
          GatherMaskMode Store = GatherMaskMode::NO_STORE_REG, class D, class S>
BELAY_API void Squeeze(D &, S &, const MaskReg &) {
  belay_sim_register_operation("Squeeze");
}
template <class T = DefaultType, class D>
BELAY_API void Unsqueeze(D &, const MaskReg &) {
  belay_sim_register_operation("Unsqueeze");
}

// --- over all lanes ----------------------------------------------------------
template <auto Type = ReduceType::SUM, class T = DefaultType,
          class U = DefaultType, MaskMergeMode Mode = MaskMergeMode::ZEROING,
          class D, class S>
BELAY_API void Reduce(D &, const S &, const MaskReg &) {
  belay_sim_register_operation("Reduce");
}
template <auto Type = ReduceType::SUM, class T = DefaultType,
          MaskMergeMode Mode = MaskMergeMode::ZEROING, class D, class S>
BELAY_API void ReduceDataBlock(D &, const S &, const MaskReg &) {
  belay_sim_register_operation("ReduceDataBlock");
}
template <auto Type = PairReduce::SUM, class T = DefaultType,
          MaskMergeMode Mode = MaskMergeMode::ZEROING, class D, class S>
BELAY_API void PairReduceElem(D &, const S &, const MaskReg &) {
  belay_sim_register_operation("PairReduceElem");
}
#define BELAY_REGISTER_REDUCE(Name)                                            \
  template <class T = DefaultType, class U = DefaultType,                      \
            MaskMergeMode Mode = MaskMergeMode::ZEROING, class D, class S>     \
  BELAY_API void Name(D &, S &, const MaskReg &) {                             \
    belay_sim_register_operation(#Name);                                       \
  }
BELAY_REGISTER_REDUCE(ReduceSum)
BELAY_REGISTER_REDUCE(ReduceMax)
BELAY_REGISTER_REDUCE(ReduceMin)
BELAY_REGISTER_REDUCE(ReduceSumWithDataBlock)
BELAY_REGISTER_REDUCE(ReduceMaxWithDataBlock)
BELAY_REGISTER_REDUCE(ReduceMinWithDataBlock)
BELAY_REGISTER_REDUCE(PairReduceSum)
#undef BELAY_REGISTER_REDUCE
template <class T = DefaultType, class U = DefaultType,
          HistogramsBinType Bin = HistogramsBinType::BIN0,
          HistogramsType Type = HistogramsType::FREQUENCY, class D, class S>
BELAY_API void Histograms(D &, S &, const MaskReg &) {
  belay_sim_register_operation("Histograms");
}

// --- masks -------------------------------------------------------------------
#define BELAY_MASK_BINARY(Name)                                                \
  BELAY_API void Name(MaskReg &, const MaskReg &, const MaskReg &,             \
                      const MaskReg &) {                                       \
    belay_sim_register_operation(#Name);                                       \
  }
BELAY_MASK_BINARY(MaskAnd)
BELAY_MASK_BINARY(MaskOr)
BELAY_MASK_BINARY(MaskXor)
BELAY_MASK_BINARY(MaskSel)
#undef BELAY_MASK_BINARY
BELAY_API void MaskNot(MaskReg &, const MaskReg &, const MaskReg &) {
  belay_sim_register_operation("MaskNot");
}
template <class T = DefaultType, int16_t Offset, class R>
BELAY_API void MaskGenWithRegTensor(MaskReg &, R &) {
  belay_sim_register_operation("MaskGenWithRegTensor");
}

} // namespace AscendC::MicroAPI

#endif // BELAY_ASCENDC_API_REGISTER_COMPUTE_H
