// A convolution of volumes, with normalized groups of W outputs, and the mean
// over all of an image, which is one core's. The scratch s has the convolution.
// MultiKernelBench: fuse/conv3d_group_norm_mean.
#include "belay/ops/standardize.h"
using namespace belay;

template <class T, i64 KD, i64 KH, i64 KW, i64 W, i64 N = 64, i64 C = 64>
[[belay::kernel]] void conv3d_group_norm_mean(
    In<T, dyn, dyn, dyn, dyn, dyn> x, In<T, KD * KH * KW, dyn, dyn> f,
    In<float> bias, In<float> gamma, In<float> beta,
    InOut<float, dyn, dyn, dyn, dyn, dyn> s, Out<float> y, float eps) {
  expects(x.extent(0) == s.extent(0) && f.extent(2) == x.extent(1));
  expects(f.extent(1) == s.extent(1) && bias.size() == s.extent(1));
  expects(gamma.size() == s.extent(1) && beta.size() == s.extent(1));
  expects(s.extent(0) <= 1 << 20 && s.extent(1) <= 1 << 20);
  expects(x.extent(2) >= 1 && x.extent(3) >= 1);
  expects(s.extent(1) % W == 0 && y.size() == s.extent(0));
  float places = float(s.extent(2)) * float(s.extent(3)) * float(s.extent(4));
  float part = 1.0f / (places * W);
  for (auto w : my_tiles<1>(y)) {
    i64 n = w.col().begin;
    auto total = full<float>(w, 0.0f);
    for (auto o : tiles<W>(s.extent(1))) {
      auto mean = ops::make_mean<true, N>(
          s, o, n, n + 1, part, [&](auto line, i64 n, i64 d, i64 h, auto c) {
            auto t = ops::conv_line<KD, KH, KW, 1, 1, C>(x[n], f, bias, o, d, h,
                                                         c, 0, 0, 0, 0);
            auto s = copy(t);
            auto total = row_sum(s);
            store(line, o, c, s);
            return total;
          });
      auto scale =
          ops::inverse_deviation<true, N>(s, o, n, n + 1, part, mean, eps);
      auto own = column<float>(o, 0.0f);
      ops::each_line<N>(s, n, [&](auto line, i64, i64, auto c) {
        own = own + row_sum((load(line, o, c) - mean) * scale);
      });
      total = total + col_sum(own * (1.0f / places) * load_column(gamma, o) +
                              load_column(beta, o));
    }
    store(w, total * (1.0f / float(s.extent(1))));
  }
}
