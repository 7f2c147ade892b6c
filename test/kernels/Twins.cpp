//===- Twins.cpp - The host twins of examples/kernels, for Python ---------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "belay/twin.h"

#include "adam.cpp"
#include "argmax.cpp"
#include "axpy.cpp"
#include "cross_entropy.cpp"
#include "cumsum.cpp"
#include "embedding.cpp"
#include "gelu.cpp"
#include "layernorm.cpp"
#include "matmul.cpp"
#include "matmul_batched.cpp"
#include "matmul_i8.cpp"
#include "newton.cpp"
#include "pool.cpp"
#include "reduce.cpp"
#include "relu.cpp"
#include "resize.cpp"
#include "rmsnorm.cpp"
#include "scatter_add.cpp"
#include "search.cpp"
#include "softmax.cpp"
#include "swish.cpp"
#include "transpose.cpp"
#include "vec_add.cpp"

/// 0, or 1 if the twin found a violation.
#define TWIN(NAME, ...)                                                        \
  extern "C" __attribute__((visibility("default"))) int NAME(                  \
      belay::i64 cores, const belay::twin::Argument *arguments) {              \
    try {                                                                      \
      belay::twin::launch_with(cores, __VA_ARGS__, arguments);                 \
      return 0;                                                                \
    } catch (const belay::violation &) {                                       \
      return 1;                                                                \
    }                                                                          \
  }

TWIN(twin_vec_add_f16, vec_add<half>)
TWIN(twin_vec_add_f32, vec_add<float, 64>)
TWIN(twin_vec_add_i32, vec_add<i32>)
TWIN(twin_axpy, axpy)
TWIN(twin_relu, relu_of<float>)
TWIN(twin_gelu, gelu)
TWIN(twin_gelu_tanh, gelu_tanh)
TWIN(twin_swish, swish)
TWIN(twin_softmax, softmax<100>)
TWIN(twin_softmax_long, softmax_long)
TWIN(twin_layernorm, layernorm<96>)
TWIN(twin_rmsnorm, rmsnorm<96>)
TWIN(twin_reduce_one, reduce_one)
TWIN(twin_reduce_all, reduce_all)
TWIN(twin_cumsum, cumsum<64>)
TWIN(twin_embedding, embedding<32>)
TWIN(twin_scatter_rows, scatter_rows<32>)
TWIN(twin_transpose, transpose_of)
TWIN(twin_adam, adam)
TWIN(twin_cross_entropy, cross_entropy<50>)
TWIN(twin_argmax, argmax<50>)
TWIN(twin_resize, resize<10, 3>)
TWIN(twin_avg_pool, avg_pool<14>)
TWIN(twin_max_pool, max_pool<14>)
TWIN(twin_search_sorted, search_sorted)
TWIN(twin_square_root, square_root)
TWIN(twin_matmul_f16, matmul<half, 32, 48, 64>)
TWIN(twin_matmul_bf16, matmul<bfloat16, 32, 48, 64>)
TWIN(twin_matmul_f32, matmul<float, 32, 48, 64>)
TWIN(twin_matmul_i8, matmul_i8<32, 48, 64>)
TWIN(twin_batched_nn_f16, matmul_batched<half, false, false, 32, 48, 64>)
TWIN(twin_batched_nt_f16, matmul_batched<half, false, true, 32, 48, 64>)
TWIN(twin_batched_tn_f16, matmul_batched<half, true, false, 32, 48, 64>)
TWIN(twin_batched_tt_f16, matmul_batched<half, true, true, 32, 48, 64>)
TWIN(twin_batched_nn_f32, matmul_batched<float, false, false, 32, 48, 64>)
TWIN(twin_batched_nt_f32, matmul_batched<float, false, true, 32, 48, 64>)
TWIN(twin_batched_tn_f32, matmul_batched<float, true, false, 32, 48, 64>)
TWIN(twin_batched_tt_f32, matmul_batched<float, true, true, 32, 48, 64>)
TWIN(twin_batched_tt_bf16, matmul_batched<bfloat16, true, true, 32, 48, 64>)
