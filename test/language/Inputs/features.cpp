// What docs/language.md says of the language, one kernel for each row of its table.
// docs/generate/language-table builds each of them alone and prints the table.
#include "belay/kernel.h"
#include <utility>
using namespace belay;

// feature: Views | rank 1, open extent
[[belay::kernel]] void rank1(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<64>(y))
    store(w, load(x, w));
}
// feature: Views | rank 1, static extent
[[belay::kernel]] void rank1_static(In<float, 64> x, Out<float, 64> y) {
  if (first_core())
    store(y, span<64>(0, 64), load(x));
}
// feature: Views | rank 2
[[belay::kernel]] void rank2(In<float, dyn, dyn> x, Out<float, dyn, dyn> y) {
  expects(x.rows() == y.rows() && x.cols() == y.cols());
  for (auto w : my_tiles<8, 64>(y))
    store(w, load(x, w));
}
// feature: Views | rank 3
[[belay::kernel]] void rank3(In<float, dyn, dyn, 64> x,
                             Out<float, dyn, dyn, 64> y) {
  expects(x.extent(0) == y.extent(0) && x.extent(1) == y.extent(1));
  for (i64 i = 0; i < y.extent(0); ++i)
    for (auto w : my_rows<8>(y[i]))
      store(w, load(x[i], w));
}
// feature: Views | rank 4
[[belay::kernel]] void rank4(In<half, 2, dyn, 4, 64> x,
                             Out<half, 2, dyn, 4, 64> y) {
  expects(x.extent(1) == y.extent(1));
  for (i64 n = 0; n < 2; ++n)
    for (auto s : my_spans<1>(y.extent(1)))
      store(y[n][s.begin], span<4>(0, 4), span<64>(0, 64),
            load(x[n][s.begin], span<4>(0, 4), span<64>(0, 64)));
}
// feature: Views | strided
[[belay::kernel]] void strided(In<float> x, Out<float> y) {
  expects(x.size() == 2 * y.size());
  auto even = x.strided(0, 2);
  for (auto w : my_tiles<64>(y))
    store(w, load(even, w));
}
// feature: Views | strided in one dimension
[[belay::kernel]] void strided2(In<float, dyn, dyn> x, Out<float, dyn, dyn> y) {
  expects(x.rows() == y.rows() && x.cols() == 2 * y.cols());
  auto even = x.strided<1>(0, 2);
  for (auto w : my_tiles<8, 64>(y))
    store(w, load(even, w));
}
// feature: Views | slice
[[belay::kernel]] void sliced(In<float, dyn, dyn, dyn> x,
                              Out<float, dyn, dyn> y) {
  expects(x.extent(0) == y.rows() && x.extent(2) == y.cols());
  expects(x.extent(1) >= 4);
  auto third = slice<1>(x, 3);
  for (auto w : my_tiles<8, 64>(y))
    store(w, load(third, w));
}
// feature: Views | permuted
[[belay::kernel]] void permuted_views(In<float, dyn, dyn, dyn, dyn> x,
                                      Out<float, dyn, dyn, dyn, dyn> y) {
  expects(x.extent(0) == y.extent(0) && x.extent(1) == y.extent(1));
  expects(x.extent(2) == y.extent(2) && x.extent(3) == y.extent(3));
  auto from = permuted<0, 2, 1, 3>(x);
  for (auto w : my_tiles<8, 64>(permuted<0, 2, 1, 3>(y)))
    store(w, load(from[w.plane(0)][w.plane(1)], w.row(), w.col()));
}
// feature: Views | transposed, to load from
[[belay::kernel]] void turned(In<float, dyn, dyn> x, Out<float, dyn, dyn> y) {
  expects(x.rows() == y.cols() && x.cols() == y.rows());
  for (auto w : my_tiles<16, 16>(y))
    store(w, load(x.transposed(), w));
}
// feature: Views | transposed, to store to
[[belay::kernel]] void turned_out(In<float, dyn, dyn> x,
                                  Out<float, dyn, dyn> y) {
  expects(x.rows() == y.cols() && x.cols() == y.rows());
  auto z = y.transposed();
  for (auto w : my_tiles<16, 16>(z))
    store(w, load(x, w));
}
// feature: Views | InOut
[[belay::kernel]] void inout(InOut<float> x) {
  for (auto w : my_tiles<64>(x))
    store(w, load(x, w) * 2.0f);
}
// feature: Moves | load with padding
[[belay::kernel]] void padded(In<float> x, Out<float, dyn> y) {
  expects(y.size() == core_count());
  for (auto s : my_spans<1>(y.size())) {
    i64 n = min(x.size(), 64);
    store(y, s.begin, sum(load(x, span<64>(0, n), 1.0f)));
  }
}
// feature: Moves | load_or, around the view
[[belay::kernel]] void around(In<float, dyn, dyn> x, Out<float, dyn, dyn> y) {
  for (auto w : my_tiles<8, 64>(y))
    store(w, load_or(x, span<8>(w.row().begin - 1, w.row().size),
                     span<64>(w.col().begin - 3, w.col().size), 0.0f));
}
// feature: Moves | load with padding, rows and columns
[[belay::kernel]] void padded2(In<float, dyn, dyn> x, Out<float, 8> y) {
  if (first_core()) {
    i64 r = min(x.rows(), 8), c = min(x.cols(), 16);
    store(y, span<8>(0, 8),
          row_sum(load(x, span<8>(0, r), span<16>(0, c), 0.0f)));
  }
}
// feature: Moves | a single element
[[belay::kernel]] void element(Out<i32> y, i32 n) {
  for (auto s : my_spans<1>(y.size()))
    store(y, s.begin, n);
}
// feature: Moves | store_add
[[belay::kernel]] void adds(In<float> x, InOut<float, 64> y) {
  expects(x.size() % 64 == 0);
  for (auto w : my_tiles<64>(x))
    store_add(y, span<64>(0, w.col().size), load(x, w));
}
// feature: Moves | gather of rows, each policy
template <Oob P>
void gather_with(In<half, dyn, 64> table, In<i32> ids, Out<half, dyn, 64> y) {
  for (auto rows : my_rows<16>(y))
    store(rows, gather<P>(table, load(ids, rows)));
}
[[belay::kernel]] void gathers(In<half, dyn, 64> table, In<i32> ids,
                               Out<half, dyn, 64> a, Out<half, dyn, 64> b,
                               Out<half, dyn, 64> c, Out<half, dyn, 64> d) {
  expects(table.rows() >= 1 && a.rows() == ids.size() &&
          b.rows() == ids.size() && c.rows() == ids.size() &&
          d.rows() == ids.size());
  gather_with<Oob::trap>(table, ids, a);
  gather_with<Oob::clamp>(table, ids, b);
  gather_with<Oob::zero>(table, ids, c);
  gather_with<Oob::wrap>(table, ids, d);
}
// feature: Moves | gather of elements
[[belay::kernel]] void gather_elements(In<float> table, In<i32> ids,
                                       Out<float> y) {
  expects(y.size() == ids.size());
  for (auto w : my_tiles<64>(y))
    store(w, gather<Oob::zero>(table, load(ids, w)));
}
// feature: Moves | gather from a tile, each policy
template <Oob P>
void take_with(In<half, dyn, 64> x, In<i32, dyn, 32> ids,
               Out<half, dyn, 32> y) {
  for (auto rows : my_rows<16>(y))
    store(rows,
          gather<P>(load(x, rows.row(), span<64>(0, 64)), load(ids, rows)));
}
[[belay::kernel]] void takes(In<half, dyn, 64> x, In<i32, dyn, 32> ids,
                             Out<half, dyn, 32> a, Out<half, dyn, 32> b,
                             Out<half, dyn, 32> c, Out<half, dyn, 32> d) {
  expects(x.rows() == ids.rows() && a.rows() == ids.rows() &&
          b.rows() == ids.rows() && c.rows() == ids.rows() &&
          d.rows() == ids.rows());
  take_with<Oob::trap>(x, ids, a);
  take_with<Oob::clamp>(x, ids, b);
  take_with<Oob::zero>(x, ids, c);
  take_with<Oob::wrap>(x, ids, d);
}
// feature: Moves | gather from a row, by indices of any shape
[[belay::kernel]] void takes_of_row(In<float, 1024> x, In<i32, dyn, dyn> ids,
                                    Out<float, dyn, dyn> y) {
  expects(ids.rows() == y.rows() && ids.cols() == y.cols());
  auto row = load(x);
  for (auto w : my_tiles<8, 64>(y))
    store(w, gather<Oob::clamp>(row, load(ids, w)));
}
// feature: Moves | scatter_add
[[belay::kernel]] void scatters(In<float, dyn, 64> x, In<i32> ids,
                                InOut<float, dyn, 64> y) {
  expects(x.rows() == ids.size());
  for (auto rows : my_rows<16>(x))
    scatter_add<Oob::zero>(y, load(ids, rows), load(x, rows));
}
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
// feature: Tiles | full zeros full_like iota copy
[[belay::kernel]] void makers(Out<i32> y) {
  for (auto w : my_tiles<64>(y)) {
    auto t = iota<64, i32>(1) + full<1, 64, i32>(2) + zeros<1, 64, i32>();
    auto u = copy(t);
    if (w.col().size == 64)
      store(y, span<64>(w.col().begin, 64), u + full_like(t, 3));
  }
}
// feature: Tiles | row_index col_index column
[[belay::kernel]] void indices(In<float, dyn, dyn> x, Out<float, dyn, dyn> y) {
  expects(x.rows() == y.rows() && x.cols() == y.cols());
  for (auto w : my_tiles<16, 32>(y)) {
    auto seen = row_index<i32>(w) >= col_index<i32>(w);
    store(w, select(seen, load(x, w) + column<float>(w, 1.0f), 0.0f));
  }
}
// feature: Tiles | transpose
[[belay::kernel]] void transposes(In<half, dyn, 32> x, Out<half, 32, dyn> y) {
  expects(x.rows() == y.cols());
  for (auto s : my_spans<16>(x.rows()))
    store(y, span<32>(0, 32), s, transpose(load(x, s, span<32>(0, 32))));
}
// feature: Tiles | std::move, and a tile that a loop carries
[[belay::kernel]] void carries(In<float, dyn, 64> x, Out<float, 64> y) {
  if (first_core()) {
    auto total = zeros<1, 64, float>();
    for (i64 r = 0; r < x.rows(); ++r)
      total = std::move(total) + load(x, span<1>(r, 1), span<64>(0, 64));
    store(y, span<64>(0, 64), total);
  }
}
// feature: Tiles | half
[[belay::kernel]] void halves(In<half> x, Out<half> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<64>(y))
    store(w, load(x, w) + half(1));
}
// feature: Tiles | bfloat16
[[belay::kernel]] void bfloats(In<bfloat16> x, Out<bfloat16> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<64>(y))
    store(w, load(x, w) * bfloat16(2));
}
// feature: Tiles | i8
[[belay::kernel]] void bytes(In<i8> x, Out<half> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<64>(y))
    store(w, cast<half>(load(x, w)));
}
// feature: Tiles | i16
[[belay::kernel]] void shorts(In<i16> x, Out<i16> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<64>(y))
    store(w, load(x, w) + i16(1));
}
// feature: Tiles | i64
[[belay::kernel]] void longs(In<i64> x, Out<i64> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<64>(y))
    store(w, load(x, w));
}
// feature: Tiles | i64 arithmetic
[[belay::kernel]] void longs_added(In<i64> x, Out<i64> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<64>(y))
    store(w, load(x, w) + load(x, w));
}
// feature: Tiles | full and zeros of a window, += and a part of a view
[[belay::kernel]] void of_a_window(In<float, dyn, dyn> x,
                                   Out<float, dyn, dyn> y, i64 from) {
  expects(x.rows() == y.rows() && x.cols() >= y.cols());
  expects(from >= 0 && from <= x.rows());
  for (auto w : my_tiles<8, 64>(y)) {
    auto t = zeros<float>(w);
    t += full<float>(w, 2.0f);
    for (auto r : tiles<8>(from, x.rows()))
      t += col_sum(load(x, r, w.col()));
    store(w, t);
  }
}
// feature: Products | dot of half, sums that a loop carries
[[belay::kernel]] void product(In<half, dyn, dyn> a, In<half, dyn, dyn> b,
                               Out<half, dyn, dyn> c) {
  expects(a.cols() == b.rows() && a.rows() == c.rows() && b.cols() == c.cols());
  for (auto w : my_tiles<64, 64>(c)) {
    auto sum = zeros<float>(w);
    for (auto k : tiles<128>(a.cols()))
      sum += dot(load(a, w.row(), k), load(b, k, w.col()));
    store(w, cast<half>(sum));
  }
}
// feature: Products | dot of bfloat16
[[belay::kernel]] void product_bf16(In<bfloat16, dyn, 64> a,
                                    In<bfloat16, 64, 32> b,
                                    Out<bfloat16, dyn, 32> c) {
  expects(a.rows() == c.rows());
  for (auto w : my_rows<16>(c))
    store(w, cast<bfloat16>(dot(load(a, w.row(), span<64>(0, 64)), load(b))));
}
// feature: Products | dot of float
[[belay::kernel]] void product_f32(In<float, dyn, 64> a, In<float, 64, 32> b,
                                   Out<float, dyn, 32> c) {
  expects(a.rows() == c.rows());
  for (auto w : my_rows<16>(c))
    store(w, dot(load(a, w.row(), span<64>(0, 64)), load(b)));
}
// feature: Products | dot of i8
[[belay::kernel]] void product_i8(In<i8, dyn, 64> a, In<i8, 64, 32> b,
                                  Out<i32, dyn, 32> c) {
  expects(a.rows() == c.rows());
  for (auto w : my_rows<16>(c))
    store(w, dot(load(a, w.row(), span<64>(0, 64)), load(b)));
}
// feature: Products | dot of transposed views
[[belay::kernel]] void product_turned(In<half, 64, dyn> a, In<half, 32, 64> b,
                                      Out<float, dyn, 32> c) {
  expects(a.cols() == c.rows());
  for (auto w : my_rows<16>(c))
    store(w, dot(load(a.transposed(), w.row(), span<64>(0, 64)),
                 load(b.transposed())));
}
// feature: Products | my_tiles of parts of a sum, w.part(), store_add
[[belay::kernel]] void product_of_parts(In<half, dyn, dyn> a,
                                        In<half, dyn, dyn> b,
                                        InOut<float, dyn, dyn> c) {
  expects(a.rows() == c.rows() && a.cols() == b.rows());
  expects(b.cols() == c.cols());
  i64 part = ceil_div(a.cols(), 3);
  for (auto w : my_tiles<32, 48, 3>(c)) {
    i64 from = min(w.part() * part, a.cols()), to = min(from + part, a.cols());
    auto sum = zeros<float>(w);
    for (auto k : tiles<64>(from, to))
      sum += dot(load(a, w.row(), k), load(b, k, w.col()));
    store_add(w, sum);
  }
}
// feature: Products | my_tiles of all planes, w.plane()
[[belay::kernel]] void products_of_planes(In<half, dyn, dyn, dyn> a,
                                          In<half, dyn, dyn> b,
                                          Out<float, dyn, dyn, dyn> c) {
  expects(a.extent(0) == c.extent(0) && a.extent(1) == c.extent(1));
  expects(a.extent(2) == b.rows() && b.cols() == c.extent(2));
  for (auto w : my_tiles<32, 48>(c)) {
    auto x = a[w.plane()];
    auto sum = zeros<float>(w);
    for (auto k : tiles<64>(x.cols()))
      sum += dot(load(x, w.row(), k), load(b, k, w.col()));
    store(w, sum);
  }
}
// feature: Products | store_add of sums
[[belay::kernel]] void added_products(In<half, dyn, 64> a, In<half, 64, 32> b,
                                      InOut<float, dyn, 32> c) {
  expects(a.rows() == c.rows());
  for (auto w : my_rows<16>(c))
    store_add(w, dot(load(a, w.row(), span<64>(0, 64)), load(b)));
}
// feature: Products | relu of what is stored
[[belay::kernel]] void positive_products(In<half, dyn, 64> a,
                                         In<half, 64, 32> b,
                                         Out<half, dyn, 32> c) {
  expects(a.rows() == c.rows());
  for (auto w : my_rows<16>(c))
    store(w, cast<half>(relu(dot(load(a, w.row(), span<64>(0, 64)), load(b)))));
}
// feature: Products | what follows on the vector core
[[belay::kernel]] void product_and_more(In<half, dyn, 64> a, In<half, 64, 32> b,
                                        Out<float, dyn, 32> c) {
  expects(a.rows() == c.rows());
  for (auto w : my_rows<16>(c))
    store(w, exp(dot(load(a, w.row(), span<64>(0, 64)), load(b))));
}
// feature: Printing | print of a tile
[[belay::kernel]] void prints(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<1024>(y)) {
    auto t = load(x, w);
    print(t);
    store(w, t);
  }
}

