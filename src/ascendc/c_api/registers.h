//===- c_api/registers.h - Vector functions in C ----------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_C_API_REGISTERS_H
#define BELAY_ASCENDC_C_API_REGISTERS_H

#include "kernel_operator.h"

namespace belay_c {

namespace Reg = AscendC::MicroAPI;

/// A vector function in C is called like any other: it begins with the first of
/// its registers, and ends with the last.
class InFunction {
public:
  BELAY_API InFunction() { enter(); }
  BELAY_API InFunction(const InFunction &) { enter(); }
  BELAY_API InFunction &operator=(const InFunction &) { return *this; }
  BELAY_API ~InFunction() { leave(); }

private:
#if defined(BELAY_STATIC)
  BELAY_API void enter() {}
  BELAY_API void leave() {}
#else
  static inline thread_local uint32_t registers = 0;
  static inline thread_local bool begun = false;
  BELAY_API void enter() {
    if (registers++ || AscendC::belay_detail::inVectorFunction)
      return;
    belay_sim_vector_begin();
    begun = true;
  }
  BELAY_API void leave() {
    if (--registers || !begun)
      return;
    begun = false;
    belay_sim_vector_end();
  }
#endif
};

template <class T> class Vector : InFunction, public Reg::RegTensor<T> {
public:
  BELAY_API Vector() {}
  /// The same bits as elements of another type.
  template <class U> BELAY_API explicit Vector(const Vector<U> &from) {
    this->take(from.reg(), false);
  }
  /// As an operand; the functions of the classes take no constants.
  BELAY_API Reg::RegTensor<T> &reg() const {
    return const_cast<Vector &>(*this);
  }
};
class Mask : InFunction, public Reg::MaskReg {
public:
  BELAY_API Mask() {}
  BELAY_API Mask(const Reg::MaskReg &from) : Reg::MaskReg(from) {}
  BELAY_API Reg::MaskReg &reg() const { return const_cast<Mask &>(*this); }
};

template <class T> constexpr auto broadcast() {
  return sizeof(T) == 1   ? Reg::LoadDist::DIST_BRC_B8
         : sizeof(T) == 2 ? Reg::LoadDist::DIST_BRC_B16
                          : Reg::LoadDist::DIST_BRC_B32;
}
template <class T> constexpr auto upsample() {
  return sizeof(T) == 1 ? Reg::LoadDist::DIST_US_B8
                        : Reg::LoadDist::DIST_US_B16;
}
template <class T> constexpr auto unpack() {
  return sizeof(T) == 1   ? Reg::LoadDist::DIST_UNPACK_B8
         : sizeof(T) == 2 ? Reg::LoadDist::DIST_UNPACK_B16
                          : Reg::LoadDist::DIST_UNPACK_B32;
}
template <class T> constexpr auto pack() {
  return sizeof(T) == 2   ? Reg::StoreDist::DIST_PACK_B16
         : sizeof(T) == 4 ? Reg::StoreDist::DIST_PACK_B32
                          : Reg::StoreDist::DIST_PACK_B64;
}
inline constexpr auto Update = Reg::PostLiteral::POST_MODE_UPDATE;

} // namespace belay_c

using vector_bool = belay_c::Mask;
using vector_float = belay_c::Vector<float>;
using vector_half = belay_c::Vector<half>;
using vector_bfloat16_t = belay_c::Vector<bfloat16_t>;
using vector_int8_t = belay_c::Vector<int8_t>;
using vector_uint8_t = belay_c::Vector<uint8_t>;
using vector_int16_t = belay_c::Vector<int16_t>;
using vector_uint16_t = belay_c::Vector<uint16_t>;
using vector_int32_t = belay_c::Vector<int32_t>;
using vector_uint32_t = belay_c::Vector<uint32_t>;
using vector_int64_t = belay_c::Vector<int64_t>;
using vector_uint64_t = belay_c::Vector<uint64_t>;
using iter_reg = belay_c::Reg::AddrReg;

