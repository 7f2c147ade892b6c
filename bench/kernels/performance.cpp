// The kernels of test/kernels/handwritten/tuned in the kernel language, by the
// same formulas, for bench/performance. Tiles are a parameter.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 N>
[[belay::kernel]] void vec_add(In<T> x, In<T> y, Out<T> z) {
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
    store(w, sigmoid(load(x, w)));
}

template <i64 N> [[belay::kernel]] void tanh_of(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<N>(y))
    store(w, -2.0f / (exp(load(x, w) * 2.0f) + 1.0f) + 1.0f);
}

template <i64 N> [[belay::kernel]] void gelu(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<N>(y)) {
    auto t = load(x, w);
    store(w, t * 0.5f * (erf(t * 0.70710678f) + 1.0f));
  }
}

template <i64 C, i64 R>
[[belay::kernel]] void softmax(In<float, dyn, C> x, Out<float, dyn, C> y) {
  expects(x.rows() == y.rows());
  for (auto rows : my_rows<R>(y)) {
    auto t = load(x, rows);
    auto e = exp(t - row_max(t));
    store(rows, e * (1.0f / row_sum(e)));
  }
}

template <i64 C, i64 R>
[[belay::kernel]] void layernorm(In<half, dyn, C> x, In<float, C> gamma,
                                 In<float, C> beta, Out<half, dyn, C> y,
                                 float eps) {
  expects(x.rows() == y.rows());
  auto g = load(gamma), b = load(beta);
  for (auto rows : my_rows<R>(y)) {
    auto t = cast<float>(load(x, rows));
    auto d = t - row_mean(t);
    auto s = rsqrt(row_mean(d * d) + eps);
    store(rows, cast<half>(d * s * g + b));
  }
}

template <i64 C, i64 R>
[[belay::kernel]] void rmsnorm(In<float, dyn, C> x, In<float, C> gamma,
                               Out<float, dyn, C> y, float eps) {
  expects(x.rows() == y.rows());
  auto g = load(gamma);
  for (auto rows : my_rows<R>(y)) {
    auto t = load(x, rows);
    store(rows, t * rsqrt(row_mean(t * t) + eps) * g);
  }
}

template <i64 N>
[[belay::kernel]] void adam(InOut<float> p, In<float> g, InOut<float> m,
                            InOut<float> v, float rate, float b1, float b2,
                            float eps, float c1, float c2) {
  expects(g.size() == p.size() && m.size() == p.size() && v.size() == p.size());
  for (auto w : my_tiles<N>(p)) {
    auto grad = load(g, w);
    auto m1 = load(m, w) * b1 + grad * (1.0f - b1);
    auto v1 = load(v, w) * b2 + grad * grad * (1.0f - b2);
    store(m, w.col(), m1);
    store(v, w.col(), v1);
    store(w, load(p, w) - m1 * (rate * c1) / (sqrt(v1 * c2) + eps));
  }
}

template <i64 N>
[[belay::kernel]] void reduce(In<float> x, PerCore<float> part,
                              Out<float, 1> out) {
  expects(core_count() <= max_cores);
  auto sums = full<1, N, float>(0.0f);
  for (auto w : my_tiles<N>(x))
    sums = sums + load(x, w, 0.0f);
  store_mine(part, sum(sums));
  sync_cores();
  if (first_core())
    store(out, 0, sum(load_all(part)));
}

template <i64 C, i64 R>
[[belay::kernel]] void argmax(In<float, dyn, C> x, Out<i32> where) {
  expects(x.rows() == where.size());
  for (auto rows : my_rows<R>(x))
    store(where, rows.row(), row_argmax(load(x, rows)));
}

template <i64 R, i64 C>
[[belay::kernel]] void transpose_of(In<half, dyn, dyn> x,
                                    Out<half, dyn, dyn> y) {
  expects(x.rows() == y.cols() && x.cols() == y.rows());
  for (auto w : my_tiles<R, C>(y))
    store(w, transpose(load(x, w.col(), w.row())));
}

template <i64 C, i64 R>
[[belay::kernel]] void embedding(In<half, dyn, C> table, In<i32> ids,
                                 Out<half, dyn, C> out) {
  expects(out.rows() == ids.size());
  for (auto rows : my_rows<R>(out))
    store(rows, gather<Oob::zero>(table, load(ids, rows)));
}

template <i64 R, i64 C>
[[belay::kernel]] void cumsum(In<float, dyn, dyn> x, Out<float, dyn, dyn> y) {
  expects(x.rows() == y.rows() && x.cols() == y.cols());
  for (auto r : my_spans<R>(x.rows())) {
    auto before = full<R, 1, float>(0.0f);
    for (auto c : tiles<C>(x.cols())) {
      auto t = load(x, r, c, 0.0f);
      store(y, r, c, row_cumsum(t) + before);
      before = before + row_sum(t);
    }
  }
}

template <i64 C, i64 R>
[[belay::kernel]] void cross_entropy(In<float, dyn, C> x, In<i32> target,
                                     Out<float> loss) {
  expects(x.rows() == loss.size() && x.rows() == target.size());
  for (auto rows : my_rows<R>(x)) {
    auto t = load(x, rows);
    auto picked = gather<Oob::zero>(t, load(target, rows));
    auto most = row_max(t);
    auto log_sum = log(row_sum(exp(t - most))) + most;
    store(loss, rows.row(), log_sum - picked);
  }
}
