// x / 2^bits of whole numbers, rounded down.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 Bits>
[[belay::kernel]] void shift_right(In<T> x, Out<T> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<4096>(y))
    store(w, load(x, w) >> T(Bits));
}
