// Kernels of both cores: what the cube core makes and the vector core needs,
// and the reverse, in the forms that go through a workspace.
#include "belay/kernel.h"
using namespace belay;

constexpr i64 M = 32, N = 48, K = 64;

// A row that scales whole sums, in a loop that carries a sum on the side.
[[belay::kernel]] void gated(In<half, dyn, dyn> x, In<half, dyn, dyn> a,
                             In<half, dyn, dyn> b, Out<half, dyn, dyn> y) {
  expects(x.cols() == a.rows() && a.rows() == b.rows() && x.rows() == y.rows());
  expects(a.cols() == y.cols() && b.cols() == y.cols());
  for (auto w : my_tiles<M, N>(y)) {
    auto up = zeros<float>(w), gate = zeros<float>(w);
    for (auto k : tiles<K>(x.cols())) {
      up += dot(load(x, w.row(), k), load(a, k, w.col()));
      gate += dot(load(x, w.row(), k), load(b, k, w.col()));
    }
    store(w, cast<half>(up * gate / (exp(-gate) + 1.0f)));
  }
}

// Rows are reduced: one tile has whole rows.
[[belay::kernel]] void softmaxed(In<half, dyn, dyn> a, In<half, dyn, N> b,
                                 Out<float, dyn, N> y) {
  expects(a.cols() == b.rows() && a.rows() == y.rows());
  for (auto w : my_rows<M>(y)) {
    auto s = zeros<float>(w);
    for (auto k : tiles<K>(a.cols()))
      s += dot(load(a, w.row(), k), load(b, k, span<N>(0, N)));
    auto e = exp(s - row_max(s));
    store(w, e / row_sum(e));
  }
}

// An operand that is computed.
[[belay::kernel]] void of_exponentials(In<half, dyn, dyn> a,
                                       In<half, dyn, dyn> b,
                                       Out<float, dyn, dyn> y) {
  expects(a.cols() == b.rows() && a.rows() == y.rows() && b.cols() == y.cols());
  for (auto w : my_tiles<M, N>(y)) {
    auto sum = zeros<float>(w);
    for (auto k : tiles<K>(a.cols()))
      sum += dot(exp(load(a, w.row(), k)), load(b, k, w.col()));
    store(w, sum);
  }
}

// A product of a product; rounded on the way.
[[belay::kernel]] void chained(In<half, dyn, K> a, In<half, K, N> b,
                               In<half, N, dyn> c, Out<float, dyn, dyn> y) {
  expects(a.rows() == y.rows() && c.cols() == y.cols());
  for (auto w : my_tiles<M, M>(y)) {
    auto p = dot(load(a, w.row(), span<K>(0, K)),
                 load(b, span<K>(0, K), span<N>(0, N)));
    store(w, dot(cast<half>(p), load(c, span<N>(0, N), w.col())));
  }
}

// What is added up is the vector core's: each product leaves.
[[belay::kernel]] void fading(In<half, dyn, dyn> a, In<half, dyn, dyn> b,
                              Out<float, dyn, dyn> y, float by) {
  expects(a.cols() == b.rows() && a.rows() == y.rows() && b.cols() == y.cols());
  for (auto w : my_tiles<M, N>(y)) {
    auto sum = zeros<float>(w);
    for (auto k : tiles<K>(a.cols()))
      sum = sum * by + dot(load(a, w.row(), k), load(b, k, w.col()));
    store(w, sum);
  }
}

// One tile is an operand, and something else.
[[belay::kernel]] void residual(In<float, dyn, dyn> a, In<float, N, N> b,
                                Out<float, dyn, N> y) {
  expects(a.rows() == y.rows() && a.cols() == N);
  for (auto w : my_rows<M>(y)) {
    auto x = load(a, w.row(), span<N>(0, N));
    store(w, x + dot(x, load(b, span<N>(0, N), span<N>(0, N))));
  }
}

// Columns of a product are added up, by one core for all rows.
[[belay::kernel]] void column_sums(In<half, dyn, K> a, In<half, K, N> b,
                                   Out<float, N> y) {
  if (first_core()) {
    auto total = zeros<1, N, float>();
    for (auto r : tiles<M>(a.rows()))
      total += col_sum(dot(load(a, r, span<K>(0, K)),
                           load(b, span<K>(0, K), span<N>(0, N))));
    store(y, span<N>(0, N), total);
  }
}

