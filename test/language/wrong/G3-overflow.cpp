// G3: no index leaves 64 bits, no divisor is 0.
// RUN: %python %S/../Inputs/check-wrong.py %s
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void product(Out<float> y, i64 rows, i64 cols) {
  //+ expects(rows >= 0 && rows <= 1'000'000 && cols >= 0 && cols <= 1'000'000);
  i64 n = rows * cols; // guarded index-overflow: 'rows * cols fits in 64 bits'
  for (auto s : my_spans<1>(y.size()))
    store(y, s.begin, float(n));
}
[[belay::kernel]] void sum_of(Out<float> y, i64 a, i64 b) {
  //+ expects(a >= 0 && a <= 1'000'000 && b >= 0 && b <= 1'000'000);
  i64 n = a + b; // guarded index-overflow: 'a + b fits in 64 bits'
  for (auto s : my_spans<1>(y.size()))
    store(y, s.begin, float(n));
}
[[belay::kernel]] void difference(Out<float> y, i64 a, i64 b) {
  //+ expects(a >= 0 && b >= 0);
  i64 n = a - b; // guarded index-overflow: 'a - b fits in 64 bits'
  for (auto s : my_spans<1>(y.size()))
    store(y, s.begin, float(n));
}
[[belay::kernel]] void opposite(Out<float> y, i64 a) {
  //+ expects(a >= 0);
  i64 n = -a; // guarded index-overflow: '0 - a fits in 64 bits'
  for (auto s : my_spans<1>(y.size()))
    store(y, s.begin, float(n));
}
[[belay::kernel]] void quotient(Out<float> y, i64 n, i64 d) {
  //+ expects(d >= 1);
  i64 q = n / d; // guarded division-by-zero: 'd != 0'
  for (auto s : my_spans<1>(y.size()))
    store(y, s.begin, float(q));
}
[[belay::kernel]] void rest(Out<float> y, i64 n, i64 d) {
  //+ expects(d >= 1);
  i64 r = n % d; // guarded division-by-zero: 'd != 0'
  for (auto s : my_spans<1>(y.size()))
    store(y, s.begin, float(r));
}
[[belay::kernel]] void lowest_by_minus_one(Out<float> y, i64 n, i64 d) {
  expects(d != 0);
  //+ expects(d > 0);
  i64 q = n / d; // guarded index-overflow: 'n / d fits in 64 bits'
  for (auto s : my_spans<1>(y.size()))
    store(y, s.begin, float(q));
}
[[belay::kernel]] void average(In<float> x, Out<float, 1> y) {
  //+ expects(x.size() >= 1);
  i64 each = 1'000'000 / x.size(); // guarded division-by-zero: 'x.size() != 0'
  if (first_core())
    store(y, 0, float(each));
}
[[belay::kernel]] void into_32_bits(Out<i32> y, i64 n) {
  //+ expects(n >= 0 && n <= 1'000'000);
  for (auto s : my_spans<1>(y.size()))
    store(y, s.begin, i32(n)); // guarded index-overflow: 'n fits in 32 bits'
}
[[belay::kernel]] void size_into_16_bits(In<float> x, Out<i16, 1> y) {
  //+ expects(x.size() <= 30'000);
  if (first_core())
    store(y, 0, i16(x.size())); // guarded index-overflow: 'x.size() fits in 16 bits'
}
[[belay::kernel]] void step_past_the_end(Out<float> y, i64 n, i64 step) {
  expects(step >= 1);
  //+ expects(n <= 1'000'000 && step <= 1'000'000);
  float s = 0;
  for (i64 i = 0; i < n; i += step) // guarded index-overflow: fits in 64 bits'
    s += 1;
  for (auto w : my_spans<1>(y.size()))
    store(y, w.begin, s);
}
[[belay::kernel]] void contract_too_large(Out<float> y, i64 a) {
  //+ expects(a >= 0 && a <= 1'000'000);
  expects(a * a * a >= 0); // index-overflow: fits in 128 bits, for the launcher'
  for (auto s : my_spans<1>(y.size()))
    store(y, s.begin, float(a));
}
[[belay::kernel]] void power(Out<float> y, i64 n) {
  expects(n >= 0);
  //+ expects(n <= 2'000'000);
  i64 cube = n * n * n; // guarded index-overflow: 'n * n fits in 64 bits'
  for (auto s : my_spans<1>(y.size()))
    store(y, s.begin, float(cube));
}
