//===- checks.cpp - What the host library finds at run time ---------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// checks OBJECT MODEL, with two devices: each check is made to fire, and the
// same program without the mistake passes. refused.cpp has what compilers find.
//
//===----------------------------------------------------------------------===//

#include "belay/host.h"

#include <cstdio>

using namespace belay::host;

namespace {

int mistakes = 0, fired = 0;

/// The function has to throw an error that says this.
template <typename Function>
void refused(const std::string &text, Function &&function) {
  try {
    function();
    std::printf("nothing was thrown instead of: %s\n", text.c_str());
    ++mistakes;
  } catch (const error &failure) {
    if (std::string(failure.what()).find(text) == std::string::npos) {
      std::printf("'%s' instead of '%s'\n", failure.what(), text.c_str());
      ++mistakes;
    }
    // what() begins with the function, and has the message in it.
    if (failure.function().empty() ||
        !std::string(failure.what()).starts_with(failure.function()) ||
        std::string(failure.what()).find(failure.message()) ==
            std::string::npos) {
      std::printf("'%s' is not of '%s'\n", failure.what(),
                  failure.function().c_str());
      ++mistakes;
    }
    ++fired;
  }
}

template <typename Function> void passes(Function &&function) {
  try {
    function();
  } catch (const error &failure) {
    std::printf("thrown: %s\n", failure.what());
    ++mistakes;
  }
}

using Add = Kernel<void(In<float>, In<float>, Out<float>, int32_t)>;
using Buffer = DeviceBuffer<float>;

struct Scene {
  Scene(const char *object, std::string model)
      : first(0), second(1), stream(first), other(second), model(model),
        add(Module(first, object), "add") {}
  Buffer make() const { return Buffer::zeroed(stream, 1024); }

