// The vector unit has no arithmetic for bfloat16; the 310P does not know it at
// all.
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void bfloat(In<bfloat16> x, In<bfloat16> y, Out<bfloat16> z) {
  expects(x.size() == z.size() && y.size() == z.size());
  for (auto w : my_tiles<1024>(z))
    store(w, load(x, w) + load(y, w) * load(y, w));
}
