// Windows that reach beyond their view, and views that are slices, permuted or
// strided: test/kernels/test_around.py.
#include "belay/ops/convolution.h"
using namespace belay;

// y[i][j] = x[i + a][j + b], or 0 outside.
template <class T, i64 R = 16, i64 C = 40>
[[belay::kernel]] void shifted(In<T, dyn, dyn> x, Out<T, dyn, dyn> y, i64 a,
                               i64 b) {
  expects(a >= -1000 && a <= 1000 && b >= -1000 && b <= 1000);
  for (auto w : my_tiles<R, C>(y))
    store(w, load_or(x, span<R>(w.row().begin + a, w.row().size),
                     span<C>(w.col().begin + b, w.col().size), T(0)));
}

// y = x, rows of any length.
template <class T, i64 R = 16, i64 C = 40>
[[belay::kernel]] void copied(In<T, dyn, dyn> x, Out<T, dyn, dyn> y) {
  expects(x.rows() == y.rows() && x.cols() == y.cols());
  for (auto w : my_tiles<R, C>(y))
    store(w, load(x, w));
}

// The same of a line, or -7 outside.
template <class T>
[[belay::kernel]] void shifted_line(In<T> x, Out<T> y, i64 b) {
  expects(b >= -1000 && b <= 1000);
  for (auto w : my_tiles<100>(y))
    store(w, load_or(x, span<100>(w.col().begin + b, w.col().size), T(-7)));
}

// The same of a column, whose elements lie side by side.
[[belay::kernel]] void shifted_column(In<float, dyn, 1> x, Out<float, dyn, 1> y,
                                      i64 a) {
  expects(a >= -1000 && a <= 1000);
  for (auto w : my_rows<40>(y))
    store(w,
          load_or(x, span<40>(w.row().begin + a, w.row().size), w.col(), 7.0f) *
              2.0f);
}

// Of every third column, and of columns that do not lie side by side.
[[belay::kernel]] void every_third(In<float, dyn, dyn> x,
                                   Out<float, dyn, dyn> y, i64 b) {
  expects(b >= -1000 && b <= 1000);
  auto some = x.strided<1>(0, 3);
  for (auto w : my_tiles<16, 40>(y))
    store(w, load_or(some, w.row(), span<40>(w.col().begin + b, w.col().size),
                     7.0f));
}

// y[i][k][j][l] = x[j][i][l][k], plane by plane.
[[belay::kernel]] void permuted_planes(In<float, dyn, dyn, dyn, dyn> x,
                                       Out<float, dyn, dyn, dyn, dyn> y) {
  expects(x.extent(0) == y.extent(2) && x.extent(1) == y.extent(0));
  expects(x.extent(2) == y.extent(3) && x.extent(3) == y.extent(1));
  for (auto w : my_tiles<8, 24>(y)) {
    auto from = slice<2>(slice<1>(x, w.plane(0)), w.plane(1));
    store(w, load(from, w.row(), w.col()));
  }
}

// A copy of each S-th column at a time, from and to columns that lie apart: of
// tiles, and of one row after the other.
template <class T, i64 S>
[[belay::kernel]] void by_phases(In<T, dyn, dyn> x, Out<T, dyn, dyn> y) {
  expects(x.rows() == y.rows() && x.cols() == y.cols());
  for (auto w : my_tiles<8, 64>(y))
    ops::each_phase<S>(w.col(), [&](i64 phase, auto cols) {
      store(strided<1>(y, phase, S), w.row(), cols,
            load(strided<1>(x, phase, S), w.row(), cols));
    });
}
template <class T, i64 S>
[[belay::kernel]] void rows_by_phases(In<T, dyn, dyn> x, Out<T, dyn, dyn> y) {
  expects(x.rows() == y.rows() && x.cols() == y.cols());
  for (auto w : my_tiles<1, 100>(y))
    ops::each_phase<S>(w.col(), [&](i64 phase, auto cols) {
      i64 row = w.row().begin;
      store(y[row].strided(phase, S), cols,
            load(x[row].strided(phase, S), cols));
    });
}
