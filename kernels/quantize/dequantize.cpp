// (x - zero) * scale of i8.
#include "belay/kernel.h"
using namespace belay;

template <class T>
[[belay::kernel]] void dequantize(In<i8> x, Out<T> y, float scale, float zero) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<4096>(y)) {
    auto t = cast<float>(cast<half>(load(x, w)));
    store(w, cast<T>((t - zero) * scale));
  }
}
