// A convolution of volumes, a factor for each output, each output of an image
// normalized, between bounds, the same factor, and the largest output. The
// scratch s has what is normalized; tiles have all outputs, at most M.
// MultiKernelBench: fuse/conv3d_multiply_instance_norm_clamp_multiply_max.
#include "belay/ops/standardize.h"
using namespace belay;

template <class T, i64 KD, i64 KH, i64 KW, i64 M = 64, i64 N = 64, i64 C = 64>
[[belay::kernel]] void conv3d_multiply_instance_norm_clamp_multiply_max(
    In<T, dyn, dyn, dyn, dyn, dyn> x, In<T, KD * KH * KW, dyn, dyn> f,
    In<float> bias, In<float> factors, InOut<float, dyn, dyn, dyn, dyn, dyn> s,
    Out<float, dyn, dyn, dyn, dyn> y, float eps, float low, float high) {
  expects(x.extent(0) == s.extent(0) && f.extent(2) == x.extent(1));
  expects(f.extent(1) == s.extent(1) && bias.size() == s.extent(1));
  expects(s.extent(0) <= 1 << 20 && s.extent(1) <= 1 << 20);
  expects(x.extent(2) >= 1 && x.extent(3) >= 1);
  expects(factors.size() == s.extent(1) && s.extent(1) <= M);
  expects(y.extent(0) == s.extent(0) && y.extent(1) == s.extent(2));
  expects(y.extent(2) == s.extent(3) && y.extent(3) == s.extent(4));
  auto o = span<M>(0, s.extent(1));
  float places = float(s.extent(2)) * float(s.extent(3)) * float(s.extent(4));
  float part = 1.0f / places;
  for (i64 n = core_index(); n < s.extent(0); n += core_count()) {
    auto factor = load_column(factors, o);
    auto mean = ops::make_mean<false, N>(
        s, o, n, n + 1, part, [&](auto line, i64 n, i64 d, i64 h, auto c) {
          auto t = ops::conv_line<KD, KH, KW, 1, 1, C>(x[n], f, bias, o, d, h,
                                                       c, 0, 0, 0, 0);
          auto s = t * factor;
          auto total = row_sum(s);
          store(line, o, c, s);
          return total;
        });
    auto scale =
        ops::inverse_deviation<false, N>(s, o, n, n + 1, part, mean, eps);
    ops::each_line<N>(s, n, [&](auto line, i64 d, i64 h, auto c) {
      auto t = clamp((load(line, o, c) - mean) * scale, low, high);
      store(y[n][d][h], c, col_max(t * factor));
    });
  }
}
