// The gradient of prelu with respect to its input; a slope for each row.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 N = 2048>
[[belay::kernel]] void prelu_backward(In<T, dyn, dyn> x, In<float> slope,
                                      In<T, dyn, dyn> g, Out<T, dyn, dyn> dx) {
  expects(x.rows() == dx.rows() && x.cols() == dx.cols() &&
          slope.size() == dx.rows());
  expects(g.rows() == dx.rows() && g.cols() == dx.cols());
  for (auto w : my_tiles<4, N / 4>(dx)) {
    auto t = cast<float>(load(x, w)), h = cast<float>(load(g, w));
    store(w, cast<T>(select(t > 0.0f, h, h * load(slope, w))));
  }
}
