// x / scale + zero, rounded to i8.
#include "belay/kernel.h"
using namespace belay;

template <class T>
[[belay::kernel]] void quantize(In<T> x, Out<i8> y, float scale, float zero) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<4096>(y)) {
    auto t = round(cast<float>(load(x, w)) / scale) + zero;
    store(w, cast<i8>(cast<half>(clamp(t, -128.0f, 127.0f))));
  }
}
