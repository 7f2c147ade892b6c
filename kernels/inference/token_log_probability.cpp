// The log probability of one token for each row of logits, of C columns.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 C, i64 R = 4>
[[belay::kernel]] void token_log_probability(In<T, dyn, C> x, In<i32> tokens,
                                             Out<float> y) {
  expects(x.rows() == y.size() && tokens.size() == y.size());
  for (auto rows : my_spans<R>(y.size())) {
    auto t = cast<float>(load(x, rows, span<C>(0, C)));
    auto top = row_max(t);
    auto hit = gather<Oob::trap>(t, load_column(tokens, rows));
    store(y, rows, hit - top - log(row_sum(exp(t - top))));
  }
}
