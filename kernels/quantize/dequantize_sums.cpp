// Sums of products of i8 as numbers: x[r][c] * rows[r] * columns[c] + bias[c].
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 R = 4, i64 C = 256>
[[belay::kernel]] void dequantize_sums(In<i32, dyn, dyn> x, In<float> rows,
                                       In<float> columns, In<float> bias,
                                       Out<T, dyn, dyn> y) {
  expects(x.rows() == y.rows() && x.cols() == y.cols() &&
          rows.size() == y.rows());
  expects(columns.size() == y.cols() && bias.size() == y.cols());
  for (auto w : my_tiles<R, C>(y)) {
    auto t = cast<float>(load(x, w)) * load(rows, w);
    store(w, cast<T>(t * load(columns, w.col()) + load(bias, w.col())));
  }
}
