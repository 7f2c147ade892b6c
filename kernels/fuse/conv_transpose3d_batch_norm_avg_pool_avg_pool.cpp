// A transposed convolution of volumes with stride S, normalized over the batch,
// and the mean of P by P by P neighbours, which is what two poolings leave. The
// scratch s has the convolution.
// MultiKernelBench: fuse/conv_transpose3d_batch_norm_avg_pool_avg_pool.
#include "belay/ops/standardize.h"
using namespace belay;

template <class T, i64 KD, i64 KH, i64 KW, i64 S, i64 P, i64 M = 32, i64 N = 64,
          i64 C = 64>
[[belay::kernel]] void conv_transpose3d_batch_norm_avg_pool_avg_pool(
    In<T, dyn, dyn, dyn, dyn, dyn> x, In<T, KD * KH * KW, dyn, dyn> f,
    In<float> bias, In<float> gamma, In<float> beta,
    InOut<float, dyn, dyn, dyn, dyn, dyn> s,
    Out<float, dyn, dyn, dyn, dyn, dyn> y, i64 pad, float eps) {
  expects(x.extent(0) == s.extent(0) && f.extent(2) == x.extent(1));
  expects(f.extent(1) == s.extent(1) && bias.size() == s.extent(1));
  expects(gamma.size() == s.extent(1) && beta.size() == s.extent(1));
  expects(s.extent(0) <= 1 << 20 && s.extent(1) <= 1 << 20);
  expects(x.extent(2) >= 1 && x.extent(3) >= 1);
  expects(pad >= 0 && pad <= 4096);
  expects(y.extent(0) == s.extent(0) && y.extent(1) == s.extent(1));
  expects(y.extent(2) <= s.extent(2) / P && y.extent(3) <= s.extent(3) / P);
  expects(y.extent(4) <= s.extent(4) / P);
  float places = float(s.extent(2)) * float(s.extent(3)) * float(s.extent(4));
  float part = 1.0f / (places * float(s.extent(0)));
  for (auto o : my_spans<M>(s.extent(1))) {
    auto g = load_column(gamma, o), b = load_column(beta, o);
    auto mean = ops::make_mean<false, N>(
        s, o, 0, s.extent(0), part,
        [&](auto line, i64 n, i64 d, i64 h, auto c) {
          auto total = column<float>(o, 0.0f);
          ops::each_phase<S>(c, [&](i64 phase, auto cols) {
            auto t = ops::spread_line<KD, KH, KW, S, S, C>(x[n], f, bias, o, d,
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
    for (i64 n = 0; n < s.extent(0); ++n)
      ops::each_line<N>(y, n, [&](auto line, i64 d, i64 h, auto c) {
        auto total = zeros<float>(o, c);
        for (i64 i = 0; i < P; ++i)
          for (i64 j = 0; j < P; ++j)
            for (i64 k = 0; k < P; ++k) {
              auto from = slice<1>(slice<1>(s[n], d * P + i), h * P + j);
              total = total + load(strided<1>(from, k, P), o, c);
            }
        store(line, o, c, (total * (1.0f / (P * P * P)) - mean) * scale + b);
      });
  }
}
