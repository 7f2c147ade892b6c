// Convolution of images by filters of one pixel: the same product for every
// image, of f[output][channel] and x[n][channel][pixel]; pixels are merged.
// MultiKernelBench: convolution/conv_pointwise_2d.
#include "belay/ops/linear.h"
using namespace belay;

template <class T, i64 M = 128, i64 N = 256, i64 K = 64>
[[belay::kernel]] void conv_pointwise(In<T, dyn, dyn, dyn> x, In<T, dyn, dyn> f,
                                      Out<T, dyn, dyn, dyn> y) {
  expects(x.extent(0) == y.extent(0) && x.extent(2) == y.extent(2));
  expects(f.rows() == y.extent(1) && f.cols() == x.extent(1));
  for (auto w : my_tiles<M, N>(y))
    store(w, cast<T>(ops::product<K>(f, x[w.plane()], w.row(), w.col())));
}
