// A transposed convolution of volumes with stride S, normalized over the batch,
// less the mean over all places.
// MultiKernelBench: fuse/conv_transpose3d_batch_norm_subtract.
#include "belay/ops/standardize.h"
using namespace belay;

template <class T, i64 KD, i64 KH, i64 KW, i64 S, i64 M = 32, i64 N = 64,
          i64 C = 64>
[[belay::kernel]] void conv_transpose3d_batch_norm_subtract(
    In<T, dyn, dyn, dyn, dyn, dyn> x, In<T, KD * KH * KW, dyn, dyn> f,
    In<float> bias, In<float> gamma, In<float> beta,
    InOut<float, dyn, dyn, dyn, dyn, dyn> s, i64 pad, float eps) {
  expects(x.extent(0) == s.extent(0) && f.extent(2) == x.extent(1));
  expects(f.extent(1) == s.extent(1) && bias.size() == s.extent(1));
  expects(gamma.size() == s.extent(1) && beta.size() == s.extent(1));
  expects(s.extent(0) <= 1 << 20 && s.extent(1) <= 1 << 20);
  expects(x.extent(2) >= 1 && x.extent(3) >= 1);
  expects(pad >= 0 && pad <= 4096);
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
    for (i64 n = 0; n < s.extent(0); ++n) {
      auto own = column<float>(o, 0.0f);
      ops::each_line<N>(s, n, [&](auto line, i64, i64, auto c) {
        auto t = (load(line, o, c) - mean) * scale + b;
        own = own + row_sum(t);
        store(line, o, c, t);
      });
      own = own * (1.0f / places);
      ops::each_line<N>(s, n, [&](auto line, i64, i64, auto c) {
        store(line, o, c, load(line, o, c) - own);
      });
    }
  }
}
