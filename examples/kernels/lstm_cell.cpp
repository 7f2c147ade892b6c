// A step of an LSTM: four gates of the input and of the state before, each a
// sum of two products, and the new state of both. Weights of the gates input,
// forget, cell and output are planes: wx is [4, I, H], wh [4, H, H], bias
// [4, H].
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 M = 64, i64 N = 64, i64 K = 128>
[[belay::kernel]] void
lstm_cell(In<T, dyn, dyn> x, In<T, dyn, dyn> h, In<float, dyn, dyn> c,
          In<T, 4, dyn, dyn> wx, In<T, 4, dyn, dyn> wh, In<float, 4, dyn> bias,
          Out<T, dyn, dyn> h_next, Out<float, dyn, dyn> c_next) {
  i64 batch = c_next.rows(), hidden = c_next.cols();
  expects(h_next.rows() == batch && h_next.cols() == hidden);
  expects(c.rows() == batch && c.cols() == hidden && bias.cols() == hidden);
  expects(x.rows() == batch && x.cols() == wx.extent(1));
  expects(h.rows() == batch && h.cols() == wh.extent(1));
  expects(wx.extent(2) == hidden && wh.extent(2) == hidden);
  for (auto w : my_tiles<M, N>(c_next)) {
    auto gate = [&](i64 g) {
      auto sum = zeros<float>(w);
      for (auto k : tiles<K>(x.cols()))
        sum += dot(load(x, w.row(), k), load(wx[g], k, w.col()));
      for (auto k : tiles<K>(h.cols()))
        sum += dot(load(h, w.row(), k), load(wh[g], k, w.col()));
      return sum + load(bias[g], w.col());
    };
    auto sigmoid = [](auto t) { return 1.0f / (1.0f + exp(-t)); };
    auto next = sigmoid(gate(1)) * load(c, w.row(), w.col()) +
                sigmoid(gate(0)) * tanh(gate(2));
    store(h_next, w.row(), w.col(), cast<T>(sigmoid(gate(3)) * tanh(next)));
    store(w, std::move(next));
  }
}
