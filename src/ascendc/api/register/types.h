//===- register/types.h - Registers of the 950's vector unit ----*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vector functions of the 3510 name registers, masks and what moves them. The
// objects here are names: what a register holds is the model's, and is found by
// the address of its object (docs/decisions/0019).
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_REGISTER_TYPES_H
#define BELAY_ASCENDC_API_REGISTER_TYPES_H

#include "abi/Functions.h"
#include "api/basic.h"
#include "api/cast.h"
#include "api/compare.h"
#include "api/system.h"
#include "api/vector.h"

#define __local_mem__
#define __simd_vf__ __aicore__
#define __simd_callee__ __aicore__
#define __no_simd_vf_fusion__
/// One block of a vector function inside other code.
#define __VEC_SCOPE__                                                          \
  for (AscendC::belay_detail::VectorScope belayScope; belayScope.inside();     \
       belayScope.leave())

namespace AscendC {

constexpr uint32_t VECTOR_REG_WIDTH = 256;
constexpr uint32_t VECTOR_REG_WIDTH_2XVL = 2 * VECTOR_REG_WIDTH;

using LogAlgo = LnAlgo;

namespace belay_detail {

#if defined(BELAY_STATIC)
BELAY_API void beginFunction() { belay_sim_vector_begin(); }
BELAY_API void endFunction() { belay_sim_vector_end(); }
#else
/// For those who would begin one themselves (c_api/registers.h).
inline thread_local bool inVectorFunction = false;
BELAY_API void beginFunction() {
  belay_sim_vector_begin();
  inVectorFunction = true;
}
BELAY_API void endFunction() {
  inVectorFunction = false;
  belay_sim_vector_end();
}
#endif

/// Brackets the code of a vector function.
class VectorScope {
public:
  BELAY_API VectorScope() { beginFunction(); }
  BELAY_API bool inside() const { return inFunction; }
  BELAY_API void leave() {
    inFunction = false;
    endFunction();
  }

private:
  bool inFunction = true;
};

/// The name of a register or of a mask. Copies copy what is in it.
template <bool IsMask> class RegisterObject {
public:
  BELAY_API RegisterObject() {
#if !defined(BELAY_STATIC)
    if (belay_sim_observed)
      belay_sim_register_new(this, IsMask);
#endif
  }
  BELAY_API belay::sim::RegisterName name() const { return this; }

protected:
  /// Takes over all of another register, of so many bytes.
  BELAY_API void take(const RegisterObject &from, bool two) {
#if !defined(BELAY_STATIC)
    belay::sim::RegisterCompute c = {};
    c.Op = IsMask ? belay::sim::RegisterOp::MaskCopy
                  : belay::sim::RegisterOp::Copy;
    c.DstType = c.SrcType = belay::sim::Elem::U8;
    c.Two = two;
    c.Dst = this;
    c.Src0 = &from;
    belay_sim_register_compute(&c);
#endif
  }

private:
  uint64_t place; // objects have addresses of their own; nobody reads it
};

} // namespace belay_detail

namespace MicroAPI {

using AscendC::RoundMode;

struct DefaultType {};

struct RegTrait {
  int REG_NUM = 1;
};
inline constexpr RegTrait RegTraitNumOne = {1};
inline constexpr RegTrait RegTraitNumTwo = {2};

template <class T, const RegTrait &Trait = RegTraitNumOne>
class RegTensor : public AscendC::belay_detail::RegisterObject<false> {
public:
  using ActualT = T;
  static constexpr const RegTrait &trait = Trait;
  static constexpr bool two = Trait.REG_NUM == 2;

