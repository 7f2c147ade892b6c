// x + b, where b is one number in memory.
// MultiKernelBench: broadcast/add_bias_broadcast.
#include "belay/kernel.h"
using namespace belay;

template <class T>
[[belay::kernel]] void add_bias(In<T> x, In<T, 1> b, Out<T> y) {
  expects(x.size() == y.size());
  float bias = sum(cast<float>(load(b)));
  for (auto w : my_tiles<8192>(y))
    store(w, cast<T>(cast<float>(load(x, w)) + bias));
}
