// Each operation that becomes one of PTO's.
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void unary(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<4096>(y)) {
    auto t = load(x, w);
    store(w, relu(sqrt(abs(exp(log(t))))) + rsqrt(t) + 1.0f / t);
  }
}

[[belay::kernel]] void binary(In<float> x, In<float> z, Out<float> y) {
  expects(x.size() == y.size() && z.size() == y.size());
  for (auto w : my_tiles<2048>(y)) {
    auto a = load(x, w);
    auto b = load(z, w);
    store(w, max(a + b, min(a - b, a * b)) / b);
  }
}

[[belay::kernel]] void scalars(In<float> x, Out<float> y, float s) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<4096>(y))
    store(w, max(min((load(x, w) + s) * s, s), -s));
}

[[belay::kernel]] void integers(In<i32> x, Out<i32> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<2048>(y))
    store(w, (load(x, w) << 3) >> 1);
}

[[belay::kernel]] void bits(In<i32> x, In<i32> z, Out<i32> y) {
  expects(x.size() == y.size() && z.size() == y.size());
  for (auto w : my_tiles<2048>(y)) {
    auto a = load(x, w);
    auto b = load(z, w);
    store(w, ~(a & b) | b);
  }
}

[[belay::kernel]] void casts(In<half> x, Out<half> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<4096>(y))
    store(w, cast<half>(cast<float>(load(x, w)) + 1.0f));
}

[[belay::kernel]] void choice(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<4096>(y)) {
    auto t = load(x, w);
    store(w, select((t > 0.0f) & (t < 6.0f), t, 0.0f));
  }
}

[[belay::kernel]] void rows(In<float, dyn, 100> x, Out<float, dyn, 100> y) {
  expects(x.rows() == y.rows());
  for (auto r : my_rows<8>(y)) {
    auto t = load(x, r);
    auto e = exp(t - row_max(t)) * row_min(t);
    store(r, e / row_sum(e));
  }
}

[[belay::kernel]] void columns(In<float, dyn, 64> x, In<float, 64> b,
                               Out<float, dyn, 64> y) {
  expects(x.rows() == y.rows());
  auto bias = load(b);
  for (auto r : my_rows<8>(y))
    store(r, load(x, r) + bias);
}

[[belay::kernel]] void counted(Out<i32, dyn, 64> y) {
  for (auto r : my_rows<1>(y))
    store(r, iota<64, i32>(0));
}

[[belay::kernel]] void scalar_sums(In<float, dyn, 512> x,
                                   Out<float, dyn, 512> y, float s) {
  expects(x.rows() == y.rows());
  for (auto r : my_rows<1>(y)) {
    auto t = load(x, r);
    float total = sum(t) + s;
    store(r, t * total);
  }
}

[[belay::kernel]] void padded(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<4096>(y)) {
    float total = sum(load(x, w, 0.0f));
    store(w, load(x, w) * total);
  }
}

[[belay::kernel]] void guarded(In<float> x, Out<float> y) {
  for (auto w : my_tiles<512>(y))
    store(w, load(x, w));
}

[[belay::kernel]] void ordered(In<half, dyn, 96> x, Out<half, dyn, 96> y,
                               Out<half> z) {
  expects(x.rows() == y.rows() && z.size() == y.rows());
  for (auto r : my_rows<8>(y)) {
    auto t = load(x, r);
    auto chosen = select(t > 0.0f, t, select(t < -1.0f, -t, t + t));
    store(z, r.row(), row_sum(chosen) + row_max(t));
  }
}
