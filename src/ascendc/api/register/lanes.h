//===- register/lanes.h - Lanes that move, sums over lanes, masks *- C++
//-*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_REGISTER_LANES_H
#define BELAY_ASCENDC_API_REGISTER_LANES_H

#include "api/register/compute.h"

namespace AscendC::MicroAPI {

// --- filling and moving ------------------------------------------------------
template <class T = DefaultType, class U, class D,
          belay_detail::IfScalar<U> = 0>
BELAY_API void Duplicate(D &dst, const U &scalar) {
  BELAY_REGISTER_BODY(
      auto c = belay_detail::compute(belay_detail::RegisterOp::FillScalar, dst);
      c.Scalar = belay_detail::scalarBits<belay_detail::Element<D>>(scalar);
      belay_detail::issue(c);)
}
template <class T = DefaultType, MaskMergeMode Mode = MaskMergeMode::ZEROING,
          class U, class D, belay_detail::IfScalar<U> = 0>
BELAY_API void Duplicate(D &dst, const U &scalar, const MaskReg &mask) {
  BELAY_REGISTER_BODY(
      auto c = belay_detail::compute(belay_detail::RegisterOp::FillScalar, dst);
      c.Scalar = belay_detail::scalarBits<belay_detail::Element<D>>(scalar);
      c.Merge = belay_detail::merges<Mode>(); c.Mask = mask.name();
      belay_detail::issue(c);)
}
template <class T = DefaultType, HighLowPart Part = HighLowPart::LOWEST,
          MaskMergeMode Mode = MaskMergeMode::ZEROING, class D, class S,
          belay_detail::IfRegister<S> = 0>
BELAY_API void Duplicate(D &dst, const S &src, const MaskReg &mask) {
  static_assert(Part == HighLowPart::LOWEST, "only the lowest element");
  BELAY_REGISTER_BODY(
      auto c = belay_detail::compute(belay_detail::RegisterOp::FillLowest, dst);
      c.Src0 = src.name(); c.Merge = belay_detail::merges<Mode>();
      c.Mask = mask.name(); belay_detail::issue(c);)
}
template <class T = DefaultType, IndexOrder Order = IndexOrder::INCREASE_ORDER,
          class U, class D>
BELAY_API void Arange(D &dst, const U &scalar) {
  BELAY_REGISTER_BODY(
      auto c = belay_detail::compute(belay_detail::RegisterOp::Arange, dst);
      c.Scalar = belay_detail::scalarBits<belay_detail::Element<D>>(scalar);
      c.High = Order == IndexOrder::DECREASE_ORDER; belay_detail::issue(c);)
}
// With a mask, what it leaves out stays.
#define BELAY_REGISTER_MOVE(Name)                                              \
  template <class T = DefaultType,                                             \
            MaskMergeMode Mode = MaskMergeMode::MERGING, class D, class S,     \
            belay_detail::IfRegister<D> = 0>                                   \
  BELAY_API void Name(D &dst, S &src, const MaskReg &mask) {                   \
    static_assert(Mode == MaskMergeMode::MERGING,                              \
                  "this function has MaskMergeMode::MERGING only");            \
    BELAY_REGISTER_BODY(                                                       \
        auto c = belay_detail::compute(belay_detail::RegisterOp::Copy, dst);   \
        c.Src0 = src.name(); c.Merge = true; c.Mask = mask.name();             \
        belay_detail::issue(c);)                                               \
  }                                                                            \
  template <class T = DefaultType, class D, class S,                           \
            belay_detail::IfRegister<D> = 0>                                   \
  BELAY_API void Name(D &dst, S &src) {                                        \
    BELAY_REGISTER_BODY(                                                       \
        auto c = belay_detail::compute(belay_detail::RegisterOp::Copy, dst);   \
        c.Src0 = src.name(); belay_detail::issue(c);)                          \
  }
BELAY_REGISTER_MOVE(Copy)
BELAY_REGISTER_MOVE(Move)
#undef BELAY_REGISTER_MOVE
#define BELAY_REGISTER_PACK(Name)                                              \
  template <class T = DefaultType, class U = DefaultType,                      \
            HighLowPart Part = HighLowPart::LOWEST, class D, class S,          \
            belay_detail::IfRegister<D> = 0>                                   \
  BELAY_API void Name(D &dst, S &src) {                                        \
    BELAY_REGISTER_BODY(                                                       \
        auto c =                                                               \
            belay_detail::between(belay_detail::RegisterOp::Name, dst, src);   \
        c.High = Part == HighLowPart::HIGHEST; belay_detail::issue(c);)        \
  }
BELAY_REGISTER_PACK(Pack)
BELAY_REGISTER_PACK(UnPack)
#undef BELAY_REGISTER_PACK
#define BELAY_REGISTER_PAIRS(Name)                                             \
  template <class T = DefaultType, class R, belay_detail::IfRegister<R> = 0>   \
  BELAY_API void Name(R &dst0, R &dst1, R &src0, R &src1) {                    \
    BELAY_REGISTER_BODY(                                                       \
        auto c = belay_detail::compute(belay_detail::RegisterOp::Name, dst0);  \
        c.Dst1 = dst1.name(); c.Src0 = src0.name(); c.Src1 = src1.name();      \
        belay_detail::issue(c);)                                               \
  }
BELAY_REGISTER_PAIRS(Interleave)
BELAY_REGISTER_PAIRS(DeInterleave)
#undef BELAY_REGISTER_PAIRS
template <class T = DefaultType, class U = DefaultType, class D, class X,
          belay_detail::IfRegister<X> = 0>
BELAY_API void Gather(D &dst, D &src, X &index) {
  BELAY_REGISTER_BODY(auto c = belay_detail::between(
                          belay_detail::RegisterOp::GatherLanes, dst, index);
                      c.Src0 = src.name(); c.Src1 = index.name();
                      belay_detail::issue(c);)
}
#define BELAY_SQUEEZE(Name)                                                    \
  template <class T = DefaultType,                                             \
            GatherMaskMode Store = GatherMaskMode::NO_STORE_REG, class D,      \
            class S>                                                           \
  BELAY_API void Name(D &dst, S &src, const MaskReg &mask) {                   \
    BELAY_REGISTER_BODY(                                                       \
        auto c =                                                               \
            belay_detail::compute(belay_detail::RegisterOp::Squeeze, dst);     \
        c.Src0 = src.name(); c.Mask = mask.name();                             \
        c.High = Store == GatherMaskMode::STORE_REG; belay_detail::issue(c);)  \
  }
BELAY_SQUEEZE(Squeeze)
BELAY_SQUEEZE(GatherMask)
#undef BELAY_SQUEEZE
template <class T = DefaultType, class D>
BELAY_API void Unsqueeze(D &dst, const MaskReg &mask) {
  BELAY_REGISTER_BODY(
      auto c = belay_detail::compute(belay_detail::RegisterOp::Unsqueeze, dst);
      c.Mask = mask.name(); belay_detail::issue(c);)
}

// --- over all lanes ----------------------------------------------------------
namespace belay_detail {

constexpr belay::sim::ReduceOp reduceOf(ReduceType type) {
  return type == ReduceType::SUM   ? belay::sim::ReduceOp::Sum
         : type == ReduceType::MAX ? belay::sim::ReduceOp::Max
                                   : belay::sim::ReduceOp::Min;
}
template <class D, class S>
BELAY_API void reduce(RegisterOp op, ReduceType type, D &dst, const S &src,
                      const MaskReg &mask) {
  RegisterCompute c = between(op, dst, src);
  c.Reduce = reduceOf(type);
  c.Mask = mask.name();
  issue(c);
}

} // namespace belay_detail

template <ReduceType Type = ReduceType::SUM, class T = DefaultType,
          class U = DefaultType, MaskMergeMode Mode = MaskMergeMode::ZEROING,
          class D, class S>
BELAY_API void Reduce(D &dst, const S &src, const MaskReg &mask) {
  belay_detail::checkMerging<Mode>();
  BELAY_REGISTER_BODY(belay_detail::reduce(belay_detail::RegisterOp::ReduceAll,
                                           Type, dst, src, mask);)
}
template <ReduceType Type = ReduceType::SUM, class T = DefaultType,
          MaskMergeMode Mode = MaskMergeMode::ZEROING, class D, class S>
BELAY_API void ReduceDataBlock(D &dst, const S &src, const MaskReg &mask) {
  belay_detail::checkMerging<Mode>();
  BELAY_REGISTER_BODY(
      belay_detail::reduce(belay_detail::RegisterOp::ReduceBlock, Type, dst,
                           src, mask);)
}
template <PairReduce Type = PairReduce::SUM, class T = DefaultType,
          MaskMergeMode Mode = MaskMergeMode::ZEROING, class D, class S>
BELAY_API void PairReduceElem(D &dst, const S &src, const MaskReg &mask) {
  belay_detail::checkMerging<Mode>();
  BELAY_REGISTER_BODY(belay_detail::reduce(belay_detail::RegisterOp::ReducePair,
                                           ReduceType::SUM, dst, src, mask);)
}
// Their older names.
#define BELAY_REGISTER_REDUCE(Name, Op, Type)                                  \
  template <class T = DefaultType, class U = DefaultType,                      \
            MaskMergeMode Mode = MaskMergeMode::ZEROING, class D, class S>     \
  BELAY_API void Name(D &dst, const S &src, const MaskReg &mask) {             \
    belay_detail::checkMerging<Mode>();                                        \
    BELAY_REGISTER_BODY(belay_detail::reduce(belay_detail::RegisterOp::Op,     \
                                             ReduceType::Type, dst, src,       \
                                             mask);)                           \
  }
BELAY_REGISTER_REDUCE(ReduceSum, ReduceAll, SUM)
BELAY_REGISTER_REDUCE(ReduceMax, ReduceAll, MAX)
BELAY_REGISTER_REDUCE(ReduceMin, ReduceAll, MIN)
BELAY_REGISTER_REDUCE(ReduceSumWithDataBlock, ReduceBlock, SUM)
BELAY_REGISTER_REDUCE(ReduceMaxWithDataBlock, ReduceBlock, MAX)
BELAY_REGISTER_REDUCE(ReduceMinWithDataBlock, ReduceBlock, MIN)
BELAY_REGISTER_REDUCE(PairReduceSum, ReducePair, SUM)
#undef BELAY_REGISTER_REDUCE
template <class T = DefaultType, class U = DefaultType,
          HistogramsBinType Bin = HistogramsBinType::BIN0,
          HistogramsType Type = HistogramsType::FREQUENCY, class D, class S>
BELAY_API void Histograms(D &dst, S &src, const MaskReg &mask) {
  BELAY_REGISTER_BODY(auto c = belay_detail::between(
                          belay_detail::RegisterOp::Histogram, dst, src);
                      c.High = Bin == HistogramsBinType::BIN1;
                      c.Count = Type == HistogramsType::ACCUMULATE;
                      c.Mask = mask.name(); belay_detail::issue(c);)
}

// --- masks -------------------------------------------------------------------
namespace belay_detail {

BELAY_API void combine(RegisterOp op, MaskReg &dst, const MaskReg &src0,
                       const MaskReg *src1, const MaskReg *mask) {
  RegisterCompute c = compute(op, dst);
  c.Src0 = src0.name();
  c.Src1 = src1 ? src1->name() : nullptr;
  c.Mask = mask ? mask->name() : nullptr;
  issue(c);
}
template <class T>
BELAY_API void pairs(RegisterOp op, MaskReg &dst0, MaskReg &dst1,
                     const MaskReg &src0, const MaskReg &src1) {
  RegisterCompute c = compute(op, dst0);
  c.DstType = elem<T>;
  c.Dst1 = dst1.name();
  c.Src0 = src0.name();
  c.Src1 = src1.name();
  issue(c);
}

} // namespace belay_detail

#define BELAY_MASK_BINARY(Name, OldName)                                       \
  BELAY_API void OldName(MaskReg &dst, const MaskReg &src0,                    \
                         const MaskReg &src1, const MaskReg &mask) {           \
    BELAY_REGISTER_BODY(                                                       \
        belay_detail::combine(belay_detail::RegisterOp::Mask##Name, dst, src0, \
                              &src1, &mask);)                                  \
  }                                                                            \
  BELAY_API void Name(MaskReg &dst, const MaskReg &src0, const MaskReg &src1,  \
                      const MaskReg &mask) {                                   \
    OldName(dst, src0, src1, mask);                                            \
  }
BELAY_MASK_BINARY(And, MaskAnd)
BELAY_MASK_BINARY(Or, MaskOr)
BELAY_MASK_BINARY(Xor, MaskXor)
BELAY_MASK_BINARY(Select, MaskSel)
#undef BELAY_MASK_BINARY
BELAY_API void MaskNot(MaskReg &dst, const MaskReg &src, const MaskReg &mask) {
  BELAY_REGISTER_BODY(belay_detail::combine(belay_detail::RegisterOp::MaskNot,
                                            dst, src, nullptr, &mask);)
}
BELAY_API void Not(MaskReg &dst, const MaskReg &src, const MaskReg &mask) {
  MaskNot(dst, src, mask);
}
#define BELAY_MASK_MOVE(Name)                                                  \
  BELAY_API void Name(MaskReg &dst, const MaskReg &src, const MaskReg &mask) { \
    BELAY_REGISTER_BODY(                                                       \
        belay_detail::combine(belay_detail::RegisterOp::MaskCopy, dst, src,    \
                              nullptr, &mask);)                                \
  }                                                                            \
  BELAY_API void Name(MaskReg &dst, const MaskReg &src) {                      \
    BELAY_REGISTER_BODY(                                                       \
        belay_detail::combine(belay_detail::RegisterOp::MaskCopy, dst, src,    \
                              nullptr, nullptr);)                              \
  }
BELAY_MASK_MOVE(Move)
BELAY_MASK_MOVE(MaskMov)
#undef BELAY_MASK_MOVE
#define BELAY_MASK_PACK(Name, OldName)                                         \
  template <HighLowPart Part = HighLowPart::LOWEST>                            \
  BELAY_API void OldName(MaskReg &dst, const MaskReg &src) {                   \
    BELAY_REGISTER_BODY(                                                       \
        auto c =                                                               \
            belay_detail::compute(belay_detail::RegisterOp::Mask##Name, dst);  \
        c.Src0 = src.name(); c.High = Part == HighLowPart::HIGHEST;            \
        belay_detail::issue(c);)                                               \
  }                                                                            \
  template <HighLowPart Part = HighLowPart::LOWEST>                            \
  BELAY_API void Name(MaskReg &dst, const MaskReg &src) {                      \
    OldName<Part>(dst, src);                                                   \
  }
BELAY_MASK_PACK(Pack, MaskPack)
BELAY_MASK_PACK(UnPack, MaskUnPack)
#undef BELAY_MASK_PACK
#define BELAY_MASK_PAIRS(Name, OldName)                                        \
  template <class T>                                                           \
  BELAY_API void OldName(MaskReg &dst0, MaskReg &dst1, const MaskReg &src0,    \
                         const MaskReg &src1) {                                \
    BELAY_REGISTER_BODY(                                                       \
        belay_detail::pairs<T>(belay_detail::RegisterOp::Mask##Name, dst0,     \
                               dst1, src0, src1);)                             \
  }                                                                            \
  template <class T>                                                           \
  BELAY_API void Name(MaskReg &dst0, MaskReg &dst1, const MaskReg &src0,       \
                      const MaskReg &src1) {                                   \
    OldName<T>(dst0, dst1, src0, src1);                                        \
  }
BELAY_MASK_PAIRS(Interleave, MaskInterleave)
BELAY_MASK_PAIRS(DeInterleave, MaskDeInterleave)
#undef BELAY_MASK_PAIRS
template <class T = DefaultType, int16_t Offset, class R>
BELAY_API void MaskGenWithRegTensor(MaskReg &dst, R &src) {
  BELAY_REGISTER_BODY(auto c = belay_detail::compute(
                          belay_detail::RegisterOp::MaskOfRegister, src);
                      c.Dst = dst.name(); c.Src0 = src.name(); c.Count = Offset;
                      belay_detail::issue(c);)
}
template <class T, MaskPattern Mode = MaskPattern::ALL,
          const RegTrait &Trait = RegTraitNumOne>
BELAY_API MaskReg CreateMask() {
  MaskReg mask;
  BELAY_REGISTER_BODY(
      auto c =
          belay_detail::compute(belay_detail::RegisterOp::MaskPattern, mask);
      c.DstType = belay_detail::elem<T>; c.Two = Trait.REG_NUM == 2;
      c.Count = static_cast<uint32_t>(Mode); belay_detail::issue(c);)
  return mask;
}
/// What is left after a register's worth of elements.
template <class T, const RegTrait &Trait = RegTraitNumOne>
BELAY_API MaskReg UpdateMask(uint32_t &count) {
  constexpr uint32_t lanes = VECTOR_REG_WIDTH / sizeof(T) * Trait.REG_NUM;
  MaskReg mask;
#if defined(BELAY_STATIC)
  count = belay_sim_register_mask(count, lanes);
#else
  auto c = belay_detail::compute(belay_detail::RegisterOp::MaskCount, mask);
  c.DstType = belay_detail::elem<T>;
  c.Two = Trait.REG_NUM == 2;
  c.Count = count;
  belay_detail::issue(c);
  count = count > lanes ? count - lanes : 0;
#endif
  return mask;
}
template <class T> BELAY_API MaskReg MoveMask() {
  MaskReg mask;
  BELAY_REGISTER_BODY(
      auto c =
          belay_detail::compute(belay_detail::RegisterOp::MaskOfVector, mask);
      c.DstType = belay_detail::elem<T>; belay_detail::issue(c);)
  return mask;
}
template <SpecialPurposeReg Which> BELAY_API void ClearSpr() {
  BELAY_REGISTER_BODY(belay_detail::RegisterCompute c = {};
                      c.Op = belay_detail::RegisterOp::ClearAr;
                      belay_detail::issue(c);)
}
template <SpecialPurposeReg Which> BELAY_API int64_t GetSpr() {
  return belay_sim_register_ar();
}

} // namespace AscendC::MicroAPI

#endif // BELAY_ASCENDC_API_REGISTER_LANES_H
