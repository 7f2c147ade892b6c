// The sum over tokens of softmax of E scores, in place: how much each expert is
// asked, for the loss that balances them.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 E, i64 R = 8>
[[belay::kernel]] void moe_balance(In<T, dyn, E> scores,
                                   InOut<float, E> load_of) {
  auto shares = zeros<1, E, float>();
  for (auto rows : my_spans<R>(scores.rows())) {
    auto t = cast<float>(load(scores, rows, span<E>(0, E)));
    auto e = exp(t - row_max(t));
    shares = shares + col_sum(e / row_sum(e));
  }
  store_add(load_of, span<E>(0, E), shares);
}
