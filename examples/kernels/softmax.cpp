// Softmax of each row: rows that fit on chip, and rows of any length.
#include "belay/kernel.h"
using namespace belay;

template <i64 C>
[[belay::kernel]] void softmax(In<float, dyn, C> x, Out<float, dyn, C> y) {
  expects(x.rows() == y.rows());
  for (auto rows : my_rows<8>(y)) {
    auto t = load(x, rows);
    auto e = exp(t - row_max(t));
    store(rows, e / row_sum(e));
  }
}

[[belay::kernel]] void softmax_long(In<float, dyn, dyn> x,
                                    Out<float, dyn, dyn> y) {
  expects(x.rows() == y.rows() && x.cols() == y.cols());
  for (auto r : my_spans<1>(x.rows())) {
    float most = -3.4e38f;
    for (auto c : tiles<8192>(x.cols()))
      most = max(most, maximum(load(x, r, c)));
    float total = 0;
    for (auto c : tiles<8192>(x.cols()))
      total += sum(exp(load(x, r, c) - most));
    for (auto c : tiles<8192>(x.cols()))
      store(y, r, c, exp(load(x, r, c) - most) * (1.0f / total));
  }
}
