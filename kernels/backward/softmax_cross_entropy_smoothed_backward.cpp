// The gradient of cross entropy with label smoothing with respect to logits,
// rows of C columns, scaled.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 C, i64 R = 2>
[[belay::kernel]] void
softmax_cross_entropy_smoothed_backward(In<T, dyn, C> x, In<i32> target,
                                        Out<T, dyn, C> dx, float smoothing,
                                        float scale) {
  expects(x.rows() == dx.rows() && target.size() == dx.rows());
  for (auto w : my_rows<R>(dx)) {
    auto t = cast<float>(load(x, w));
    auto e = exp(t - row_max(t));
    auto rest = full_like(t, smoothing / float(C));
    auto hit = select(col_index<i32>(w) == load(target, w),
                      rest + (1.0f - smoothing), rest);
    store(w, cast<T>((e / row_sum(e) - hit) * scale));
  }
}
