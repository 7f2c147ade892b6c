// Kernels that print, also as host twins.
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void rows(In<float, dyn, 12> x, Out<float, dyn, 12> y) {
  expects(x.rows() == y.rows());
  for (auto w : my_rows<4>(y)) {
    auto t = load(x, w) * 2.0f;
    print<2, 3>(t); // line 9
    auto most = row_max(t);
    print(most); // line 11
    store(w, t - most);
  }
}

[[belay::kernel]] void halves(In<half> x, Out<i32> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<64>(y)) {
    auto t = load(x, w);
    print(t); // line 20
    auto n = cast<i32>(t);
    print(n); // line 22
    store(w, n);
  }
}
