// What two experts made of each token, added up with their weights: rows of C
// columns that two columns of indices name.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 C, i64 R = 2>
[[belay::kernel]] void moe_combine(In<T, dyn, C> x, In<i32> first,
                                   In<i32> second, In<float> of_first,
                                   In<float> of_second, Out<T, dyn, C> y) {
  expects(first.size() == y.rows() && second.size() == y.rows());
  expects(of_first.size() == y.rows() && of_second.size() == y.rows());
  for (auto w : my_rows<R>(y)) {
    auto a = cast<float>(gather<Oob::zero>(x, load(first, w)));
    auto b = cast<float>(gather<Oob::zero>(x, load(second, w)));
    store(w, cast<T>(a * load(of_first, w) + b * load(of_second, w)));
  }
}
