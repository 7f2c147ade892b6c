//===- tiling.h - Configuration of the Matmul object ------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Most of a configuration speaks of speed: how data is staged in L1, which
// loops are unrolled. The model keeps what changes results.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_LIB_MATMUL_TILING_H
#define BELAY_ASCENDC_LIB_MATMUL_TILING_H

#include "kernel_tiling/kernel_tiling.h"

#include <cstdint>

constexpr uint32_t SHARED_CO1_BUFFER_SIZE = 64 * 1024;

enum class CubeFormat {
  ND = 0,
  NZ,
  ZN,
  ZZ,
  NN,
  ND_ALIGN,
  SCALAR,
  VECTOR,
  ROW_MAJOR = ND,
  COLUMN_MAJOR = 8,
};
enum class LayoutMode { NONE = 0, BSNGD, SBNGD, BNGS1S2, NORMAL };
enum class BatchMode {
  NONE = 0,
  BATCH_LESS_THAN_L1,
  BATCH_LARGE_THAN_L1,
  SINGLE_LARGE_THAN_L1,
};
enum BatchOutMode { SINGLE_BATCH = 0, MULTI_BATCH, DYNAMIC };
enum class IterateOrder { ORDER_M = 0, ORDER_N, UNDEF };
enum class ScheduleType { INNER_PRODUCT = 0, OUTER_PRODUCT };
enum IterateMode : uint8_t {
  ITERATE_MODE_NORMAL = 1,
  ITERATE_MODE_ALL = 2,
  ITERATE_MODE_BATCH = 4,
  ITERATE_MODE_N_BATCH = 8,
  ITERATE_MODE_DEFAULT = 255,
};
enum class MatmulConfigMode {
  CONFIG_NORM,
  CONFIG_MDL,
  CONFIG_SPECIALMDL,
  CONFIG_IBSHARE,
};

struct MatmulConfig {
  bool doNorm = false;
  bool doBasicBlock = false;
  bool doMultiDataLoad = false;
  uint32_t basicM = 0, basicN = 0, basicK = 0;
  bool intrinsicsCheck = false;
  bool isNBatch = false;
  bool enVecND2NZ = false;
  bool doSpecialBasicBlock = false;
  uint32_t doMTE2Preload = 0;
  uint32_t singleCoreM = 0, singleCoreN = 0, singleCoreK = 0;
  uint32_t stepM = 0, stepN = 0;
  uint32_t baseMN = 0, singleCoreMN = 0;
  bool enUnitFlag = true;
  bool isPerTensor = false;
  bool hasAntiQuantOffset = false;
  bool doIBShareNorm = false;
  bool doSpecialMDL = false;
  bool enableInit = true;
  BatchMode batchMode = BatchMode::NONE;
  bool enableEnd = true;
  bool enableGetTensorC = true;
  bool enableSetOrgShape = true;
  bool enableSetBias = true;
  bool enableSetTail = true;
  bool enableQuantVector = true;
  bool enableSetDefineData = true;
  uint8_t iterateMode = IterateMode::ITERATE_MODE_DEFAULT;
  bool enableReuse = true;
  bool enableUBReuse = false;
  bool enableL1CacheUB = false;
  bool intraBlockPartSum = false;
  IterateOrder iterateOrder{IterateOrder::UNDEF};
  ScheduleType scheduleType = ScheduleType::INNER_PRODUCT;
  bool enableDoubleCache = false;
  bool isBiasBatch = true;
  bool enableStaticPadZeros = false;
  bool isPartialOutput = false;
  bool enableMixDualMaster = false;
  bool isA2B2Shared = false;
  bool isEnableChannelSplit = false;
  bool enableKdimReorderLoad = false;
  bool isCO1Shared = false;
  uint32_t sharedCO1BufferSize = SHARED_CO1_BUFFER_SIZE;
  BatchOutMode bmmOutMode = BatchOutMode::SINGLE_BATCH;
  bool enableL1BankConflictOptimise = false;
  bool enableRelu = false;
};

