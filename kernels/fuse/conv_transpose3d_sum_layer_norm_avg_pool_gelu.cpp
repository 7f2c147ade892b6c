// A transposed convolution of volumes with stride S, plus a number, lines of W
// columns normalized, the mean of 2 by 2 by 2 neighbours, and gelu. The scratch
// s has the lines.
// MultiKernelBench: fuse/conv_transpose3d_sum_layer_norm_avg_pool_gelu.
#include "belay/ops/activations.h"
#include "belay/ops/normalize.h"
#include "belay/ops/standardize.h"
using namespace belay;

template <class T, i64 KD, i64 KH, i64 KW, i64 S, i64 W, i64 M = 32, i64 C = 64>
[[belay::kernel]] void conv_transpose3d_sum_layer_norm_avg_pool_gelu(
    In<T, dyn, dyn, dyn, dyn, dyn> x, In<T, KD * KH * KW, dyn, dyn> f,
    In<float> bias, In<float, W> gamma, In<float, W> beta,
    InOut<float, dyn, dyn, dyn, dyn, W> s,
    Out<float, dyn, dyn, dyn, dyn, W / 2> y, i64 pad, float eps, float add) {
  expects(x.extent(0) == s.extent(0) && f.extent(2) == x.extent(1));
  expects(f.extent(1) == s.extent(1) && bias.size() == s.extent(1));
  expects(s.extent(0) <= 1 << 20 && s.extent(1) <= 1 << 20);
  expects(x.extent(2) >= 1 && x.extent(3) >= 1);
  expects(pad >= 0 && pad <= 4096);
  expects(y.extent(0) == s.extent(0) && y.extent(1) == s.extent(1));
  expects(y.extent(2) <= s.extent(2) / 2 && y.extent(3) <= s.extent(3) / 2);
  auto g = load(gamma), b = load(beta);
  auto all = span<W>(0, W);
  for (auto w : my_tiles<M, W / 2>(permuted<0, 2, 3, 1, 4>(y))) {
    i64 n = w.plane(0);
    auto total = zeros<float>(w);
    for (i64 i = 0; i < 4; ++i) {
      i64 d = w.plane(1) * 2 + i / 2, h = w.plane(2) * 2 + i % 2;
      auto line = slice<1>(slice<1>(s[n], d), h);
      ops::each_phase<S>(all, [&](i64 phase, auto cols) {
        store(strided<1>(line, phase, S), w.row(), cols,
              ops::spread_line<KD, KH, KW, S, S, C>(x[n], f, bias, w.row(), d,
                                                    h, phase, cols, pad) +
                  add);
      });
      store(line, w.row(), all,
            ops::layer_norm(load(line, w.row(), all), g, b, eps));
      for (i64 j = 0; j < 2; ++j)
        total = total + load(strided<1>(line, j, 2), w.row(), w.col());
    }
    store(w, ops::gelu(total * 0.125f));
  }
}
