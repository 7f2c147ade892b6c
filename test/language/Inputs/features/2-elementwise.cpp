// What docs/language.md says of the language, one kernel for each row of its table.
// docs/generate/language-table builds each of them alone and prints the table.
#include "belay/kernel.h"
#include <utility>
using namespace belay;

// feature: Elementwise | + - * /
[[belay::kernel]] void arithmetic(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<64>(y)) {
    auto t = load(x, w);
    store(w, (t + 1.0f) * (2.0f - t) / (t * t + 1.0f) - (-t));
  }
}
// feature: Elementwise | min max clamp relu abs
[[belay::kernel]] void bounds(In<half> x, Out<half> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<64>(y)) {
    auto t = load(x, w);
    store(w,
          max(min(t, half(4)), abs(t)) + clamp(t, half(0), half(1)) + relu(t));
  }
}
// feature: Elementwise | exp log sqrt rsqrt reciprocal
[[belay::kernel]] void roots(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<64>(y)) {
    auto t = load(x, w);
    store(w, exp(t) + log(t) + sqrt(t) + rsqrt(t) + reciprocal(t));
  }
}
// feature: Elementwise | tanh erf sin cos sigmoid
[[belay::kernel]] void curves(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<64>(y)) {
    auto t = load(x, w);
    store(w, tanh(t) + erf(t) + sin(t) + cos(t) + sigmoid(t));
  }
}
// feature: Elementwise | pow
[[belay::kernel]] void powers(In<float> x, In<float> e, Out<float> y) {
  expects(x.size() == y.size() && e.size() == y.size());
  for (auto w : my_tiles<64>(y))
    store(w, pow(load(x, w), load(e, w)) + pow(load(x, w), 2.0f));
}
// feature: Elementwise | floor ceil round trunc
[[belay::kernel]] void rounds(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<64>(y)) {
    auto t = load(x, w);
    store(w, floor(t) + ceil(t) + round(t) + trunc(t));
  }
}
// feature: Elementwise | comparisons, select
[[belay::kernel]] void compares(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<64>(y)) {
    auto t = load(x, w);
    auto u = select(t < 0.0f, -t, t);
    store(w, select(t >= u, t, select(t != u, u, 2.0f)));
  }
}
// feature: Elementwise | masks: & | ! ==
[[belay::kernel]] void masks(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<64>(y)) {
    auto t = load(x, w);
    store(w, select(((t > 0.0f) & (t < 1.0f)) | !(t == 2.0f), t, 0.0f));
  }
}
// feature: Elementwise | integers: + - * min max
[[belay::kernel]] void integers(In<i32> x, Out<i32> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<64>(y)) {
    auto t = load(x, w);
    store(w, max(t + t * 2, min(t, 3) - 1));
  }
}
// feature: Elementwise | integers: & | ~ << >>
[[belay::kernel]] void bits(In<i32> x, Out<i32> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<64>(y)) {
    auto t = load(x, w);
    store(w, ((t & 7) | ~t) + (t << 2) + (t >> 1));
  }
}
// feature: Elementwise | casts between floats
[[belay::kernel]] void casts(In<half> x, Out<bfloat16> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<64>(y))
    store(w, cast<bfloat16>(cast<float>(load(x, w)) + 1.0f));
}
// feature: Elementwise | casts to integers, each rounding
[[belay::kernel]] void casts_rounded(In<float> x, Out<i32> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<64>(y)) {
    auto t = load(x, w);
    store(w, cast<i32>(t) + cast<i32, Round::floor>(t) +
                 cast<i32, Round::ceil>(t) + cast<i32, Round::away>(t) +
                 cast<i32, Round::zero>(t));
  }
}
// feature: Elementwise | casts from integers
[[belay::kernel]] void casts_from(In<i32> x, Out<float> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<64>(y))
    store(w, cast<float>(load(x, w)));
}
// feature: Elementwise | a row with every row, a column with every column
[[belay::kernel]] void broadcasts(In<float, dyn, 64> x, In<float, 64> g,
                                  Out<float, dyn, 64> y) {
  expects(x.rows() == y.rows());
  auto gamma = load(g);
  for (auto rows : my_rows<8>(y)) {
    auto t = load(x, rows);
    store(rows, (t - row_max(t)) * gamma);
  }
}
// feature: Reductions | of rows: sum max min mean
[[belay::kernel]] void of_rows(In<float, dyn, 64> x, Out<float> y) {
  expects(x.rows() == y.size());
  for (auto rows : my_rows<8>(x)) {
    auto t = load(x, rows);
    store(y, rows.row(), row_sum(t) + row_max(t) + row_min(t) + row_mean(t));
  }
}
// feature: Reductions | of rows: prod
[[belay::kernel]] void of_rows_prod(In<float, dyn, 64> x, Out<float> y) {
  expects(x.rows() == y.size());
  for (auto rows : my_rows<8>(x))
    store(y, rows.row(), row_prod(load(x, rows)));
}
// feature: Reductions | of columns: sum max min mean
[[belay::kernel]] void of_cols(In<float, 64, dyn> x, Out<float> y) {
  expects(x.cols() == y.size());
  for (auto w : my_tiles<32>(y)) {
    auto t = load(x, span<64>(0, 64), w.col());
    store(w, col_sum(t) + col_max(t) + col_min(t) + col_mean(t));
  }
}
// feature: Reductions | of columns: prod
[[belay::kernel]] void of_cols_prod(In<float, 64, dyn> x, Out<float> y) {
  expects(x.cols() == y.size());
  for (auto w : my_tiles<32>(y))
    store(w, col_prod(load(x, span<64>(0, 64), w.col())));
}
// feature: Reductions | of all: sum maximum minimum mean
[[belay::kernel]] void of_all(In<float, 8, 64> x, Out<float, 4> y) {
  if (first_core()) {
    auto t = load(x);
    store(y, 0, sum(t));
    store(y, 1, maximum(t));
    store(y, 2, minimum(t));
    store(y, 3, mean(t));
  }
}
// feature: Reductions | of all: prod
[[belay::kernel]] void of_all_prod(In<float, 8, 64> x, Out<float, 1> y) {
  if (first_core())
    store(y, 0, prod(load(x)));
}
// feature: Reductions | row_argmax row_argmin
[[belay::kernel]] void args(In<float, dyn, 64> x, Out<i32> y) {
  expects(x.rows() == y.size());
  for (auto rows : my_rows<8>(x)) {
    auto t = load(x, rows);
    store(y, rows.row(), row_argmax(t) + row_argmin(t));
  }
}
// feature: Reductions | col_argmax col_argmin
[[belay::kernel]] void col_args(In<float, 64, dyn> x, Out<i32> y) {
  expects(x.cols() == y.size());
  for (auto w : my_tiles<32>(y)) {
    auto t = load(x, span<64>(0, 64), w.col());
    store(w, col_argmax(t) + col_argmin(t));
  }
}
// feature: Reductions | argmax argmin of all
[[belay::kernel]] void all_args(In<float, 8, 64> x, Out<i32, 2> y) {
  if (first_core()) {
    auto t = load(x);
    store(y, 0, i32(argmax(t)));
    store(y, 1, i32(argmin(t)));
  }
}
// feature: Reductions | of integers
[[belay::kernel]] void of_integers(In<i32, dyn, 64> x, Out<i32> y) {
  expects(x.rows() == y.size());
  for (auto rows : my_rows<8>(x))
    store(y, rows.row(), row_sum(load(x, rows)) + row_max(load(x, rows)));
}
// feature: Reductions | running along rows: cumsum cumprod cummax cummin
[[belay::kernel]] void scans(In<float, dyn, 64> x, Out<float, dyn, 64> y) {
  expects(x.rows() == y.rows());
  for (auto rows : my_rows<8>(y)) {
    auto t = load(x, rows);
    store(rows, row_cumsum(t) + row_cumprod(t) + row_cummax(t) + row_cummin(t));
  }
}
// feature: Reductions | running down columns
[[belay::kernel]] void col_scans(In<float, 64, dyn> x, Out<float, 64, dyn> y) {
  expects(x.cols() == y.cols());
  for (auto s : my_spans<32>(y.cols()))
    store(y, span<64>(0, 64), s, col_cumsum(load(x, span<64>(0, 64), s)));
}
