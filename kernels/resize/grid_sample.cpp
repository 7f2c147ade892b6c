// Planes at positions of a grid, between their elements: torch's grid_sample,
// bilinear, with zeros around and align_corners = false. C planes of W columns,
// h rows, share the grid of their image. MultiKernelBench:
// resize/grid_sample_random_warp. Planes are rows: x[plane][row * W + column],
// grid[image][2 * output]. A plane of more than B elements is gone through in
// parts: the first one stores y, whatever was there, the others add to it.
#include "belay/ops/sampling.h"
using namespace belay;

template <class T, i64 W, i64 C, i64 B = 16384, i64 K = 512>
[[belay::kernel]] void grid_sample(In<T, dyn, dyn> x, In<float, dyn, dyn> grid,
                                   InOut<T, dyn, dyn> y, i64 h) {
  expects(h >= 1 && h <= (1 << 24) / W && y.cols() < 1 << 24);
  expects(x.rows() == y.rows() && x.cols() == h * W);
  expects(y.rows() == grid.rows() * C && grid.cols() == 2 * y.cols());
  auto across = strided<1>(grid, 0, 2), down = strided<1>(grid, 1, 2);
  for (i64 p = core_index(); p < y.rows(); p += core_count())
    for (auto part : tiles<B>(x.cols())) {
      auto plane = load(x[p], part);
      for (auto o : tiles<K>(y.cols())) {
        auto value = ops::bilinear(
            ops::position_of(load(across[p / C], o), float(W)),
            ops::position_of(load(down[p / C], o), float(h)),
            [&](const Row<K, float> &a, const Row<K, float> &b) {
              return ops::elements_at<W>(plane, part.begin, h, a, b);
            });
        if (part.begin == 0)
          store(y[p], o, cast<T>(value));
        else
          store_add(y[p], o, cast<T>(value));
      }
    }
}
