// The gradient of a * sigmoid(a) * b of the two halves of each row: those of
// both halves, as a row.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 N = 1024>
[[belay::kernel]] void swiglu_backward(In<T, dyn, dyn> x, In<T, dyn, dyn> g,
                                       Out<T, dyn, dyn> dx) {
  expects(x.rows() == dx.rows() && g.rows() == dx.rows());
  expects(x.cols() == g.cols() * 2 && dx.cols() == x.cols());
  for (i64 r = core_index(); r < g.rows(); r += core_count())
    for (auto c : tiles<N>(g.cols())) {
      auto second = span<N>(c.begin + g.cols(), c.size);
      auto a = cast<float>(load(x[r], c)), b = cast<float>(load(x[r], second));
      auto h = cast<float>(load(g[r], c));
      auto s = 1.0f / (exp(-a) + 1.0f);
      store(dx[r], c, cast<T>(h * b * (s + a * s * (1.0f - s))));
      store(dx[r], second, cast<T>(h * a * s));
    }
}
