// Small forms of kernels that scripts/fuzz-kernels made and that were refused.
#include "belay/kernel.h"
using namespace belay;

// A copy in and a copy out share a buffer in every other iteration, and
// elements of the view in the same iteration: two reasons, each ordered.
[[belay::kernel]] void untouched(InOut<float> y) {
  for (auto w : my_tiles<256>(y))
    store(w, load(y, w));
}

// Both branches keep the extents; what is computed from the result has them
// too.
[[belay::kernel]] void branches(In<float> x, Out<float> y, float a) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<256>(y)) {
    auto t = load(x, w);
    auto u = abs(t);
    if (a > 0.5f)
      t = max(t, 1.0f);
    else
      t = t * 2.0f;
    store(w, (t + 3.0f) * u);
  }
}

// What a loop carries begins with known extents and goes on with others.
[[belay::kernel]] void carried(In<float, dyn, 64> x, Out<float, 64> y) {
  if (first_core()) {
    auto most = zeros<1, 64, float>();
    for (auto r : tiles<8>(x.rows()))
      most = max(most, col_max(load(x, r, span<64>(0, 64))));
    store(y, span<64>(0, 64), most);
  }
}

// The scalar unit waits in every iteration of the second loop, but perhaps in
// none of the first: what an iteration knows of the one before must outlive
// that.
[[belay::kernel]] void waits(In<float, dyn, dyn> x, Out<float, dyn, dyn> y) {
  expects(x.rows() == y.rows() && x.cols() == y.cols());
  for (auto r : my_spans<1>(x.rows())) {
    float most = -100.0f;
    for (auto c : tiles<100>(x.cols()))
      most = max(most, maximum(load(x, r, c)));
    for (auto c : tiles<100>(x.cols())) {
      auto t = load(x, r, c);
      float middle = mean(t);
      auto u = exp(t);
      if (middle > 0.5f)
        u = trunc(u);
      store(y, r, c, u - most);
    }
  }
}

// The canonical form of (a - b) - a is 0 - b, whose constant had no extents.
[[belay::kernel]] void differences(In<i32> x, Out<i32> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<256>(y)) {
    auto t = load(x, w);
    store(w, (t - t) - t);
  }
}

// The canonical form of t <= t is a mask of ones, which no instruction fills.
[[belay::kernel]] void always(In<i32, dyn, 8> x, Out<i32, dyn, 8> y) {
  expects(x.rows() == y.rows());
  for (auto w : my_rows<1>(y)) {
    auto t = load(x, w);
    store(w, select(t <= t, t, 2));
  }
}

// Parts of 24 halves did not begin with a block of the buffer.
[[belay::kernel]] void turned(In<half, dyn, dyn> x, Out<half, dyn, dyn> y) {
  expects(x.extent(0) == y.extent(1));
  expects(x.extent(1) == y.extent(0));
  for (auto w : my_tiles<48, 20>(y.transposed())) {
    store(w, load(x, w.row(), w.col()));
  }
}

// A tile of one element was a column to its store, whose places lie apart.
[[belay::kernel]] void single(In<half, dyn, dyn, dyn, dyn> a,
                              In<half, dyn, dyn, dyn, dyn> b,
                              Out<half, dyn, dyn, dyn, dyn> c) {
  expects(a.extent(0) == c.extent(0) && a.extent(1) == c.extent(1) &&
          a.extent(2) == c.extent(2));
  expects(b.extent(0) == c.extent(0) && b.extent(1) == c.extent(3) &&
          b.extent(2) == c.extent(2));
  expects(b.extent(3) == a.extent(3));
  for (auto w : my_tiles<1, 1>(c.permuted<0, 2, 1, 3>())) {
    auto of_a = a.permuted<0, 2, 1, 3>()[w.plane(0)][w.plane(1)];
    auto of_b = b.permuted<0, 2, 1, 3>()[w.plane(0)][w.plane(1)].transposed();
    auto sum = zeros<float>(w);
    for (auto k : tiles<31>(a.extent(3)))
      sum += dot(load(of_a, w.row(), k), load(of_b, k, w.col()));
    store(w, cast<half>(sum * 2.0f));
  }
}

// The only row of 66 halves had a pitch that is no whole blocks.
[[belay::kernel]] void halved(In<half, dyn, dyn> f, In<half, dyn, dyn> x,
                              Out<half, dyn, dyn> y) {
  expects(f.rows() == y.rows() && f.cols() == x.rows());
  for (auto w : my_tiles<16, 33>(y)) {
    auto sum = zeros<float>(w);
    for (auto k : tiles<1>(f.cols()))
      sum += dot(load(f, w.row(), k),
                 load_or(strided<1>(x, 0, 2), k, w.col(), half(0.0f)));
    store(w, cast<half>(sum));
  }
}

// A tile of one column has nothing to choose from.
[[belay::kernel]] void alone(In<float, dyn, 1> x, In<i32, dyn, 5> k,
                             Out<float, dyn, 5> y) {
  expects(x.rows() == y.rows() && k.rows() == y.rows());
  for (auto w : my_rows<8>(y))
    store(w, gather<Oob::zero>(load(x, w.row(), span<1>(0, 1)), load(k, w)));
}

// Rows that tiles divide without a rest: no window has less.
[[belay::kernel]] void divided(In<float, 32, dyn> x, Out<float, 32, dyn> y,
                               In<half, 64, dyn> u, Out<half, 64, dyn> v) {
  expects(x.cols() == y.cols() && u.cols() == v.cols());
  for (auto w : my_tiles<16, 32>(y))
    store(w, load(x, w) * 2.0f);
  for (auto w : my_tiles<8, 48>(v))
    store(w, relu(load(u, w)));
}
