// 10 log10(x / reference), x at least a smallest power.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void power_to_decibel(In<T> x, Out<T> y, float reference,
                                        float least) {
  expects(x.size() == y.size());
  ops::map<2048>(x, y, [&](const auto &t) {
    return log(max(t, least) / reference) * 4.342944819032518f;
  });
}
