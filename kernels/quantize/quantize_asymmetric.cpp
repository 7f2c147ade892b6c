// Rows of C columns as i8 with a scale and a zero point each: the smallest
// element is -128, the largest 127.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 C, i64 R = 2>
[[belay::kernel]] void quantize_asymmetric(In<T, dyn, C> x, Out<i8, dyn, C> q,
                                           Out<float> scales,
                                           Out<float> zeros_of) {
  expects(x.rows() == q.rows() && scales.size() == q.rows() &&
          zeros_of.size() == q.rows());
  for (auto w : my_rows<R>(q)) {
    auto t = cast<float>(load(x, w));
    auto low = min(row_min(t), 0.0f);
    auto scale = max((max(row_max(t), 0.0f) - low) * (1.0f / 255), 1e-30f);
    auto zero = round(low / scale) * -1.0f - 128.0f;
    store(scales, w.row(), scale);
    store(zeros_of, w.row(), zero);
    auto n = clamp(round(t / scale) + zero, -128.0f, 127.0f);
    store(w, cast<i8>(cast<half>(n)));
  }
}
