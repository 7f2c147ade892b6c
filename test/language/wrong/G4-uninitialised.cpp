// G4: no output is read before it was written, no per-core element before all
// cores have written theirs, no element of a tile that nobody computed.
// RUN: %python %S/../Inputs/check-wrong.py %s
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void output_read(In<float> x, Out<float> y) {
  //= [[belay::kernel]] void output_read(In<float> x, InOut<float> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<64>(y))
    store(w, load(x, w) + load(y, w)); // uninitialised-read: 'y' is an output, and this part of it has not been written
}
[[belay::kernel]] void output_read_elsewhere(In<float, 128> x, Out<float, 128> y, Out<float, 1> z) {
  if (first_core()) {
    store(y, span<64>(0, 64), load(x, span<64>(0, 64)));
    store(z, 0, sum(load(y, span<64>(64, 64)))); // uninitialised-read: 'y' is an output
    //= store(z, 0, sum(load(y, span<64>(0, 64))));
  }
}
[[belay::kernel]] void output_added_to(In<float> x, Out<float, 64> y) {
  //= [[belay::kernel]] void output_added_to(In<float> x, InOut<float, 64> y) {
  for (auto w : my_tiles<64>(x))
    store_add(y, span<64>(0, w.col().size), load(x, w)); // uninitialised-read: 'y' is an output
}
[[belay::kernel]] void output_maybe_written(In<float, 64> x, Out<float, 64> y, Out<float, 1> z, i64 n) {
  if (first_core()) {
    if (n > 3)
      //= ;
      store(y, span<64>(0, 64), load(x));
    store(z, 0, sum(load(y, span<64>(0, 64)))); // uninitialised-read: 'y' is an output
  }
}
[[belay::kernel]] void not_met(In<float> x, PerCore<float> part, Out<float, 1> y) {
  expects(core_count() <= max_cores);
  float s = 0;
  for (auto w : my_tiles<64>(x))
    s += sum(load(x, w));
  store_mine(part, s);
  //+ sync_cores();
  if (first_core())
    store(y, 0, sum(load_all(part))); // uninitialised-read: not every core has written its element of 'part' here
}
[[belay::kernel]] void only_one_wrote(PerCore<float> part, Out<float, 1> y) {
  expects(core_count() <= max_cores);
  if (first_core())
    //= ;
    store_mine(part, 1.0f);
  sync_cores();
  if (first_core())
    store(y, 0, sum(load_all(part))); // uninitialised-read: not every core has written its element of 'part' here
}
[[belay::kernel]] void nobody_wrote(PerCore<float> part, Out<float, 1> y) {
  expects(core_count() <= max_cores);
  //+ store_mine(part, 1.0f);
  sync_cores();
  if (first_core())
    store(y, 0, sum(load_all(part))); // uninitialised-read: not every core has written its element of 'part' here
}
[[belay::kernel]] void more_than_loaded(In<float> x, Out<float> y) {
  expects(x.size() == y.size() && x.size() >= 64);
  for (i64 i = core_index() * 64; i <= y.size() - 64; i += core_count() * 64) {
    auto t = load(x, span<64>(i, 32));
    store(y, span<64>(i, 64), t); // tile-mismatch: '64 <= 32' is false
    //= store(y, span<64>(i, 32), t);
  }
}
