// y = a * x + y, in place.
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void axpy(float a, In<float> x, InOut<float> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<8192>(y))
    store(w, load(x, w) * a + load(y, w));
}
