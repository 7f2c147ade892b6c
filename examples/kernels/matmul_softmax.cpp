// Softmax of the rows of a product, rows of any length: a first pass over the
// columns stores the sums and carries maximum and total of each row, a second
// one divides.
#include "belay/kernel.h"
using namespace belay;

template <i64 M = 32, i64 N = 128, i64 K = 256>
[[belay::kernel]] void matmul_softmax(In<half, dyn, dyn> a,
                                      In<half, dyn, dyn> b,
                                      InOut<float, dyn, dyn> y) {
  expects(a.cols() == b.rows() && a.rows() == y.rows() && b.cols() == y.cols());
  for (auto r : my_spans<M>(y.rows())) {
    auto total = row_sum(zeros<float>(r, span<1>(0, 1)));
    auto most = total - 3e38f;
    for (auto c : tiles<N>(y.cols())) {
      auto s = zeros<float>(r, c);
      for (auto k : tiles<K>(a.cols()))
        s += dot(load(a, r, k), load(b, k, c));
      auto now = max(most, row_max(s));
      total = total * exp(most - now) + row_sum(exp(s - now));
      most = std::move(now);
      store(y, r, c, s);
    }
    for (auto c : tiles<N>(y.cols()))
      store(y, r, c, exp(load(y, r, c) - most) / total);
  }
}
