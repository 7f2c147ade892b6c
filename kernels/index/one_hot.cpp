// 1 in the column that each index names, 0 elsewhere.
#include "belay/kernel.h"
using namespace belay;

template <class T>
[[belay::kernel]] void one_hot(In<i32> ids, Out<T, dyn, dyn> y) {
  expects(ids.size() == y.rows() && y.cols() < 1 << 30);
  for (auto w : my_tiles<8, 512>(y)) {
    auto hit = iota<512, i32>(i32(w.col().begin)) == load(ids, w);
    store(w, cast<T>(select(hit, full_like(hit, 1.0f), 0.0f)));
  }
}
