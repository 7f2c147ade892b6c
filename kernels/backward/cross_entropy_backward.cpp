// The gradient of the cross entropy of rows, times scale: softmax(x) - 1 at the
// target.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 C, i64 R = 4>
[[belay::kernel]] void cross_entropy_backward(In<T, dyn, C> x, In<i32> target,
                                              Out<T, dyn, C> dx, float scale) {
  expects(x.rows() == dx.rows() && target.size() == dx.rows());
  for (auto w : my_rows<R>(dx)) {
    auto t = cast<float>(load(x, w));
    auto e = exp(t - row_max(t));
    auto p = e / row_sum(e);
    auto hit = iota<C, i32>() == load(target, w);
    store(w, cast<T>(select(hit, p - 1.0f, p) * scale));
  }
}