struct MatmulShapeParams {
  uint32_t singleCoreM, singleCoreN, singleCoreK;
  uint32_t basicM, basicN, basicK;
};
struct MatmulQuantParams {
  bool isPerTensor;
  bool hasAntiQuantOffset;
};
struct MatmulBatchParams {
  bool isNBatch;
  BatchMode batchMode;
  bool isBiasBatch = true;
  BatchOutMode bmmOutMode = BatchOutMode::SINGLE_BATCH;
};
struct MatmulFuncParams {
  bool intrinsicsCheck = false;
  bool enVecND2NZ = false;
  bool enableDoubleCache = false;
  bool enableL1CacheUB = false;
  uint32_t doMTE2Preload = 0;
  IterateOrder iterateOrder = IterateOrder::UNDEF;
  ScheduleType scheduleType = ScheduleType::INNER_PRODUCT;
  bool enableReuse = true;
  bool enableUBReuse = false;
  bool isPartialOutput = false;
  bool isA2B2Shared = false;
  bool isEnableChannelSplit = false;
  bool enableKdimReorderLoad = false;
  bool enableL1BankConflictOptimise = false;
  bool enableRelu = false;
};
struct MatmulBiasParams {
  bool enableSetBias = true;
};
struct MatrixOffset {
  int32_t offset, row, col, height, width;
};

constexpr MatmulConfig GetNormalConfig(
    bool intrinsicsLimit = false, bool batchLoop = false,
    bool isVecND2NZ = false, BatchMode bmmMode = BatchMode::BATCH_LESS_THAN_L1,
    bool isMsgReuse = true, IterateOrder iterateOrder = IterateOrder::UNDEF,
    ScheduleType scheduleType = ScheduleType::INNER_PRODUCT,
    bool enUnitFlag = true, bool enableMixDualMaster = false,
    BatchOutMode bmmOutMode = BatchOutMode::SINGLE_BATCH) {
  MatmulConfig c;
  c.doNorm = true;
  c.intrinsicsCheck = intrinsicsLimit;
  c.isNBatch = batchLoop;
  c.enVecND2NZ = isVecND2NZ;
  c.batchMode = bmmMode;
  c.enableReuse = isMsgReuse;
  c.iterateOrder = iterateOrder;
  c.scheduleType = scheduleType;
  c.enUnitFlag = enUnitFlag;
  c.enableMixDualMaster = enableMixDualMaster;
  c.bmmOutMode = bmmOutMode;
  return c;
}
constexpr MatmulConfig
GetMDLConfig(bool intrinsicsLimit = false, bool batchLoop = false,
             uint32_t doMTE2Preload = 0, bool isVecND2NZ = false,
             bool isPerTensor = false, bool hasAntiQuantOffset = false,
             bool enUnitFlag = false, bool isMsgReuse = true,
             bool enableUBReuse = true, bool enableL1CacheUB = false,
             bool enableMixDualMaster = false,
             bool enableKdimReorderLoad = false,
             bool enableL1BankConflictOptimise = false) {
  MatmulConfig c;
  c.doMultiDataLoad = true;
  c.intrinsicsCheck = intrinsicsLimit;
  c.isNBatch = batchLoop;
  c.doMTE2Preload = doMTE2Preload;
  c.enVecND2NZ = isVecND2NZ;
  c.isPerTensor = isPerTensor;
  c.hasAntiQuantOffset = hasAntiQuantOffset;
  c.enUnitFlag = enUnitFlag;
  c.enableReuse = isMsgReuse;
  c.enableUBReuse = enableUBReuse;
  c.enableL1CacheUB = enableL1CacheUB;
  c.enableMixDualMaster = enableMixDualMaster;
  c.enableKdimReorderLoad = enableKdimReorderLoad;
  c.enableL1BankConflictOptimise = enableL1BankConflictOptimise;
  return c;
}
constexpr MatmulConfig
GetSpecialMDLConfig(bool intrinsicsLimit = false, bool batchLoop = false,
                    uint32_t doMTE2Preload = 0, bool isVecND2NZ = false,
                    bool isPerTensor = false, bool hasAntiQuantOffset = false) {
  MatmulConfig c = GetMDLConfig(intrinsicsLimit, batchLoop, doMTE2Preload,
                                isVecND2NZ, isPerTensor, hasAntiQuantOffset);
  c.doMultiDataLoad = false;
  c.doSpecialMDL = true;
  return c;
}
constexpr MatmulConfig
GetBasicConfig(uint32_t basicM, uint32_t basicN, uint32_t basicK,
               bool intrinsicsLimit = false, bool batchLoop = false,
               BatchMode bmmMode = BatchMode::BATCH_LESS_THAN_L1) {
  MatmulConfig c;
  c.doBasicBlock = true;
  c.basicM = basicM;
  c.basicN = basicN;
  c.basicK = basicK;
  c.intrinsicsCheck = intrinsicsLimit;
  c.isNBatch = batchLoop;
  c.batchMode = bmmMode;
  return c;
}
constexpr MatmulConfig
GetSpecialBasicConfig(uint32_t basicM, uint32_t basicN, uint32_t basicK,
                      uint32_t singleCoreM, uint32_t singleCoreN,
                      uint32_t singleCoreK, uint32_t stepM, uint32_t stepN,
                      bool intrinsicsLimit = false, bool batchLoop = false,
                      BatchMode bmmMode = BatchMode::BATCH_LESS_THAN_L1) {
  MatmulConfig c = GetBasicConfig(basicM, basicN, basicK, intrinsicsLimit,
                                  batchLoop, bmmMode);
  c.doSpecialBasicBlock = true;
  c.singleCoreM = singleCoreM;
  c.singleCoreN = singleCoreN;
  c.singleCoreK = singleCoreK;
  c.stepM = stepM;
  c.stepN = stepN;
  return c;
}
constexpr MatmulConfig
GetIBShareNormConfig(bool intrinsicsLimit = false, bool batchLoop = false,
                     bool isVecND2NZ = false,
                     BatchMode bmmMode = BatchMode::BATCH_LESS_THAN_L1,
                     bool isDoubleCache = false, bool enUnitFlag = true) {
  MatmulConfig c =
      GetNormalConfig(intrinsicsLimit, batchLoop, isVecND2NZ, bmmMode);
  c.doNorm = false;
  c.doIBShareNorm = true;
  c.enableDoubleCache = isDoubleCache;
  c.enUnitFlag = enUnitFlag;
  return c;
}

