//===- system.h - Who and where a core is -*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_SYSTEM_H
#define BELAY_ASCENDC_API_SYSTEM_H

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

// Written `if ASCEND_IS_AIC { ... }`, hence the parentheses.
#define ASCEND_IS_AIC (belay_sim_is_cube())
#define ASCEND_IS_AIV (belay_sim_is_vector())
#define ASCEND_IS_NOT_AIC (!belay_sim_is_cube())
#define ASCEND_IS_NOT_AIV (!belay_sim_is_vector())

#endif // BELAY_ASCENDC_API_SYSTEM_H
