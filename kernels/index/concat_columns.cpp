// Two matrices beside each other.
#include "belay/kernel.h"
using namespace belay;

template <class T>
[[belay::kernel]] void concat_columns(In<T, dyn, dyn> a, In<T, dyn, dyn> b,
                                      Out<T, dyn, dyn> y) {
  expects(a.rows() == y.rows() && b.rows() == y.rows());
  expects(a.cols() + b.cols() == y.cols());
  for (auto w : my_tiles<8, 1024>(a))
    store(y, w.row(), w.col(), load(a, w));
  for (auto w : my_tiles<8, 1024>(b)) {
    auto to = span<1024>(w.col().begin + a.cols(), w.col().size);
    store(y, w.row(), to, load(b, w));
  }
}
