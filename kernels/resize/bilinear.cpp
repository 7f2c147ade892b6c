// Bilinear interpolation of planes with W columns, h rows, to OW columns, oh
// rows. MultiKernelBench: resize/bilinear_upsample, resize/downsample_bilinear,
// resize/interpolate_dynamic. Planes are rows: x[plane][h * W + w]. The four
// neighbours of at most K outputs are gathered at once, from at most B inputs;
// places and weights are those of all planes.
#include "belay/ops/sampling.h"
#include "belay/ops/windows.h"
using namespace belay;

template <class T, i64 W, i64 OW, i64 B = ops::whole_rows(2048, W, 4),
          i64 K = ops::whole_rows(2048, OW, 1)>
[[belay::kernel]] void bilinear(In<T, dyn, dyn> x, Out<T, dyn, dyn> y, i64 h,
                                i64 oh) {
  expects(h >= 1 && h < 1 << 20 && oh >= 1 && oh < 1 << 20);
  expects(x.rows() == y.rows() && x.cols() == h * W && y.cols() == oh * OW);
  // Rows of the output that see at most B / W rows of the input; numbers of
  // places between rows stay below 2^24, which float has exactly.
  i64 seen = min((B / W - 3) * oh / h, (1 << 22) / h);
  i64 step = max(min(seen, K / OW), 1);
  // What they see, without a division that every proof would have to carry.
  i64 most = B / W, near = K / OW + 3, half = K / OW / 2 + 3;
  i64 rows = 2 * h <= oh ? half : h <= oh ? near : most;
  for (i64 o = 0; o < oh; o += step) {
    i64 n = min(oh - o, step);
    i64 at = ops::source_of(o, h, oh), last = max(h - 2, 0);
    i64 begin = max(at, 0) / (2 * oh), first = min(begin, last);
    i64 rest = min(at, 0) + max(at, 0) % (2 * oh) + (begin > last ? 2 * oh : 0);
    i64 some = min(min(h - first, rows), most);
    auto outputs = span<K>(0, K); // static, though the last may be fewer
    auto neighbours = span<4>(0, 4);
    auto row = ops::output_row<OW>(outputs);
    auto column = ops::output_column<OW>(outputs, row);
    auto right = max(column * float(2 * W) + float(W - OW), 0.0f);
    auto left = ops::whole_below(right, float(2 * OW), float(max(W - 2, 0)));
    auto across = ops::rest_of(right, left, float(2 * OW));
    auto below = max(row * float(2 * h) + float(rest), 0.0f);
    auto above = ops::whole_below(below, float(2 * oh), float(last - first));
    auto down = ops::rest_of(below, above, float(2 * oh));
    // Neighbours are numbered by rows: 0 and 1 above, 2 and 3 below.
    auto number = cast<float>(row_index<i32>(neighbours));
    auto lower = select(number > 1.5f, full_like(number, 1.0f), 0.0f);
    auto later = number - lower * 2.0f;
    auto zero = zeros<float>(neighbours, outputs);
    auto places = cast<i32>(
        zero + (above * float(W) + left) +
        (lower * float(h > 1 ? W : 0) + later * float(W > 1 ? 1 : 0)));
    auto weights =
        (zero + (1.0f - across) + later * (zero + (across * 2.0f - 1.0f))) *
        (zero + (1.0f - down) + lower * (zero + (down * 2.0f - 1.0f)));
    for (i64 p = core_index(); p < y.rows(); p += core_count()) {
      auto t = cast<float>(load(x[p], span<B>(first * W, some * W), T(0.0f)));
      auto value = col_sum(gather<Oob::clamp>(t, places) * weights);
      store(y[p], span<K>(o * OW, n * OW), cast<T>(value));
    }
  }
}
