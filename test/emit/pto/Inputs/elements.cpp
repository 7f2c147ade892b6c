// Windows that begin inside of a tile, and elements that do not lie side by
// side.
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void before(In<float, dyn, dyn> x, Out<float, dyn, dyn> y) {
  expects(x.rows() == y.rows() && x.cols() == y.cols());
  for (auto w : my_tiles<1, 512>(y))
    store(w, load_or(x, w.row(), span<512>(w.col().begin - 1, w.col().size),
                     1.0f));
}

[[belay::kernel]] void third(In<float> x, Out<float> y) {
  expects(x.size() == 3 * y.size());
  for (auto w : my_tiles<512>(y))
    store(w, load(x.strided(0, 3), w));
}

[[belay::kernel]] void one_column(In<float, dyn, 64> x, Out<float, dyn, 1> y) {
  expects(x.rows() == y.rows());
  for (auto w : my_rows<8>(y))
    store(w, load(x, w.row(), span<1>(3, 1)));
}

[[belay::kernel]] void updated(InOut<float> x, Out<float> y) {
  expects(x.size() == 3 * y.size());
  for (auto w : my_tiles<512>(y))
    store(w, load(x.strided(0, 3), w));
}

[[belay::kernel]] void halves(In<half, dyn, 64> x, Out<half, dyn, 32> y) {
  expects(x.rows() == y.rows());
  auto even = strided<1>(x, 0, 2);
  for (auto r : my_rows<8>(y))
    store(r, load(even, r.row(), span<32>(0, 32)));
}
