// Loops whose end depends on data, in the forms that people write.
#include "belay/kernel.h"
using namespace belay;

// The condition loads.
[[belay::kernel]] void first_above(In<float> x, In<float> keys,
                                   Out<i32> places) {
  expects(keys.size() == places.size() && x.size() < 1 << 30);
  for (i64 i = core_index(); i < keys.size(); i += core_count()) {
    float key = sum(load(keys, span<1>(i, 1)));
    i64 at = 0;
    while (at < x.size() && sum(load(x, span<1>(at, 1))) <= key)
      ++at;
    store(places, i, i32(at));
  }
}

// A flag ends it, or a bound.
[[belay::kernel]] void last_above(In<float> x, In<float> keys,
                                  Out<i32> places) {
  expects(keys.size() == places.size() && x.size() < 1 << 30);
  for (i64 i = core_index(); i < keys.size(); i += core_count()) {
    float key = sum(load(keys, span<1>(i, 1)));
    i64 at = x.size() - 1;
    bool found = false;
    while (at >= 0 && !found) {
      if (sum(load(x, span<1>(at, 1))) > key)
        found = true;
      else
        at -= 1;
    }
    store(places, i, i32(at));
  }
}

// Tiles of which the condition computes something; stores in the body.
[[belay::kernel]] void halvings(In<float, 300> x, Out<float, 300> small,
                                Out<float> largest) {
  auto t = load(x);
  i64 k = 0;
  while (k < largest.size() && maximum(t) > 1.0f) {
    if (first_core())
      store(largest, k, maximum(t));
    t = t * 0.5f;
    k += 1;
  }
  for (; k < largest.size(); ++k)
    if (first_core())
      store(largest, k, 0.0f);
  if (first_core())
    store(small, span<300>(0, 300), t);
}

// Two tiles that change places as often as a number can be halved.
[[belay::kernel]] void exchanged(InOut<float, 96> x, InOut<float, 96> y,
                                 i64 n) {
  expects(n >= 0);
  if (first_core()) {
    auto a = load(x);
    auto b = load(y);
    while (n > 0) {
      auto c = copy(a);
      a = copy(b);
      b = copy(c);
      n /= 2;
    }
    store(x, span<96>(0, 96), a);
    store(y, span<96>(0, 96), b);
  }
}

// A loop that counts, in one that does not, in one that counts.
[[belay::kernel]] void doublings(In<float> x, Out<float> y) {
  expects(x.size() == y.size() && x.size() < 1 << 20);
  for (auto w : my_tiles<256>(y)) {
    auto t = load(x, w);
    i64 steps = 0;
    for (i64 s = 1; s < x.size(); s *= 2) {
      for (i64 k = 0; k < 2; ++k)
        t = t + 1.0f;
      steps += 1;
    }
    store(w, t * float(steps));
  }
}

// Cores in turn, and a condition that is not the usual one.
[[belay::kernel]] void in_turn(InOut<float> x) {
  i64 at = core_index();
  while (!(at >= x.size())) {
    float v = sum(load(x, span<1>(at, 1)));
    store(x, at, v + 1.0f);
    if (v > -1000.0f)
      at += core_count();
    else
      at += core_count();
  }
}
