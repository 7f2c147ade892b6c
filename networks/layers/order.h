//===- order.h - Elements in another order ----------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_NETWORKS_LAYERS_ORDER_H
#define BELAY_NETWORKS_LAYERS_ORDER_H

#include "../network.h"

#include "swap_middle_float_32_256.h"

namespace networks {

/// [a, b, c, d] as [a, c, b, d].
inline Value swapped(Network &net, const Value &x) {
  Value y = net.make({x.extent(0), x.extent(2), x.extent(1), x.extent(3)});
  net.launch<belay::kernels::swap_middle_float_32_256>(x.in(), y.out());
  return y;
}

/// [a, b, c] as [b, a, c].
inline Value turned(Network &net, const Value &x) {
  const int64_t a = x.extent(0), b = x.extent(1), c = x.extent(2);
  return swapped(net, x.reshaped({1, a, b, c})).reshaped({b, a, c});
}

} // namespace networks

#endif // BELAY_NETWORKS_LAYERS_ORDER_H
