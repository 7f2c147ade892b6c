// Frames of N samples times the triangular window, periodic.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 N>
[[belay::kernel]] void bartlett_window(In<T, dyn, N> frames, Out<T, dyn, N> y) {
  static_assert(N > 1);
  expects(frames.rows() == y.rows());
  auto phase = cast<float>(iota<N, i32>()) * (1.0f / float(N));
  auto w0 = 1.0f - abs(phase * 2.0f - 1.0f);
  for (auto w : my_rows<2>(y))
    store(w, cast<T>(cast<float>(load(frames, w)) * w0));
}
