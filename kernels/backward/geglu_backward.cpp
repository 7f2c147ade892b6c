// The gradient of gelu(a) * b of the two halves of each row: those of both
// halves, as a row.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 N = 1024>
[[belay::kernel]] void geglu_backward(In<T, dyn, dyn> x, In<T, dyn, dyn> g,
                                      Out<T, dyn, dyn> dx) {
  expects(x.rows() == dx.rows() && g.rows() == dx.rows());
  expects(x.cols() == g.cols() * 2 && dx.cols() == x.cols());
  for (i64 r = core_index(); r < g.rows(); r += core_count())
    for (auto c : tiles<N>(g.cols())) {
      auto second = span<N>(c.begin + g.cols(), c.size);
      auto a = cast<float>(load(x[r], c)), b = cast<float>(load(x[r], second));
      auto h = cast<float>(load(g[r], c));
      auto p = (erf(a * 0.70710678f) + 1.0f) * 0.5f;
      store(dx[r], c,
            cast<T>(h * b * (p + a * exp(a * a * -0.5f) * 0.3989422804f)));
      store(dx[r], second, cast<T>(h * a * p));
    }
}
