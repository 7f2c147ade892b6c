// Kernels that test/host/language.cpp launches: one for each kind of parameter.
#include "belay/kernel.h"
using namespace belay;

template <i64 C>
[[belay::kernel]] void scale_rows(In<float, dyn, C> x, Out<float, dyn, C> y,
                                  float by) {
  expects(x.rows() == y.rows());
  for (auto w : my_rows<4>(y))
    store(w, load(x, w) * by);
}

[[belay::kernel]] void add_to(In<half> x, InOut<half> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<512>(y))
    store(w, load(y, w) + load(x, w));
}

// On 910B the product goes from core to core through memory for each block.
[[belay::kernel]] void product_relu(In<half, dyn, dyn> a, In<half, dyn, dyn> b,
                                    Out<float, dyn, dyn> c) {
  expects(a.cols() == b.rows() && a.rows() == c.rows() && b.cols() == c.cols());
  for (auto w : my_tiles<64, 64>(c)) {
    auto sum = zeros<float>(w);
    for (auto k : tiles<64>(a.cols()))
      sum += dot(load(a, w.row(), k), load(b, k, w.col()));
    store(w, relu(sum));
  }
}
