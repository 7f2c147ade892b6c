//===- language.cpp - Kernels of the language by their launchers ----------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// language FOLDER, with objects and launchers of Inputs/language_kernels.cpp:
// values of each kernel, and every launch that a proof does not cover.
//
//===----------------------------------------------------------------------===//

#include "add_to.h"
#include "product_relu.h"
#include "scale_rows_8.h"

#include "belay/host.h"

#include <cstdio>

using namespace belay::host;
namespace kernels = belay::kernels;

// What cannot be a launch does not compile.
using Scale = Kernel<kernels::scale_rows_8>;
template <typename... Arguments>
concept scales = requires(const Scale &scale, const Stream &stream,
                          Arguments &&...arguments) {
  scale.launch(stream, 1, std::forward<Arguments>(arguments)...);
};
static_assert(scales<Tensor<float> &, Tensor<float> &, float>);
static_assert(scales<const Tensor<float> &, Tensor<float> &, float>);
static_assert(!scales<Tensor<float> &, const Tensor<float> &, float>,
              "an output is not const");
static_assert(!scales<Tensor<half> &, Tensor<float> &, float>);
static_assert(!scales<Tensor<float> &, Tensor<float> &>);
static_assert(!scales<Tensor<float> &, Tensor<float> &, float, int>);
static_assert(!scales<std::vector<float> &, Tensor<float> &, float>);
static_assert(!scales<float *, float *, float>);

