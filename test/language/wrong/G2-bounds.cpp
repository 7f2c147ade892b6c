// G2: every window lies inside its view, every part of a view inside the view.
// RUN: %python %S/../Inputs/check-wrong.py %s
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void tail_forgotten(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  //+ expects(x.size() % 256 == 0);
  for (i64 i = core_index() * 256; i < y.size(); i += core_count() * 256) {
    auto t = load(x, span<256>(i, 256)); // guarded gm-out-of-bounds: 'i + 256 <= x.size()'
    store(y, span<256>(i, 256), t);
  }
}
[[belay::kernel]] void one_past_the_end(In<float, 64> x, Out<float, 64> y) {
  if (first_core())
    store(y, span<64>(0, 64), load(x, span<64>(1, 64))); // gm-out-of-bounds: '1 + 64 <= 64' is false
  //= store(y, span<64>(0, 64), load(x, span<64>(0, 64)));
}
[[belay::kernel]] void before_the_begin(In<float, 64> x, Out<float, 32> y) {
  if (first_core())
    store(y, span<32>(0, 32), load(x, span<32>(-1, 32))); // gm-out-of-bounds: '-1 >= 0' is false
  //= store(y, span<32>(0, 32), load(x, span<32>(1, 32)));
}
[[belay::kernel]] void other_size(In<float> x, In<float> y, Out<float> z) {
  expects(x.size() == z.size());
  //+ expects(y.size() == z.size());
  for (auto w : my_tiles<64>(z))
    store(w, load(x, w) + load(y, w)); // guarded gm-out-of-bounds: <= y.size()'
}
[[belay::kernel]] void other_rows(In<float, dyn, 64> x, Out<float, dyn, 64> y) {
  //+ expects(x.rows() == y.rows());
  for (auto rows : my_rows<8>(y))
    store(rows, load(x, rows)); // guarded gm-out-of-bounds: <= x.rows()'
}
[[belay::kernel]] void columns_for_rows(In<float, dyn, dyn> x,
                                        Out<float, dyn, dyn> y) {
  expects(x.rows() == y.cols() && x.cols() == y.rows());
  for (auto w : my_tiles<16, 16>(y))
    store(w, load(x, w)); // guarded gm-out-of-bounds: <= x.rows()'
  //= store(w, transpose(load(x, w.col(), w.row())));
}
[[belay::kernel]] void offset_of_scalar(In<float> x, Out<float, 64> y, i64 from) {
  //+ expects(from >= 0 && from <= x.size() - 64);
  if (first_core())
    store(y, span<64>(0, 64), load(x, span<64>(from, 64))); // guarded gm-out-of-bounds: 'from >= 0'
}
[[belay::kernel]] void size_of_scalar(In<float> x, Out<float, 1> y, i64 n) {
  expects(n >= 0 && n <= 64);
  //+ expects(n <= x.size());
  if (first_core())
    store(y, 0, sum(load(x, span<64>(0, n)))); // guarded gm-out-of-bounds: 'n <= x.size()'
}
[[belay::kernel]] void empty_forgotten(In<float> x, Out<float, 1> y) {
  //+ expects(x.size() >= 1);
  if (first_core())
    store(y, 0, sum(load(x, span<1>(0, 1)))); // guarded gm-out-of-bounds: '1 <= x.size()'
}
[[belay::kernel]] void last_element(In<float> x, Out<float, 1> y) {
  //+ expects(x.size() >= 1);
  if (first_core())
    store(y, 0, sum(load(x, span<1>(x.size() - 1, 1)))); // guarded gm-out-of-bounds: 'x.size() - 1 >= 0'
}
[[belay::kernel]] void includes_the_end(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  if (first_core())
    for (i64 i = 0; i <= x.size(); ++i) {
      //= for (i64 i = 0; i < x.size(); ++i) {
      auto t = load(x, span<1>(i, 1)); // guarded gm-out-of-bounds: 'i + 1 <= x.size()'
      store(y, span<1>(i, 1), t);
    }
}
[[belay::kernel]] void neighbour(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<64>(y))
    store(w, load(x, span<64>(w.col().begin + 1, w.col().size))); // guarded gm-out-of-bounds: <= x.size()'
  //= store(w, load(x, span<64>(w.col().begin, w.col().size)));
}
[[belay::kernel]] void neighbour_before(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<64>(y))
    store(w, load(x, span<64>(w.col().begin - 1, w.col().size))); // guarded gm-out-of-bounds: w - 1 >= 0'
  //= store(w, load(x, span<64>(max(w.col().begin - 1, 0), w.col().size)));
}
[[belay::kernel]] void flat_rows(In<float> x, Out<float> y, i64 rows, i64 cols) {
  expects(rows >= 0 && rows <= 1'000'000 && cols >= 1 && cols <= 1'000'000 &&
          x.size() == rows * cols && y.size() == rows);
  //+ expects(cols >= 512);
  for (auto s : my_spans<1>(rows))
    store(y, s.begin, sum(load(x, span<512>(s.begin * cols, 512)))); // guarded gm-out-of-bounds: <= x.size()'
}
[[belay::kernel]] void twice_as_far(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<64>(y))
    store(w, load(x, span<64>(w.col().begin * 2, w.col().size))); // guarded gm-out-of-bounds: <= x.size()'
  //= store(w, load(x, span<64>(w.col().begin, w.col().size)));
}
[[belay::kernel]] void part_outside(In<float, 4, 64> x, Out<float, 64> y) {
  if (first_core())
    store(y, span<64>(0, 64), load(x[4])); // gm-out-of-bounds: '4 + 1 <= 4' is false
  //= store(y, span<64>(0, 64), load(x[3]));
}
[[belay::kernel]] void part_by_scalar(In<float, dyn, 64> x, Out<float, 64> y, i64 i) {
  expects(i >= 0);
  //+ expects(i < x.rows());
  if (first_core())
    store(y, span<64>(0, 64), load(x[i])); // guarded gm-out-of-bounds: 'i + 1 <= x.rows()'
}
[[belay::kernel]] void stride_backwards(In<float> x, Out<float, 1> y) {
  //+ expects(x.size() >= 3);
  auto part = x.strided(3, 2); // guarded gm-out-of-bounds: / 2 >= 0'
  if (first_core())
    store(y, 0, sum(load(part, span<64>(0, min(part.size(), 64)))));
}
[[belay::kernel]] void strided_too_long(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  auto even = x.strided(0, 2);
  for (auto w : my_tiles<64>(y))
    store(w, load(even, w)); // guarded gm-out-of-bounds: .size()'
  //= store(w, load(x, w));
}
[[belay::kernel]] void store_outside(In<float> x, Out<float> y) {
  //+ expects(x.size() <= y.size());
  for (auto w : my_tiles<64>(x))
    store(y, w.col(), load(x, w)); // guarded gm-out-of-bounds: <= y.size()'
}
[[belay::kernel]] void element_outside(Out<float, 4> y) {
  if (first_core())
    store(y, 4, 1.0f); // gm-out-of-bounds: '4 + 1 <= 4' is false
  //= store(y, 3, 1.0f);
}
[[belay::kernel]] void negative_size(In<float> x, Out<float, 1> y) {
  if (first_core())
    store(y, 0, sum(load(x, span<64>(0, min(x.size() - 8, 64))))); // guarded gm-out-of-bounds: >= 0'
  //= store(y, 0, sum(load(x, span<64>(0, max(min(x.size() - 8, 64), 0)))));
}
[[belay::kernel]] void clamp_into_nothing(In<half, dyn, 64> table, In<i32> ids, Out<half, dyn, 64> y) {
  expects(y.rows() == ids.size());
  //+ expects(table.rows() >= 1);
  for (auto rows : my_rows<16>(y))
    store(rows, gather<Oob::clamp>(table, load(ids, rows))); // guarded gm-out-of-bounds: 'table.rows() >= 1'
}
[[belay::kernel]] void nearest_of_none(In<float, dyn, dyn> x, In<i32, dyn, 8> ids, Out<float, dyn, 8> y) {
  expects(x.rows() == y.rows() && ids.rows() == y.rows() && x.cols() <= 64);
  //+ expects(x.cols() >= 1);
  for (auto rows : my_rows<16>(y))
    store(rows, gather<Oob::clamp>(load(x, rows.row(), span<64>(0, x.cols())), load(ids, rows))); // guarded local-out-of-bounds: 'x.cols() >= 1'
}
[[belay::kernel]] void middle_of_image(In<float, dyn, dyn, 64> x, Out<float, dyn, dyn, 64> y) {
  expects(x.extent(0) == y.extent(0));
  //+ expects(x.extent(1) == y.extent(1));
  for (i64 i = 0; i < y.extent(0); ++i)
    for (auto rows : my_rows<8>(y[i]))
      store(rows, load(x[i], rows)); // guarded gm-out-of-bounds: .rows()'
}
