// The mean cross entropy of rows of logits with the class that each should be.
// MultiKernelBench: loss/cross_entropy_loss.
// A class that does not exist stops the kernel.
#include "belay/ops/numbers.h"
#include "belay/ops/rows.h"
#include "belay/ops/sums.h"
using namespace belay;

template <class T, class I, i64 N = 4096>
[[belay::kernel]] void cross_entropy(In<T, dyn, dyn> x, In<I> target,
                                     PerCore<float> part, Out<float, 1> loss) {
  expects(x.rows() == target.size() && x.rows() >= 1);
  expects(core_count() <= max_cores);
  float mine = 0;
  for (i64 r = core_index(); r < x.rows(); r += core_count()) {
    float top = 0, total = 0;
    ops::softmax_over<N>(x[r], top, total);
    auto picked = gather<Oob::trap>(x[r], load(target, span<1>(r, 1)));
    mine += ops::log_of(total) + (top - sum(cast<float>(picked)));
  }
  ops::store_sum(loss, part, mine, 1.0f / float(x.rows()));
}
