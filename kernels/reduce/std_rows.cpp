// The standard deviation of each row, with n - 1 in the denominator. Rows may
// be of any length; several are read at a time, first for their mean.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 N = 1024, i64 R = 8>
[[belay::kernel]] void std_rows(In<T, dyn, dyn> x, Out<float> y) {
  expects(x.rows() == y.size());
  for (auto r : my_spans<R>(x.rows())) {
    auto total = column<float>(r, 0.0f), squares = column<float>(r, 0.0f);
    for (auto c : tiles<N>(x.cols()))
      total = total + row_sum(cast<float>(load(x, r, c)));
    auto mean = total / float(x.cols());
    for (auto c : tiles<N>(x.cols())) {
      auto d = cast<float>(load(x, r, c)) - mean;
      squares = squares + row_sum(d * d);
    }
    store(y, r, sqrt(squares / float(x.cols() - 1)));
  }
}
