// Routing to one expert: where the largest of E scores of each token is, and
// its share after softmax.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 E, i64 R = 8>
[[belay::kernel]] void moe_top1(In<T, dyn, E> scores, Out<i32> expert,
                                Out<float> weight) {
  expects(scores.rows() == expert.size() && weight.size() == expert.size());
  for (auto rows : my_spans<R>(expert.size())) {
    auto t = cast<float>(load(scores, rows, span<E>(0, E)));
    store(expert, rows, row_argmax(t));
    store(weight, rows, 1.0f / row_sum(exp(t - row_max(t))));
  }
}