inline constexpr MatmulConfig CFG_NORM = GetNormalConfig();
inline constexpr MatmulConfig CFG_MDL = GetMDLConfig();
inline constexpr MatmulConfig MM_CFG_BB = GetBasicConfig(128, 128, 128);
inline constexpr MatmulConfig CFG_IBSHARE_NORM = GetIBShareNormConfig();

namespace belay_matmul {
constexpr void apply(MatmulConfig &c, const MatmulShapeParams &p) {
  c.singleCoreM = p.singleCoreM;
  c.singleCoreN = p.singleCoreN;
  c.singleCoreK = p.singleCoreK;
  c.basicM = p.basicM;
  c.basicN = p.basicN;
  c.basicK = p.basicK;
}
constexpr void apply(MatmulConfig &c, const MatmulQuantParams &p) {
  c.isPerTensor = p.isPerTensor;
  c.hasAntiQuantOffset = p.hasAntiQuantOffset;
}
constexpr void apply(MatmulConfig &c, const MatmulBatchParams &p) {
  c.isNBatch = p.isNBatch;
  c.batchMode = p.batchMode;
  c.isBiasBatch = p.isBiasBatch;
  c.bmmOutMode = p.bmmOutMode;
}
constexpr void apply(MatmulConfig &c, const MatmulFuncParams &p) {
  c.iterateOrder = p.iterateOrder;
  c.scheduleType = p.scheduleType;
  c.isPartialOutput = p.isPartialOutput;
  c.isEnableChannelSplit = p.isEnableChannelSplit;
  c.enableRelu = p.enableRelu;
  c.isA2B2Shared = p.isA2B2Shared;
  c.doMTE2Preload = p.doMTE2Preload;
}
constexpr void apply(MatmulConfig &c, const MatmulBiasParams &p) {
  c.enableSetBias = p.enableSetBias;
}
} // namespace belay_matmul

template <MatmulConfigMode mode, typename... Args>
constexpr MatmulConfig GetMMConfig(Args &&...args) {
  MatmulConfig c = mode == MatmulConfigMode::CONFIG_MDL ? CFG_MDL
                   : mode == MatmulConfigMode::CONFIG_SPECIALMDL
                       ? GetSpecialMDLConfig()
                   : mode == MatmulConfigMode::CONFIG_IBSHARE ? CFG_IBSHARE_NORM
                                                              : CFG_NORM;
  (belay_matmul::apply(c, args), ...);
  return c;
}

/// A tiling known when the kernel is compiled; what is negative comes from the
/// tiling that arrives at run time.
struct MatmulApiStaticTiling {
  int32_t usedCoreNum = -1, M = -1, N = -1, Ka = -1, Kb = -1, singleCoreM = -1,
          singleCoreN = -1, singleCoreK = -1, baseM = -1, baseN = -1,
          baseK = -1, depthA1 = -1, depthB1 = -1, stepM = -1, stepN = -1,
          isBias = -1, transLength = -1, iterateOrder = -1, shareMode = -1,
          shareL1Size = -1, shareL0CSize = -1, shareUbSize = -1, stepKa = -1,
          stepKb = -1, depthAL1CacheUB = -1, depthBL1CacheUB = -1, dbL0A = -1,
          dbL0B = -1, dbL0C = -1;
  MatmulConfig cfg = CFG_NORM;
};

#endif // BELAY_ASCENDC_LIB_MATMUL_TILING_H
