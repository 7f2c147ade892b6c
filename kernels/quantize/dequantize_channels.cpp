// q[r][c] * scales[c]: one scale for each channel.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 R = 8, i64 C = 256>
[[belay::kernel]] void dequantize_channels(In<i8, dyn, dyn> q, In<float> scales,
                                           Out<T, dyn, dyn> y) {
  expects(q.rows() == y.rows() && q.cols() == y.cols() &&
          scales.size() == y.cols());
  for (auto w : my_tiles<R, C>(y))
    store(w,
          cast<T>(cast<float>(cast<half>(load(q, w))) * load(scales, w.col())));
}
