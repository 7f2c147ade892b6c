//===- intrinsics.h - Built-in functions that kernels call directly -*- C++
//-*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//
// AscendC wraps the compiler's built-in functions; kernels that are older, or
// tuned by hand, call them by their own names. Each is the same instruction as
// the API's.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_INTRINSICS_H
#define BELAY_ASCENDC_API_INTRINSICS_H

#include "api/basic.h"

// --- synchronisation
BELAY_API void pipe_barrier(pipe_t pipe) {
  belay_sim_pipe_barrier(AscendC::belay_detail::pipeOf(pipe));
}
BELAY_API void set_flag(pipe_t from, pipe_t to, int32_t id) {
  belay_sim_set_flag(AscendC::belay_detail::pipeOf(from),
                     AscendC::belay_detail::pipeOf(to), id);
}
BELAY_API void wait_flag(pipe_t from, pipe_t to, int32_t id) {
  belay_sim_wait_flag(AscendC::belay_detail::pipeOf(from),
                      AscendC::belay_detail::pipeOf(to), id);
}

// --- where am I
BELAY_API int64_t get_block_idx() { return belay_sim_block_idx(); }
inline constexpr struct {
  BELAY_API operator int64_t() const { return belay_sim_block_idx(); }
} block_idx{};
BELAY_API int64_t get_block_num() { return belay_sim_block_num(); }
BELAY_API int64_t get_subblockid() { return belay_sim_sub_block_idx(); }
BELAY_API int64_t get_subblockdim() { return belay_sim_sub_block_num(); }

// --- the vector mask
BELAY_API void set_mask_norm() { belay_sim_set_mask_counter(false); }
BELAY_API void set_mask_count() { belay_sim_set_mask_counter(true); }
BELAY_API void set_vector_mask(uint64_t high, uint64_t low) {
  belay_sim_set_mask(high, low);
}

#endif // BELAY_ASCENDC_API_INTRINSICS_H
