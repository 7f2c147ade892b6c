// gate * sigmoid(gate) * up of two tensors, as when the products are not in
// one.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void mlp_gate_up(In<T> gate, In<T> up, Out<T> y) {
  expects(gate.size() == y.size() && up.size() == y.size());
  ops::map<2048>(gate, up, y, [](const auto &g, const auto &u) {
    return g / (exp(-g) + 1.0f) * u;
  });
}
