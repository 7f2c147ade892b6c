// The gradient of log(sum(exp(x))) of rows of C columns: softmax, times g.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 C, i64 R = 2>
[[belay::kernel]] void log_sum_exp_backward(In<T, dyn, C> x, In<float> g,
                                            Out<T, dyn, C> dx) {
  expects(x.rows() == dx.rows() && g.size() == dx.rows());
  for (auto w : my_rows<R>(dx)) {
    auto t = cast<float>(load(x, w));
    auto e = exp(t - row_max(t));
    store(w, cast<T>(e * (load(g, w) / row_sum(e))));
  }
}
