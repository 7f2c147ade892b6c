#include "belay/kernel.h"
using namespace belay;

template <i64 R, i64 C>
[[belay::kernel]] void scans(In<float, dyn, C> x, Out<float, dyn, C> sums,
                             Out<float, dyn, C> most,
                             Out<float, dyn, C> product) {
  expects(x.rows() == sums.rows());
  expects(x.rows() == most.rows() && x.rows() == product.rows());
  for (auto rows : my_rows<R>(x)) {
    auto t = load(x, rows);
    store(sums, rows.row(), rows.col(), row_cumsum(t));
    store(most, rows.row(), rows.col(), row_cummax(t));
    store(product, rows.row(), rows.col(), row_cumprod(t));
  }
}

template <i64 R, i64 C>
[[belay::kernel]] void turned(In<float, dyn, dyn> x, Out<float, dyn, dyn> y) {
  expects(x.rows() == y.cols() && x.cols() == y.rows());
  for (auto w : my_tiles<R, C>(y))
    store(w, transpose(load(x, w.col(), w.row())));
}

template <i64 C, i64 R>
[[belay::kernel]] void places(In<float, dyn, C> x, Out<i32> most,
                              Out<float> largest, Out<float> sums) {
  expects(x.rows() == most.size() && x.rows() == largest.size());
  expects(x.rows() == sums.size());
  for (auto rows : my_rows<R>(x)) {
    auto t = load(x, rows);
    store(most, rows.row(), row_argmax(t));
    store(largest, rows.row(), row_max(t));
    store(sums, rows.row(), row_sum(t));
  }
}
