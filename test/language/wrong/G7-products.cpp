// G4, G7: what cores store of products, and read of each other.
// RUN: %python %S/../Inputs/check-wrong.py %s
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void parts_of_k(In<half, dyn, dyn> a, In<half, dyn, dyn> b, InOut<float, dyn, dyn> c) {
  expects(a.cols() == b.rows() && a.rows() == c.rows() && b.cols() == c.cols());
  for (auto k : my_spans<64>(a.cols()))
    for (auto r : tiles<32>(c.rows()))
      for (auto n : tiles<32>(c.cols()))
        store(c, r, n, dot(load(a, r, k), load(b, k, n))); // race-between-cores: two cores may touch the same element of 'c'
  //= store_add(c, r, n, dot(load(a, r, k), load(b, k, n)));
}
[[belay::kernel]] void added_without_atomics(In<half, dyn, dyn> a, In<half, dyn, dyn> b, InOut<float, dyn, dyn> c) {
  expects(a.cols() == b.rows() && a.rows() == c.rows() && b.cols() == c.cols());
  for (auto k : my_spans<64>(a.cols()))
    for (auto r : tiles<32>(c.rows()))
      for (auto n : tiles<32>(c.cols()))
        store(c, r, n, load(c, r, n) + dot(load(a, r, k), load(b, k, n))); // race-between-cores: two cores may touch the same element of 'c'
  //= store_add(c, r, n, dot(load(a, r, k), load(b, k, n)));
}
[[belay::kernel]] void sums_of_columns(In<half, dyn, 64> a, In<half, 64, 32> b, Out<float, dyn, 32> c, Out<float, 32> total) {
  //= [[belay::kernel]] void sums_of_columns(In<half, dyn, 64> a, In<half, 64, 32> b, Out<float, dyn, 32> c, InOut<float, 32> total) {
  expects(a.rows() == c.rows());
  for (auto w : my_rows<32>(c)) {
    auto t = dot(load(a, w.row(), span<64>(0, 64)), load(b));
    store(total, w.col(), col_sum(t)); // race-between-cores: two cores may touch the same element of 'total'
    //= store_add(total, w.col(), col_sum(t));
    store(w, t);
  }
}
[[belay::kernel]] void largest_of_rows(In<half, 32, 64> a, In<half, 64, dyn> b, Out<float, 32, dyn> c, Out<float, 32> most) {
  expects(b.cols() == c.cols());
  for (auto s : my_spans<32>(c.cols())) {
    auto t = dot(load(a), load(b, span<64>(0, 64), s));
    store(most, span<32>(0, 32), row_max(t)); // race-between-cores: two cores may touch the same element of 'most'
    //= ;
    store(c, span<32>(0, 32), s, t);
  }
}
[[belay::kernel]] void hidden_layer_of_others(In<half, 32, 64> x, In<half, 64, dyn> f, InOut<half, 32, dyn> h, In<half, dyn, 32> g, Out<float, 32, 32> y) {
  expects(f.cols() == h.cols() && g.rows() == h.cols());
  for (auto s : my_spans<32>(h.cols()))
    //= for (auto s : tiles<32>(first_core() ? h.cols() : 0))
    store(h, span<32>(0, 32), s, cast<half>(dot(load(x), load(f, span<64>(0, 64), s))));
  if (first_core()) {
    auto sum = zeros<float>(span<32>(0, 32), span<32>(0, 32));
    for (auto k : tiles<32>(h.cols()))
      sum += dot(load(h, span<32>(0, 32), k), load(g, k, span<32>(0, 32))); // race-between-cores: two cores may touch the same element of 'h'
    store(y, span<32>(0, 32), span<32>(0, 32), sum);
  }
}
[[belay::kernel]] void both_triangles(In<half, 64, 64> a, Out<float, 64, 64> c) {
  for (auto w : my_rows<32>(c)) {
    auto t = dot(load(a, w), load(a.transposed()));
    store(w, t);
    store(c.transposed(), w.row(), w.col(), t); // race-between-cores: two cores may touch the same element of 'c'
    //= ;
  }
}
[[belay::kernel]] void planes_by_two(In<half, dyn, 32, 64> a, In<half, 64, 32> b, Out<float, dyn, 32, 32> c) {
  expects(a.extent(0) == c.extent(0));
  for (i64 n = core_index(); n < c.extent(0); n += core_count())
    store(c[n / 2], span<32>(0, 32), span<32>(0, 32), dot(load(a[n]), load(b))); // race-between-cores: two cores may touch the same element of 'c'
  //= store(c[n], span<32>(0, 32), span<32>(0, 32), dot(load(a[n]), load(b)));
}
[[belay::kernel]] void scores_of_everybody(In<half, dyn, 64> q, In<half, 64, 128> k, InOut<float, 32, 128> s, Out<float, dyn, 128> y) {
  //= [[belay::kernel]] void scores_of_everybody(In<half, dyn, 64> q, In<half, 64, 128> k, InOut<float, dyn, 128> s, Out<float, dyn, 128> y) { expects(s.rows() == y.rows());
  expects(q.rows() == y.rows());
  for (auto w : my_rows<32>(y)) {
    auto own = span<32>(0, w.row().size);
    //= auto own = w.row();
    store(s, own, w.col(), dot(load(q, w.row(), span<64>(0, 64)), load(k))); // race-between-cores: two cores may touch the same element of 's'
    store(w, exp(load(s, own, w.col()))); // race-between-cores: two cores may touch the same element of 's'
  }
}
[[belay::kernel]] void part_of_an_output(In<half, dyn, 64> q, In<half, 64, dyn> k, Out<float, dyn, dyn> s, Out<float, dyn, 1> y) {
  //= [[belay::kernel]] void part_of_an_output(In<half, dyn, 64> q, In<half, 64, dyn> k, InOut<float, dyn, dyn> s, Out<float, dyn, 1> y) {
  expects(q.rows() == y.rows() && s.rows() == y.rows() && s.cols() == k.cols());
  for (auto w : my_rows<32>(y)) {
    for (auto c : tiles<64>(s.cols()))
      store(s, w.row(), c, dot(load(q, w.row(), span<64>(0, 64)), load(k, span<64>(0, 64), c)));
    auto total = zeros<float>(w);
    for (auto c : tiles<64>(s.cols()))
      total += row_sum(load(s, w.row(), c)); // uninitialised-read: 's' is an output
    store(w, total);
  }
}
[[belay::kernel]] void sums_before_they_are_there(In<half, dyn, 64> a, In<half, 64, 32> b, Out<float, dyn, 32> c) {
  //= [[belay::kernel]] void sums_before_they_are_there(In<half, dyn, 64> a, In<half, 64, 32> b, InOut<float, dyn, 32> c) {
  expects(a.rows() == c.rows());
  for (auto w : my_rows<32>(c))
    store_add(w, dot(load(a, w.row(), span<64>(0, 64)), load(b))); // uninitialised-read: 'c' is an output
}
[[belay::kernel]] void residual_of_the_neighbour(In<half, dyn, 64> a, In<half, 64, 32> b, InOut<float, dyn, 32> c) {
  //= [[belay::kernel]] void residual_of_the_neighbour(In<half, dyn, 64> a, In<half, 64, 32> b, In<float, dyn, 32> x, Out<float, dyn, 32> c) { expects(x.rows() == c.rows());
  expects(a.rows() == c.rows());
  for (auto w : my_rows<32>(c)) {
    auto before = load(c, span<32>(max(w.row().begin - 1, 0), w.row().size), w.col());
    //= auto before = load(x, span<32>(max(w.row().begin - 1, 0), w.row().size), w.col());
    store(w, before + dot(load(a, w.row(), span<64>(0, 64)), load(b))); // race-between-cores: two cores may touch the same element of 'c'
  }
}
[[belay::kernel]] void one_total(In<half, dyn, 64> a, In<half, 64, 32> b, Out<float, 1> y) {
  float total = 0;
  //+ if (first_core())
  for (auto r : tiles<32>(a.rows()))
    total += sum(dot(load(a, r, span<64>(0, 64)), load(b)));
  //+ if (first_core())
  store(y, 0, total); // race-between-cores: two cores may touch the same element of 'y'
}
[[belay::kernel]] void weights_are_shared(In<half, dyn, 64> x, InOut<half, 64, 64> f, Out<float, dyn, 64> y) {
  //= [[belay::kernel]] void weights_are_shared(In<half, dyn, 64> x, In<half, 64, 64> f, Out<float, dyn, 64> y) {
  expects(x.rows() == y.rows());
  for (auto w : my_rows<32>(y)) {
    store(w, dot(load(x, w.row(), span<64>(0, 64)), load(f)));
    store(f, span<64>(0, 64), w.col(), load(f) * half(0.5f)); // race-between-cores: two cores may touch the same element of 'f'
    //= ;
  }
}