// --- masks -------------------------------------------------------------------
BELAY_API vector_bool asc_update_mask_b8(uint32_t &count) {
  return belay_c::Reg::UpdateMask<uint8_t>(count);
}
BELAY_API vector_bool asc_update_mask_b16(uint32_t &count) {
  return belay_c::Reg::UpdateMask<uint16_t>(count);
}
BELAY_API vector_bool asc_update_mask_b32(uint32_t &count) {
  return belay_c::Reg::UpdateMask<uint32_t>(count);
}
#define BELAY_C_PATTERN(Name)                                                  \
  inline constexpr auto PAT_##Name = belay_c::Reg::MaskPattern::Name;
BELAY_C_PATTERN(ALL)
BELAY_C_PATTERN(VL1)
BELAY_C_PATTERN(VL2)
BELAY_C_PATTERN(VL3)
BELAY_C_PATTERN(VL4)
BELAY_C_PATTERN(VL8)
BELAY_C_PATTERN(VL16)
BELAY_C_PATTERN(VL32)
BELAY_C_PATTERN(VL64)
BELAY_C_PATTERN(VL128)
BELAY_C_PATTERN(M3)
BELAY_C_PATTERN(M4)
BELAY_C_PATTERN(H)
BELAY_C_PATTERN(Q)
BELAY_C_PATTERN(ALLF)
#undef BELAY_C_PATTERN
// Patterns are constants; on the device these are macros as well. The register
// that holds the mask comes into being first.
#define asc_create_mask_b8(Pattern)                                            \
  belay_c::createMask<uint8_t, Pattern>(belay_c::Mask())
#define asc_create_mask_b16(Pattern)                                           \
  belay_c::createMask<uint16_t, Pattern>(belay_c::Mask())
#define asc_create_mask_b32(Pattern)                                           \
  belay_c::createMask<uint32_t, Pattern>(belay_c::Mask())
namespace belay_c {
template <class T, Reg::MaskPattern Pattern>
BELAY_API Mask createMask(const Mask &) {
  return Reg::CreateMask<T, Pattern>();
}
} // namespace belay_c

// --- loads and stores --------------------------------------------------------
template <class T, class E>
BELAY_API void asc_loadalign(belay_c::Vector<T> &dst, E *from) {
  belay_c::Reg::LoadAlign(dst.reg(), from);
}
template <class T, class E>
BELAY_API void asc_loadalign(belay_c::Vector<T> &dst, E *from,
                             iter_reg offset) {
  belay_c::Reg::LoadAlign(dst.reg(), from, offset);
}
template <class E> BELAY_API void asc_loadalign(vector_bool &dst, E *from) {
  belay_c::Reg::LoadAlign(dst.reg(), from);
}
template <class T, class E>
BELAY_API void asc_loadalign_postupdate(belay_c::Vector<T> &dst, E *&from,
                                        int32_t elements) {
  belay_c::Reg::LoadAlign<belay_c::Reg::DefaultType, belay_c::Update>(
      dst.reg(), from, elements);
}
template <class E>
BELAY_API void asc_loadalign_postupdate(vector_bool &dst, E *&from,
                                        int32_t bytes) {
  belay_c::Reg::LoadAlign<belay_c::Reg::DefaultType, belay_c::Update>(
      dst.reg(), from, bytes);
}
#define BELAY_C_LOAD(Name, Dist)                                               \
  template <class T, class E>                                                  \
  BELAY_API void Name(belay_c::Vector<T> &dst, E *from) {                      \
    belay_c::Reg::LoadAlign<belay_c::Reg::DefaultType, belay_c::Dist<E>()>(    \
        dst.reg(), from);                                                      \
  }
