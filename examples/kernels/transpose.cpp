// Rows as columns.
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void transpose_of(In<half, dyn, dyn> x,
                                    Out<half, dyn, dyn> y) {
  expects(x.rows() == y.cols() && x.cols() == y.rows());
  for (auto w : my_tiles<64, 64>(y))
    store(w, transpose(load(x, w.col(), w.row())));
}
