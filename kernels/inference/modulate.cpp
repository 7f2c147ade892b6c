// x * (1 + scale[c]) + shift[c] of rows of C columns: how diffusion
// transformers bring in time and class.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 C, i64 R = 4>
[[belay::kernel]] void modulate(In<T, dyn, C> x, In<float, C> scale,
                                In<float, C> shift, Out<T, dyn, C> y) {
  expects(x.rows() == y.rows());
  auto by = load(scale) + 1.0f;
  auto to = load(shift);
  for (auto w : my_rows<R>(y))
    store(w, cast<T>(cast<float>(load(x, w)) * by + to));
}