BELAY_C_LOAD(asc_loadalign_brc, broadcast)
BELAY_C_LOAD(asc_loadalign_upsample, upsample)
BELAY_C_LOAD(asc_loadalign_unpack, unpack)
#undef BELAY_C_LOAD
template <class T, class E>
BELAY_API void asc_storealign(E *to, const belay_c::Vector<T> &src,
                              const vector_bool &mask) {
  belay_c::Reg::StoreAlign(to, src.reg(), mask.reg());
}
template <class T, class E>
BELAY_API void asc_storealign(E *to, const belay_c::Vector<T> &src,
                              iter_reg offset, const vector_bool &mask) {
  belay_c::Reg::StoreAlign(to, src.reg(), offset, mask.reg());
}
template <class E>
BELAY_API void asc_storealign(E *to, const vector_bool &src) {
  belay_c::Reg::StoreAlign(to, src.reg());
}
template <class T, class E>
BELAY_API void asc_storealign_pack(E *to, const belay_c::Vector<T> &src,
                                   const vector_bool &mask) {
  belay_c::Reg::StoreAlign<belay_c::Reg::DefaultType, belay_c::pack<T>()>(
      to, src.reg(), mask.reg());
}
template <class T, class E>
BELAY_API void asc_storealign_postupdate(E *&to, const belay_c::Vector<T> &src,
                                         int32_t elements,
                                         const vector_bool &mask) {
  belay_c::Reg::StoreAlign<belay_c::Reg::DefaultType, belay_c::Update>(
      to, src.reg(), elements, mask.reg());
}
template <class E>
BELAY_API void asc_storealign_postupdate(E *&to, const vector_bool &src,
                                         int32_t bytes) {
  belay_c::Reg::StoreAlign<belay_c::Reg::DefaultType, belay_c::Update>(
      to, src.reg(), bytes);
}
template <class T, class E>
BELAY_API void asc_load(belay_c::Vector<T> &dst, E *from) {
  belay_c::Reg::Load(dst.reg(), from);
}
template <class T, class E>
BELAY_API void asc_store(E *to, const belay_c::Vector<T> &src) {
  belay_c::Reg::Store(to, src.reg());
}
template <class T, class E>
BELAY_API void asc_store(E *to, const belay_c::Vector<T> &src, uint32_t count) {
  belay_c::Reg::Store(to, src.reg(), count);
}
template <class T, class E, class X>
BELAY_API void asc_gather(belay_c::Vector<T> &dst, E *from,
                          const belay_c::Vector<X> &index,
                          const vector_bool &mask) {
  belay_c::Reg::Gather(dst.reg(), from, index.reg(), mask.reg());
}
template <class T, class X>
BELAY_API void asc_gather(belay_c::Vector<T> &dst,
                          const belay_c::Vector<T> &src,
                          const belay_c::Vector<X> &index) {
  belay_c::Reg::Gather(dst.reg(), src.reg(), index.reg());
}
template <class T, class E, class X>
BELAY_API void asc_gather_datablock(belay_c::Vector<T> &dst, E *from,
                                    const belay_c::Vector<X> &index,
                                    const vector_bool &mask) {
  belay_c::Reg::GatherB(dst.reg(), from, index.reg(), mask.reg());
}

// --- arithmetic --------------------------------------------------------------
#define BELAY_C_UNARY(Name, ...)                                               \
  template <class T>                                                           \
  BELAY_API void Name(belay_c::Vector<T> &dst, const belay_c::Vector<T> &src,  \
                      const vector_bool &mask) {                               \
    belay_c::Reg::__VA_ARGS__(dst.reg(), src.reg(), mask.reg());               \
  }
