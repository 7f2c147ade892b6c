// A transposed convolution of volumes with stride S, then another volume z is
// added, and t * hardswish(t). Phases of a line are stored before all of it is
// read.
// MultiKernelBench: fuse/conv_transpose3d_add_hard_swish.
#include "belay/ops/activations.h"
#include "belay/ops/volumes.h"
using namespace belay;

template <class T, i64 KD, i64 KH, i64 KW, i64 S, i64 M = 64, i64 N = 64,
          i64 C = 64>
[[belay::kernel]] void conv_transpose3d_add_hard_swish(
    In<T, dyn, dyn, dyn, dyn, dyn> x, In<T, KD * KH * KW, dyn, dyn> f,
    In<float> bias, In<float, dyn, dyn, dyn, dyn, dyn> z,
    InOut<float, dyn, dyn, dyn, dyn, dyn> y, i64 pad) {
  expects(x.extent(0) == y.extent(0) && f.extent(2) == x.extent(1));
  expects(bias.size() == f.extent(1) && x.extent(2) >= 1 && x.extent(3) >= 1);
  expects(f.extent(1) == y.extent(1) && z.extent(0) == y.extent(0));
  expects(z.extent(1) == y.extent(1) && z.extent(2) == y.extent(2));
  expects(z.extent(3) == y.extent(3) && z.extent(4) == y.extent(4));
  expects(pad >= 0 && pad <= 4096);
  for (auto w : my_tiles<M, N>(permuted<0, 2, 3, 1, 4>(y))) {
    i64 n = w.plane(0), d = w.plane(1), h = w.plane(2);
    auto line = slice<1>(slice<1>(y[n], d), h);
    ops::each_phase<S>(w.col(), [&](i64 phase, auto cols) {
      store(strided<1>(line, phase, S), w.row(), cols,
            ops::spread_line<KD, KH, KW, S, S, C>(x[n], f, bias, w.row(), d, h,
                                                  phase, cols, pad));
    });
    auto t = load(line, w.row(), w.col()) +
             load(slice<1>(slice<1>(z[n], d), h), w.row(), w.col());
    store(w, t * ops::hardswish(t));
  }
}
