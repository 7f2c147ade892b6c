// One step of DDIM without noise: what the predicted noise leaves of x, brought
// to the next level. Scalars are the roots of alpha and 1 - alpha, now and
// next.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void ddim_step(In<T> x, In<T> noise, Out<T> y, float signal,
                                 float sigma, float next_signal,
                                 float next_sigma) {
  expects(x.size() == y.size() && noise.size() == y.size());
  ops::map<2048>(x, noise, y, [&](const auto &t, const auto &e) {
    return (t - e * sigma) / signal * next_signal + e * next_sigma;
  });
}
