// Multi-head attention, put together on the host from operators: for each head
// softmax(q k^T / sqrt(d)) v, then the product with the output weights.
//
//   attention HEADS ROWS WIDTH q.bin k.bin v.bin weights.bin y.bin
//
// q, k and v are HEADS x ROWS x WIDTH; weights are HEADS*WIDTH x HEADS*WIDTH,
// and so is y ROWS x HEADS*WIDTH.
#include "../files.h"
#include "belay/host.h"

#include <cmath>
#include <cstdio>

using namespace belay::host;

int main(int argc, char **argv) {
  if (argc != 9)
    return std::fprintf(stderr, "usage: attention HEADS ROWS WIDTH q.bin k.bin "
                                "v.bin weights.bin y.bin\n"),
           2;
  try {
    int64_t heads = std::stol(argv[1]), rows = std::stol(argv[2]),
            width = std::stol(argv[3]), model = heads * width;

    Device device;
    Stream stream(device);
    auto load = [&](const char *path, Shape shape) {
      return Tensor<float>::from(stream, read_numbers<float>(path),
                                 std::move(shape));
    };
    auto q = load(argv[4], {heads, rows, width});
    auto k = load(argv[5], {heads, rows, width});
    auto v = load(argv[6], {heads, rows, width});
    auto weights = load(argv[7], {model, model});
    auto scores = Tensor<float>::uninitialised(device, {heads, rows, rows});
    auto shares = Tensor<float>::uninitialised(device, {heads, rows, rows});
    auto mixed = Tensor<float>::uninitialised(device, {heads, rows, width});
    auto joined = Tensor<float>::uninitialised(device, {rows, heads, width});
    auto y = Tensor<float>::uninitialised(device, {rows, model});

    matmul(stream, q, k.transposed(1, 2), scores);
    scale(stream, scores, 1 / std::sqrt(double(width)), scores);
    softmax(stream, scores, -1, shares);
    matmul(stream, shares, v, mixed);
    copy(stream, mixed.transposed(0, 1), joined); // heads side by side
    joined.reshape({rows, model});
    matmul(stream, joined, weights, y);
    write_numbers(argv[8], y.download(stream).wait());
  } catch (const std::exception &failure) {
    std::fprintf(stderr, "attention: %s\n", failure.what());
    return 1;
  }
}