namespace {

int mistakes = 0, fired = 0;

template <typename T>
void same(const char *what, const std::vector<T> &is,
          const std::vector<T> &should) {
  if (is.size() == should.size() &&
      std::memcmp(is.data(), should.data(), is.size() * sizeof(T)) == 0)
    return;
  std::printf("%s: other values\n", what);
  ++mistakes;
}

/// The launch has to throw an error that says this.
template <typename Function>
void refused(const std::string &text, Function &&function) {
  ++fired;
  try {
    function();
    std::printf("nothing was thrown instead of: %s\n", text.c_str());
  } catch (const error &failure) {
    if (std::string(failure.what()).find(text) != std::string::npos)
      return;
    std::printf("'%s' instead of '%s'\n", failure.what(), text.c_str());
  }
  ++mistakes;
}

std::vector<float> numbers(std::size_t count) {
  std::vector<float> result(count);
  for (std::size_t i = 0; i < count; ++i)
    result[i] = float(i % 61) - 30;
  return result;
}

void scaling(const Device &device, const Stream &stream,
             const std::string &folder) {
  Scale scale(device, folder + "/scale_rows_8.o");
  const auto values = numbers(24);
  std::vector<float> twice(values);
  for (float &value : twice)
    value *= 2;
  auto x = Tensor<float>::from(stream, values, {3, 8});
  auto y = Tensor<float>::zeroed(stream, {3, 8});
  scale.launch(stream, 2, x, y, 2.0f);
  same("scale_rows", y.download(stream).wait(), twice);
  y.buffer().fill_bytes(stream, 0);
  scale(stream, x, y, 2.0f);
  same("scale_rows on all cores", y.download(stream).wait(), twice);

  // Buffers have no shape; parts of them have one of their own.
  auto z = DeviceBuffer<float>::zeroed(stream, 48);
  scale.launch(stream, 1, shaped(x.buffer(), {3, 8}),
               shaped(z.out(24, 24), {3, 8}), 2.0f);
  std::vector<float> half_of_it(48);
  std::copy(twice.begin(), twice.end(), half_of_it.begin() + 24);
  same("a part", z.download(stream).wait(), half_of_it);
  const auto &constant = x;
  scale.launch(stream, 1, shaped(constant, {3, 8}), y, 2.0f);
  // Nothing at all is a launch, too.
  auto none = Tensor<float>::uninitialised(device, {0, 8});
  auto nothing = Tensor<float>::uninitialised(device, {0, 8});
  scale.launch(stream, 1, none, nothing, 2.0f);

  // Extents that are numbers of the caller: nothing holds them to the memory.
  using Raw = Kernel<void(In<float>, Out<float>, int64_t, int64_t, float)>;
  refused("'scale_rows_8' is a kernel of the language, which was proven for "
          "what its launcher admits: include \"scale_rows_8.h\", which 'belay "
          "build' writes, and use Kernel<belay::kernels::scale_rows_8> "
          "[device-bad-launch]",
          [&] {
            Raw raw(Module(device, folder + "/scale_rows_8.o"), "scale_rows_8");
            raw.launch(stream, 1, x.buffer(), y.buffer(), 3, 1000000, 2.0f);
          });

  auto longer = Tensor<float>::zeroed(stream, {4, 8});
  auto flat = Tensor<float>::zeroed(stream, {24});
  auto wide = Tensor<float>::zeroed(stream, {2, 12});
  refused("language_kernels.cpp:8), but x.rows() is 3",
          [&] { scale.launch(stream, 1, x, longer, 2.0f); });
  refused("x.rows() is 3, y.rows() is 4 [expects-not-met]",
          [&] { scale.launch(stream, 1, x, longer, 2.0f); });
  refused("scale_rows<8> takes 2 dimensions as argument 1, not 24 [bad-extent]",
          [&] { scale.launch(stream, 1, x, flat, 2.0f); });
  refused("takes 'y', whose extent 1 is 8, not 12 [bad-extent]",
          [&] { scale.launch(stream, 1, x, wide, 2.0f); });
  refused("[bad-block-count]", [&] { scale.launch(stream, 0, x, y, 2.0f); });
  refused("[bad-block-count]",
          [&] { scale.launch(stream, 70000, x, y, 2.0f); });
  refused("[argument-overlap]", [&] {
    scale.launch(stream, 1, shaped(z.in(0, 24), {3, 8}),
                 shaped(z.out(16, 24), {3, 8}), 2.0f);
  });
  refused("shape 3x9 of 24 elements",
          [&] { scale.launch(stream, 1, shaped(x, {3, 9}), y, 2.0f); });
}

void adding(const Device &device, const Stream &stream,
            const std::string &folder) {
  Kernel<kernels::add_to> add(Module(device, folder + "/add_to.o"));
  constexpr half one{0x3c00}, two{0x4000};
  auto x = DeviceBuffer<half>::from(stream, std::vector<half>(1000, one));
  auto y = DeviceBuffer<half>::from(stream, std::vector<half>(1000, one));
  add.launch(stream, 3, x, y);
  same("add_to", y.download(stream).wait(), std::vector<half>(1000, two));
  // Uses in another stream are ordered.
  Stream other(device);
  add.launch(other, 1, x, y);
  same("add_to in another stream", y.download(stream).wait(),
       std::vector<half>(1000, half{0x4200}));
}

void product(const Device &device, const Stream &stream,
             const std::string &folder) {
  Kernel<kernels::product_relu> multiply(device, folder + "/product_relu.o");
  constexpr half one{0x3c00}, minus{0xbc00};
  auto a =
      Tensor<half>::from(stream, std::vector<half>(70 * 90, one), {70, 90});
  auto b =
      Tensor<half>::from(stream, std::vector<half>(90 * 66, one), {90, 66});
  auto c = Tensor<float>::uninitialised(device, {70, 66});
  multiply.launch(stream, 2, a, b, c);
  same("product_relu", c.download(stream).wait(),
       std::vector<float>(70 * 66, 90));
  a.buffer().upload(stream, std::vector<half>(70 * 90, minus));
  for (int repeat = 0; repeat < 3; ++repeat)
    multiply(stream, a, b, c);
  same("product_relu of less than 0", c.download(stream).wait(),
       std::vector<float>(70 * 66, 0));
  refused("[expects-not-met]", [&] { multiply.launch(stream, 2, b, a, c); });
  refused("[bad-block-count]", [&] { multiply.launch(stream, 25, a, b, c); });
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  try {
    Device device;
    Stream stream(device);
    scaling(device, stream, argv[1]);
    adding(device, stream, argv[1]);
    product(device, stream, argv[1]);
  } catch (const error &failure) {
    std::printf("thrown: %s\n", failure.what());
    ++mistakes;
  }
  std::printf("%d refused, %d wrong, dropped error %d\n", fired, mistakes,
              take_dropped_error());
  return mistakes != 0;
}
