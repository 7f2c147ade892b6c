// A transposed convolution of volumes with stride S, the largest of S by S by S
// neighbours, the largest of P by P by P of those, and the sum over outputs.
// The scratch s has the first; an image is one core's.
// MultiKernelBench: fuse/conv_transpose3d_max_max_sum.
#include "belay/ops/standardize.h"
using namespace belay;

template <class T, i64 KD, i64 KH, i64 KW, i64 S, i64 P, i64 M = 32, i64 N = 64,
          i64 C = 64>
[[belay::kernel]] void
conv_transpose3d_max_max_sum(In<T, dyn, dyn, dyn, dyn, dyn> x,
                             In<T, KD * KH * KW, dyn, dyn> f, In<float> bias,
                             InOut<float, dyn, dyn, dyn, dyn, dyn> s,
                             Out<float, dyn, dyn, dyn, dyn> y, i64 pad) {
  expects(x.extent(0) == s.extent(0) && f.extent(2) == x.extent(1));
  expects(f.extent(1) == s.extent(1) && bias.size() == s.extent(1));
  expects(s.extent(0) <= 1 << 20 && s.extent(1) <= 1 << 20);
  expects(x.extent(2) >= 1 && x.extent(3) >= 1);
  expects(pad >= 0 && pad <= 4096);
  expects(y.extent(0) == s.extent(0) && y.extent(1) <= s.extent(2) / P);
  expects(y.extent(2) <= s.extent(3) / P && y.extent(3) <= s.extent(4) / P);
  for (i64 n = core_index(); n < s.extent(0); n += core_count()) {
    for (auto o : tiles<M>(s.extent(1)))
      ops::each_line<N>(s, n, [&](auto line, i64 d, i64 h, auto c) {
        auto most = full<float>(o, c, -__builtin_inff());
        for (i64 i = 0; i < S; ++i)
          for (i64 j = 0; j < S; ++j)
            for (i64 k = 0; k < S; ++k)
              most = max(
                  most, ops::spread_line<KD, KH, KW, S, S, C>(
                            x[n], f, bias, o, d * S + i, h * S + j, k, c, pad));
        store(line, o, c, most);
      });
    for (i64 d = 0; d < y.extent(1); ++d)
      for (i64 h = 0; h < y.extent(2); ++h)
        for (auto c : tiles<N>(y.extent(3))) {
          auto total = full<float>(span<1>(0, 1), c, 0.0f);
          for (auto o : tiles<M>(s.extent(1))) {
            auto most = full<float>(o, c, -__builtin_inff());
            for (i64 i = 0; i < P; ++i)
              for (i64 j = 0; j < P; ++j)
                for (i64 k = 0; k < P; ++k) {
                  auto from = slice<1>(slice<1>(s[n], d * P + i), h * P + j);
                  most = max(most, load(strided<1>(from, k, P), o, c));
                }
            total = total + col_sum(most);
          }
          store(y[n][d][h], c, total);
        }
  }
}
