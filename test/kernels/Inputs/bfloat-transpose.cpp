// A transposition moves 16 bits at a time, whatever they mean.
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void transposed_bits(In<bfloat16, dyn, dyn> x,
                                       Out<bfloat16, dyn, dyn> y) {
  expects(x.rows() == y.cols() && x.cols() == y.rows());
  for (auto w : my_tiles<16, 32>(y))
    store(w, transpose(load(x, w.col(), w.row())));
}
