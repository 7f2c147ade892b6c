// A transposed convolution of images, which are volumes of one plane, with
// stride S, normalized over the batch, tanh, the largest of P by P neighbours,
// and normalized groups of W outputs, each one core's. The scratch s has the
// convolution.
// MultiKernelBench: fuse/convtranspose2d_batchnorm_tanh_maxpool_groupnorm.
#include "belay/ops/standardize.h"
using namespace belay;

template <class T, i64 KH, i64 KW, i64 S, i64 P, i64 W, i64 N = 64, i64 C = 64>
[[belay::kernel]] void convtranspose2d_batchnorm_tanh_maxpool_groupnorm(
    In<T, dyn, dyn, 1, dyn, dyn> x, In<T, KH * KW, dyn, dyn> f, In<float> bias,
    In<float> gamma, In<float> beta, In<float> gamma2, In<float> beta2,
    InOut<float, dyn, dyn, 1, dyn, dyn> s,
    InOut<float, dyn, dyn, 1, dyn, dyn> y, i64 pad, float eps) {
  expects(x.extent(0) == s.extent(0) && f.extent(2) == x.extent(1));
  expects(f.extent(1) == s.extent(1) && bias.size() == s.extent(1));
  expects(gamma.size() == s.extent(1) && beta.size() == s.extent(1));
  expects(s.extent(0) <= 1 << 20 && s.extent(1) <= 1 << 20);
  expects(x.extent(3) >= 1);
  expects(pad >= 0 && pad <= 4096);
  expects(gamma2.size() == s.extent(1) && beta2.size() == s.extent(1));
  expects(y.extent(0) == s.extent(0) && y.extent(1) == s.extent(1));
  expects(y.extent(3) <= s.extent(3) / P && y.extent(4) <= s.extent(4) / P);
  expects(s.extent(1) % W == 0);
  float places = float(s.extent(2)) * float(s.extent(3)) * float(s.extent(4));
  float part = 1.0f / (places * float(s.extent(0)));
  for (auto o : my_spans<W>(s.extent(1))) {
    auto g = load_column(gamma, o), b = load_column(beta, o);
    auto mean = ops::make_mean<false, N>(
        s, o, 0, s.extent(0), part,
        [&](auto line, i64 n, i64 d, i64 h, auto c) {
          auto total = column<float>(o, 0.0f);
          ops::each_phase<S>(c, [&](i64 phase, auto cols) {
            auto t = ops::spread_line<1, KH, KW, 1, S, C>(x[n], f, bias, o, d,
                                                          h, phase, cols, pad);
            auto s = copy(t);
            total = total + row_sum(s);
            store(strided<1>(line, phase, S), o, cols, s);
          });
          return total;
        });
    auto scale = ops::inverse_deviation<false, N>(s, o, 0, s.extent(0), part,
                                                  mean, eps) *
                 g;
    auto g2 = load_column(gamma2, o), b2 = load_column(beta2, o);
    for (i64 n = 0; n < s.extent(0); ++n)
      ops::standardize_lines<true, N>(
          y, o, n, n + 1, eps,
          [&](auto line, i64 n, i64, i64 h, auto c) {
            auto most = full<float>(o, c, -1.0f);
            for (i64 i = 0; i < P; ++i)
              for (i64 j = 0; j < P; ++j) {
                auto from = slice<1>(slice<1>(s[n], 0), h * P + i);
                auto t = load(strided<1>(from, j, P), o, c);
                most = max(most, tanh((t - mean) * scale + b));
              }
            auto total = row_sum(most);
            store(line, o, c, most);
            return total;
          },
          [&](const auto &t) { return t * g2 + b2; });
  }
}
