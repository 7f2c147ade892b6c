// What no example uses: other reductions and scans, powers, masks, views.
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void products(In<float, dyn, 50> x, Out<float> y) {
  expects(x.rows() == y.size());
  for (auto rows : my_rows<8>(x))
    store(y, rows.row(), row_prod(load(x, rows)));
}

[[belay::kernel]] void integers(In<i32, dyn, 50> x, Out<i32> sums,
                                Out<i32> most) {
  expects(x.rows() == sums.size() && x.rows() == most.size());
  for (auto rows : my_rows<16>(x)) {
    auto t = load(x, rows);
    store(sums, rows.row(), row_sum(t));
    store(most, rows.row(), row_max(t));
  }
}

[[belay::kernel]] void powers(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<2048>(y)) {
    auto t = load(x, w);
    store(w, pow(abs(t), 2.5f) + pow(abs(t) + 0.5f, t));
  }
}

[[belay::kernel]] void far_indices(In<half, dyn, 32> table, In<i64> ids,
                                   Out<half, dyn, 32> out) {
  expects(out.rows() == ids.size());
  for (auto rows : my_rows<16>(out))
    store(rows, gather<Oob::zero>(table, load(ids, rows)));
}

[[belay::kernel]] void turned(In<float, dyn, dyn> x, Out<float, dyn, dyn> y) {
  expects(x.rows() == y.cols() && x.cols() == y.rows());
  auto t = x.transposed();
  for (auto w : my_tiles<16, 64>(y))
    store(w, load(t, w));
}

[[belay::kernel]] void many_rows(In<half, dyn, 16> x, Out<half, dyn, 16> y) {
  expects(x.rows() == y.rows());
  for (auto rows : my_rows<4500>(y))
    store(rows, load(x, rows));
}

[[belay::kernel]] void scans(In<float, dyn, 50> x, Out<float, dyn, 50> most,
                             Out<float, dyn, 50> product) {
  expects(x.rows() == most.rows() && x.rows() == product.rows());
  for (auto rows : my_rows<8>(x)) {
    auto t = load(x, rows);
    store(most, rows.row(), rows.col(), row_cummax(t));
    store(product, rows.row(), rows.col(), row_cumprod(t));
  }
}

[[belay::kernel]] void widened(In<half, dyn, 50> x, Out<float, dyn, 50> y) {
  expects(x.rows() == y.rows());
  for (auto rows : my_rows<8>(y))
    store(rows, cast<float>(load(x, rows)) * 2.0f);
}

[[belay::kernel]] void masks(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<1024>(y)) {
    auto t = load(x, w);
    auto outer = (t > 0.5f) | !(t > -0.5f);
    store(w, select(outer & (t < 1.5f), t, t * 10.0f));
  }
}

[[belay::kernel]] void triangle(In<float, dyn, dyn> x, Out<float, dyn, dyn> y) {
  expects(x.rows() == y.rows() && x.cols() == y.cols());
  for (auto w : my_tiles<16, 40>(y)) {
    auto most = column<float>(w, 2.0f);
    auto seen = row_index<i32>(w) >= col_index<i32>(w);
    store(w, select(seen, min(load(x, w), most), zeros<float>(w)));
  }
}

[[belay::kernel]] void places(In<float, 7, 50> x, Out<i32, 2> y) {
  if (first_core()) {
    auto t = load(x);
    store(y, 0, i32(argmax(t)));
    store(y, 1, i32(argmin(t)));
  }
}

[[belay::kernel]] void far_places(In<float, dyn, 1536> x, Out<i32> most,
                                  Out<i32> least) {
  expects(x.rows() == most.size() && x.rows() == least.size());
  for (auto rows : my_rows<5>(x)) {
    auto t = load(x, rows);
    store(most, rows.row(), row_argmax(t));
    store(least, rows.row(), row_argmin(t));
  }
}
