// 1 - |a b| over |a b| + alpha |a (1 - b)| + beta |(1 - a) b|, smoothed.
#include "belay/ops/sums.h"
using namespace belay;

template <class T, i64 N = 2048>
[[belay::kernel]] void tversky(In<T> a, In<T> b, PerCore<float> both,
                               PerCore<float> first, PerCore<float> second,
                               Out<float, 1> loss, float alpha, float beta,
                               float smooth) {
  expects(a.size() == b.size() && core_count() <= max_cores);
  float common = ops::sum_mine<N>(a.size(), [&](auto s) {
    return cast<float>(load(a, s)) * cast<float>(load(b, s));
  });
  float left = ops::sum_mine<N>(
      a.size(), [&](auto s) { return cast<float>(load(a, s)); });
  float right = ops::sum_mine<N>(
      b.size(), [&](auto s) { return cast<float>(load(b, s)); });
  store_mine(first, left);
  store_mine(second, right);
  float i = ops::sum_cores(both, common);
  float p = sum(load_all(first)), t = sum(load_all(second));
  if (first_core())
    store(loss, 0,
          1.0f -
              (i + smooth) / (i + (p - i) * alpha + (t - i) * beta + smooth));
}
