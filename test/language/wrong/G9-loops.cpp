// G9: loops end; every barrier of all cores is reached by all, equally often.
// RUN: %python %S/../Inputs/check-wrong.py %s
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void step_may_be_zero(Out<float> y, i64 step) {
  expects(step <= 1000);
  //+ expects(step >= 1);
  float s = 0;
  for (i64 i = 0; i < 100; i += step) // guarded endless-loop: 'step >= 1'
    s += 1;
  for (auto w : my_spans<1>(y.size()))
    store(y, w.begin, s);
}
[[belay::kernel]] void never_advances(In<float> x, Out<float, 1> y) {
  float s = 0;
  i64 i = 0;
  while (i < x.size()) { // endless-loop: the loop ends
    //= for (i64 k = 0; k < x.size(); k += 64) {
    s += 1;
  }
  if (first_core())
    store(y, 0, s + float(i));
}
[[belay::kernel]] void runs_away(In<float> x, Out<float, 1> y, i64 n) {
  expects(n >= 0 && n <= 1000);
  i64 i = n;
  float s = 0;
  while (i != 10) { // endless-loop: the loop ends
    //= while (i > 10) {
    i -= 1; // guarded index-overflow: - 1 fits in 64 bits'
    s += 1;
  }
  if (first_core())
    store(y, 0, s);
}
[[belay::kernel]] void advances_sometimes(In<float> x, Out<float, 1> y, i64 n) {
  i64 i = 0;
  float s = 0;
  while (i < 100) { // endless-loop: the loop ends
    if (n > 3)
      //= ;
      i += 1;
    s += 1;
  }
  if (first_core())
    store(y, 0, s);
}
[[belay::kernel]] void halves_for_ever(Out<float, 1> y, i64 n) {
  expects(n >= 0 && n <= 1000);
  i64 i = n;
  while (i >= 0) // endless-loop: the loop ends
    //= while (i > 0)
    i = i / 2;
  if (first_core())
    store(y, 0, float(i));
}
[[belay::kernel]] void meets_alone(Out<float, 1> y) {
  if (first_core()) {
    store(y, 0, 1.0f);
    sync_cores(); // sync-needs-all-cores: not all cores reach this barrier equally often
    //= ;
  }
}
[[belay::kernel]] void meets_for_each_tile(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<64>(y)) {
    store(w, load(x, w));
    sync_cores(); // sync-needs-all-cores: not all cores reach this barrier equally often
    //= ;
  }
}
[[belay::kernel]] void meets_by_data(In<float, 64> x, Out<float, 1> y) {
  float s = sum(load(x));
  if (s > 0)
    //= if (x.size() > 0)
    sync_cores(); // sync-needs-all-cores: not all cores reach this barrier equally often
  if (first_core())
    store(y, 0, s);
}
[[belay::kernel]] void meets_as_often_as_its_number(Out<float, 1> y) {
  for (i64 i = 0; i < core_index(); ++i)
    //= for (i64 i = 0; i < core_count(); ++i)
    sync_cores(); // sync-needs-all-cores: not all cores reach this barrier equally often
  if (first_core())
    store(y, 0, 1.0f);
}
[[belay::kernel]] void meets_in_else(Out<float, 1> y) {
  if (first_core())
    store(y, 0, 1.0f);
  else
    sync_cores(); // sync-needs-all-cores: not all cores reach this barrier equally often
  //= ;
}
[[belay::kernel]] void impossible(Out<float, 1> y, i64 n) {
  expects(n > 3);
  expects(n < 2); // contradiction: no launch fulfils this together with what is expected before it
  //= expects(n < 20);
  if (first_core())
    store(y, 0, 1.0f);
}
// Halves the range, but not on both ways.
[[belay::kernel]] void bisects_one_way(In<float> x, Out<i32, 1> y, float k) {
  expects(x.size() < 1 << 30);
  i64 lo = 0, hi = x.size();
  while (lo < hi) { // endless-loop: the loop ends
    i64 mid = (lo + hi) / 2;
    if (sum(load(x, span<1>(mid, 1))) < k)
      lo = mid;
    //= lo = mid + 1;
    else
      hi = mid;
  }
  if (first_core())
    store(y, 0, i32(lo));
}
// A number that may be halved for ever, for all that is known of it.
[[belay::kernel]] void ends_by_data_alone(In<float, 64> x, Out<float, 1> y) {
  float s = sum(load(x));
  while (s > 1.0f) // endless-loop: the loop ends
    //= for (i64 k = 0; k < 100 && s > 1.0f; ++k)
    s = s * 0.5f;
  if (first_core())
    store(y, 0, s);
}
// What ends the search does not move it on, and may be taken back.
[[belay::kernel]] void forgets_what_it_found(In<float> x, Out<i32, 1> y, float k) {
  expects(x.size() < 1 << 30);
  i64 i = 0;
  bool found = false;
  while (i < x.size() && !found) { // endless-loop: the loop ends
    found = sum(load(x, span<1>(i, 1))) > k;
    if (found)
      //= if (!found)
      i += 1;
  }
  if (first_core())
    store(y, 0, i32(i));
}
