// max(x, 0), in the type of the elements.
// MultiKernelBench: activation/relu.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 N = 8192>
[[belay::kernel]] void relu_of(In<T> x, Out<T> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<N>(y))
    store(w, relu(load(x, w)));
}
