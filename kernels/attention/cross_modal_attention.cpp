// Multi-head attention of queries of a text to keys and values of an image:
// both are projected to E columns, then as in cross_attention. A batch is one
// core's; words, pixels, q and kv are room for it.
// MultiKernelBench: attention/cross_modal_attention.
#include "belay/ops/attention.h"
using namespace belay;

template <class T, i64 D, i64 M = 64, i64 N = 128, i64 K = 128>
[[belay::kernel]] void
cross_modal_attention(In<T, dyn, dyn, dyn> text, In<T, dyn, dyn, dyn> image,
                      In<T, dyn, dyn> text_weights, In<float> text_bias,
                      In<T, dyn, dyn> image_weights, In<float> image_bias,
                      In<T, 3, dyn, dyn> weights, In<float, 3, dyn> biases,
                      In<T, dyn, dyn> out_weights, In<float> out_bias,
                      InOut<T, 2, dyn, dyn, dyn> words,
                      InOut<T, 3, dyn, dyn, dyn> pixels,
                      Out<T, dyn, dyn, dyn> y, float scale) {
  i64 n = y.extent(0), l = y.extent(1), e = y.extent(2), s = image.extent(1);
  expects(text.extent(0) == n && text.extent(1) == l && image.extent(0) == n);
  expects(words.extent(1) == n && words.extent(2) == l && words.extent(3) == e);
  expects(pixels.extent(1) == n && pixels.extent(2) == s);
  expects(pixels.extent(3) == e && text_weights.rows() == e);
  expects(text_weights.cols() == text.extent(2) && text_bias.size() == e);
  expects(image_weights.cols() == image.extent(2) && image_bias.size() == e);
  expects(image_weights.rows() == e && biases.cols() == e);
  expects(weights.extent(1) == e && weights.extent(2) == e);
  expects(out_bias.size() == e && out_weights.rows() == e);
  expects(out_weights.cols() == e && e % D == 0);
  expects(l <= 1 << 28 && s >= 1 && s <= 1 << 28);
  for (i64 b = core_index(); b < n; b += core_count()) {
    ops::project<M, N, K>(text[b], text_weights, text_bias, words[0][b]);
    ops::project<M, N, K>(image[b], image_weights, image_bias, pixels[0][b]);
    ops::attention_layer<D, 1, M, N, K>(
        words[0][b], pixels[0][b], weights[0], weights[1], weights[2],
        out_weights, biases[0], biases[1], biases[2], out_bias, words[1][b],
        pixels[1][b], pixels[2][b], y[b], scale, 1 << 29, 1 << 29);
  }
}
