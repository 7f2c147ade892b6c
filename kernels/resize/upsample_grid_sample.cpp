// Planes of twice as many columns and rows, turned, scaled and moved by a
// matrix for each image: torch's interpolate, affine_grid and grid_sample,
// bilinear, with zeros around and align_corners = false. What is between is
// never stored: each of its elements that is asked for is interpolated.
// MultiKernelBench: resize/upsample_grid_sample.
#include "belay/ops/sampling.h"
using namespace belay;

template <class T, i64 W, i64 C, i64 B = 4096, i64 K = 512>
[[belay::kernel]] void upsample_grid_sample(In<T, dyn, dyn> x,
                                            In<float, dyn, 6> theta,
                                            Out<T, dyn, dyn> y, i64 h) {
  expects(h >= 1 && h * W <= B);
  expects(x.rows() == y.rows() && x.cols() == h * W);
  expects(y.cols() == 4 * h * W && y.rows() == theta.rows() * C);
  for (i64 p = core_index(); p < y.rows(); p += core_count()) {
    auto plane = load(x[p], span<B>(0, x.cols()));
    auto m = [&](i64 k) { return sum(load(theta[p / C], span<1>(k, 1))); };
    float a = m(0), b = m(1), c = m(2), d = m(3), e = m(4), f = m(5);
    auto large = [&](const Row<K, float> &u, const Row<K, float> &v) {
      auto inside = (u >= 0.0f) & (u <= float(2 * W - 1)) & (v >= 0.0f) &
                    (v <= float(2 * h - 1));
      auto value = ops::bilinear(
          clamp(u * 0.5f - 0.25f, 0.0f, float(W - 1)),
          clamp(v * 0.5f - 0.25f, 0.0f, float(h - 1)),
          [&](const Row<K, float> &r, const Row<K, float> &s) {
            return ops::elements_at<W>(plane, 0, h, min(r, float(W - 1)),
                                       min(s, float(h - 1)));
          });
      return select(inside, value, 0.0f);
    };
    for (auto o : tiles<K>(y.cols())) {
      auto row = ops::output_row<2 * W>(o);
      auto s = (ops::output_column<2 * W>(o, row) * 2.0f + 1.0f) *
                   (1.0f / float(2 * W)) -
               1.0f;
      auto t = (row * 2.0f + 1.0f) * (1.0f / float(2 * h)) - 1.0f;
      auto value = ops::bilinear(
          ops::position_of(s * a + t * b + c, float(2 * W)),
          ops::position_of(s * d + t * e + f, float(2 * h)), large);
      store(y[p], o, cast<T>(value));
    }
  }
}
