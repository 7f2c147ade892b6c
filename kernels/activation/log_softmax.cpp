// log(softmax(x)) of each row, which may be of any length.
// MultiKernelBench: activation/log_softmax.
#include "belay/ops/numbers.h"
#include "belay/ops/rows.h"
using namespace belay;

template <class T, i64 N = 4096>
[[belay::kernel]] void log_softmax(In<T, dyn, dyn> x, Out<T, dyn, dyn> y) {
  expects(x.rows() == y.rows() && x.cols() == y.cols());
  for (i64 r = core_index(); r < x.rows(); r += core_count()) {
    float top = 0, total = 0;
    ops::softmax_over<N>(x[r], top, total);
    float shift = ops::log_of(total);
    for (auto c : tiles<N>(x.cols()))
      store(y[r], c, cast<T>(cast<float>(load(x[r], c)) - top - shift));
  }
}
