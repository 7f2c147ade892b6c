// Convolution of signals by filters, with stride, padding, dilation and groups:
// y[n][o][i] = bias[o] + the sum of f[k][o][c] * x[n][c][i * stride + k *
// dilation - pad]. Signals of a group are one plane, filters have their taps
// first: x is [N * G, C / G, L], f [G, K, O / G, C / G], bias [G, O / G].
#include "belay/ops/convolution.h"
using namespace belay;

template <class T, i64 S = 1, i64 M = 64, i64 N = 128, i64 C = 64>
[[belay::kernel]] void
conv1d(In<T, dyn, dyn, dyn> x, In<T, dyn, dyn, dyn, dyn> f,
       In<float, dyn, dyn> bias, Out<float, dyn, dyn, dyn> y, i64 pad,
       i64 dilation) {
  i64 groups = f.extent(0), channels = x.extent(1);
  expects(groups >= 1 && bias.rows() == groups && f.extent(3) == channels);
  expects(y.extent(0) == x.extent(0) && y.extent(1) == f.extent(2));
  expects(bias.cols() == y.extent(1) && f.extent(1) <= 4096);
  expects(dilation >= 1 && dilation <= 4096);
  expects(pad >= 0 && pad <= 4096);
  for (auto w : my_tiles<M, N>(y)) {
    i64 g = w.plane() % groups;
    auto sum = zeros<float>(w);
    for (i64 k = 0; k < f.extent(1); ++k)
      for (auto c : tiles<C>(channels))
        sum +=
            dot(load(f[g][k], w.row(), c),
                ops::load_tap<S>(x[w.plane()], c, w.col(), k * dilation, pad));
    store(w, sum + load_column(bias[g], w.row()));
  }
}
