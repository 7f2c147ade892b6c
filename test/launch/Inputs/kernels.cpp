// Kernels whose launchers are tested: every kind of argument, every kind of
// operation in a condition, and names that generated code uses itself.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 C>
[[belay::kernel]] void scale(In<T, dyn, C> x, float factor,
                             InOut<T, dyn, C> y) {
  expects(x.rows() == y.rows() && factor != 0);
  for (auto rows : my_rows<4>(y))
    store(rows, load(x, rows) + load(y, rows));
}

[[belay::kernel]] void planes(In<float, dyn, dyn, 2, 8> x, In<i32> ids,
                              InOut<float, dyn, dyn> y) {
  expects(x.extent(0) * x.extent(1) == y.rows() && ids.size() <= y.cols());
  for (auto w : my_tiles<2, 64>(y))
    store(w, full_like(load(y, w.row(), w.col()), 1.0f));
}

[[belay::kernel]] void total(In<float> x, PerCore<float> part,
                             Out<float, 1> out) {
  float s = 0;
  for (auto w : my_tiles<1024>(x))
    s += sum(load(x, w));
  store_mine(part, s);
  sync_cores();
  if (first_core())
    store(out, 0, sum(load_all(part)));
}

[[belay::kernel]] void whole_numbers(Out<float> z, i64 a, i64 b, i32 c) {
  expects(a * a - b * b >= min(a, -7) || c == 3);
  expects(a / 3 + b % 5 != max(b, 4) && (c > 0 ? a : b) < 1000);
  expects(a % core_count() == 0 || !(b < c));
}

[[belay::kernel]] void divides(Out<float> z, i64 a, i64 b) {
  expects(a / b >= 2 && a % b == 0);
}

[[belay::kernel]] void floats(Out<float> z, float a, half h, bfloat16 b, i64 n,
                              bool flag) {
  expects(a * 2.0f - float(h) < float(b) / 4.0f + float(n));
  expects(flag == (a > 0.0f) && max(a, -1.5f) >= min(float(h), -a));
}

template <i64 N>
[[belay::kernel]] void launch(In<float> launcher, Out<float> check, i64 blocks,
                              bool info, float block) {
  expects(launcher.size() == check.size() && blocks > N && !info);
  expects(N % 4 == 0);
  for (auto w : my_tiles<N>(check))
    store(w, load(launcher, w) * block);
}

[[belay::kernel]] void unnamed(In<float>, InOut<float> arg0, float) {
  for (auto w : my_tiles<64>(arg0))
    store(w, full_like(load(arg0, w), 1.0f));
}

[[belay::kernel]] void check() {}
