// x where it is positive, its channel's slope * x elsewhere.
#include "belay/kernel.h"
using namespace belay;

template <class T>
[[belay::kernel]] void prelu(In<T, dyn, dyn> x, In<float> slope,
                             Out<T, dyn, dyn> y) {
  expects(x.rows() == y.rows() && x.cols() == y.cols());
  expects(slope.size() == y.rows());
  for (auto w : my_tiles<8, 512>(y)) {
    auto t = cast<float>(load(x, w));
    store(w, cast<T>(max(t, 0.0f) + min(t, 0.0f) * load(slope, w)));
  }
}
