// Gathers from tiles, with each policy: test/kernels/test_takes.py.
#include "belay/kernel.h"
using namespace belay;

// The nearest column, and the one that is left of whole multiples, exist only
// where there is one.
template <Oob P>
constexpr i64 least = P == Oob::clamp || P == Oob::wrap ? 1 : 0;

// Of each row by its own indices.
template <class T, Oob P, i64 R, i64 C, i64 K>
[[belay::kernel]] void along(In<T, dyn, dyn> x, In<i32, dyn, dyn> ids,
                             Out<T, dyn, dyn> y) {
  expects(x.cols() >= least<P> && x.cols() <= C && ids.cols() <= K);
  expects(x.rows() == y.rows() && ids.rows() == y.rows());
  expects(ids.cols() == y.cols());
  auto from = span<C>(0, x.cols());
  auto to = span<K>(0, ids.cols());
  for (auto rows : my_spans<R>(y.rows()))
    store(y, rows, to, gather<P>(load(x, rows, from), load(ids, rows, to)));
}

// The same where all columns are there.
template <class T, Oob P, i64 R, i64 C, i64 K>
[[belay::kernel]] void along_all(In<T, dyn, C> x, In<i32, dyn, K> ids,
                                 Out<T, dyn, K> y) {
  expects(x.rows() == y.rows() && ids.rows() == y.rows());
  for (auto rows : my_rows<R>(y))
    store(rows, gather<P>(load(x, rows.row(), span<C>(0, C)), load(ids, rows)));
}

// Of a row, by indices of any shape.
template <class T, Oob P, i64 R, i64 C, i64 K>
[[belay::kernel]] void of_row(In<T> x, In<i32, dyn, dyn> ids,
                              Out<T, dyn, dyn> y) {
  expects(x.size() >= least<P> && x.size() <= C);
  expects(ids.rows() == y.rows() && ids.cols() == y.cols());
  for (auto w : my_tiles<R, K>(y))
    store(w, gather<P>(load(x, span<C>(0, x.size())), load(ids, w)));
}
