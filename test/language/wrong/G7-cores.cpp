// G7: no two cores touch the same element of global memory, one of them writing.
// RUN: %python %S/../Inputs/check-wrong.py %s
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void all_write_all(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  for (auto s : tiles<64>(y.size()))
    //= for (auto s : my_spans<64>(y.size()))
    store(y, s, load(x, s)); // race-between-cores: two cores may touch the same element of 'y'
}
[[belay::kernel]] void all_write_the_result(In<float, 64> x, Out<float, 1> y) {
  float s = sum(load(x));
  //+ if (first_core())
  store(y, 0, s); // race-between-cores: two cores may touch the same element of 'y'
}
[[belay::kernel]] void overlapping_chunks(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  for (i64 i = core_index() * 32; i < y.size(); i += core_count() * 32) {
    //= for (i64 i = core_index() * 64; i < y.size(); i += core_count() * 64) {
    auto s = span<64>(i, min(y.size() - i, 64));
    store(y, s, load(x, s)); // race-between-cores: two cores may touch the same element of 'y'
  }
}
[[belay::kernel]] void wrong_step(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  for (i64 i = core_index() * 64; i < y.size(); i += 64) {
    //= for (i64 i = core_index() * 64; i < y.size(); i += core_count() * 64) {
    auto s = span<64>(i, min(y.size() - i, 64));
    store(y, s, load(x, s)); // race-between-cores: two cores may touch the same element of 'y'
  }
}
[[belay::kernel]] void shifted_write(In<float> x, Out<float> y) {
  expects(y.size() >= x.size() + 1);
  for (auto w : my_tiles<64>(x)) {
    store(y, w.col(), load(x, w));
    store(y, span<64>(w.col().begin + 1, w.col().size), load(x, w)); // race-between-cores: two cores may touch the same element of 'y'
    //= ;
  }
}
[[belay::kernel]] void reads_the_neighbour(InOut<float> x) {
  //= [[belay::kernel]] void reads_the_neighbour(InOut<float> x, In<float> y) { expects(y.size() == x.size());
  for (auto w : my_tiles<64>(x)) {
    i64 before = max(w.col().begin - 1, 0);
    auto t = load(x, span<64>(before, w.col().size));
    //= auto t = load(y, span<64>(before, w.col().size));
    store(w, t); // race-between-cores: two cores may touch the same element of 'x'
  }
}
[[belay::kernel]] void no_barrier(In<float> x, InOut<float> y, Out<float, 1> z) {
  expects(x.size() == y.size() && x.size() >= 128);
  for (auto w : my_tiles<64>(y))
    store(w, load(x, w));
  //+ sync_cores();
  if (first_core())
    store(z, 0, sum(load(y, span<64>(64, 64)))); // race-between-cores: two cores may touch the same element of 'y'
}
[[belay::kernel]] void barrier_too_early(In<float> x, InOut<float> y, Out<float, 1> z) {
  expects(x.size() == y.size() && x.size() >= 128);
  sync_cores();
  for (auto w : my_tiles<64>(y))
    store(w, load(x, w));
  //+ sync_cores();
  if (first_core())
    store(z, 0, sum(load(y, span<64>(64, 64)))); // race-between-cores: two cores may touch the same element of 'y'
}
[[belay::kernel]] void sum_without_add(In<float> x, InOut<float, 64> y) {
  for (auto w : my_tiles<64>(x)) {
    auto s = span<64>(0, w.col().size);
    store(y, s, load(y, s) + load(x, w)); // race-between-cores: two cores may touch the same element of 'y'
    //= store_add(y, s, load(x, w));
  }
}
[[belay::kernel]] void add_and_store(In<float> x, InOut<float, 64> y) {
  for (auto w : my_tiles<64>(x))
    store_add(y, span<64>(0, w.col().size), load(x, w));
  //+ sync_cores();
  if (first_core())
    store(y, 0, 0.0f); // race-between-cores: two cores may touch the same element of 'y'
}
[[belay::kernel]] void rows_of_the_wrong_view(In<float, dyn, 64> x, Out<float, dyn, 64> y) {
  expects(x.rows() == y.rows());
  for (auto rows : my_rows<8>(y))
    store(y, span<8>(rows.row().begin / 8, rows.row().size), span<64>(0, 64), load(x, rows)); // race-between-cores: two cores may touch the same element of 'y'
  //= store(y, rows.row(), span<64>(0, 64), load(x, rows));
}
[[belay::kernel]] void others_element(PerCore<float> part, Out<float, 1> y) {
  store(part, 0, 1.0f); // argument-role: '0 == core_index()'
  //= store_mine(part, 1.0f);
  if (first_core())
    store(y, 0, 1.0f);
}
// Steps of the number of cores, but not from the core's own element.
[[belay::kernel]] void strided_from_one(Out<float> y) {
  expects(y.size() >= core_count() + 1);
  auto b = y.strided(1, core_count());
  //= auto b = y.strided(core_index(), core_count());
  for (auto c : tiles<512>(b.size()))
    store(b, c, full<1, 512, float>(1.0f)); // race-between-cores: two cores may touch the same element of 'y'
}
