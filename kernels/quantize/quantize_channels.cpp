// x[r][c] / scales[c], rounded, as i8: one scale for each channel.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 R = 8, i64 C = 256>
[[belay::kernel]] void quantize_channels(In<T, dyn, dyn> x, In<float> scales,
                                         Out<i8, dyn, dyn> q) {
  expects(x.rows() == q.rows() && x.cols() == q.cols() &&
          scales.size() == q.cols());
  for (auto w : my_tiles<R, C>(q)) {
    auto t = round(cast<float>(load(x, w)) / load(scales, w.col()));
    store(w, cast<i8>(cast<half>(clamp(t, -128.0f, 127.0f))));
  }
}
