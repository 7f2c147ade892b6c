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
