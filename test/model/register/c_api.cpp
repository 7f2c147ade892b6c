// Kernels by the C interface: copies, flags, and vector functions that are
// called like any other.
#include "c_api/asc_simd.h"

constexpr uint32_t Bytes = 4096;

/// A part of the UB.
__aicore__ inline __ubuf__ float *part(uint32_t number) {
  AscendC::LocalTensor<float> t(AscendC::TPosition::VECCALC, number * Bytes,
                                Bytes / 4);
  return (__ubuf__ float *)t.GetPhyAddr();
}

#if __NPU_ARCH__ == 3510
/// z = |x| > y ? x : 2, the rest of its last register untouched.
__simd_vf__ inline void choose(__ubuf__ float *z, __ubuf__ float *x,
                               __ubuf__ float *y, uint32_t count) {
  vector_bool mask, larger;
  vector_float a, b, c, two;
  uint16_t lanes = asc_get_vf_len() / sizeof(float);
  uint16_t repeats = (count + lanes - 1) / lanes;
  for (uint16_t i = 0; i < repeats; ++i) {
    mask = asc_update_mask_b32(count);
    asc_loadalign(a, x + i * lanes);
    asc_loadalign(b, y + i * lanes);
    asc_abs(c, a, mask);
    asc_gt(larger, c, b, mask);
    asc_duplicate_scalar(two, 2.0f, mask);
    asc_select(c, a, two, larger);
    asc_storealign(z + i * lanes, c, mask);
  }
}
/// The sum of the first half of each register, in its first element.
__simd_vf__ inline void sums(__ubuf__ float *z, __ubuf__ float *x,
                             uint16_t repeats) {
  vector_bool half0 = asc_create_mask_b32(PAT_H);
  vector_bool one = asc_create_mask_b32(PAT_VL1);
  for (uint16_t i = 0; i < repeats; ++i) {
    vector_float a, sum;
    asc_loadalign(a, x + i * 64);
    asc_reduce_sum(sum, a, half0);
    asc_storealign(z + i * 64, sum, one);
  }
}
#endif

__global__ __aicore__ void in_c(GM_ADDR xGm, GM_ADDR yGm, GM_ADDR zGm,
                                uint32_t count, uint32_t way) {
  if ASC_IS_AIC
    return;
  asc_init();
  __ubuf__ float *x = part(0), *y = part(1), *z = part(2);
  asc_copy_gm2ub_align(x, (__gm__ float *)xGm, count * 4);
  asc_copy_gm2ub_align(y, (__gm__ float *)yGm, count * 4);
  asc_copy_gm2ub_align(z, (__gm__ float *)zGm, count * 4);
  asc_sync_notify(PIPE_MTE2, PIPE_V, EVENT_ID0);
  asc_sync_wait(PIPE_MTE2, PIPE_V, EVENT_ID0);
  if (way == 0)
    asc_add(z, x, y, count);
#if __NPU_ARCH__ == 3510
  if (way == 1)
    choose(z, x, y, count);
  if (way == 2)
    asc_vf_call<choose>(z, x, y, count);
  if (way == 3)
    sums(z, x, count / 64);
#endif
  asc_sync_notify(PIPE_V, PIPE_MTE3, EVENT_ID0);
  asc_sync_wait(PIPE_V, PIPE_MTE3, EVENT_ID0);
  asc_copy_ub2gm_align((__gm__ float *)zGm, z, 1, count * 4,
                       asc_store_l2_cache_mode::NORMAL_FIRST_VICTIM, 0, 0);
}
