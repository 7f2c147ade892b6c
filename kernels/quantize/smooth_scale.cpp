// x[r][c] / s[c]: activations made easier to quantise, as SmoothQuant does.
#include "belay/ops/broadcast.h"
using namespace belay;

template <class T>
[[belay::kernel]] void smooth_scale(In<T, dyn, dyn> x, In<T> s,
                                    Out<T, dyn, dyn> y) {
  expects(x.rows() == y.rows() && x.cols() == y.cols() && s.size() == y.cols());
  ops::map_rows(x, s, y, [](const auto &t, const auto &r) { return t / r; });
}
