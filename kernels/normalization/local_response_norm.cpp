// x[n][c][i] over (k + alpha / size * sum of squares of the channels around it)
// to the power of beta, as AlexNet has it; size is odd.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 Size, i64 C = 1024>
[[belay::kernel]] void local_response_norm(In<T, dyn, dyn, dyn> x,
                                           Out<T, dyn, dyn, dyn> y, float alpha,
                                           float beta, float k) {
  expects(x.extent(0) == y.extent(0) && x.extent(1) == y.extent(1) &&
          x.extent(2) == y.extent(2));
  for (auto w : my_tiles<1, C>(y)) {
    auto plane = x[w.plane()];
    auto sums = full<float>(w, 0.0f);
    for (i64 d = 0; d < Size; ++d) {
      auto t = cast<float>(load_or(
          plane, span<1>(w.row().begin + d - Size / 2, 1), w.col(), T(0)));
      sums = sums + t * t;
    }
    auto base = sums * (alpha / float(Size)) + k;
    store(w, cast<T>(cast<float>(load(plane, w.row(), w.col())) *
                     exp(log(base) * -beta)));
  }
}
