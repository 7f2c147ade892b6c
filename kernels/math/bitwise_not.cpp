// ~x of whole numbers, bit by bit.
#include "belay/kernel.h"
using namespace belay;

template <class T> [[belay::kernel]] void bitwise_not(In<T> x, Out<T> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<4096>(y))
    store(w, ~load(x, w));
}
