// 1 where |a - b| is at most absolute + relative * |b|, as bytes.
#include "belay/kernel.h"
using namespace belay;

template <class T>
[[belay::kernel]] void isclose(In<T> a, In<T> b, Out<i8> y, float relative,
                               float absolute) {
  expects(a.size() == y.size() && b.size() == y.size());
  for (auto w : my_tiles<2048>(y)) {
    auto s = cast<float>(load(a, w)), t = cast<float>(load(b, w));
    auto holds = abs(s - t) <= abs(t) * relative + absolute;
    store(w, cast<i8>(select(holds, full_like(holds, half(1)), half(0))));
  }
}
