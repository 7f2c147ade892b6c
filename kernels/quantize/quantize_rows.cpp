// Rows as i8 and a scale for each, such that the largest magnitude is 127.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 C, i64 R = 4>
[[belay::kernel]] void quantize_rows(In<T, dyn, C> x, Out<i8, dyn, C> q,
                                     Out<float> scales) {
  expects(x.rows() == q.rows() && scales.size() == x.rows());
  for (auto w : my_rows<R>(q)) {
    auto t = cast<float>(load(x, w));
    auto scale = max(row_max(abs(t)) * (1.0f / 127), 1e-30f);
    store(scales, w.row(), scale);
    store(w, cast<i8>(cast<half>(round(t / scale))));
  }
}
