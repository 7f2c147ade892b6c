// What docs/language.md says of the language, one kernel for each row of its table.
// docs/generate/language-table builds each of them alone and prints the table.
#include "belay/kernel.h"
#include <utility>
using namespace belay;

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
