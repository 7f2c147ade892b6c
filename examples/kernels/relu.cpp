// What is positive stays.
#include "belay/kernel.h"
using namespace belay;

template <class T> [[belay::kernel]] void relu_of(In<T> x, Out<T> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<8192>(y))
    store(w, relu(load(x, w)));
}
