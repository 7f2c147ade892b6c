// G7 of parts of sums: several cores have the same window, and only add to it.
// RUN: %python %S/../Inputs/check-wrong.py %s
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void stored_not_added(In<half, dyn, dyn> a,
                                        In<half, dyn, dyn> b,
                                        InOut<float, dyn, dyn> c) {
  expects(a.rows() == c.rows() && a.cols() == b.rows());
  expects(b.cols() == c.cols());
  i64 part = ceil_div(a.cols(), 4);
  for (auto w : my_tiles<32, 48, 4>(c)) {
    i64 from = min(w.part() * part, a.cols()), to = min(from + part, a.cols());
    auto sum = zeros<float>(w);
    for (auto k : tiles<64>(from, to))
      sum += dot(load(a, w.row(), k), load(b, k, w.col()));
    store(w, sum); // race-between-cores: two cores may touch the same element of 'c'
    //= store_add(w, sum);
  }
}
[[belay::kernel]] void read_what_others_add_to(In<half, dyn, dyn> a,
                                               In<half, dyn, dyn> b,
                                               InOut<float, dyn, dyn> c) {
  expects(a.rows() == c.rows() && a.cols() == b.rows());
  expects(b.cols() == c.cols());
  i64 part = ceil_div(a.cols(), 4);
  for (auto w : my_tiles<32, 48, 4>(c)) {
    i64 from = min(w.part() * part, a.cols()), to = min(from + part, a.cols());
    auto sum = zeros<float>(w);
    for (auto k : tiles<64>(from, to))
      sum += dot(load(a, w.row(), k), load(b, k, w.col()));
    store_add(w, sum + load(c, w.row(), w.col())); // race-between-cores: two cores may touch the same element of 'c'
    //= store_add(w, sum);
  }
}
[[belay::kernel]] void past_the_last_part(In<half, dyn, dyn> a,
                                          In<half, dyn, dyn> b,
                                          InOut<float, dyn, dyn> c) {
  expects(a.rows() == c.rows() && a.cols() == b.rows());
  expects(b.cols() == c.cols());
  i64 part = ceil_div(a.cols(), 4);
  for (auto w : my_tiles<32, 48, 4>(c)) {
    i64 from = min(w.part() * part, a.cols());
    i64 to = from + part;
    //= i64 to = min(from + part, a.cols());
    auto sum = zeros<float>(w);
    for (auto k : tiles<64>(from, to))
      sum += dot(load(a, w.row(), k), load(b, k, w.col())); // guarded gm-out-of-bounds: a.cols()
    store_add(w, sum);
  }
}
