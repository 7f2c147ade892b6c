// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void add_in_place(GM_ADDR x, GM_ADDR by,
                                                   GM_ADDR x_ref,
                                                   GM_ADDR workspace,
                                                   GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  ASSERT(x == x_ref);
  ListTensorDesc list(x_ref);
  ASSERT(list.GetSize() == t.count);
  for (uint32_t i = 0; i < list.GetSize(); ++i) {
    GlobalTensor<float> tensor;
    tensor.SetGlobalBuffer(list.GetDataPtr<float>(i), t.sizes[i]);
    for (int64_t k = 0; k < t.sizes[i]; ++k)
      tensor.SetValue(k, tensor.GetValue(k) + t.by);
  }
}

extern "C" __global__ __aicore__ void
sum_list(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  GlobalTensor<float> sums;
  sums.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(y), t.count);
  ListTensorDesc list(x);
  for (uint32_t i = 0; i < list.GetSize(); ++i) {
    uint64_t shape[8];
    TensorDesc<float> desc;
    desc.SetShapeAddr(shape);
    list.GetDesc(desc, i);
    ASSERT(desc.GetIndex() == i);
    GlobalTensor<float> tensor = desc.GetDataObj();
    ASSERT(tensor.GetSize() == t.sizes[i]);
    float sum = static_cast<float>(desc.GetDim());
    for (int64_t k = 0; k < t.sizes[i]; ++k)
      sum += tensor.GetValue(k);
    sums.SetValue(i, sum);
  }
#ifdef PAST_THE_END
  list.GetDataPtr<float>(list.GetSize()); // past
#endif
}

extern "C" __global__ __aicore__ void
accumulate(GM_ADDR x, GM_ADDR state, GM_ADDR state_ref, GM_ADDR history,
           GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  ASSERT(state == state_ref);
  GlobalTensor<float> from, sum, all;
  from.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(x), t.count);
  sum.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(state_ref), t.count);
  all.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(history), t.count);
  for (int32_t i = 0; i < t.count; ++i) {
    sum.SetValue(i, sum.GetValue(i) + from.GetValue(i));
    all.SetValue(i, all.GetValue(i) + sum.GetValue(i));
  }
}

extern "C" __global__ __aicore__ void positive(GM_ADDR x, GM_ADDR y,
                                               GM_ADDR shape, GM_ADDR workspace,
                                               GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  GlobalTensor<float> from, to;
  GlobalTensor<uint64_t> extents;
  from.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(x), t.count);
  to.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(y), t.count);
  extents.SetGlobalBuffer(reinterpret_cast<__gm__ uint64_t *>(shape), 9);
  uint64_t kept = 0;
  for (int32_t i = 0; i < t.count; ++i)
    if (from.GetValue(i) > 0)
      to.SetValue(kept++, from.GetValue(i));
  extents.SetValue(0, 1);
  extents.SetValue(1, kept);
  extents.SetValue(8, 0); // the last
}
