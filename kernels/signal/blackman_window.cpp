// Frames of N samples times Blackman's window, periodic.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 N>
[[belay::kernel]] void blackman_window(In<T, dyn, N> frames, Out<T, dyn, N> y) {
  static_assert(N > 1);
  expects(frames.rows() == y.rows());
  auto phase = cast<float>(iota<N, i32>()) * (1.0f / float(N));
  auto w0 = 0.42f - cos(phase * 6.28318530718f) * 0.5f +
            cos(phase * 12.5663706144f) * 0.08f;
  for (auto w : my_rows<2>(y))
    store(w, cast<T>(cast<float>(load(frames, w)) * w0));
}
