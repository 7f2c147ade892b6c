// Planes turned, scaled and moved by a matrix for each image: torch's
// affine_grid and grid_sample, bilinear, with zeros around and align_corners =
// false. MultiKernelBench: resize/grid_sample_affine. C planes of W columns, h
// rows, are an image, and so are OW columns, oh rows: x[plane][row * W +
// column].
#include "belay/ops/sampling.h"
using namespace belay;

template <class T, i64 W, i64 OW, i64 C, i64 B = 16384, i64 K = 512>
[[belay::kernel]] void grid_sample_affine(In<T, dyn, dyn> x,
                                          In<float, dyn, 6> theta,
                                          Out<T, dyn, dyn> y, i64 h, i64 oh) {
  expects(h >= 1 && h * W <= B && oh >= 1 && oh <= (1 << 20) / OW);
  expects(x.rows() == y.rows() && x.cols() == h * W && y.cols() == oh * OW);
  expects(y.rows() == theta.rows() * C);
  for (i64 p = core_index(); p < y.rows(); p += core_count()) {
    auto plane = load(x[p], span<B>(0, x.cols()));
    auto m = [&](i64 k) { return sum(load(theta[p / C], span<1>(k, 1))); };
    float a = m(0), b = m(1), c = m(2), d = m(3), e = m(4), f = m(5);
    for (auto o : tiles<K>(y.cols())) {
      auto row = ops::output_row<OW>(o);
      auto s =
          (ops::output_column<OW>(o, row) * 2.0f + 1.0f) * (1.0f / float(OW)) -
          1.0f;
      auto t = (row * 2.0f + 1.0f) * (1.0f / float(oh)) - 1.0f;
      auto value =
          ops::bilinear(ops::position_of(s * a + t * b + c, float(W)),
                        ops::position_of(s * d + t * e + f, float(h)),
                        [&](const Row<K, float> &u, const Row<K, float> &v) {
                          return ops::elements_at<W>(plane, 0, h, u, v);
                        });
      store(y[p], o, cast<T>(value));
    }
  }
}
