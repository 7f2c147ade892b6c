// Layer normalization of x * alpha + residual, as DeepNet has it.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 C, i64 R = 2>
[[belay::kernel]] void deep_norm(In<T, dyn, C> x, In<T, dyn, C> residual,
                                 In<float, C> gamma, In<float, C> beta,
                                 Out<T, dyn, C> y, float alpha, float eps) {
  expects(x.rows() == y.rows() && residual.rows() == y.rows());
  for (auto w : my_rows<R>(y)) {
    auto t = cast<float>(load(x, w));
    auto s = t * alpha + cast<float>(load(residual, w));
    auto d = s - row_mean(s);
    store(w,
          cast<T>(d / sqrt(row_mean(d * d) + eps) * load(gamma) + load(beta)));
  }
}
