// Products of matrices as PTO has them.
#include "belay/ops/linear.h"
using namespace belay;

[[belay::kernel]] void product(In<half, dyn, dyn> a, In<half, dyn, dyn> b,
                               Out<half, dyn, dyn> c) {
  expects(a.cols() == b.rows() && a.rows() == c.rows() && b.cols() == c.cols());
  ops::matmul<32, 48, 64>(a, b, c);
}

[[belay::kernel]] void transposed(In<half, dyn, dyn> a, In<half, dyn, dyn> b,
                                  Out<half, dyn, dyn> c) {
  expects(a.rows() == b.cols() && a.cols() == c.rows() && b.rows() == c.cols());
  ops::matmul<32, 48, 64>(a.transposed(), b.transposed(), c);
}

[[belay::kernel]] void transposed_float(In<float, dyn, dyn> a,
                                        In<float, dyn, dyn> b,
                                        Out<float, dyn, dyn> c) {
  expects(a.rows() == b.rows() && a.cols() == c.rows() && b.cols() == c.cols());
  ops::matmul<32, 48, 64>(a.transposed(), b, c);
}

[[belay::kernel]] void bytes(In<i8, dyn, dyn> a, In<i8, dyn, dyn> b,
                             Out<i32, dyn, dyn> c) {
  expects(a.cols() == b.cols() && a.rows() == c.rows() && b.rows() == c.cols());
  for (auto w : my_tiles<32, 64>(c)) {
    auto sum = zeros<i32>(w);
    for (auto k : tiles<64>(a.cols()))
      sum += dot(load(a, w.row(), k), load(b.transposed(), k, w.col()));
    store(w, sum);
  }
}

[[belay::kernel]] void batched(In<half, dyn, dyn, dyn> a,
                               In<half, dyn, dyn, dyn> b,
                               InOut<float, dyn, dyn, dyn> c) {
  expects(a.extent(0) == c.extent(0) && b.extent(0) == c.extent(0));
  expects(a.extent(1) == c.extent(1) && b.extent(2) == c.extent(2));
  expects(a.extent(2) == b.extent(1));
  for (auto w : my_tiles<32, 48>(c))
    store_add(w,
              ops::product<64>(a[w.plane()], b[w.plane()], w.row(), w.col()));
}

[[belay::kernel]] void activated(In<half, dyn, dyn> a, In<half, dyn, dyn> b,
                                 Out<float, dyn, dyn> c) {
  expects(a.cols() == b.rows() && a.rows() == c.rows() && b.cols() == c.cols());
  for (auto w : my_tiles<32, 48>(c))
    store(w, relu(ops::product<64>(a, b, w.row(), w.col())));
}
