// A state that decays, over the steps of a chunk: s[g][i] is the sum of the
// logarithms of all decays up to step i. Scores of step i with step j are
// multiplied with what decays between them, exp(s[i] - s[j]), later steps with
// 0; rows of step i with what decays from the start to them, exp(s[i]), or from
// them to the end, exp(s[last] - s[i]).
#include "belay/kernel.h"
using namespace belay;

/// y[g][i][j] = x[g][i][j] * exp(s[g][i] - s[g][j]) for j <= i, else 0.
template <class T, i64 R = 32, i64 N = 128>
[[belay::kernel]] void chunk_scores(In<T, dyn, dyn, dyn> x,
                                    In<float, dyn, dyn> s,
                                    Out<T, dyn, dyn, dyn> y) {
  expects(x.extent(0) == y.extent(0) && s.rows() == y.extent(0));
  expects(x.extent(1) == y.extent(1) && x.extent(2) == y.extent(2));
  expects(s.cols() == y.extent(1) && s.cols() == y.extent(2));
  expects(s.cols() < 1 << 29);
  for (auto w : my_tiles<R, N>(y)) {
    auto t = cast<float>(load(x[w.plane()], w.row(), w.col()));
    auto seen = row_index<i32>(w) >= col_index<i32>(w);
    auto gone =
        load_column(s[w.plane()], w.row()) - load(s[w.plane()], w.col());
    store(w, cast<T>(select(seen, t * exp(gone), 0.0f)));
  }
}

/// y[g][i] = x[g][i] * exp(s[g][i]).
template <class T, i64 R = 32, i64 N = 128>
[[belay::kernel]] void chunk_outputs(In<T, dyn, dyn, dyn> x,
                                     In<float, dyn, dyn> s,
                                     Out<T, dyn, dyn, dyn> y) {
  expects(x.extent(0) == y.extent(0) && s.rows() == y.extent(0));
  expects(x.extent(1) == y.extent(1) && x.extent(2) == y.extent(2));
  expects(s.cols() == y.extent(1));
  for (auto w : my_tiles<R, N>(y)) {
    auto t = cast<float>(load(x[w.plane()], w.row(), w.col()));
    store(w, cast<T>(t * exp(load_column(s[w.plane()], w.row()))));
  }
}

/// y[g][i] = x[g][i] * exp(s[g][last] - s[g][i]).
template <class T, i64 R = 32, i64 N = 128>
[[belay::kernel]] void chunk_inputs(In<T, dyn, dyn, dyn> x,
                                    In<float, dyn, dyn> s,
                                    Out<T, dyn, dyn, dyn> y) {
  expects(x.extent(0) == y.extent(0) && s.rows() == y.extent(0));
  expects(x.extent(1) == y.extent(1) && x.extent(2) == y.extent(2));
  expects(s.cols() == y.extent(1) && s.cols() >= 1);
  for (auto w : my_tiles<R, N>(y)) {
    auto t = cast<float>(load(x[w.plane()], w.row(), w.col()));
    float last = sum(load(s[w.plane()], span<1>(s.cols() - 1, 1)));
    auto left = last - load_column(s[w.plane()], w.row());
    store(w, cast<T>(t * exp(left)));
  }
}
