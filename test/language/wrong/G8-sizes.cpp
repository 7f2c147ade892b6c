// G8: sizes that no memory has are refused before anything is computed from them.
// RUN: %python %S/../Inputs/check-wrong.py %s
#include "belay/kernel.h"
using namespace belay;

// Bytes that wrap in 64 bits: 2^62 + 256 floats are 1024 of them.
[[belay::kernel]] void wraps(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  for (auto s : tiles<4611686018427388160>(y.size()))
    if (first_core())
      store(y, s, load(x, s)); // tile-capacity: a tile of 1 rows and 4611686018427388160 columns is larger
  //= store(y, span<64>(0, min(s.size, 64)), load(x, span<64>(0, min(s.size, 64))));
}
[[belay::kernel]] void outer_product(In<float, 65536> x, Out<float, 1> y) {
  if (first_core())
    store(y, 0, sum(load_column(x, span<65536>(0, 65536)) + load(x, span<65536>(0, 65536)))); // tile-capacity: a tile of 65536 rows and 65536 columns is larger
  //= store(y, 0, sum(load(x, span<1024>(0, 1024)) + load(x, span<1024>(0, 1024))));
}
[[belay::kernel]] void view(In<float, 1048576, 1048577> x, Out<float, 1> y) { // bad-extent: a view has at most 2^40 elements
  //= [[belay::kernel]] void view(In<float, 1048576, 1024> x, Out<float, 1> y) {
  if (first_core())
    store(y, 0, sum(load(x[0], span<64>(0, 64))));
}
[[belay::kernel]] void by_window(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<1073742080>(y))
    store(w, load(x, w)); // tile-capacity: a tile of 1 rows and 1073742080 columns is larger
  //= store(y, span<1>(w.col().begin, min(w.col().size, 1)), load(x, span<1>(w.col().begin, min(w.col().size, 1))));
}
