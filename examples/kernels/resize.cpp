// Nearest-neighbour resize of planes, by a whole factor in each direction.
#include "belay/kernel.h"
using namespace belay;

template <i64 W, i64 F>
[[belay::kernel]] void resize(In<float, dyn, dyn, W> x,
                              Out<float, dyn, dyn, W * F> y) {
  expects(x.extent(0) == y.extent(0) && x.extent(1) * F == y.extent(1));
  for (i64 p = core_index(); p < x.extent(0); p += core_count())
    for (i64 r = 0; r < x.extent(1); ++r) {
      auto line = load(x[p][r]);
      for (i64 k = 0; k < F; ++k)
        for (i64 c = 0; c < F; ++c)
          store(y[p][r * F + k].strided(c, F), span<W>(0, W), line);
    }
}
