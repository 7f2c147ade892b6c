// A number that the scalar unit reads is fresh: the cache is cleaned of what
// was stored, also where the kernel is split into the parts of two cores. RUN:
// belay build %s --deny --emit ascendc | FileCheck %s
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void pairs_of_products(In<half, dyn, dyn> a,
                                         In<half, dyn, 64> b,
                                         InOut<float, dyn, 64> s,
                                         Out<float, dyn, 32> y) {
  expects(a.cols() == b.rows() && s.rows() == a.rows() && y.rows() == a.rows());
  for (auto w : my_rows<32>(y)) {
    auto all = span<64>(0, 64);
    auto t = zeros<float>(w.row(), all);
    for (auto k : tiles<64>(a.cols()))
      t += dot(load(a, w.row(), k), load(b, k, all));
    store(s, w.row(), all, t + 1.0f);
    store(w, load(strided<1>(s, 0, 2), w.row(), w.col()) +
                 load(strided<1>(s, 1, 2), w.row(), w.col()));
  }
}
// CHECK: if ASCEND_IS_AIC
// CHECK-NOT: GetValue
// CHECK: if ASCEND_IS_AIV
// CHECK: DataCacheCleanAndInvalid<float, CacheLine::ENTIRE_DATA_CACHE
// CHECK: s.GetValue(
// CHECK: DataCacheCleanAndInvalid<float, CacheLine::ENTIRE_DATA_CACHE
// CHECK: s.GetValue(
