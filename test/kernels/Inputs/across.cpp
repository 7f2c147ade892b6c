// What has no instruction across lanes: products, and integers; and one element
// for all.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 R, i64 C>
[[belay::kernel]] void rows(In<T, dyn, dyn> x, Out<T> sum, Out<T> product,
                            Out<T> most, Out<T> least) {
  expects(x.rows() == sum.size() && x.rows() == product.size());
  expects(x.rows() == most.size() && x.rows() == least.size());
  expects(x.cols() <= C);
  for (auto rows : my_spans<R>(sum.size())) {
    auto t = load(x, rows, span<C>(0, x.cols()));
    store(sum, rows, row_sum(t));
    store(product, rows, row_prod(t));
    store(most, rows, row_max(t));
    store(least, rows, row_min(t));
  }
}

template <class T, i64 C>
[[belay::kernel]] void lines(In<T, dyn, dyn> x, Out<T> sum, Out<T> product,
                             Out<T> most, Out<T> least) {
  expects(x.rows() == sum.size() && x.rows() == product.size());
  expects(x.rows() == most.size() && x.rows() == least.size());
  expects(x.cols() <= C);
  for (i64 r = core_index(); r < x.rows(); r += core_count()) {
    auto row = load(x[r], span<C>(0, x.cols()));
    auto column = load_column(x[r], span<C>(0, x.cols()));
    store(sum, span<1>(r, 1), row_sum(row));
    store(product, span<1>(r, 1), col_prod(column));
    store(most, span<1>(r, 1), col_max(column));
    store(least, span<1>(r, 1), row_min(row));
  }
}

// The largest of a row's first element and each other one.
template <class T, i64 R, i64 C>
[[belay::kernel]] void one_for_all(In<T, dyn, dyn> x, In<T> one,
                                   Out<T, dyn, dyn> y) {
  expects(x.rows() == y.rows() && x.cols() == y.cols() && one.size() == 1);
  for (auto w : my_tiles<R, C>(y))
    store(w, max(load(x, w), row_max(load(one, span<1>(0, 1)))));
}

template <class T, i64 R>
[[belay::kernel]] void one_for_column(In<T> x, In<T> one, Out<T> y) {
  expects(x.size() == y.size() && one.size() == 1);
  for (auto w : my_spans<R>(y.size()))
    store(y, w, max(load_column(x, w), row_max(load(one, span<1>(0, 1)))));
}
