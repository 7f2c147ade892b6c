// mean(max(0, 1 - p * t)), where t[c] repeats over the rows of p.
// MultiKernelBench: loss/hinge_loss.
#include "belay/ops/sums.h"
using namespace belay;

template <class T>
[[belay::kernel]] void hinge(In<T, dyn, dyn> p, In<T> t, PerCore<float> part,
                             Out<float, 1> loss) {
  expects(p.cols() == t.size() && p.rows() >= 1 && p.cols() >= 1);
  expects(core_count() <= max_cores);
  float mine = 0;
  for (auto w : my_tiles<8, 1024>(p)) {
    auto margin = cast<float>(load(p, w)) * cast<float>(load(t, w.col()));
    mine += sum(relu(1.0f - margin));
  }
  ops::store_sum(loss, part, mine, 1.0f / (float(p.rows()) * float(p.cols())));
}
