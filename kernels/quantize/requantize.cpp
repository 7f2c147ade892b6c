// Sums of products of i8 as i8 again: round(x * scale) + zero, kept within i8.
#include "belay/kernel.h"
using namespace belay;

template <i64 N = 2048>
[[belay::kernel]] void requantize(In<i32> x, Out<i8> q, float scale,
                                  float zero) {
  expects(x.size() == q.size());
  for (auto w : my_tiles<N>(q)) {
    auto t = round(cast<float>(load(x, w)) * scale) + zero;
    store(w, cast<i8>(cast<half>(clamp(t, -128.0f, 127.0f))));
  }
}
