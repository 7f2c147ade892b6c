// Kernels as people write them, and what they become.
// DEFINE: %{all} = --kernel 'vec_add<float>' --kernel 'layernorm<1024>' --kernel total --kernel embedding --kernel swish --kernel transposed --kernel planes --kernel integers
// RUN: belay build %s --emit ascend-ir %{all} | FileCheck %s
#include "belay/kernel.h"
using namespace belay;

// An instance is asked for on the command line.
// CHECK-LABEL: func.func @vec_add_float_8192(
// CHECK-SAME: memref<?xf32, #ascend.space<gm>> {ascend.role = #ascend.role<in>}
// CHECK-SAME: memref<?xf32, #ascend.space<gm>> {ascend.role = #ascend.role<out>}
// CHECK-SAME: attributes {ascend.cores = #ascend.cores<all>, ascend.kernel}
template <class T, i64 N = 8192>
[[belay::kernel]] void vec_add(In<T> x, In<T> y, Out<T> z) {
  // CHECK: ascend.expects %{{.*}}, "x.size() == z.size()"
  // CHECK: ascend.expects %{{.*}}, "y.size() == z.size()"
  expects(x.size() == z.size() && y.size() == z.size());
  // CHECK: %[[CORE:.*]] = ascend.core_index
  // CHECK: %[[FROM:.*]] = arith.muli %[[CORE]], %c8192
  // CHECK: %[[CORES:.*]] = ascend.core_count
  // CHECK: %[[STEP:.*]] = arith.muli %[[CORES]], %c8192
  // CHECK: scf.for %[[I:.*]] = %[[FROM]] to %[[N:.*]] step %[[STEP]] {
  // CHECK: %[[LEFT:.*]] = arith.subi %[[N]], %[[I]]
  // CHECK: %[[SIZE:.*]] = arith.minsi %[[LEFT]], %c8192
  // CHECK: ascend.load %{{.*}}[%[[I]]] [%[[SIZE]]] : {{.*}} -> tensor<1x?xf32, #ascend.capacity<1x8192>>
  // CHECK: arith.addf
  // CHECK: ascend.store %{{.*}}, %{{.*}}[%[[I]]] [%[[SIZE]]]
  for (auto w : my_tiles<N>(z))
    store(w, load(x, w) + load(y, w));
}

// CHECK-LABEL: func.func @layernorm_1024(
template <i64 C>
[[belay::kernel]] void layernorm(In<half, dyn, C> x, In<float, C> gamma,
                                 In<float, C> beta, Out<half, dyn, C> y,
                                 float eps) {
  expects(x.rows() == y.rows());
  // CHECK: %[[G:.*]] = ascend.load %{{.*}}[0] [1024] : {{.*}} -> tensor<1x1024xf32>
  auto g = load(gamma), b = load(beta);
  // CHECK: scf.for
  for (auto rows : my_rows<4>(y)) {
    // CHECK: arith.extf %{{.*}} : tensor<?x1024xf16, #ascend.capacity<4x1024>> to tensor<?x1024xf32, #ascend.capacity<4x1024>>
    auto t = cast<float>(load(x, rows));
    // CHECK: ascend.reduce <sum> along <row>
    // CHECK: ascend.broadcast %{{.*}}[] : tensor<?x1xf32, #ascend.capacity<4x1>> -> tensor<?x1024xf32, #ascend.capacity<4x1024>>
    auto d = t - row_mean(t);
    // CHECK: math.rsqrt
    auto s = rsqrt(row_mean(d * d) + eps);
    // CHECK: ascend.broadcast %[[G]][%{{.*}}] : tensor<1x1024xf32>
    // CHECK: arith.truncf
    store(rows, cast<half>(d * s * g + b));
  }
}

// A value is carried through the loop; a barrier follows.
// CHECK-LABEL: func.func @total(
// CHECK-SAME: #ascend.role<percore>
[[belay::kernel]] void total(In<float> x, PerCore<float> part,
                             Out<float, 1> out) {
  expects(core_count() <= max_cores);
  // CHECK: %[[SUM:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (f32)
  float s = 0;
  for (auto w : my_tiles<64>(x))
    s += sum(load(x, w));
  // CHECK: %[[TILE:.*]] = ascend.splat %[[SUM]][] : f32 -> tensor<1x1xf32>
  // CHECK: ascend.store %[[TILE]], %{{.*}}[%{{[^]]+}}] [1]
  store_mine(part, s);
  // CHECK: ascend.sync_cores
  sync_cores();
  // CHECK: scf.if
  if (first_core())
    store(out, 0, sum(load_all(part)));
}

// CHECK-LABEL: func.func @embedding(
[[belay::kernel]] void embedding(In<half, dyn, 16> table, In<i32> ids,
                                 Out<half, dyn, 16> out) {
  expects(out.rows() == ids.size());
  for (auto rows : my_rows<16>(out))
    // CHECK: ascend.load {{.*}} -> tensor<?x1xi32, #ascend.capacity<16x1>>
    // CHECK: ascend.gather <zero>
    store(rows, gather<Oob::zero>(table, load(ids, rows)));
}

// The user's own functions and lambdas; branches that assign.
template <i64 N> Row<N, float> silu(const Row<N, float> &t) {
  return t * sigmoid(t);
}
// CHECK-LABEL: func.func @swish(
[[belay::kernel]] void swish(In<float> x, Out<float> y, float alpha) {
  expects(x.size() == y.size() && alpha >= 0);
  auto twice = [&](const auto &t) { return t + t; };
  for (auto w : my_tiles<64>(y)) {
    auto t = load(x, w);
    // CHECK: scf.if %{{.*}} -> (tensor<1x?xf32, #ascend.capacity<1x64>>)
    if (alpha > 1)
      t = silu(t) * alpha;
    else
      t = twice(t);
    store(w, t);
  }
}

// Transposed windows, views of higher rank, plain loops.
// CHECK-LABEL: func.func @transposed(
[[belay::kernel]] void transposed(In<half, dyn, dyn> x, Out<half, dyn, dyn> y) {
  expects(x.rows() == y.cols() && x.cols() == y.rows());
  for (auto w : my_tiles<16, 32>(y))
    // CHECK: ascend.transpose
    store(w, transpose(load(x, w.col(), w.row())));
}
// CHECK-LABEL: func.func @planes(
[[belay::kernel]] void planes(In<float, dyn, dyn, 64> x,
                              Out<float, dyn, dyn, 64> y) {
  expects(x.extent(0) == y.extent(0) && x.extent(1) == y.extent(1));
  // CHECK: scf.for
  for (i64 p = core_index(); p < x.extent(0); p += core_count())
    for (auto r : tiles<8>(x.extent(1)))
      // CHECK: memref.subview
      // CHECK: ascend.load {{.*}} memref<?x64xf32, strided<[64, 1], offset: ?>, #ascend.space<gm>>
      store(y[p], r, span<64>(0, 64), relu(load(x[p], r, span<64>(0, 64))));
}
// CHECK-LABEL: func.func @integers(
[[belay::kernel]] void integers(In<i32> x, Out<i32> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<64>(y)) {
    auto t = load(x, w);
    // CHECK: arith.cmpi sgt
    // CHECK: arith.select
    auto big = select(t > 5, t, full_like(t, i32(0)));
    // CHECK: arith.shli
    // CHECK: arith.andi
    store(w, (big << 2) & 255);
  }
}
