// Elements of each row that its own indices name: torch.gather along dim 1.
// MultiKernelBench: index/gather, index/take_along_dim.
// An index that names no column stops the kernel. A row of x is in the unified
// buffer as a whole.
#include "belay/kernel.h"
using namespace belay;

template <class T, class I, i64 C = 8192, i64 K = 2048>
[[belay::kernel]] void gather_columns(In<T, dyn, dyn> x, In<I, dyn, dyn> ids,
                                      Out<T, dyn, dyn> y) {
  expects(x.rows() == y.rows() && x.cols() <= C);
  expects(ids.rows() == y.rows() && ids.cols() == y.cols());
  for (i64 r = core_index(); r < y.rows(); r += core_count()) {
    auto row = load(x[r], span<C>(0, x.cols()));
    for (auto k : tiles<K>(y.cols()))
      store(y[r], k, gather<Oob::trap>(row, cast<i32>(load(ids[r], k))));
  }
}
