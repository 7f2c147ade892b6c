// Convolution of each channel of images by a filter of its own, on the vector
// core: a tile has rows of some channels. x is [N, C, H, W], f [KH * KW, C].
#include "belay/ops/convolution.h"
using namespace belay;

template <i64 KH, i64 KW, i64 S = 1, i64 C = 16, i64 N = 128>
[[belay::kernel]] void
conv_depthwise(In<float, dyn, dyn, dyn, dyn> x, In<float, KH * KW, dyn> f,
               Out<float, dyn, dyn, dyn, dyn> y, i64 pad, i64 dilation) {
  i64 height = x.extent(2);
  expects(y.extent(0) == x.extent(0) && y.extent(1) == x.extent(1));
  expects(f.cols() == x.extent(1) && height >= 1);
  expects(dilation >= 1 && dilation <= 4096);
  expects(pad >= 0 && pad <= 4096);
  for (auto w : my_tiles<C, N>(permuted<0, 2, 1, 3>(y))) {
    auto sum = zeros<float>(w);
    for (i64 r = 0; r < KH; ++r) {
      i64 row = w.plane(1) * S + r * dilation - pad;
      if (row >= 0 && row < height)
        for (i64 t = 0; t < KW; ++t)
          sum += load_column(f[r * KW + t], w.row()) *
                 ops::load_tap<S>(slice<1>(x[w.plane(0)], row), w.row(),
                                  w.col(), t * dilation, pad);
    }
    store(w, sum);
  }
}
