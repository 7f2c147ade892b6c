// Groups of G elements as i8 with a scale each, such that the largest magnitude
// is 127: x[group][G].
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 G, i64 R = 8>
[[belay::kernel]] void quantize_groups(In<T, dyn, G> x, Out<i8, dyn, G> q,
                                       Out<half> scales) {
  expects(x.rows() == q.rows() && scales.size() == q.rows());
  for (auto w : my_rows<R>(q)) {
    auto t = cast<float>(load(x, w));
    auto scale = cast<half>(max(row_max(abs(t)) * (1.0f / 127), 6.2e-5f));
    store(scales, w.row(), scale);
    auto n = round(t / cast<float>(scale));
    store(w, cast<i8>(cast<half>(clamp(n, -128.0f, 127.0f))));
  }
}
