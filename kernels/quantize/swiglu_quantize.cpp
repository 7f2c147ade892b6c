// a * sigmoid(a) * b of the halves of each row, as i8 with a scale for each row
// of C columns.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 C>
[[belay::kernel]] void swiglu_quantize(In<T, dyn, 2 * C> x, Out<i8, dyn, C> q,
                                       Out<float> scales) {
  expects(x.rows() == q.rows() && scales.size() == q.rows());
  for (auto w : my_rows<1>(q)) {
    auto a = cast<float>(load(x, w.row(), span<C>(0, C)));
    auto b = cast<float>(load(x, w.row(), span<C>(C, C)));
    auto t = a / (exp(-a) + 1.0f) * b;
    auto scale = max(row_max(abs(t)) * (1.0f / 127), 1e-30f);
    store(scales, w.row(), scale);
    store(w, cast<i8>(cast<half>(round(t / scale))));
  }
}
