// G8: nothing is made in, or loaded into, a tile beyond its capacity; tiles that are
// operands of one operation have the same extents.
// RUN: %python %S/../Inputs/check-wrong.py %s
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void row_too_long(In<float> x, Out<float, 1> y) {
  //+ expects(x.size() <= 64);
  if (first_core())
    store(y, 0, sum(load(x, span<64>(0, x.size())))); // guarded tile-capacity: 'x.size() <= 64'
}
[[belay::kernel]] void columns_too_many(In<float, dyn, dyn> x, Out<float> y) {
  expects(x.rows() == y.size());
  //+ expects(x.cols() <= 64);
  for (auto s : my_spans<8>(y.size()))
    store(y, s, row_sum(load(x, s, span<64>(0, x.cols())))); // guarded tile-capacity: 'x.cols() <= 64'
}
[[belay::kernel]] void scalar_too_large(In<float> x, Out<float, 1> y, i64 n) {
  expects(n >= 0 && n <= x.size());
  //+ expects(n <= 64);
  if (first_core())
    store(y, 0, sum(load(x, span<64>(0, n)))); // guarded tile-capacity: 'n <= 64'
}
[[belay::kernel]] void too_many_cores(PerCore<float> part, Out<float, 1> y) {
  //+ expects(core_count() <= max_cores);
  store_mine(part, 1.0f);
  sync_cores();
  if (first_core())
    store(y, 0, sum(load_all(part))); // guarded tile-capacity: 'core_count() <= 64'
}
[[belay::kernel]] void unequal_tiles(In<float> x, In<float> y, Out<float, 1> z, i64 n) {
  expects(n >= 0 && n <= 64 && n <= x.size() && y.size() >= 64);
  //+ expects(n == 32);
  if (first_core())
    store(z, 0, sum(load(x, span<64>(0, n)) + load(y, span<64>(0, 32)))); // guarded tile-mismatch: n == 32'
}
[[belay::kernel]] void never_equal(In<float, 64> x, Out<float, 1> z) {
  if (first_core())
    store(z, 0, sum(load(x, span<64>(0, 16)) + load(x, span<64>(0, 32)))); // tile-mismatch: 16 == 32' is false
  //= store(z, 0, sum(load(x, span<64>(0, 16)) + load(x, span<64>(16, 16))));
}
[[belay::kernel]] void indices_for_other_rows(In<half, dyn, 64> table, In<i32> ids, In<half, dyn, 64> x, InOut<half, dyn, 64> y, i64 n) {
  expects(ids.size() >= 16 && x.rows() >= 16 && n >= 0 && n <= 16);
  //+ expects(n == 8);
  if (first_core())
    scatter_add<Oob::zero>(y, load_column(ids, span<16>(0, n)), load(x, span<16>(0, 8), span<64>(0, 64))); // guarded tile-mismatch: n == 8'
}
[[belay::kernel]] void grows_in_a_loop(In<float, 64> x, Out<float, 1> y, i64 n) {
  expects(n >= 1 && n <= 64);
  auto t = load(x, span<64>(0, 1));
  for (i64 i = 0; i < n; ++i) // guarded tile-mismatch: equal columns: 1 == i'
    t = load(x, span<64>(0, i));
  //= t = load(x, span<64>(i, 1));
  if (first_core())
    store(y, 0, sum(t));
}
