// G2, G4, G7, G8: slices, permuted and strided views, windows around a view.
// RUN: %python %S/../Inputs/check-wrong.py %s
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void no_such_slice(In<float, dyn, 4, dyn> x, Out<float, dyn, dyn> y) {
  expects(x.extent(0) == y.rows() && x.extent(2) == y.cols());
  auto part = x.slice<1>(4); // gm-out-of-bounds: '4 + 1 <= 4' is false
  //= auto part = x.slice<1>(3);
  for (auto w : my_tiles<8, 64>(y))
    store(w, load(part, w));
}
[[belay::kernel]] void slice_of_another_extent(In<float, dyn, dyn, dyn> x, Out<float, dyn, dyn> y) {
  expects(x.extent(0) == y.rows() && x.extent(2) == y.cols());
  //+ expects(x.extent(1) >= 1);
  auto part = x.slice<1>(0); // guarded gm-out-of-bounds: <= x.extent(1)
  for (auto w : my_tiles<8, 64>(y))
    store(w, load(part, w));
}
[[belay::kernel]] void permuted_extents(In<float, dyn, dyn, dyn> x, Out<float, dyn, dyn, dyn> y) {
  expects(x.extent(0) == y.extent(0) && x.extent(1) == y.extent(1) && x.extent(2) == y.extent(2));
  auto z = y.permuted<1, 0, 2>();
  for (auto w : my_tiles<8, 64>(z))
    store(w, load(x[w.plane()], w.row(), w.col())); // guarded gm-out-of-bounds: x.extent(0)
  //= store(w, load(x.permuted<1, 0, 2>()[w.plane()], w.row(), w.col()));
}
[[belay::kernel]] void planes_in_the_other_order(In<float, dyn, dyn, dyn, dyn> x, Out<float, dyn, dyn, dyn, dyn> y) {
  expects(x.extent(0) == y.extent(0) && x.extent(1) == y.extent(1));
  expects(x.extent(2) == y.extent(2) && x.extent(3) == y.extent(3));
  for (auto w : my_tiles<8, 64>(y))
    store(w, load(x[w.plane(1)][w.plane(0)], w.row(), w.col())); // guarded gm-out-of-bounds: x.extent(0)
  //= store(w, load(x[w.plane(0)][w.plane(1)], w.row(), w.col()));
}
[[belay::kernel]] void one_plane_for_all(In<float, dyn, dyn, dyn, dyn> x, Out<float, dyn, dyn, dyn, dyn> y) {
  expects(x.extent(0) == y.extent(0) && x.extent(1) == y.extent(1));
  expects(x.extent(2) == y.extent(2) && x.extent(3) == y.extent(3));
  for (auto w : my_tiles<8, 64>(y))
    store(y[w.plane(0)][0], w.row(), w.col(), load(x[w.plane(0)][0], w.row(), w.col())); // race-between-cores: of 'y'
  //= store(y[w.plane(0)][w.plane(1)], w.row(), w.col(), load(x[w.plane(0)][0], w.row(), w.col()));
}
[[belay::kernel]] void too_many_columns(In<float, dyn, dyn> x, Out<float, dyn, dyn> y) {
  expects(x.rows() == y.rows() && x.cols() == y.cols());
  auto even = x.strided<1>(0, 2);
  for (auto w : my_tiles<8, 64>(y))
    store(w, load(even, w.row(), w.col())); // guarded gm-out-of-bounds: <= even.cols()
  //= store(w, load_or(even, w.row(), w.col(), 0.0f));
}
[[belay::kernel]] void step_of_none(In<float, dyn, dyn> x, Out<float, dyn, dyn> y, i64 step) {
  expects(step <= 1024);
  //= expects(step >= 1 && step <= 1024);
  auto some = x.strided<1>(0, step); // guarded gm-out-of-bounds: step >= 1
  for (auto w : my_tiles<8, 64>(y))
    store(w, load_or(some, w.row(), w.col(), 0.0f));
}
[[belay::kernel]] void around_without_policy(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<64>(y))
    store(w, load(x, span<64>(w.col().begin - 1, w.col().size))); // guarded gm-out-of-bounds: >= 0
  //= store(w, load_or(x, span<64>(w.col().begin - 1, w.col().size), 0.0f));
}
[[belay::kernel]] void larger_than_its_span(In<float> x, Out<float> y, i64 n) {
  expects(n >= 0 && n <= y.size());
  //= expects(n >= 0 && n <= y.size() && n <= 64);
  if (first_core())
    store(y, span<64>(0, n), load_or(x, span<64>(-3, n), 0.0f)); // guarded tile-capacity: n <= 64
}
[[belay::kernel]] void below_nothing(In<float> x, Out<float> y, i64 n) {
  expects(n <= y.size() && n <= 64);
  //= expects(n >= 0 && n <= y.size() && n <= 64);
  if (first_core())
    store(y, span<64>(0, n), load_or(x, span<64>(-3, n), 0.0f)); // guarded tile-capacity: n >= 0
}
[[belay::kernel]] void other_extents(In<float> x, Out<float> y) {
  for (auto w : my_tiles<64>(y)) {
    auto t = load_or(x, span<64>(w.col().begin - 1, 64), 0.0f);
    //= auto t = load_or(x, span<64>(w.col().begin - 1, w.col().size), 0.0f);
    store(w, t + full<float>(w, 1.0f)); // guarded tile-mismatch: equal columns
  }
}
