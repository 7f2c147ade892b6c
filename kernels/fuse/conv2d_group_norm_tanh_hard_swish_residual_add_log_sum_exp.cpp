// A convolution of images, which are volumes of one plane, plus hard swish of
// tanh of it with normalized groups of W outputs, and the logarithm of the sum
// of exponentials over outputs. The scratch s has the convolution, statistics
// mean and scale of each image and output; an image is one core's.
// MultiKernelBench:
// fuse/conv2d_group_norm_tanh_hard_swish_residual_add_log_sum_exp.
#include "belay/ops/activations.h"
#include "belay/ops/standardize.h"
using namespace belay;

template <class T, i64 KH, i64 KW, i64 W, i64 N = 64, i64 C = 64>
[[belay::kernel]] void
conv2d_group_norm_tanh_hard_swish_residual_add_log_sum_exp(
    In<T, dyn, dyn, 1, dyn, dyn> x, In<T, KH * KW, dyn, dyn> f, In<float> bias,
    In<float> gamma, In<float> beta, InOut<float, dyn, dyn, 1, dyn, dyn> s,
    InOut<float, dyn, 2, dyn> statistics, Out<float, dyn, dyn, dyn> y,
    float eps) {
  expects(x.extent(0) == s.extent(0) && f.extent(2) == x.extent(1));
  expects(f.extent(1) == s.extent(1) && bias.size() == s.extent(1));
  expects(gamma.size() == s.extent(1) && beta.size() == s.extent(1));
  expects(s.extent(0) <= 1 << 20 && s.extent(1) <= 1 << 20);
  expects(x.extent(3) >= 1);
  expects(s.extent(1) % W == 0 && y.extent(0) == s.extent(0));
  expects(statistics.extent(0) == s.extent(0));
  expects(statistics.extent(2) == s.extent(1));
  expects(y.extent(1) == s.extent(3) && y.extent(2) == s.extent(4));
  i64 groups = s.extent(1) / W;
  float places = float(s.extent(2)) * float(s.extent(3)) * float(s.extent(4));
  float part = 1.0f / (places * W);
  for (i64 n = core_index(); n < s.extent(0); n += core_count()) {
    for (auto o : tiles<W>(s.extent(1))) {
      auto mean = ops::make_mean<true, N>(
          s, o, n, n + 1, part, [&](auto line, i64 n, i64 d, i64 h, auto c) {
            auto t = ops::conv_line<1, KH, KW, 1, 1, C>(x[n], f, bias, o, d, h,
                                                        c, 0, 0, 0, 0);
            auto s = copy(t);
            auto total = row_sum(s);
            store(line, o, c, s);
            return total;
          });
      auto scale =
          ops::inverse_deviation<true, N>(s, o, n, n + 1, part, mean, eps);
      store(statistics[n][0], o, mean);
      store(statistics[n][1], o, scale);
    }
    for (i64 h = 0; h < y.extent(1); ++h)
      for (auto c : tiles<N>(y.extent(2))) {
        auto top = full<float>(span<1>(0, 1), c, -3e38f);
        auto total = full<float>(span<1>(0, 1), c, 0.0f);
        for (auto o : tiles<W>(s.extent(1))) {
          auto t = load(slice<1>(slice<1>(s[n], 0), h), o, c);
          auto u = (t - load_column(statistics[n][0], o)) *
                   load_column(statistics[n][1], o);
          auto v = t + ops::hardswish(tanh(u * load_column(gamma, o) +
                                           load_column(beta, o)));
          auto now = max(top, col_max(v));
          total = total * exp(top - now) + col_sum(exp(v - now));
          top = std::move(now);
        }
        store(y[n][h], c, top + log(total));
      }
  }
}