  BELAY_API RegTensor() {}
  BELAY_API RegTensor(const RegTensor &from)
      : AscendC::belay_detail::RegisterObject<false>() {
    take(from, two);
  }
  BELAY_API RegTensor &operator=(const RegTensor &from) {
    take(from, two);
    return *this;
  }
};
class MaskReg : public AscendC::belay_detail::RegisterObject<true> {
public:
  BELAY_API MaskReg() {}
  BELAY_API MaskReg(const MaskReg &from)
      : AscendC::belay_detail::RegisterObject<true>() {
    take(from, false);
  }
  BELAY_API MaskReg &operator=(const MaskReg &from) {
    take(from, false);
    return *this;
  }
};
/// What unaligned loads and stores keep between two of them. The model knows
/// which of the two it is used for.
class UnalignReg {
public:
  BELAY_API belay::sim::RegisterName name() const { return this; }

private:
  uint64_t place;
};
using UnalignRegForLoad = UnalignReg;
using UnalignRegForStore = UnalignReg;
struct AddrReg {
  uint32_t bytes = 0;
};

enum class MaskMergeMode : uint8_t { UNKNOWN, MERGING, ZEROING };
/// The model knows the order.
enum class MaskPattern : uint8_t {
  ALL,
  VL1,
  VL2,
  VL3,
  VL4,
  VL8,
  VL16,
  VL32,
  VL64,
  VL128,
  M3,
  M4,
  H,
  Q,
  ALLF = 15,
};
enum class HighLowPart : uint8_t { LOWEST, HIGHEST };
enum class RegLayout : uint8_t { UNKNOWN, ZERO, ONE, TWO, THREE };
enum class SatMode : uint8_t { UNKNOWN, NO_SAT, SAT };
enum class PostLiteral : uint8_t { POST_MODE_NORMAL, POST_MODE_UPDATE };
enum class DataCopyMode : uint8_t { NORM, DATA_BLOCK_COPY };
enum class IndexOrder : uint8_t { INCREASE_ORDER, DECREASE_ORDER };
enum class ReduceType : uint8_t { SUM, MAX, MIN };
enum class PairReduce : uint8_t { SUM };
enum class GatherMaskMode : uint8_t { NO_STORE_REG, STORE_REG };
enum class HistogramsBinType : uint8_t { BIN0, BIN1 };
enum class HistogramsType : uint8_t { FREQUENCY, ACCUMULATE };
enum class MaskDist : uint8_t { DIST_NORM, DIST_US, DIST_DS, DIST_PACK };
enum class MemType : uint8_t {
  VEC_STORE,
  VEC_LOAD,
  SCALAR_STORE,
  SCALAR_LOAD,
  VEC_ALL,
  SCALAR_ALL,
};
enum class LoadDist : uint8_t {
  DIST_NORM,
  DIST_NORM_B8,
  DIST_NORM_B16,
  DIST_NORM_B32,
  DIST_BRC_B8,
  DIST_BRC_B16,
  DIST_BRC_B32,
  DIST_US_B8,
  DIST_US_B16,
  DIST_DS_B8,
  DIST_DS_B16,
  DIST_UNPACK_B8,
  DIST_UNPACK_B16,
  DIST_UNPACK_B32,
  DIST_UNPACK_B4,
  DIST_UNPACK4_B8,
  DIST_BLK,
  DIST_E2B_B16,
  DIST_E2B_B32,
  DIST_DINTLV_B8,
  DIST_DINTLV_B16,
  DIST_DINTLV_B32,
  DIST_SPLT4CHN_B8,
  DIST_SPLT2CHN_B8,
  DIST_SPLT2CHN_B16,
};
enum class StoreDist : uint8_t {
  DIST_NORM,
  DIST_NORM_B8,
  DIST_NORM_B16,
  DIST_NORM_B32,
  DIST_FIRST_ELEMENT_B8,
  DIST_FIRST_ELEMENT_B16,
  DIST_FIRST_ELEMENT_B32,
  DIST_PACK_B16,
  DIST_PACK_B32,
  DIST_PACK_B64,
  DIST_PACK4_B32,
  DIST_INTLV_B8,
  DIST_INTLV_B16,
  DIST_INTLV_B32,
  DIST_MRG4CHN_B8,
  DIST_MRG2CHN_B8,
  DIST_MRG2CHN_B16,
};

struct CastTrait {
  RegLayout layoutMode = RegLayout::UNKNOWN;
  SatMode satMode = SatMode::UNKNOWN;
  MaskMergeMode mrgMode = MaskMergeMode::UNKNOWN;
  RoundMode roundMode = RoundMode::UNKNOWN;
};
inline constexpr CastTrait castTrait = {RegLayout::ZERO, SatMode::NO_SAT,
                                        MaskMergeMode::ZEROING,
                                        RoundMode::CAST_NONE};
struct DivSpecificMode {
  MaskMergeMode mrgMode = MaskMergeMode::ZEROING;
  bool precisionMode = false;
  DivAlgo algo = DivAlgo::INTRINSIC;
};
struct SqrtSpecificMode {
  MaskMergeMode mrgMode = MaskMergeMode::ZEROING;
  bool precisionMode = false;
  SqrtAlgo algo = SqrtAlgo::INTRINSIC;
};
struct LogSpecificMode {
  MaskMergeMode mrgMode = MaskMergeMode::ZEROING;
  LogAlgo algo = LogAlgo::INTRINSIC;
};
struct ExpSpecificMode {
  MaskMergeMode mrgMode = MaskMergeMode::ZEROING;
  ExpAlgo algo = ExpAlgo::INTRINSIC;
};

/// The type of the registers of a register.
template <class T> struct TypeGet {
  using T_ = T;
  using type = T;
};
template <class E, const RegTrait &Trait> struct TypeGet<RegTensor<E, Trait>> {
  using type = E;
};

} // namespace MicroAPI
namespace Reg = MicroAPI;
} // namespace AscendC

#endif // BELAY_ASCENDC_API_REGISTER_TYPES_H