BELAY_C_UNARY(asc_abs, Abs)
BELAY_C_UNARY(asc_exp, Exp)
BELAY_C_UNARY(asc_ln, Ln)
BELAY_C_UNARY(asc_neg, Neg)
BELAY_C_UNARY(asc_not, Not)
BELAY_C_UNARY(asc_relu, Relu)
BELAY_C_UNARY(asc_sqrt, Sqrt)
BELAY_C_UNARY(asc_copy, Copy)
BELAY_C_UNARY(asc_squeeze, Squeeze)
BELAY_C_UNARY(asc_reduce_sum_datablock, ReduceSumWithDataBlock)
BELAY_C_UNARY(asc_pair_reduce_sum, PairReduceSum)
#undef BELAY_C_UNARY
#define BELAY_C_ROUND(Name, Mode)                                              \
  template <class T>                                                           \
  BELAY_API void Name(belay_c::Vector<T> &dst, const belay_c::Vector<T> &src,  \
                      const vector_bool &mask) {                               \
    belay_c::Reg::Truncate<T, AscendC::RoundMode::Mode>(dst.reg(), src.reg(),  \
                                                        mask.reg());           \
  }
BELAY_C_ROUND(asc_ceil, CAST_CEIL)
BELAY_C_ROUND(asc_floor, CAST_FLOOR)
BELAY_C_ROUND(asc_rint, CAST_RINT)
BELAY_C_ROUND(asc_round, CAST_ROUND)
BELAY_C_ROUND(asc_trunc, CAST_TRUNC)
#undef BELAY_C_ROUND
template <class D, class S>
BELAY_API void asc_reduce_sum(belay_c::Vector<D> &dst,
                              const belay_c::Vector<S> &src,
                              const vector_bool &mask) {
  belay_c::Reg::ReduceSum(dst.reg(), src.reg(), mask.reg());
}

#define BELAY_C_BINARY(Name, Of)                                               \
  template <class T>                                                           \
  BELAY_API void Name(belay_c::Vector<T> &dst, const belay_c::Vector<T> &src0, \
                      const belay_c::Vector<T> &src1,                          \
                      const vector_bool &mask) {                               \
    belay_c::Reg::Of(dst.reg(), src0.reg(), src1.reg(), mask.reg());           \
  }
BELAY_C_BINARY(asc_add, Add)
BELAY_C_BINARY(asc_sub, Sub)
BELAY_C_BINARY(asc_mul, Mul)
BELAY_C_BINARY(asc_div, Div)
BELAY_C_BINARY(asc_max, Max)
BELAY_C_BINARY(asc_min, Min)
BELAY_C_BINARY(asc_and, And)
BELAY_C_BINARY(asc_or, Or)
BELAY_C_BINARY(asc_xor, Xor)
BELAY_C_BINARY(asc_select, Select)
#undef BELAY_C_BINARY
BELAY_API void asc_and(vector_bool &dst, const vector_bool &src0,
                       const vector_bool &src1, const vector_bool &mask) {
  belay_c::Reg::And(dst.reg(), src0.reg(), src1.reg(), mask.reg());
}

#define BELAY_C_SCALAR(Name, Of)                                               \
  template <class T>                                                           \
  BELAY_API void Name(belay_c::Vector<T> &dst, const belay_c::Vector<T> &src,  \
                      std::common_type_t<T> value, const vector_bool &mask) {  \
    belay_c::Reg::Of(dst.reg(), src.reg(), value, mask.reg());                 \
  }
BELAY_C_SCALAR(asc_add_scalar, Adds)
BELAY_C_SCALAR(asc_mul_scalar, Muls)
BELAY_C_SCALAR(asc_max_scalar, Maxs)
BELAY_C_SCALAR(asc_min_scalar, Mins)
#undef BELAY_C_SCALAR
template <class T>
BELAY_API void asc_duplicate_scalar(belay_c::Vector<T> &dst,
                                    std::common_type_t<T> value,
                                    const vector_bool &mask) {
  belay_c::Reg::Duplicate(dst.reg(), value, mask.reg());
}
template <class T>
BELAY_API void asc_duplicate_scalar(belay_c::Vector<T> &dst,
                                    std::common_type_t<T> value) {
  belay_c::Reg::Duplicate(dst.reg(), value);
}
template <class T>
BELAY_API void asc_arange(belay_c::Vector<T> &dst,
                          std::common_type_t<T> value) {
  belay_c::Reg::Arange(dst.reg(), value);
}

