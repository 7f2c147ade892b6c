// x where a byte is 0, a value elsewhere.
// MultiKernelBench: index/masked_fill.
#include "belay/kernel.h"
using namespace belay;

template <class T>
[[belay::kernel]] void masked_fill(In<T> x, In<i8> mask, Out<T> y,
                                   float value) {
  expects(x.size() == y.size() && mask.size() == y.size());
  for (auto w : my_tiles<4096>(y)) {
    auto keep = cast<half>(load(mask, w)) == half(0);
    auto t = cast<float>(load(x, w));
    store(w, cast<T>(select(keep, t, value)));
  }
}
