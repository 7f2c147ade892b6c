#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void k5(In<i16, dyn, 100> x0, Out<i16, dyn, 100> y,
                          Out<i16> z) {
  expects(x0.rows() == y.rows() && z.size() == y.rows());
  for (auto w : my_rows<8>(y)) {
    auto t1 = load(x0, w);
    auto t2 = t1 - i16(2);
    auto m4 = t1 != i16(1);
    auto t6 = select(m4, t1, t2);
    store(w, t6);
  }
}
