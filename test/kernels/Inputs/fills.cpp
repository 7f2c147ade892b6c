// Tiles of types that few instructions have.
#include "belay/kernel.h"
using namespace belay;

template <class T> [[belay::kernel]] void put(Out<T> y) {
  for (i64 i = core_index(); i < y.size(); i += core_count())
    store(y, i, T(7));
}
template <class T> [[belay::kernel]] void filled(Out<T> y) {
  for (auto w : my_tiles<512>(y))
    store(w, full<1, 512, T>(T(-3)));
}
template <class T> [[belay::kernel]] void padded(In<T> x, Out<T, 100> y, T) {
  expects(x.size() <= 100);
  if (first_core())
    store(y, span<100>(0, 100), load(x, span<100>(0, x.size()), T(3)));
}
template <class T>
[[belay::kernel]] void padded_with_zeros(In<T> x, Out<T, 100> y) {
  expects(x.size() <= 100);
  if (first_core())
    store(y, span<100>(0, 100), load(x, span<100>(0, x.size()), T(0)));
}
template <class T>
[[belay::kernel]] void gathered(In<T> table, In<i32> ids, Out<T> y) {
  expects(ids.size() == y.size());
  for (auto w : my_tiles<64>(y))
    store(w, gather<Oob::zero>(table, load(ids, w)));
}
template <class T>
[[belay::kernel]] void gathered_rows(In<T, dyn, 40> table, In<i32> ids,
                                     Out<T, dyn, 40> y) {
  expects(ids.size() == y.rows());
  for (auto w : my_rows<16>(y))
    store(w, gather<Oob::zero>(table, load(ids, w)));
}
template <class T> [[belay::kernel]] void counted(Out<T, 64> y) {
  if (first_core())
    store(y, span<64>(0, 64), iota<64, T>(T(5)));
}
template <class T> [[belay::kernel]] void counted_from(Out<T, 64> y, T start) {
  if (first_core())
    store(y, span<64>(0, 64), iota<64, T>(start));
}
template <class T> [[belay::kernel]] void filled_with(Out<T, 64> y, T value) {
  if (first_core())
    store(y, span<64>(0, 64), full<1, 64, T>(value));
}
// A column of bytes with every column; extremes and choices of bytes.
[[belay::kernel]] void both(In<i8, dyn, 33> x, In<i8> b, Out<i8, dyn, 33> y) {
  expects(x.rows() == y.rows() && b.size() == x.rows());
  for (auto w : my_rows<9>(y))
    store(w, load(x, w) & load(b, w));
}
[[belay::kernel]] void extremes(In<i8, dyn, 40> x, Out<i8> low, Out<i8> high) {
  expects(x.rows() == low.size() && x.rows() == high.size());
  for (auto r : my_spans<16>(x.rows())) {
    auto t = load(x, r, span<40>(0, 40));
    store(low, r, row_min(t));
    store(high, r, row_max(t));
  }
}
[[belay::kernel]] void chosen(In<i8> a, In<i8> b, Out<i8> y, Out<i8> z) {
  expects(a.size() == b.size() && a.size() == y.size() && a.size() == z.size());
  for (auto w : my_tiles<256>(y)) {
    auto s = load(a, w), t = load(b, w);
    store(w, select(s > t, s, t));
    store(z, w.col(), min(max(s, t), full_like(s, i8(50))));
  }
}
