//===- register/types.h - Registers of the 950's vector unit ----*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vector functions of the 3510 name registers, masks and what moves them. They
// are declared so that `belay check` can follow which memory they touch; the
// simulator does not execute them and says so.
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
/// One block of a vector function inside other code.
#define __VEC_SCOPE__                                                          \
  for (bool belayInScope = belay_sim_vector_begin(); belayInScope;             \
       belayInScope = belay_sim_vector_end())

namespace AscendC {

constexpr uint32_t VECTOR_REG_WIDTH = 256;
constexpr uint32_t VECTOR_REG_WIDTH_2XVL = 2 * VECTOR_REG_WIDTH;

using LogAlgo = LnAlgo;

namespace MicroAPI {

using AscendC::RoundMode;

struct DefaultType {};

struct RegTrait {
  int REG_NUM = 1;
};
inline constexpr RegTrait RegTraitNumOne = {1};
inline constexpr RegTrait RegTraitNumTwo = {2};

template <class T, const RegTrait &Trait = RegTraitNumOne> struct RegTensor {
  using ActualT = T;
  static constexpr const RegTrait &trait = Trait;
};
struct MaskReg {};
struct UnalignReg {};
using UnalignRegForLoad = UnalignReg;
using UnalignRegForStore = UnalignReg;
struct AddrReg {
  uint32_t bytes = 0;
};

enum class MaskMergeMode : uint8_t { UNKNOWN, MERGING, ZEROING };
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
  ALLF,
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
  RoundMode roundMode = RoundMode::CAST_NONE;
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
