// G1: operands, sums and what follows them have the types and capacities that
// their product needs.
// RUN: %python %S/../Inputs/check-wrong.py %s
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void in_the_other_order(In<half, dyn, 64> a, In<half, 64, 32> b, Out<float, dyn, 32> c) {
  expects(a.rows() == c.rows());
  for (auto w : my_rows<16>(c))
    store(w, dot(load(b), load(a, w.row(), span<64>(0, 64)))); // compile-error: no matching function for call to 'dot'
  //= store(w, dot(load(a, w.row(), span<64>(0, 64)), load(b)));
}
[[belay::kernel]] void row_for_a_column(In<half, dyn, 64> a, In<half, 64> b, Out<float, dyn, 1> c) {
  expects(a.rows() == c.rows());
  for (auto w : my_rows<16>(c))
    store(w, dot(load(a, w.row(), span<64>(0, 64)), load(b))); // compile-error: no matching function for call to 'dot'
  //= store(w, dot(load(a, w.row(), span<64>(0, 64)), load_column(b, span<64>(0, 64))));
}
[[belay::kernel]] void views_for_tiles(In<half, 16, 64> a, In<half, 64, 32> b, Out<float, 16, 32> c) {
  for (auto w : my_rows<16>(c))
    store(w, dot(a, b)); // compile-error: no matching function for call to 'dot'
  //= store(w, dot(load(a, w.row(), span<64>(0, 64)), load(b)));
}
[[belay::kernel]] void sum_as_third_operand(In<half, dyn, 64> a, In<half, 64, 32> b, Out<float, dyn, 32> c) {
  expects(a.rows() == c.rows());
  for (auto w : my_rows<16>(c)) {
    auto sum = zeros<float>(w);
    sum = dot(load(a, w.row(), span<64>(0, 64)), load(b), sum); // compile-error: no matching function for call to 'dot'
    //= sum += dot(load(a, w.row(), span<64>(0, 64)), load(b));
    store(w, sum);
  }
}
[[belay::kernel]] void weights_not_rounded(In<half, dyn, 64> a, In<half, 64, 32> b, In<half, 32, 16> v, Out<float, dyn, 16> c) {
  expects(a.rows() == c.rows());
  for (auto w : my_rows<16>(c)) {
    auto p = exp(dot(load(a, w.row(), span<64>(0, 64)), load(b)));
    store(w, dot(p, load(v))); // compile-error: no matching function for call to 'dot'
    //= store(w, dot(cast<half>(p), load(v)));
  }
}
[[belay::kernel]] void bytes_in_floats(In<i8, dyn, 64> a, In<i8, 64, 32> b, Out<float, dyn, 32> c) {
  expects(a.rows() == c.rows());
  for (auto w : my_rows<16>(c)) {
    auto sum = zeros<float>(w);
    //= auto sum = zeros<i32>(w);
    sum += dot(load(a, w.row(), span<64>(0, 64)), load(b)); // compile-error: no viable overloaded '+='
    store(w, sum);
    //= store(w, cast<float>(sum));
  }
}
[[belay::kernel]] void scales_before_the_cast(In<i8, dyn, 64> a, In<i8, 64, 32> b, In<float, 32> scale, Out<float, dyn, 32> c) {
  expects(a.rows() == c.rows());
  for (auto w : my_rows<16>(c)) {
    auto sum = dot(load(a, w.row(), span<64>(0, 64)), load(b));
    store(w, sum * load(scale)); // compile-error: the tiles have different elements; cast<T>(...) converts one of them
    //= store(w, cast<float>(sum) * load(scale));
  }
}
[[belay::kernel]] void bias_of_rows(In<half, dyn, 64> a, In<half, 64, 32> b, In<float> bias, Out<float, dyn, 32> c) {
  expects(a.rows() == c.rows() && bias.size() == c.rows());
  for (auto w : my_rows<16>(c)) {
    auto sum = dot(load(a, w.row(), span<64>(0, 64)), load(b));
    store(w, sum + load(bias, w.row())); // compile-error: the tiles have different extents; one of them has to be
    //= store(w, sum + load_column(bias, w.row()));
  }
}
[[belay::kernel]] void bias_of_another_type(In<half, dyn, 64> a, In<half, 64, 32> b, In<half, 32> bias, Out<float, dyn, 32> c) {
  expects(a.rows() == c.rows());
  for (auto w : my_rows<16>(c)) {
    auto sum = dot(load(a, w.row(), span<64>(0, 64)), load(b));
    store(w, sum + load(bias)); // compile-error: the tiles have different elements; cast<T>(...) converts one of them
    //= store(w, sum + cast<float>(load(bias)));
  }
}
[[belay::kernel]] void number_for_a_sum(In<half, dyn, 64> a, In<half, 64, 32> b, Out<float, dyn, 32> c) {
  expects(a.rows() == c.rows());
  for (auto w : my_rows<16>(c)) {
    float sum = 0;
    //= auto sum = zeros<float>(w);
    sum += dot(load(a, w.row(), span<64>(0, 64)), load(b)); // compile-error: invalid operands
    store(w, full<float>(w, 1.0f));
    //= store(w, sum);
  }
}
[[belay::kernel]] void into_an_operand(In<half, dyn, 64> a, In<half, 64, 64> b, Out<half, dyn, 64> c) {
  expects(a.rows() == c.rows());
  for (auto w : my_rows<16>(c)) {
    auto product = cast<half>(dot(load(a, w.row(), w.col()), load(b)));
    store(a, w.row(), w.col(), product); // compile-error: no matching function for call to 'store'
    //= store(c, w.row(), w.col(), product);
  }
}
[[belay::kernel]] void element_by_element(In<half, dyn, 64> a, In<half, 64, 32> b, Out<float, dyn, 32> c) {
  expects(a.rows() == c.rows() && c.rows() >= 1);
  if (first_core()) {
    auto line = a[0];
    half first = line[0]; // compile-error: no viable overloaded operator[]
    //= auto first = load(line, span<1>(0, 1));
  }
}
[[belay::kernel]] void plane_of_a_matrix(In<half, dyn, dyn, dyn> a, In<half, dyn, dyn> b, Out<float, dyn, dyn> c) {
  expects(a.extent(0) >= 1 && a.extent(1) == c.rows() && a.extent(2) == b.rows() && b.cols() == c.cols());
  for (auto w : my_tiles<32, 32>(c)) {
    auto x = a[w.plane()]; // compile-error: no matching member function for call to 'plane'
    //= auto x = a[0];
    auto sum = zeros<float>(w);
    for (auto k : tiles<64>(x.cols()))
      sum += dot(load(x, w.row(), k), load(b, k, w.col()));
    store(w, sum);
  }
}
[[belay::kernel]] void planes_transposed(In<half, dyn, dyn, dyn> a, In<half, dyn, dyn> b, Out<float, dyn, dyn, dyn> c) {
  expects(a.extent(0) == c.extent(0) && a.extent(2) == c.extent(1) && a.extent(1) == b.rows() && b.cols() == c.extent(2));
  for (auto w : my_tiles<32, 32>(c)) {
    auto x = a.transposed()[w.plane()]; // compile-error: invalid reference to function 'transposed'
    //= auto x = a[w.plane()].transposed();
    auto sum = zeros<float>(w);
    for (auto k : tiles<64>(x.cols()))
      sum += dot(load(x, w.row(), k), load(b, k, w.col()));
    store(w, sum);
  }
}
[[belay::kernel]] void steps_of_two_sizes(In<half, dyn, dyn> a, In<half, dyn, dyn> b, Out<float, dyn, dyn> c) {
  expects(a.cols() == b.rows() && a.rows() == c.rows() && b.cols() == c.cols());
  for (auto w : my_tiles<32, 32>(c)) {
    auto sum = zeros<float>(w);
    for (auto k : tiles<64>(a.cols()))
      sum += dot(load(a, w.row(), k), load(b, span<32>(k.begin, k.size), w.col())); // compile-error: no matching function for call to 'dot'
    //= sum += dot(load(a, w.row(), k), load(b, k, w.col()));
    store(w, sum);
  }
}
[[belay::kernel]] void tile_for_another_window(In<half, dyn, 64> a, In<half, 64, 32> b, Out<float, dyn, 32> c) {
  expects(a.rows() == c.rows());
  for (auto w : my_rows<8>(c)) {
    auto rows = span<16>(w.row().begin, w.row().size);
    //= auto rows = w.row();
    store(w, dot(load(a, rows, span<64>(0, 64)), load(b))); // compile-error: no matching function for call to 'store'
  }
}
