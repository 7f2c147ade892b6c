// Kernels with a parameter to tune, for bench/tune: elements of a tile, or
// rows.
#include "belay/kernel.h"
using namespace belay;

template <i64 N>
[[belay::kernel]] void add(In<half> x, In<half> y, Out<half> z) {
  expects(x.size() == z.size() && y.size() == z.size());
  for (auto w : my_tiles<N>(z))
    store(w, load(x, w) + load(y, w));
}

template <i64 N> [[belay::kernel]] void relu_of(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<N>(y))
    store(w, relu(load(x, w)));
}

template <i64 N> [[belay::kernel]] void sigmoid_of(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<N>(y))
    store(w, 1.0f / (exp(load(x, w) * -1.0f) + 1.0f));
}

template <i64 N> [[belay::kernel]] void gelu(In<half> x, Out<half> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<N>(y)) {
    auto t = cast<float>(load(x, w));
    auto u = tanh((t + t * t * t * 0.044715f) * 0.79788456f);
    store(w, cast<half>(t * 0.5f * (u + 1.0f)));
  }
}

template <i64 R>
[[belay::kernel]] void softmax(In<float, dyn, 1024> x,
                               Out<float, dyn, 1024> y) {
  expects(x.rows() == y.rows());
  for (auto rows : my_rows<R>(y)) {
    auto t = load(x, rows);
    auto e = exp(t - row_max(t));
    store(rows, e / row_sum(e));
  }
}

template <i64 R>
[[belay::kernel]] void rmsnorm(In<float, dyn, 512> x, In<float, 512> gamma,
                               Out<float, dyn, 512> y) {
  expects(x.rows() == y.rows());
  auto g = load(gamma);
  for (auto rows : my_rows<R>(y)) {
    auto t = load(x, rows);
    store(rows, t * rsqrt(row_mean(t * t) + 1e-5f) * g);
  }
}

template <i64 R>
[[belay::kernel]] void layernorm(In<half, dyn, 512> x, Out<half, dyn, 512> y) {
  expects(x.rows() == y.rows());
  for (auto rows : my_rows<R>(y)) {
    auto t = cast<float>(load(x, rows));
    auto d = t - row_mean(t);
    store(rows, cast<half>(d * rsqrt(row_mean(d * d) + 1e-5f)));
  }
}

template <i64 R>
[[belay::kernel]] void log_softmax(In<float, dyn, 256> x,
                                   Out<float, dyn, 256> y) {
  expects(x.rows() == y.rows());
  for (auto rows : my_rows<R>(y)) {
    auto t = load(x, rows);
    auto d = t - row_max(t);
    store(rows, d - log(row_sum(exp(d))));
  }
}
