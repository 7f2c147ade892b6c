// A convolution of images, which are volumes of one plane, with normalized
// groups of W outputs, a factor for each output, the largest of P by P
// neighbours, and bounds. The scratch s has the convolution.
// MultiKernelBench: fuse/conv2d_group_norm_scale_max_pool_clamp.
#include "belay/ops/standardize.h"
using namespace belay;

template <class T, i64 KH, i64 KW, i64 W, i64 P, i64 N = 64, i64 C = 64>
[[belay::kernel]] void conv2d_group_norm_scale_max_pool_clamp(
    In<T, dyn, dyn, 1, dyn, dyn> x, In<T, KH * KW, dyn, dyn> f, In<float> bias,
    In<float> gamma, In<float> beta, In<float> factors,
    InOut<float, dyn, dyn, 1, dyn, dyn> s, Out<float, dyn, dyn, 1, dyn, dyn> y,
    float eps, float low, float high) {
  expects(x.extent(0) == s.extent(0) && f.extent(2) == x.extent(1));
  expects(f.extent(1) == s.extent(1) && bias.size() == s.extent(1));
  expects(gamma.size() == s.extent(1) && beta.size() == s.extent(1));
  expects(s.extent(0) <= 1 << 20 && s.extent(1) <= 1 << 20);
  expects(x.extent(3) >= 1);
  expects(factors.size() == s.extent(1) && s.extent(1) % W == 0);
  expects(y.extent(0) == s.extent(0) && y.extent(1) == s.extent(1));
  expects(y.extent(3) <= s.extent(3) / P && y.extent(4) <= s.extent(4) / P);
  i64 groups = s.extent(1) / W;
  float places = float(s.extent(2)) * float(s.extent(3)) * float(s.extent(4));
  float part = 1.0f / (places * W);
  for (i64 p = core_index(); p < s.extent(0) * groups; p += core_count()) {
    i64 n = p / groups;
    auto o = span<W>(p % groups * W, W);
    auto g = load_column(gamma, o), b = load_column(beta, o);
    auto mean = ops::make_mean<true, N>(
        s, o, n, n + 1, part, [&](auto line, i64 n, i64 d, i64 h, auto c) {
          auto t = ops::conv_line<1, KH, KW, 1, 1, C>(x[n], f, bias, o, d, h, c,
                                                      0, 0, 0, 0);
          auto s = copy(t);
          auto total = row_sum(s);
          store(line, o, c, s);
          return total;
        });
    auto scale =
        ops::inverse_deviation<true, N>(s, o, n, n + 1, part, mean, eps);
    ops::each_line<N>(y, n, [&](auto line, i64, i64 h, auto c) {
      auto most = full<float>(o, c, -__builtin_inff());
      for (i64 i = 0; i < P; ++i)
        for (i64 j = 0; j < P; ++j) {
          auto from = strided<1>(slice<1>(slice<1>(s[n], 0), h * P + i), j, P);
          auto t = (load(from, o, c) - mean) * scale * g + b;
          most = max(most, t * load_column(factors, o));
        }
      store(line, o, c, clamp(most, low, high));
    });
  }
}
