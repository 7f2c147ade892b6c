// A transposed convolution of volumes with stride S, lines of W columns
// normalized, and scaled gelu. Scale and shift are those of columns.
// MultiKernelBench: fuse/conv_transpose3d_layer_norm_gelu_scaling.
#include "belay/ops/activations.h"
#include "belay/ops/normalize.h"
#include "belay/ops/standardize.h"
using namespace belay;

template <class T, i64 KD, i64 KH, i64 KW, i64 S, i64 W, i64 M = 32, i64 C = 64>
[[belay::kernel]] void conv_transpose3d_layer_norm_gelu_scaling(
    In<T, dyn, dyn, dyn, dyn, dyn> x, In<T, KD * KH * KW, dyn, dyn> f,
    In<float> bias, In<float, W> gamma, In<float, W> beta,
    InOut<float, dyn, dyn, dyn, dyn, W> y, i64 pad, float eps, float factor) {
  expects(x.extent(0) == y.extent(0) && f.extent(2) == x.extent(1));
  expects(f.extent(1) == y.extent(1) && bias.size() == y.extent(1));
  expects(y.extent(0) <= 1 << 20 && y.extent(1) <= 1 << 20);
  expects(x.extent(2) >= 1 && x.extent(3) >= 1);
  expects(pad >= 0 && pad <= 4096);
  auto g = load(gamma), b = load(beta);
  for (auto w : my_tiles<M, W>(permuted<0, 2, 3, 1, 4>(y))) {
    i64 n = w.plane(0), d = w.plane(1), h = w.plane(2);
    auto line = slice<1>(slice<1>(y[n], d), h);
    ops::each_phase<S>(w.col(), [&](i64 phase, auto cols) {
      store(strided<1>(line, phase, S), w.row(), cols,
            ops::spread_line<KD, KH, KW, S, S, C>(x[n], f, bias, w.row(), d, h,
                                                  phase, cols, pad));
    });
    auto t = ops::layer_norm(load(line, w.row(), w.col()), g, b, eps);
    store(w, ops::gelu(t) * factor);
  }
}
