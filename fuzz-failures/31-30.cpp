#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void k30(In<i32, dyn, 8> x, Out<i32, 8> y) {
  if (first_core()) {
    auto t1 = zeros<1, 8, i32>();
    for (auto r : tiles<4>(x.rows())) {
      auto t2 = load(x, r, span<8>(0, 8));
      auto t4 = col_sum(t2);
      t1 = t1 + t4;
    }
    auto t5 = cast<half>(t1);
    auto t6 = cast<i32, Round::ceil>(t5);
    store(y, span<8>(0, 8), t6);
  }
}
