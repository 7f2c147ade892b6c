// G2, G3, G8: taps, rows and groups of convolutions stay inside of images and
// filters. Images of one size of channels are enough to see it.
// RUN: %python %S/../Inputs/check-wrong.py %s
#include "belay/ops/convolution.h"
using namespace belay;

constexpr i64 KW = 3, C = 32;
constexpr Span<C> all() { return span<C>(0, C); }

[[belay::kernel]] void border_without_zeros(In<half, C, dyn> x, In<half, KW, C, C> f, Out<float, C, dyn> y) {
  expects(y.cols() == x.cols());
  for (auto s : my_spans<64>(y.cols())) {
    auto sum = zeros<float>(all(), s);
    for (i64 t = 0; t < KW; ++t)
      sum += dot(load(f[t]), load(x, all(), span<64>(s.begin + t - 1, s.size))); // guarded gm-out-of-bounds: >= 0
    //= sum += dot(load(f[t]), load_or(x, all(), span<64>(s.begin + t - 1, s.size), half(0.0f)));
    store(y, all(), s, sum);
  }
}
[[belay::kernel]] void one_output_too_many(In<half, C, dyn> x, In<half, KW, C, C> f, Out<float, C, dyn> y) {
  expects(y.cols() == x.cols() - KW + 2);
  //= expects(y.cols() == x.cols() - KW + 1);
  for (auto s : my_spans<64>(y.cols())) {
    auto sum = zeros<float>(all(), s);
    for (i64 t = 0; t < KW; ++t)
      sum += dot(load(f[t]), load(x, all(), span<64>(s.begin + t, s.size))); // guarded gm-out-of-bounds: <= x.cols()
    store(y, all(), s, sum);
  }
}
[[belay::kernel]] void one_tap_too_many(In<half, C, dyn> x, In<half, dyn, C, C> f, Out<float, C, dyn> y) {
  expects(f.extent(0) <= 4096);
  for (auto s : my_spans<64>(y.cols())) {
    auto sum = zeros<float>(all(), s);
    for (i64 t = 0; t <= f.extent(0); ++t)
      //= for (i64 t = 0; t < f.extent(0); ++t)
      sum += dot(load(f[t]), ops::load_tap<1>(x, all(), s, t, 1)); // guarded gm-out-of-bounds: <= f.extent(0)
    store(y, all(), s, sum);
  }
}
[[belay::kernel]] void tap_of_two_dimensions(In<half, C, dyn> x, In<half, KW * KW, C, C> f, Out<float, C, dyn> y) {
  for (auto s : my_spans<64>(y.cols())) {
    auto sum = zeros<float>(all(), s);
    for (i64 r = 0; r < KW; ++r)
      for (i64 t = 0; t < KW; ++t)
        sum += dot(load(f[(r + 1) * KW + t]), ops::load_tap<1>(x, all(), s, t, 1)); // guarded gm-out-of-bounds: <= 9
    //= sum += dot(load(f[r * KW + t]), ops::load_tap<1>(x, all(), s, t, 1));
    store(y, all(), s, sum);
  }
}
[[belay::kernel]] void row_above_the_image(In<half, C, dyn, 64> x, In<half, KW, C, C> f, Out<float, C, dyn, 64> y) {
  i64 height = x.extent(1);
  expects(y.extent(1) == height);
  for (i64 i = core_index(); i < height; i += core_count()) {
    auto sum = zeros<float>(all(), span<64>(0, 64));
    for (i64 r = 0; r < KW; ++r) {
      i64 row = i + r - 1;
      auto line = slice<1>(x, row); // guarded gm-out-of-bounds: >= 0
      //= auto line = slice<1>(x, max(min(row, height - 1), 0));
      for (auto c : tiles<C>(row >= 0 && row < height ? C : 0))
        sum += dot(load(f[r], all(), c), load(line, c, span<64>(0, 64)));
    }
    store(slice<1>(y, i), all(), span<64>(0, 64), sum);
  }
}
[[belay::kernel]] void clamped_to_the_height(In<half, C, dyn, 64> x, In<half, KW, C, C> f, Out<float, C, dyn, 64> y) {
  i64 height = x.extent(1);
  expects(y.extent(1) == height);
  for (i64 i = core_index(); i < height; i += core_count()) {
    auto sum = zeros<float>(all(), span<64>(0, 64));
    for (i64 r = 0; r < KW; ++r) {
      auto line = slice<1>(x, max(min(i + r - 1, height), 0)); // guarded gm-out-of-bounds: <= x.extent(1)
      //= auto line = slice<1>(x, max(min(i + r - 1, height - 1), 0));
      sum += dot(load(f[r]), load(line, all(), span<64>(0, 64)));
    }
    store(slice<1>(y, i), all(), span<64>(0, 64), sum);
  }
}
[[belay::kernel]] void image_without_rows(In<half, C, dyn, 64> x, In<half, KW, C, C> f, Out<float, C, dyn, 64> y) {
  //+ expects(x.extent(1) >= 1);
  for (i64 i = core_index(); i < y.extent(1); i += core_count()) {
    auto sum = zeros<float>(all(), span<64>(0, 64));
    for (i64 r = 0; r < KW; ++r) {
      auto line = slice<1>(x, max(min(i + r - 1, x.extent(1) - 1), 0)); // guarded gm-out-of-bounds: <= x.extent(1)
      sum += dot(load(f[r]), load(line, all(), span<64>(0, 64)));
    }
    store(slice<1>(y, i), all(), span<64>(0, 64), sum);
  }
}
[[belay::kernel]] void group_by_division(In<half, dyn, C, 64> x, In<half, dyn, C, C> f, Out<float, dyn, C, 64> y) {
  i64 groups = f.extent(0);
  expects(groups >= 1 && y.extent(0) == x.extent(0));
  for (i64 n = core_index(); n < y.extent(0); n += core_count()) {
    i64 g = n / groups;
    //= i64 g = n % groups;
    store(y[n], all(), span<64>(0, 64), dot(load(f[g]), load(x[n]))); // guarded gm-out-of-bounds: <= f.extent(0)
  }
}
[[belay::kernel]] void no_groups(In<half, dyn, C, 64> x, In<half, dyn, C, C> f, Out<float, dyn, C, 64> y) {
  i64 groups = f.extent(0);
  expects(y.extent(0) == x.extent(0));
  //+ expects(groups >= 1);
  for (i64 n = core_index(); n < y.extent(0); n += core_count()) {
    i64 g = n % groups; // guarded division-by-zero: groups != 0
    store(y[n], all(), span<64>(0, 64), dot(load(f[g]), load(x[n])));
  }
}
[[belay::kernel]] void plane_for_a_group(In<half, dyn, C, 64> x, In<half, dyn, C, C> f, Out<float, dyn, C, 64> y) {
  i64 groups = f.extent(0);
  expects(groups >= 1 && y.extent(0) == x.extent(0));
  for (i64 n = core_index(); n < y.extent(0); n += core_count())
    store(y[n], all(), span<64>(0, 64), dot(load(f[n]), load(x[n]))); // guarded gm-out-of-bounds: <= f.extent(0)
  //= store(y[n], all(), span<64>(0, 64), dot(load(f[n % groups]), load(x[n])));
}
[[belay::kernel]] void channels_of_the_filter(In<half, dyn, 64> x, In<half, KW, C, dyn> f, Out<float, C, 64> y) {
  //+ expects(f.extent(2) == x.rows());
  if (first_core()) {
    auto sum = zeros<float>(all(), span<64>(0, 64));
    for (i64 t = 0; t < KW; ++t)
      for (auto c : tiles<C>(x.rows()))
        sum += dot(load(f[t], all(), c), ops::load_tap<1>(x, c, span<64>(0, 64), t, 1)); // guarded gm-out-of-bounds: <= (part of f).cols()
    store(y, all(), span<64>(0, 64), sum);
  }
}
[[belay::kernel]] void outputs_and_channels(In<half, dyn, 64> x, In<half, KW, dyn, C> f, Out<float, C, 64> y) {
  expects(f.extent(1) == x.rows());
  if (first_core()) {
    auto sum = zeros<float>(all(), span<64>(0, 64));
    for (i64 t = 0; t < KW; ++t)
      for (auto c : tiles<C>(x.rows()))
        sum += dot(load(f[t], all(), c), ops::load_tap<1>(x, c, span<64>(0, 64), t, 1)); // guarded gm-out-of-bounds: (part of f)
    //= sum += dot(load(f[t].transposed(), all(), c), ops::load_tap<1>(x, c, span<64>(0, 64), t, 1));
    store(y, all(), span<64>(0, 64), sum);
  }
}
[[belay::kernel]] void bias_of_pixels(In<half, C, dyn> x, In<half, C, C> f, In<float, C> bias, Out<float, C, dyn> y) {
  expects(y.cols() == x.cols());
  for (auto s : my_spans<C>(y.cols()))
    store(y, all(), s, dot(load(f), load(x, all(), s)) + load(bias, s)); // guarded gm-out-of-bounds: <= 32
  //= store(y, all(), s, dot(load(f), load(x, all(), s)) + load_column(bias, all()));
}
[[belay::kernel]] void dilation_of_any_size(In<half, C, dyn> x, In<half, KW, C, C> f, Out<float, C, dyn> y, i64 dilation) {
  expects(dilation >= 1);
  //+ expects(dilation <= 4096);
  for (auto s : my_spans<64>(y.cols())) {
    auto sum = zeros<float>(all(), s);
    for (i64 t = 0; t < KW; ++t) {
      i64 tap = t * dilation; // guarded index-overflow: t * dilation
      sum += dot(load(f[t]), load_or(x, all(), span<64>(s.begin + min(tap, 100000), s.size), half(0.0f)));
    }
    store(y, all(), s, sum);
  }
}
[[belay::kernel]] void all_pixels_of_the_span(In<half, C, dyn> x, In<half, KW, C, C> f, Out<float, C, dyn> y) {
  for (auto s : my_spans<64>(y.cols())) {
    auto sum = zeros<float>(all(), s);
    for (i64 t = 0; t < KW; ++t)
      sum += dot(load(f[t]), load_or(x, all(), span<64>(s.begin + t, 64), half(0.0f))); // guarded tile-mismatch: equal columns
    //= sum += dot(load(f[t]), load_or(x, all(), span<64>(s.begin + t, s.size), half(0.0f)));
    store(y, all(), s, sum);
  }
}
[[belay::kernel]] void too_few_pixels(In<half, C, dyn> x, In<half, C, C> f, Out<float, C, dyn> y) {
  expects(x.cols() == 2 * y.cols());
  for (auto s : my_spans<64>(y.cols()))
    store(y, all(), s, dot(load(f), load(x, all(), span<64>(2 * s.begin, s.size / 2)))); // tile-mismatch: is false whenever this is reached
  //= store(y, all(), s, dot(load(f), load(x.strided<1>(0, 2), all(), s)));
}
[[belay::kernel]] void phase_beyond_the_line(In<half, C, dyn> x, In<half, KW, C, C> f, Out<float, C, dyn> y, i64 dilation) {
  expects(dilation >= 1 && dilation <= 4096);
  for (auto s : my_spans<64>(y.cols())) {
    auto sum = zeros<float>(all(), s);
    for (i64 t = 0; t < KW; ++t) {
      auto seen = x.strided<1>(t * dilation, 2); // guarded gm-out-of-bounds: >= 0
      //= auto seen = x.strided<1>(min(t * dilation, x.cols()), 2);
      sum += dot(load(f[t]), load_or(seen, all(), s, half(0.0f)));
    }
    store(y, all(), s, sum);
  }
}
[[belay::kernel]] void images_of_another_batch(In<half, dyn, C, 64> x, In<half, C, C> f, Out<float, dyn, C, 64> y) {
  //+ expects(y.extent(0) == x.extent(0));
  for (i64 n = core_index(); n < y.extent(0); n += core_count())
    store(y[n], all(), span<64>(0, 64), dot(load(f), load(x[n]))); // guarded gm-out-of-bounds: <= x.extent(0)
}
[[belay::kernel]] void pixel_for_an_image(In<half, dyn, C, 64> x, In<half, C, C> f, Out<float, dyn, C, 64> y) {
  expects(y.extent(0) == x.extent(0));
  for (i64 n = core_index(); n < y.extent(0); n += core_count())
    store(y[n], all(), span<64>(0, 64), dot(load(f), load(slice<2>(x, n), span<C>(0, C), span<64>(0, 64)))); // guarded gm-out-of-bounds: n + 1 <= 64
  //= store(y[n], all(), span<64>(0, 64), dot(load(f), load(x[n])));
}
