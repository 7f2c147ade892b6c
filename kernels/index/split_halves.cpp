// Rows taken apart in the middle: a[r] is the first half of x[r], b[r] the
// second.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 N = 4096>
[[belay::kernel]] void split_halves(In<T, dyn, dyn> x, Out<T, dyn, dyn> a,
                                    Out<T, dyn, dyn> b) {
  expects(x.rows() == a.rows() && b.rows() == a.rows());
  expects(x.cols() == a.cols() * 2 && b.cols() == a.cols());
  for (i64 r = core_index(); r < x.rows(); r += core_count())
    for (auto c : tiles<N>(a.cols())) {
      store(a[r], c, load(x[r], c));
      store(b[r], c, load(x[r], span<N>(c.begin + a.cols(), c.size)));
    }
}
