// The gradient of the cosine of the angle between rows of C columns with
// respect to the first operand.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 C, i64 R = 2>
[[belay::kernel]] void cosine_similarity_backward(In<T, dyn, C> a,
                                                  In<T, dyn, C> b, In<float> g,
                                                  Out<T, dyn, C> da) {
  expects(a.rows() == da.rows() && b.rows() == da.rows() &&
          g.size() == da.rows());
  for (auto w : my_rows<R>(da)) {
    auto s = cast<float>(load(a, w)), t = cast<float>(load(b, w));
    auto first = max(sqrt(row_sum(s * s)), 1e-8f),
         second = max(sqrt(row_sum(t * t)), 1e-8f);
    auto n = s / first, m = t / second;
    store(w, cast<T>((m - n * row_sum(n * m)) * (load(g, w) / first)));
  }
}
