// Routing to two experts: where the two largest of E scores of each token are,
// and their shares, which add up to 1.
#include "belay/ops/rows.h"
using namespace belay;

template <class T, i64 E>
[[belay::kernel]] void moe_top2(In<T, dyn, E> scores, Out<i32> first,
                                Out<i32> second, Out<float> of_first,
                                Out<float> of_second) {
  expects(scores.rows() == first.size() && second.size() == first.size());
  expects(of_first.size() == first.size() && of_second.size() == first.size());
  for (auto rows : my_spans<4>(first.size())) {
    auto t = cast<float>(load(scores, rows, span<E>(0, E)));
    auto best = row_argmax(t);
    auto top = row_max(t);
    auto others = select(col_index<i32>(span<E>(0, E)) == best,
                         full_like(t, ops::lowest), t);
    auto next = row_max(others);
    auto share = 1.0f / (exp(next - top) + 1.0f);
    store(second, rows, row_argmax(others));
    store(first, rows, best);
    store(of_first, rows, share);
    store(of_second, rows, 1.0f - share);
  }
}
