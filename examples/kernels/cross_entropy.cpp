// Cross entropy of each row with the class that it should be; one that does not
// exist counts as an element that is 0.
#include "belay/kernel.h"
using namespace belay;

template <i64 C>
[[belay::kernel]] void cross_entropy(In<float, dyn, C> x, In<i32> target,
                                     Out<float> loss) {
  expects(x.rows() == loss.size() && x.rows() == target.size());
  for (auto rows : my_rows<8>(x)) {
    auto t = load(x, rows);
    auto most = row_max(t);
    auto log_sum = log(row_sum(exp(t - most))) + most;
    auto picked = gather<Oob::zero>(t, load(target, rows));
    store(loss, rows.row(), log_sum - picked);
  }
}