// feature: Cores | PerCore, sync_cores, first_core
[[belay::kernel]] void together(In<float> x, PerCore<float> part,
                                Out<float, 1> y) {
  expects(core_count() <= max_cores);
  float s = 0;
  for (auto w : my_tiles<64>(x))
    s += sum(load(x, w));
  store_mine(part, s);
  sync_cores();
  if (first_core())
    store(y, 0, sum(load_all(part)));
}
// feature: Cores | core_index, core_count
[[belay::kernel]] void by_hand(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  for (i64 i = core_index() * 64; i < y.size(); i += core_count() * 64) {
    auto s = span<64>(i, min(y.size() - i, 64));
    store(y, s, load(x, s));
  }
}
// feature: C++ | scalar parameters
[[belay::kernel]] void scalars(In<half> x, Out<half> y, float a, half b,
                               bool negate) {
  expects(x.size() == y.size() && a >= 0);
  for (auto w : my_tiles<64>(y)) {
    auto t = load(x, w) * half(a) + b;
    if (negate)
      t = -t;
    store(w, t);
  }
}
// feature: C++ | variables of half and float
[[belay::kernel]] void variables(Out<half, 4> y, half a, i64 n) {
  half s = half(0);
  float f = 0;
  for (i64 i = 0; i < n; ++i) {
    s = s + a;
    f += 1;
  }
  if (first_core())
    store(y, 0, half(s + half(f)));
}
// feature: C++ | for, up
[[belay::kernel]] void loops_up(In<float, 256> x, Out<float, 256> y) {
  if (first_core())
    for (i64 i = 0; i <= 192; i += 64)
      store(y, span<64>(i, 64), load(x, span<64>(i, 64)));
}
// feature: C++ | for, down
[[belay::kernel]] void loops_down(In<float, 256> x, Out<float, 256> y) {
  if (first_core())
    for (i64 i = 192; i >= 0; i -= 64)
      store(y, span<64>(i, 64), load(x, span<64>(i, 64)));
}
// feature: C++ | while
[[belay::kernel]] void whiles(In<float> x, Out<float, 1> y) {
  if (first_core()) {
    float s = 0;
    i64 i = 0;
    while (i < x.size()) {
      s += sum(load(x, span<64>(i, min(x.size() - i, 64))));
      i += 64;
    }
    store(y, 0, s);
  }
}
// feature: C++ | while, until data say so
[[belay::kernel]] void until(In<float> x, Out<i32, 1> y) {
  expects(x.size() < 1 << 30);
  if (first_core()) {
    i64 i = 0;
    while (i < x.size() && sum(load(x, span<1>(i, 1))) > 0.0f)
      i += 1;
    store(y, 0, i32(i));
  }
}
// feature: C++ | if, else, ?:, &&, ||, !
[[belay::kernel]] void branches(In<float> x, Out<float> y, i64 n) {
  expects(x.size() == y.size() && (n > 3 || n < 0));
  for (auto w : my_tiles<64>(y)) {
    auto t = load(x, w);
    if (n > 7 && !(n == 9)) {
      t = t + 1.0f;
    } else if (n < 0) {
      t = t * 2.0f;
    }
    float a = n > 100 ? 1.0f : 0.5f;
    store(w, t * a);
  }
}
// feature: C++ | constexpr, templates, if constexpr
template <i64 N, class T> constexpr i64 tile_size() {
  return N / i64(sizeof(T));
}
template <class T> void shift(In<T> x, Out<T> y) {
  constexpr i64 n = tile_size<1024, T>();
  for (auto w : my_tiles<n>(y))
    if constexpr (is_float<T>)
      store(w, load(x, w) + T(1));
    else
      store(w, load(x, w));
}
[[belay::kernel]] void templates(In<half> x, Out<half> y, In<i32> i,
                                 Out<i32> j) {
  expects(x.size() == y.size() && i.size() == j.size());
  shift<half>(x, y);
  shift<i32>(i, j);
}
// feature: C++ | functions of your own, references
auto twice(const Tile<1, 64, float> &t) { return t + t; }
void add_to(float &s, float a) { s += a; }
[[belay::kernel]] void functions(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<64>(y)) {
    float s = 1;
    add_to(s, 2);
    store(w, twice(load(x, w)) * s);
  }
}
// feature: C++ | lambdas
[[belay::kernel]] void lambdas(In<float> x, Out<float> y, float a) {
  expects(x.size() == y.size());
  auto silu = [&](const auto &t) { return t * sigmoid(t * a); };
  for (auto w : my_tiles<64>(y))
    store(w, silu(load(x, w)));
}
// feature: C++ | structures of your own, as constants
struct Config {
  i64 rows = 8;
  float scale = 2;
};
template <Config C>
void configured(In<float, dyn, 64> x, Out<float, dyn, 64> y) {
  for (auto rows : my_rows<C.rows>(y))
    store(rows, load(x, rows) * C.scale);
}
[[belay::kernel]] void structures(In<float, dyn, 64> x, Out<float, dyn, 64> y) {
  expects(x.rows() == y.rows());
  configured<Config{4, 3}>(x, y);
}
// feature: C++ | scalar arithmetic: + - * / % min max, in i64 and float
[[belay::kernel]] void counts(In<float> x, Out<float> y, i64 n, float a) {
  expects(x.size() == y.size() && n >= 1 && n <= 64);
  i64 m = max(n * 2 % 7 - 1, 0) / 3 + ceil_div(n, 2);
  float b = min(a * 2 - 1, 4.0f) / 3 + float(m);
  for (auto w : my_tiles<64>(y))
    store(w, load(x, w) * b);
}