// The vector core also works where no product is.
[[belay::kernel]] void both_outputs(In<half, dyn, dyn> a, In<half, dyn, dyn> b,
                                    Out<float, dyn, dyn> y,
                                    Out<half, dyn, dyn> z) {
  expects(a.cols() == b.rows() && a.rows() == y.rows() && b.cols() == y.cols());
  expects(z.rows() == a.rows() && z.cols() == a.cols());
  for (auto w : my_tiles<M, N>(y)) {
    auto sum = zeros<float>(w);
    for (auto k : tiles<K>(a.cols()))
      sum += dot(load(a, w.row(), k), load(b, k, w.col()));
    store(w, sum);
  }
  for (auto w : my_tiles<M, K>(z))
    store(w, max(load(a, w), half(0)));
}
// What is below 0 becomes 0.
[[belay::kernel]] void positive(In<half, dyn, dyn> a, In<half, dyn, dyn> b,
                                Out<half, dyn, dyn> c) {
  expects(a.cols() == b.rows() && a.rows() == c.rows() && b.cols() == c.cols());
  for (auto w : my_tiles<32, 48>(c)) {
    auto sum = zeros<float>(w);
    for (auto k : tiles<64>(a.cols()))
      sum += dot(load(a, w.row(), k), load(b, k, w.col()));
    store(w, cast<half>(relu(sum)));
  }
}
// Stored with rows and columns exchanged.
[[belay::kernel]] void stored_transposed(In<half, dyn, dyn> a,
                                         In<half, dyn, dyn> b,
                                         Out<float, dyn, dyn> c) {
  expects(a.cols() == b.rows() && a.rows() == c.cols() && b.cols() == c.rows());
  for (auto w : my_tiles<48, 32>(c)) {
    auto sum = zeros<float>(w.col(), w.row());
    for (auto k : tiles<64>(a.cols()))
      sum += dot(load(a, w.col(), k), load(b, k, w.row()));
    store(c.transposed(), w.col(), w.row(), sum);
  }
}
// Tiles that are smaller than a fractal, in each direction.
template <i64 R, i64 C, i64 S>
[[belay::kernel]] void narrow(In<half, dyn, dyn> a, In<half, dyn, dyn> b,
                              Out<float, dyn, dyn> c) {
  expects(a.cols() == b.rows() && a.rows() == c.rows() && b.cols() == c.cols());
  for (auto w : my_tiles<R, C>(c)) {
    auto sum = zeros<float>(w);
    for (auto k : tiles<S>(a.cols()))
      sum += dot(load(a, w.row(), k), load(b, k, w.col()));
    store(w, sum);
  }
}
// A column, and every second element: the vector core loads them.
[[belay::kernel]] void strided_operands(In<half, dyn, dyn> a, In<half> b,
                                        Out<float, dyn, 1> c) {
  expects(a.rows() == c.rows() && b.size() == 2 * a.cols());
  for (auto r : my_spans<32>(c.rows())) {
    auto sum = zeros<float>(r, span<1>(0, 1));
    for (auto k : tiles<64>(a.cols()))
      sum += dot(load(a, r, k), load_column(b.strided(0, 2), k));
    store(c, r, span<1>(0, 1), sum);
  }
}

// Products that are added to each other, not to zeros.
[[belay::kernel]] void two_sums(In<half, dyn, dyn> a, In<half, dyn, dyn> b,
                                In<half, dyn, dyn> c, Out<float, dyn, dyn> y) {
  expects(a.rows() == y.rows() && a.cols() == b.rows());
  expects(b.cols() == y.cols() && c.rows() == b.rows() && c.cols() == y.cols());
  for (auto w : my_tiles<32, 48>(y)) {
    auto k = span<64>(0, min(a.cols(), i64(64)));
    auto sum = dot(load(a, w.row(), k), load(b, k, w.col())) +
               dot(load(a, w.row(), k), load(c, k, w.col()));
    store(w, sum);
  }
}
[[belay::kernel]] void three_sums(In<half, dyn, dyn> a, In<half, dyn, dyn> b,
                                  In<half, dyn, dyn> c, Out<half, dyn, dyn> y) {
  expects(a.rows() == y.rows() && a.cols() == b.rows());
  expects(b.cols() == y.cols() && c.rows() == b.rows() && c.cols() == y.cols());
  for (auto w : my_tiles<32, 48>(y)) {
    auto k = span<64>(0, min(a.cols(), i64(64)));
    auto sum = dot(load(a, w.row(), k), load(b, k, w.col()));
    sum += dot(load(a, w.row(), k), load(c, k, w.col()));
    store(w, cast<half>(1.0f +
                        (sum + dot(load(a, w.row(), k), load(c, k, w.col())))));
  }
}

// Columns are transposed to be added up: their tiles come again and again.
[[belay::kernel]] void running(In<half, 16, 16> a, In<half, 16, dyn> b,
                               Out<float, 16, dyn> y) {
  expects(b.cols() == y.cols());
  for (auto w : my_tiles<16, 16>(y))
    store(w, col_cumsum(dot(load(a), load(b, span<16>(0, 16), w.col()))));
}
