// x[r][i] - a * x[r][i - 1], the sample before the first counts as 0.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 N = 2048>
[[belay::kernel]] void pre_emphasis(In<T, dyn, dyn> x, Out<T, dyn, dyn> y,
                                    float a) {
  expects(x.rows() == y.rows() && x.cols() == y.cols());
  for (auto w : my_tiles<1, N>(y)) {
    auto before =
        load_or(x, w.row(), span<N>(w.col().begin - 1, w.col().size), T(0));
    store(w, cast<T>(cast<float>(load(x, w)) - cast<float>(before) * a));
  }
}