#define BELAY_C_COMPARE(Name, Mode)                                            \
  template <class T>                                                           \
  BELAY_API void Name(vector_bool &dst, const belay_c::Vector<T> &src0,        \
                      const belay_c::Vector<T> &src1,                          \
                      const vector_bool &mask) {                               \
    belay_c::Reg::Compare<T, AscendC::CMPMODE::Mode>(dst.reg(), src0.reg(),    \
                                                     src1.reg(), mask.reg());  \
  }                                                                            \
  template <class T>                                                           \
  BELAY_API void Name##_scalar(                                                \
      vector_bool &dst, const belay_c::Vector<T> &src,                         \
      std::common_type_t<T> value, const vector_bool &mask) {                  \
    belay_c::Reg::Compares<T, AscendC::CMPMODE::Mode>(dst.reg(), src.reg(),    \
                                                      value, mask.reg());      \
  }
BELAY_C_COMPARE(asc_eq, EQ)
BELAY_C_COMPARE(asc_ne, NE)
BELAY_C_COMPARE(asc_gt, GT)
BELAY_C_COMPARE(asc_ge, GE)
BELAY_C_COMPARE(asc_lt, LT)
BELAY_C_COMPARE(asc_le, LE)
#undef BELAY_C_COMPARE

// --- between types and lanes -------------------------------------------------
template <class T>
BELAY_API void asc_intlv(belay_c::Vector<T> &dst0, belay_c::Vector<T> &dst1,
                         const belay_c::Vector<T> &src0,
                         const belay_c::Vector<T> &src1) {
  belay_c::Reg::Interleave(dst0.reg(), dst1.reg(), src0.reg(), src1.reg());
}
template <class D, class S>
BELAY_API void asc_pack_to_low(belay_c::Vector<D> &dst,
                               const belay_c::Vector<S> &src) {
  belay_c::Reg::Pack(dst.reg(), src.reg());
}
#define BELAY_C_HISTOGRAM(Name, Bin, Type)                                     \
  BELAY_API void Name(vector_uint16_t &dst, const vector_uint8_t &src,         \
                      const vector_bool &mask) {                               \
    belay_c::Reg::Histograms<uint8_t, uint16_t,                                \
                             belay_c::Reg::HistogramsBinType::Bin,             \
                             belay_c::Reg::HistogramsType::Type>(              \
        dst.reg(), src.reg(), mask.reg());                                     \
  }
BELAY_C_HISTOGRAM(asc_frequency_histogram_bin0, BIN0, FREQUENCY)
BELAY_C_HISTOGRAM(asc_frequency_histogram_bin1, BIN1, FREQUENCY)
BELAY_C_HISTOGRAM(asc_accumulate_histogram_bin0, BIN0, ACCUMULATE)
BELAY_C_HISTOGRAM(asc_accumulate_histogram_bin1, BIN1, ACCUMULATE)
#undef BELAY_C_HISTOGRAM
#define BELAY_C_CAST(Name, D, S, Sat, Mode)                                    \
  BELAY_API void Name(belay_c::Vector<D> &dst, const belay_c::Vector<S> &src,  \
                      const vector_bool &mask) {                               \
    static constexpr belay_c::Reg::CastTrait trait = {                         \
        belay_c::Reg::RegLayout::ZERO, belay_c::Reg::SatMode::Sat,             \
        belay_c::Reg::MaskMergeMode::ZEROING, AscendC::RoundMode::Mode};       \
    belay_c::Reg::Cast<D, S, trait>(dst.reg(), src.reg(), mask.reg());         \
  }
BELAY_C_CAST(asc_half2float, float, half, UNKNOWN, CAST_NONE)
BELAY_C_CAST(asc_half2int32_rd, int32_t, half, UNKNOWN, CAST_FLOOR)
BELAY_C_CAST(asc_float2int16_rna_sat, int16_t, float, SAT, CAST_ROUND)
#undef BELAY_C_CAST

#endif // BELAY_ASCENDC_C_API_REGISTERS_H
