// Small forms of kernels that scripts/fuzz-kernels made and that were refused.
#include "belay/kernel.h"
using namespace belay;

// Rows of a transposed plane from the second one on, one at a time, with a
// default: where their columns lie in the tile takes long to prove.
[[belay::kernel]] void moved(In<float, dyn, dyn, dyn> a,
                             In<float, dyn, dyn, dyn> b,
                             Out<bfloat16, dyn, dyn, dyn> c, In<float> side) {
  expects(a.extent(0) == c.extent(0) && c.extent(0) == b.extent(0) * 3);
  expects(a.extent(2) == c.extent(1) && b.extent(2) == a.extent(1));
  expects(b.extent(1) == c.extent(2) && side.size() == c.extent(1));
  for (auto w : my_tiles<48, 64>(c)) {
    auto sum = zeros<float>(w);
    auto later = span<48>(w.row().begin + 1, w.row().size);
    for (auto k : tiles<1>(a.extent(1)))
      sum += dot(load_or(a[w.plane()].transposed(), later, k, 0.0f),
                 load(b[w.plane() / 3].transposed(), k, w.col()));
    auto t = sum * load_column(side, w.row());
    store(w, cast<bfloat16>(t / (abs(t) + 1.0f)));
  }
}
