// Two products in a loop, each with sums of its own.
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void two_products(In<half, dyn, dyn> a, In<half, dyn, dyn> b,
                                    In<half, dyn, dyn> c,
                                    Out<half, dyn, dyn> ab,
                                    Out<half, dyn, dyn> ac) {
  expects(a.rows() == ab.rows() && a.cols() == b.rows());
  expects(b.cols() == ab.cols() && c.cols() == ac.cols());
  expects(a.rows() == ac.rows() && a.cols() == c.rows());
  for (auto r : my_spans<32>(a.rows())) {
    for (auto n : tiles<64>(b.cols())) {
      auto sum = zeros<float>(r, n);
      for (auto k : tiles<64>(a.cols()))
        sum += dot(load(a, r, k), load(b, k, n));
      store(ab, r, n, cast<half>(sum));
    }
    for (auto n : tiles<64>(c.cols())) {
      auto sum = zeros<float>(r, n);
      for (auto k : tiles<64>(a.cols()))
        sum += dot(load(a, r, k), load(c, k, n));
      store(ac, r, n, cast<half>(sum));
    }
  }
}
