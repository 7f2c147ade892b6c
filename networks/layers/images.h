//===- images.h - Layers of images ------------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Images are [batch, channels, rows, columns]. Weights have the layout of
// PyTorch's layers, and are brought into that of the kernels once.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_NETWORKS_LAYERS_IMAGES_H
#define BELAY_NETWORKS_LAYERS_IMAGES_H

#include "dense.h"

namespace networks {

struct Window {
  int64_t stride = 1, pad = 0, groups = 1;
};

/// A convolution; one for each channel if there are as many groups.
Value conv(Network &net, const Value &x, const std::string &layer,
           Window window = {});
/// Of 2 by 2 pixels with a stride of 2.
Value conv_transposed(Network &net, const Value &x, const std::string &layer);

/// With the statistics of the batch, as PyTorch's modules when they train.
Value batch_norm(Network &net, const Value &x, const std::string &layer);

/// The largest of size by size pixels. With `ceil`, windows may end after the
/// image.
Value max_pool(Network &net, const Value &x, int64_t size, int64_t stride,
               int64_t pad = 0, bool ceil = false);
/// The mean of 2 by 2 pixels.
Value avg_pool(Network &net, const Value &x);
/// The mean of each channel: [batch, channels].
Value mean(Network &net, const Value &x);

Value relu6(Network &net, const Value &x);
Value sigmoid(Network &net, const Value &x);
/// Of each row of pixels.
Value softmax(Network &net, const Value &x);
/// Channels of groups, one of each after the other.
Value shuffle(Network &net, const Value &x, int64_t groups);

} // namespace networks

#endif // BELAY_NETWORKS_LAYERS_IMAGES_H
