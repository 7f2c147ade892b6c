// Convolution of volumes by filters, with stride, padding, dilation and groups:
// conv2d with one more dimension. x is [N * G, C / G, D, H, W], f
// [G, KD * KH * KW, O / G, C / G], bias [G, O / G].
#include "belay/ops/convolution.h"
using namespace belay;

template <class T, i64 KD, i64 KH, i64 KW, i64 S = 1, i64 M = 64, i64 N = 128,
          i64 C = 64>
[[belay::kernel]] void
conv3d(In<T, dyn, dyn, dyn, dyn, dyn> x, In<T, dyn, KD * KH * KW, dyn, dyn> f,
       In<float, dyn, dyn> bias, Out<float, dyn, dyn, dyn, dyn, dyn> y, i64 pad,
       i64 dilation) {
  i64 groups = f.extent(0), channels = x.extent(1);
  i64 depth = x.extent(2), height = x.extent(3);
  expects(groups >= 1 && bias.rows() == groups && f.extent(3) == channels);
  expects(y.extent(0) == x.extent(0) && y.extent(1) == f.extent(2));
  expects(bias.cols() == y.extent(1) && depth >= 1 && height >= 1);
  expects(dilation >= 1 && dilation <= 4096 && pad >= 0 && pad <= 4096);
  for (auto w : my_tiles<M, N>(permuted<0, 2, 3, 1, 4>(y))) {
    i64 volume = w.plane(0), g = volume % groups;
    auto sum = zeros<float>(w);
    for (i64 q = 0; q < KD; ++q) {
      i64 at = w.plane(1) * S + q * dilation - pad;
      auto image = slice<1>(x[volume], max(min(at, depth - 1), 0));
      for (i64 r = 0; r < KH; ++r) {
        i64 row = w.plane(2) * S + r * dilation - pad;
        auto line = slice<1>(image, max(min(row, height - 1), 0));
        bool is_inside = at >= 0 && at < depth && row >= 0 && row < height;
        for (i64 t = 0; t < KW; ++t)
          for (auto c : tiles<C>(is_inside ? channels : 0))
            sum += dot(load(f[g][(q * KH + r) * KW + t], w.row(), c),
                       ops::load_tap<S>(line, c, w.col(), t * dilation, pad));
      }
    }
    store(w, sum + load_column(bias[g], w.row()));
  }
}
