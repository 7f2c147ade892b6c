// Rows of i8 times a scale for each.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 C, i64 R = 8>
[[belay::kernel]] void dequantize_rows(In<i8, dyn, C> q, In<float> scales,
                                       Out<T, dyn, C> y) {
  expects(y.rows() == q.rows() && scales.size() == y.rows());
  for (auto w : my_rows<R>(y))
    store(w, cast<T>(cast<float>(cast<half>(load(q, w))) * load(scales, w)));
}
