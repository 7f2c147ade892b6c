// What a message says beyond the property that failed.
// RUN: not belay build %s --deny --kernel whole_meets_short 2>&1 | FileCheck %s --check-prefix=PAD
// RUN: not belay build %s --deny --kernel guesses 2>&1 | FileCheck %s --check-prefix=LOOP
// What is no template is not taken for one, whatever else is wrong.
// RUN: not belay build %s --deny --kernel guesses -DWRONG 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not belay build %s --deny --kernel twice 2>&1 | FileCheck %s --check-prefix=TEMPLATE
// WRONG: error: use of undeclared identifier 'nothing'
// WRONG-NOT: is a template
// TEMPLATE: note: 'twice' is a template; --kernel names an instance, as in 'twice<1024>'
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void whole_meets_short(In<i32> x, Out<i32> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<1024>(y))
    // PAD: :[[#@LINE+1]]:{{.*}}: error: cannot prove 'equal columns
    store(w, load(x, w) + iota<1024, i32>(0));
  // PAD: note: a load with padding, as in 'load(x, w, 0)', always has the
  // PAD-SAME: extents of a whole tile; full_like(t, value) has those of t
}
[[belay::kernel]] void guesses(In<float> x, Out<i32, 1> y, float k) {
  expects(x.size() < 1 << 30);
  i64 lo = 0, hi = x.size();
  // LOOP: :[[#@LINE+4]]:{{.*}}: error: cannot prove 'the loop ends
  // LOOP: note: on every way through the body that leads to another iteration,
  // LOOP-SAME: one side has to move towards the other by at least 1; if that
  // LOOP-SAME: depends on data, count
  while (lo < hi) {
    i64 mid = (lo + hi) / 2;
    if (sum(load(x, span<1>(mid, 1))) < k)
      lo = mid;
    else
      hi = mid;
  }
  if (first_core())
    store(y, 0, i32(lo));
}
template <class T> [[belay::kernel]] void twice(In<T> x, Out<T> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<64>(y))
    store(w, load(x, w) + load(x, w));
}
#ifdef WRONG
int wrong = nothing;
#endif
