// The sum of all elements: by one core, and by all of them.
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void reduce_one(In<float> x, Out<float, 1> out) {
  if (first_core()) {
    float s = 0;
    for (auto c : tiles<8192>(x.size()))
      s += sum(load(x, c));
    store(out, 0, s);
  }
}

[[belay::kernel]] void reduce_all(In<float> x, PerCore<float> part,
                                  Out<float, 1> out) {
  expects(core_count() <= max_cores);
  float s = 0;
  for (auto w : my_tiles<8192>(x))
    s += sum(load(x, w));
  store_mine(part, s);
  sync_cores();
  if (first_core())
    store(out, 0, sum(load_all(part)));
}
