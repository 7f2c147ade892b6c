// Convolution of images by filters, with stride, padding, dilation and groups.
// Images of a group are one plane, filters have their taps first: x is
// [N * G, C / G, H, W], f [G, KH * KW, O / G, C / G], bias [G, O / G]. A tile
// has the channels of a row of pixels, so that nothing is unfolded.
#include "belay/ops/convolution.h"
using namespace belay;

template <class T, i64 KH, i64 KW, i64 S = 1, i64 M = 64, i64 N = 128,
          i64 C = 64>
[[belay::kernel]] void
conv2d(In<T, dyn, dyn, dyn, dyn> x, In<T, dyn, KH * KW, dyn, dyn> f,
       In<float, dyn, dyn> bias, Out<float, dyn, dyn, dyn, dyn> y, i64 pad,
       i64 dilation) {
  i64 groups = f.extent(0), channels = x.extent(1), height = x.extent(2);
  expects(groups >= 1 && bias.rows() == groups && f.extent(3) == channels);
  expects(y.extent(0) == x.extent(0) && y.extent(1) == f.extent(2));
  expects(bias.cols() == y.extent(1) && height >= 1);
  expects(dilation >= 1 && dilation <= 4096);
  expects(pad >= 0 && pad <= 4096);
  for (auto w : my_tiles<M, N>(permuted<0, 2, 1, 3>(y))) {
    i64 image = w.plane(0), g = image % groups;
    auto sum = zeros<float>(w);
    for (i64 r = 0; r < KH; ++r) {
      i64 row = w.plane(1) * S + r * dilation - pad;
      bool is_inside = row >= 0 && row < height;
      auto line = slice<1>(x[image], max(min(row, height - 1), 0));
      for (i64 t = 0; t < KW; ++t)
        for (auto c : tiles<C>(is_inside ? channels : 0))
          sum += dot(load(f[g][r * KW + t], w.row(), c),
                     ops::load_tap<S>(line, c, w.col(), t * dilation, pad));
    }
    store(w, sum + load_column(bias[g], w.row()));
  }
}
