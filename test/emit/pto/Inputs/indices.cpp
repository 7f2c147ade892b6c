// Transposes, and what indices name.
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void transposed(In<half, dyn, dyn> x, Out<half, dyn, dyn> y) {
  expects(x.rows() == y.cols() && x.cols() == y.rows());
  for (auto w : my_tiles<64, 64>(y))
    store(w, transpose(load(x, w.col(), w.row())));
}

[[belay::kernel]] void taken(In<float, 64> x, In<i32> ids, Out<float> y) {
  expects(ids.size() == y.size());
  for (auto w : my_tiles<256>(y))
    store(w, gather<Oob::clamp>(load(x), load(ids, w)));
}

[[belay::kernel]] void rows(In<float, dyn, 64> table, In<i32> ids,
                            Out<float, dyn, 64> y) {
  expects(ids.size() == y.rows());
  for (auto w : my_rows<8>(y))
    store(w, gather<Oob::trap>(table, load(ids, w)));
}

[[belay::kernel]] void added(In<float, dyn, 64> x, In<i64> ids,
                             InOut<float, dyn, 64> table) {
  expects(ids.size() == x.rows());
  for (auto rows : my_rows<8>(x))
    scatter_add<Oob::zero>(table, load(ids, rows), load(x, rows));
}

[[belay::kernel]] void bounded(In<i32> x, Out<i32> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<512>(y))
    store(w, min(max(load(x, w), 3), 7));
}

[[belay::kernel]] void each(In<float, dyn, 64> x, In<i32, dyn, 64> ids,
                            Out<float, dyn, 64> y) {
  expects(ids.rows() == y.rows() && x.rows() == y.rows());
  for (auto r : my_rows<8>(y))
    store(r, gather<Oob::clamp>(load(x, r), load(ids, r)));
}
