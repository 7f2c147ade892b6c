// A convolution of images, which are volumes of one plane, then at most a
// number, plus one for each output, scaled.
// MultiKernelBench: fuse/conv2d_min_add_multiply.
#include "belay/ops/volumes.h"
using namespace belay;

template <class T, i64 KH, i64 KW, i64 M = 64, i64 N = 128, i64 C = 64>
[[belay::kernel]] void conv2d_min_add_multiply(In<T, dyn, dyn, 1, dyn, dyn> x,
                                               In<T, KH * KW, dyn, dyn> f,
                                               In<float> bias, In<float> add,
                                               Out<T, dyn, dyn, 1, dyn, dyn> y,
                                               float most, float factor) {
  expects(x.extent(0) == y.extent(0) && f.extent(1) == y.extent(1));
  expects(f.extent(2) == x.extent(1) && bias.size() == y.extent(1));
  expects(x.extent(3) >= 1);
  expects(add.size() == y.extent(1));
  ops::conv_map<1, KH, KW, M, N, C>(x, f, bias, y, [&](const auto &t, auto o) {
    return (min(t, most) + load_column(add, o)) * factor;
  });
}
