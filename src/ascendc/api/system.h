//===- system.h - Who and where a core is -----------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_SYSTEM_H
#define BELAY_ASCENDC_API_SYSTEM_H

#include "abi/Vector.h"
#include "api/tensor.h"

namespace AscendC {

BELAY_API int64_t GetBlockIdx() { return belay_sim_block_idx(); }
BELAY_API int64_t GetBlockNum() { return belay_sim_block_num(); }
BELAY_API int64_t GetSubBlockIdx() { return belay_sim_sub_block_idx(); }
BELAY_API int64_t GetSubBlockNum() { return belay_sim_sub_block_num(); }
BELAY_API int64_t GetTaskRation() { return belay_sim_sub_block_num(); }
BELAY_API int64_t GetTaskRatio() { return belay_sim_sub_block_num(); }
BELAY_API int64_t GetSystemCycle() { return belay_sim_cycles(); }
BELAY_API void InitSocState() {
  belay_sim_set_atomic(belay::sim::AtomicOp::None, belay::sim::Elem::F32);
  belay_sim_set_mask(~uint64_t(0), ~uint64_t(0));
  belay_sim_set_mask_counter(false);
}

BELAY_API void SetMaskCount() { belay_sim_set_mask_counter(true); }
BELAY_API void SetMaskNorm() { belay_sim_set_mask_counter(false); }
template <typename T, MaskMode mode = MaskMode::NORMAL>
BELAY_API void SetVectorMask(const uint64_t maskHigh, const uint64_t maskLow) {
  belay_sim_set_mask(maskHigh, maskLow);
}
/// The first `len` lanes, or, in counter mode, `len` elements.
template <typename T, MaskMode mode = MaskMode::NORMAL>
BELAY_API void SetVectorMask(int32_t len) {
  uint64_t n = static_cast<uint64_t>(len);
  if constexpr (mode == MaskMode::COUNTER)
    belay_sim_set_mask(0, n);
  else
    belay_sim_set_mask(
        n > 64 ? (n >= 128 ? ~uint64_t(0) : (uint64_t(1) << (n - 64)) - 1) : 0,
        n >= 64 ? ~uint64_t(0) : (uint64_t(1) << n) - 1);
}
BELAY_API void ResetMask() { belay_sim_set_mask(~uint64_t(0), ~uint64_t(0)); }

template <typename T> BELAY_API void SetAtomicAdd() {
  belay_sim_set_atomic(belay::sim::AtomicOp::Add, belay_detail::elem<T>);
}
template <typename T> BELAY_API void SetAtomicMax() {
  belay_sim_set_atomic(belay::sim::AtomicOp::Max, belay_detail::elem<T>);
}
template <typename T> BELAY_API void SetAtomicMin() {
  belay_sim_set_atomic(belay::sim::AtomicOp::Min, belay_detail::elem<T>);
}
BELAY_API void SetAtomicNone() {
  belay_sim_set_atomic(belay::sim::AtomicOp::None, belay::sim::Elem::F32);
}
BELAY_API void DisableDmaAtomic() { SetAtomicNone(); }
template <typename T> BELAY_API void SetAtomicType() {
  belay_sim_set_atomic_type(belay_detail::elem<T>);
}
enum class AtomicDtype {
  ATOMIC_NONE = 0,
  ATOMIC_F32,
  ATOMIC_F16,
  ATOMIC_S16,
  ATOMIC_S32,
  ATOMIC_S8,
  ATOMIC_BF16,
};
enum class AtomicOp { ATOMIC_SUM = 0 };
namespace belay_detail {
inline constexpr belay::sim::Elem atomicElems[] = {
    belay::sim::Elem::U8,  belay::sim::Elem::F32, belay::sim::Elem::F16,
    belay::sim::Elem::S16, belay::sim::Elem::S32, belay::sim::Elem::S8,
    belay::sim::Elem::BF16};
} // namespace belay_detail
template <AtomicDtype type, AtomicOp op> BELAY_API void SetStoreAtomicConfig() {
  if constexpr (type == AtomicDtype::ATOMIC_NONE)
    SetAtomicNone();
  else
    belay_sim_set_atomic(belay::sim::AtomicOp::Add,
                         belay_detail::atomicElems[static_cast<int>(type)]);
}
BELAY_API void GetStoreAtomicConfig(uint16_t &atomicType, uint16_t &atomicOp) {
  belay::sim::AtomicOp op;
  belay::sim::Elem type;
  belay_sim_get_atomic(&op, &type);
  atomicType = 0;
  atomicOp = op == belay::sim::AtomicOp::None ? 0 : static_cast<int>(op) - 1;
  for (uint16_t n = 1; n < 7 && op != belay::sim::AtomicOp::None; ++n)
    if (belay_detail::atomicElems[n] == type)
      atomicType = n;
}

// --- saturation --------------------------------------------------------------
enum class SaturationMode : uint8_t { FLOAT, CAST };
template <SaturationMode mode>
BELAY_API void SetSaturationFlag(bool enableSat) {
  belay_sim_set_saturation(mode == SaturationMode::FLOAT, enableSat);
}
template <SaturationMode mode> BELAY_API bool GetSaturationFlag() {
  return belay_sim_get_saturation(mode == SaturationMode::FLOAT);
}
// Of the control register the model has the two bits that saturation turns on
// when they are 0: 48 for floats, 59 for conversions to integers. Bit 60, which
// makes them count for all instructions, is always 1.
template <int8_t startBit, int8_t endBit>
BELAY_API void SetCtrlSpr(int64_t value) {
  static_assert(startBit == endBit &&
                    (startBit == 48 || startBit == 59 || startBit == 60),
                "the simulator has bits 48, 59 and 60 of CTRL");
  if constexpr (startBit == 60) {
    if (value == 0)
      belay_sim_fail("unsupported-api",
                     "CTRL[60] = 0 leaves saturation to each instruction, "
                     "which the simulator does not model",
                     "leave CTRL[60] at 1");
  } else {
    belay_sim_set_saturation(startBit == 48, value == 0);
  }
}
template <int8_t startBit, int8_t endBit> BELAY_API int64_t GetCtrlSpr() {
  static_assert(startBit == endBit &&
                    (startBit == 48 || startBit == 59 || startBit == 60),
                "the simulator has bits 48, 59 and 60 of CTRL");
  return startBit == 60 || !belay_sim_get_saturation(startBit == 48);
}
template <int8_t startBit, int8_t endBit> BELAY_API void ResetCtrlSpr() {
  SetCtrlSpr<startBit, endBit>(startBit == 60);
}

// --- caches ------------------------------------------------------------------
// Global memory is coherent here; the sanitizer knows what the caches of a
// device would have hidden. A core that cleans may be waiting for another.
enum class CacheLine : uint64_t { SINGLE_CACHE_LINE = 0, ENTIRE_DATA_CACHE };
enum class DcciDst : uint64_t {
  CACHELINE_ALL = 0,
  CACHELINE_UB,
  CACHELINE_OUT,
  CACHELINE_ATOMIC,
};
template <typename T, CacheLine entireType, DcciDst dcciDst>
BELAY_API void DataCacheCleanAndInvalid(const GlobalTensor<T> &dst) {
  belay_sim_cache_clean(dst.GetPhyAddr(),
                        entireType == CacheLine::ENTIRE_DATA_CACHE);
}
template <typename T, CacheLine entireType, DcciDst dcciDst>
BELAY_API void DataCacheCleanAndInvalid(const LocalTensor<T> &dst) {
  belay_sim_cache_clean(dst.data(), entireType == CacheLine::ENTIRE_DATA_CACHE);
}
template <typename T, CacheLine entireType>
BELAY_API void DataCacheCleanAndInvalid(const GlobalTensor<T> &dst) {
  belay_sim_cache_clean(dst.GetPhyAddr(),
                        entireType == CacheLine::ENTIRE_DATA_CACHE);
}
template <typename T>
BELAY_API void DataCachePreload(const GlobalTensor<uint64_t> &, const T) {}
BELAY_API void ICachePreLoad(const int64_t) {}
BELAY_API int64_t GetICachePreloadStatus() { return 0; }
template <CacheRwMode rwMode, CacheMode cacheMode>
BELAY_API void SetScalarCacheMode() {}

// --- sizes and versions ------------------------------------------------------
BELAY_API void GetArchVersion(uint32_t &coreVersion) {
#ifdef __NPU_ARCH__
  // 2201 is printed in hexadecimal.
  coreVersion = __NPU_ARCH__ / 1000 % 10 << 12 | __NPU_ARCH__ / 100 % 10 << 8 |
                __NPU_ARCH__ / 10 % 10 << 4 | __NPU_ARCH__ % 10;
#else
  coreVersion = 0;
#endif
}
BELAY_API int64_t GetProgramCounter() {
  return reinterpret_cast<int64_t>(__builtin_return_address(0));
}
enum class SpecialPurposeReg { AR = 0 };

/// Calls a function on one kind of core.
enum class EngineType : int32_t { AIC = 1, AIV = 2 };
template <EngineType engine, auto funPtr, class... Args>
__aicore__ void Async(Args... args) {
  if (engine == EngineType::AIV ? belay_sim_is_vector() : belay_sim_is_cube())
    funPtr(args...);
}

/// The part of the workspace that is the kernel's own. What the framework keeps
/// for itself in front of it is not part of the launch here.
BELAY_API GM_ADDR GetUserWorkspace(GM_ADDR workspace) { return workspace; }
BELAY_API GM_ADDR GetSysWorkSpacePtr() {
  return static_cast<GM_ADDR>(belay_sim_workspace());
}
BELAY_API void SetSysWorkspace(GM_ADDR workspace) {
  belay_sim_set_workspace(workspace);
}
BELAY_API void SetSysWorkspaceForce(GM_ADDR workspace) {
  belay_sim_set_workspace(workspace);
}

} // namespace AscendC

// Kernels call it without its namespace, too.
using AscendC::GetSysWorkSpacePtr;

// Written `if ASCEND_IS_AIC { ... }`, hence the parentheses.
#define ASCEND_IS_AIC (belay_sim_is_cube())
#define ASCEND_IS_AIV (belay_sim_is_vector())
#define ASCEND_IS_NOT_AIC (!belay_sim_is_cube())
#define ASCEND_IS_NOT_AIV (!belay_sim_is_vector())

#endif // BELAY_ASCENDC_API_SYSTEM_H