  Device first, second;
  Stream stream, other;
  std::string model;
  Add add;
};

void devices(Scene &s) { // H7
  auto x = s.make(), y = s.make(), z = s.make();
  auto far = Buffer::zeroed(s.other, 1024);
  const std::string text = "the stream belongs to device ";
  refused(text + "1, the memory to device 0",
          [&] { x.fill_bytes(s.other, 1); });
  refused(text + "1, the memory to device 0",
          [&] { x.upload(s.other, std::vector<float>(1024)); });
  refused(text + "1, the memory to device 0",
          [&] { (void)x.download(s.other); });
  refused(text + "0, the memory to device 1",
          [&] { s.add.launch(s.stream, 8, x, far, z, 1024); });
  passes([&] { s.add.launch(s.stream, 8, x, y, z, 1024); });
  Event event(s.first);
  TimingEvent timing(s.first);
  refused("the stream belongs to another device",
          [&] { event.record(s.other); });
  refused("the stream belongs to another device",
          [&] { timing.record(s.other); });
  passes([&] { event.record(s.stream), timing.record(s.stream); });
}

void time(Scene &s) { // H10
  Stream another(s.first);
  TimingEvent start(s.first), end(s.first), elsewhere(s.first);
  refused("time passes between two events of the same stream",
          [&] { (void)(end - start); });
  start.record(s.stream);
  elsewhere.record(another);
  refused("time passes between two events of the same stream",
          [&] { (void)(elsewhere - start); });
  end.record(s.stream);
  passes([&] { (void)(end - start); });
}

void bounds(Scene &s) { // H16
  auto x = s.make(), y = s.make(), z = s.make();
  refused("elements 1000 to 1025 of 1024", [&] { (void)x.in(1000, 25); });
  refused("elements 1025 to 1025 of 1024", [&] { (void)x.out(1025, 0); });
  refused("elements 1 to", [&] { (void)x.inout(1, SIZE_MAX); });
  refused("1023 elements for 1024",
          [&] { x.upload(s.stream, std::vector<float>(1023)); });
  refused("elements have no size",
          [&] { (void)Buffer::uninitialised(s.first, SIZE_MAX / 2); });
  passes([&] {
    s.add.launch(s.stream, 1, x.in(512, 512), y.in(0, 512), z.out(512, 512),
                 512);
    (void)Buffer::zeroed(s.stream, 0).download(s.stream).wait();
  });
}

void aliases(Scene &s) { // H16
  auto x = s.make(), z = s.make();
  const std::string text =
      "memory arguments 0 and 2 overlap, and one of them is written";
  refused(text, [&] { s.add.launch(s.stream, 8, x, z, x, 1024); });
  refused(text, [&] {
    s.add.launch(s.stream, 1, x.in(0, 512), z.in(0, 512), x.out(511, 512), 512);
  });
  passes([&] {
    s.add.launch(s.stream, 8, x, x, z, 1024); // two reads
    s.add.launch(s.stream, 1, x.in(0, 512), z.in(0, 512), x.out(512, 512), 512);
  });
}

/// Handles in members, which no compiler follows.
struct Holder {
  explicit Holder(const Scene &s)
      : stream(s.first), event(s.first), timing(s.first), buffer(s.make()),
        pending(buffer.download(stream)) {}
  Stream stream;
  Event event;
  TimingEvent timing;
  Buffer buffer;
  Pending<float> pending;
};

void moved(Scene &s) {
  Holder h(s);
  auto x = s.make(), z = s.make();
  passes([&] {
    h.event.record(h.stream), h.timing.record(h.stream);
    h.event.synchronize(), h.timing.synchronize();
    h.stream.wait(h.event);
    h.stream.call([] {});
    s.add.launch(h.stream, 8, h.buffer, x, z, 1024);
    (void)std::move(h.pending).wait();
    h.stream.synchronize();
  });
  refused("the result has been given out",
          [&] { (void)std::move(h.pending).wait(); });
  Buffer buffer = std::move(h.buffer);
  refused("DeviceBuffer: it was moved from",
          [&] { s.add.launch(s.stream, 8, h.buffer, x, z, 1024); });
  refused("DeviceBuffer: it was moved from",
          [&] { h.buffer.fill_bytes(s.stream, 0); });
  refused("DeviceBuffer: it was moved from",
          [&] { (void)h.buffer.download(s.stream); });
  Event event = std::move(h.event);
  refused("Event: it was moved from", [&] { h.event.record(s.stream); });
  refused("Event: it was moved from", [&] { h.event.synchronize(); });
  refused("Event: it was moved from", [&] { s.stream.wait(h.event); });
  TimingEvent timing = std::move(h.timing);
  refused("TimingEvent: it was moved from", [&] { h.timing.record(s.stream); });
  refused("TimingEvent: it was moved from", [&] { h.timing.synchronize(); });
  Stream stream = std::move(h.stream);
  refused("Stream: it was moved from", [&] { h.stream.synchronize(); });
  refused("Stream: it was moved from", [&] { h.stream.call([] {}); });
  refused("Stream: it was moved from",
          [&] { s.add.launch(h.stream, 8, buffer, x, z, 1024); });
}

void tensors(Scene &s) { // H18, H19
  auto a = Tensor<float>::zeroed(s.stream, {4, 8});
  auto b = Tensor<float>::zeroed(s.stream, {8, 4});
  auto c = Tensor<float>::zeroed(s.stream, {4, 4});
  refused("a shape with an extent of -1",
          [&] { (void)Tensor<float>::uninitialised(s.first, {-1}); });
  refused("shape 5x3 of 4 elements",
          [&] { Tensor<float> bad(Buffer::zeroed(s.stream, 4), {5, 3}); });
  refused("shape 3x3 of 32 elements", [&] { a.reshape({3, 3}); });
  refused("has no dimensions 0 and 2", [&] { (void)a.transposed(0, 2); });
  refused("161002", [&] { matmul(s.stream, a, a, c); });
  refused("the output overlaps an input", [&] { softmax(s.stream, c, 0, c); });
  refused("the stream belongs to device 1", [&] { matmul(s.other, a, b, c); });
  passes([&] {
    matmul(s.stream, a, b, c);
    matmul(s.stream, b.transposed(0, 1), a.transposed(0, 1), c);
    add(s.stream, c, c, c); // in place
  });
  struct {
    Operation op;
  } held{operations::relu(a, a)};
  passes([&] { std::move(held.op).run(s.stream); });
  refused("the operation has run", [&] { std::move(held.op).run(s.stream); });
  // Never run: nothing is left behind.
  passes([&] { Operation dropped = operations::exp(a, a); });
}

void products(Scene &s) {
  auto a = Tensor<int8_t>::from(s.stream, {1, 2, 3, 4, 5, 6}, {2, 3});
  auto b = Tensor<int8_t>::from(s.stream, {1, 0, 0, 1, 1, 1}, {3, 2});
  auto c = Tensor<int32_t>::from(s.stream, {1, 1, 1, 1}, {2, 2});
  refused("2x3 times 2x3 is not 2x2", [&] { gemm(s.stream, a, a, c); });
  refused("the stream belongs to device 1", [&] { gemm(s.other, a, b, c); });
  passes([&] { gemm(s.stream, a, b, c, 1, 10); });
  if (c.download(s.stream).wait() != std::vector<int32_t>{14, 15, 20, 21}) {
    std::printf("a product is wrong\n");
    ++mistakes;
  }
}

void models(Scene &s) { // H20 to H22
  Model model(s.first, s.model);
  auto x = Buffer::from(s.stream, std::vector<float>(1024, 2));
  auto y = Buffer::from(s.stream, std::vector<float>(1024, 3));
  auto z = s.make();
  Stream second(s.first);
  refused("the model has 2 inputs; got 1",
          [&] { model.execute(s.stream, {x}, {z}); });
  refused("the model has 1 outputs; got 0",
          [&] { model.execute(s.stream, {x, y}, {}); });
  auto small = Buffer::zeroed(s.stream, 1023);
  refused("output 0 has 4096 bytes; got 4092",
          [&] { model.execute(s.stream, {x, y}, {small}); });
  refused("an output overlaps another buffer",
          [&] { model.execute(s.stream, {x, y}, {x}); });
  refused("the stream belongs to another context",
          [&] { model.execute(s.other, {x, y}, {z}); });
  auto own = Context::create(s.first);
  Stream apart(own);
  refused("the stream belongs to another context",
          [&] { model.execute(apart, {x, y}, {z}); });
  refused("offline models hold NPU code",
          [&] { Model bad(s.first, "/proc/self/exe"); });
  std::optional<Pending<float>> result;
  passes([&] {
    for (int n = 0; n < 10; ++n) // two streams, ordered by the library
      model.execute(n % 2 ? second : s.stream, {x, y}, {z});
    Model gone = std::move(model); // executions keep it
    result.emplace(z.download(s.stream));
  });
  refused("Model: it was moved from",
          [&] { model.execute(s.stream, {x, y}, {z}); });
  if (std::move(*result).wait() != std::vector<float>(1024, 5)) {
    std::printf("a model's result is wrong\n");
    ++mistakes;
  }
}

void pictures(Scene &s) { // H24
  PictureChannel channel(s.first);
  std::vector<uint8_t> grey(40 * 20);
  for (std::size_t n = 0; n < grey.size(); ++n)
    grey[n] = uint8_t(n % 40); // the same in each row
  auto large = Picture::from(s.stream, pixels::grey, 40, 20, grey);
  auto small = Picture::uninitialised(s.first, pixels::grey, 20, 10);
  auto colour = Picture::uninitialised(s.first, pixels::rgb, 20, 10);
  auto far = Picture::uninitialised(s.second, pixels::grey, 20, 10);
  refused("9 x 20 pixels; 10 x 6 to 4096 x 4096 can be",
          [&] { (void)Picture::uninitialised(s.first, pixels::grey, 9, 20); });
  refused("width and height of nv12 and nv21 are even",
          [&] { (void)Picture::uninitialised(s.first, pixels::nv21, 21, 20); });
  refused("799 bytes for 800",
          [&] { large.upload(s.stream, std::vector<uint8_t>(799)); });
  refused("a picture cannot be resized into itself",
          [&] { channel.resize(s.stream, large, large); });
  refused("the pictures have different formats",
          [&] { channel.resize(s.stream, large, colour); });
  refused("the stream belongs to device 0, the memory to device 1",
          [&] { channel.resize(s.stream, large, far); });
  refused("the stream belongs to device 1",
          [&] { (void)small.download(s.other); });
  refused("the stream belongs to another device", [&] {
    auto other = Picture::uninitialised(s.second, pixels::grey, 40, 20);
    channel.resize(s.other, other, far);
  });
  passes([&] { channel.resize(s.stream, large, small); });
  auto result = small.download(s.stream).wait();
  bool right = result.size() == 200;
  for (std::size_t n = 0; right && n < result.size(); ++n)
    right = result[n] == 2 * (n % 20) + 1; // half way between two
  right &= large.download(s.stream).wait() == grey;
  if (!right) {
    std::printf("a picture is wrong\n");
    ++mistakes;
  }
}

void profiling(Scene &s) { // H25
  Profiler profiler("folder");
  refused("another profiler of this process", [] { Profiler other("folder"); });
  refused("no device is named", [&] {
    (void)profiler.start(std::vector<Device>(), profile::task_time);
  });
  struct {
    ProfilingSession session;
  } held{profiler.start(s.first, profile::task_time)};
  passes([&] { std::move(held.session).stop(); });
  refused("ProfilingSession: it was moved from",
          [&] { std::move(held.session).stop(); });
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  {
    Scene scene(argv[1], argv[2]);
    for (auto *check : {devices, time, bounds, aliases, moved, tensors,
                        products, models, pictures, profiling})
      check(scene);
    passes([&] { scene.stream.synchronize(); });
  }
  int dropped = take_dropped_error();
  std::printf("%d fired, %d wrong, dropped error %d\n", fired, mistakes,
              dropped);
  return mistakes || dropped;
}
