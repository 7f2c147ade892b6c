// relu(x) in the first half of each row, relu(-x) in the second.
#include "belay/kernel.h"
using namespace belay;

template <class T>
[[belay::kernel]] void crelu(In<T, dyn, dyn> x, Out<T, dyn, dyn> y) {
  expects(x.rows() == y.rows() && y.cols() == x.cols() * 2);
  for (i64 r = core_index(); r < x.rows(); r += core_count())
    for (auto c : tiles<2048>(x.cols())) {
      auto t = cast<float>(load(x[r], c));
      store(y[r], c, cast<T>(max(t, 0.0f)));
      store(y[r], span<2048>(c.begin + x.cols(), c.size),
            cast<T>(max(-t, 0.0f)));
    }
}
