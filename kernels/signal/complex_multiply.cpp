// (a + ib) (c + id) of complex numbers in two tensors each.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 N = 1024>
[[belay::kernel]] void complex_multiply(In<T> a, In<T> b, In<T> c, In<T> d,
                                        Out<T> re, Out<T> im) {
  expects(a.size() == re.size() && b.size() == re.size() &&
          c.size() == re.size());
  expects(d.size() == re.size() && im.size() == re.size());
  for (auto w : my_tiles<N>(re)) {
    auto p = cast<float>(load(a, w)), q = cast<float>(load(b, w));
    auto r = cast<float>(load(c, w)), s = cast<float>(load(d, w));
    store(im, w.col(), cast<T>(p * s + q * r));
    store(w, cast<T>(p * r - q * s));
  }
}
