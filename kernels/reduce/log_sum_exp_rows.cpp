// log(sum(exp(x))) of each row, which may be of any length: several rows at a
// time, each with its maximum so far and a sum relative to it.
#include "belay/ops/rows.h"
using namespace belay;

template <class T, i64 N = 1024, i64 R = 8>
[[belay::kernel]] void log_sum_exp_rows(In<T, dyn, dyn> x, Out<float> y) {
  expects(x.rows() == y.size());
  for (auto r : my_spans<R>(x.rows())) {
    auto most = column<float>(r, ops::lowest), total = column<float>(r, 0.0f);
    for (auto c : tiles<N>(x.cols())) {
      auto t = cast<float>(load(x, r, c));
      auto now = max(most, row_max(t));
      total = total * exp(most - now) + row_sum(exp(t - now));
      most = std::move(now);
    }
    store(y, r, most + log(total));
  }
}
