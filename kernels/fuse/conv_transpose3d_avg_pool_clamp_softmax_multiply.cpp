// The mean of 2 by 2 by 2 neighbours, then a transposed convolution of volumes
// with stride S, between bounds, softmax over all places, and a factor for each
// output. The scratch p has the means; an image is one core's.
// MultiKernelBench: fuse/conv_transpose3d_avg_pool_clamp_softmax_multiply.
#include "belay/ops/standardize.h"
using namespace belay;

template <class T, i64 KD, i64 KH, i64 KW, i64 S, i64 M = 32, i64 N = 64,
          i64 C = 64>
[[belay::kernel]] void conv_transpose3d_avg_pool_clamp_softmax_multiply(
    In<T, dyn, dyn, dyn, dyn, dyn> x, In<T, KD * KH * KW, dyn, dyn> f,
    In<float> bias, In<float> factors, InOut<T, dyn, dyn, dyn, dyn, dyn> p,
    InOut<float, dyn, dyn, dyn, dyn, dyn> y, i64 pad, float low, float high) {
  expects(x.extent(0) == y.extent(0) && p.extent(0) == y.extent(0));
  expects(x.extent(1) == p.extent(1) && f.extent(2) == p.extent(1));
  expects(p.extent(2) <= x.extent(2) / 2 && p.extent(3) <= x.extent(3) / 2);
  expects(p.extent(4) <= x.extent(4) / 2 && p.extent(2) >= 1);
  expects(f.extent(1) == y.extent(1) && bias.size() == y.extent(1));
  expects(factors.size() == y.extent(1) && p.extent(3) >= 1);
  expects(pad >= 0 && pad <= 4096);
  for (i64 n = core_index(); n < y.extent(0); n += core_count()) {
    for (auto q : tiles<M>(p.extent(1)))
      ops::each_line<N>(p, n, [&](auto line, i64 d, i64 h, auto c) {
        auto total = zeros<float>(q, c);
        for (i64 i = 0; i < 8; ++i) {
          auto from =
              slice<1>(slice<1>(x[n], d * 2 + i / 4), h * 2 + i / 2 % 2);
          total = total + cast<float>(load(strided<1>(from, i % 2, 2), q, c));
        }
        store(line, q, c, cast<T>(total * 0.125f));
      });
    for (auto o : tiles<M>(y.extent(1))) {
      auto most = column<float>(o, -3e38f), total = column<float>(o, 0.0f);
      ops::each_line<N>(y, n, [&](auto line, i64 d, i64 h, auto c) {
        ops::each_phase<S>(c, [&](i64 phase, auto cols) {
          auto t = ops::spread_line<KD, KH, KW, S, S, C>(p[n], f, bias, o, d, h,
                                                         phase, cols, pad);
          auto u = clamp(t, low, high);
          auto now = max(most, row_max(u));
          total = total * exp(most - now) + row_sum(exp(u - now));
          most = std::move(now);
          store(strided<1>(line, phase, S), o, cols, u);
        });
      });
      auto factor = load_column(factors, o) / total;
      ops::each_line<N>(y, n, [&](auto line, i64, i64, auto c) {
        store(line, o, c, exp(load(line, o, c) - most) * factor);
      });
    }
  }
}
