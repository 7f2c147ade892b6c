// z = x + y, in any element type.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 N = 8192>
[[belay::kernel]] void vec_add(In<T> x, In<T> y, Out<T> z) {
  expects(x.size() == z.size() && y.size() == z.size());
  for (auto w : my_tiles<N>(z))
    store(w, load(x, w) + load(y, w));
}
