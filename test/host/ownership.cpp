//===- ownership.cpp - What owners make impossible ------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ownership OBJECT MODEL, with two devices: for each hazard of docs/host.md
// that ownership prevents, the program that comes as near to it as C++ lets
// one: things are dropped in the worst order, while the device is at work.
// Built with the sanitizers; neither they nor the simulated device may have
// anything to report, and the results have to be right.
//
//===----------------------------------------------------------------------===//

#include "belay/host.h"

#include <cstdio>
#include <cstring>
#include <functional>
#include <thread>

using namespace belay::host;

namespace {

constexpr int32_t N = 1024;
const char *object, *om;
int mistakes = 0;

using Buffer = DeviceBuffer<float>;
using Add = Kernel<void(In<float>, In<float>, Out<float>, int32_t)>;

void expect(const std::vector<float> &values, float value, const char *where) {
  if (values == std::vector<float>(values.size(), value) && !values.empty())
    return;
  std::printf("%s: %g instead of %g\n", where, values.empty() ? 0 : values[0],
              value);
  ++mistakes;
}

Buffer full(const Stream &stream, float value) {
  return Buffer::from(stream, std::vector<float>(N, value));
}

/// A task that is still there when the next lines have run.
void delay(const Stream &stream) {
  stream.call(
      [] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); });
}

void H1() { // the device goes first
  std::optional<Device> device(0);
  Stream stream(*device);
  auto x = full(stream, 1);
  device.reset();
  expect(x.download(stream).wait(), 1, "H1");
}

void H2() { // the context goes before its stream
  std::optional<Context> context(Context::create(Device()));
  Stream stream(*context);
  context.reset();
  expect(full(stream, 2).download(stream).wait(), 2, "H2");
}

void H3() { // ACL goes while a thread works
  std::optional<Acl> acl(std::in_place);
  std::thread worker;
  {
    Stream stream{Device(*acl, 0)};
    worker = std::thread([stream = std::move(stream)] {
      delay(stream);
      expect(full(stream, 3).download(stream).wait(), 3, "H3");
    });
  }
  acl.reset();
  worker.join();
}

void H4() { // inputs go under the kernel
  Stream stream{Device()};
  auto z = Buffer::zeroed(stream, N);
  {
    Add add(Module(Device(), object), "add");
    auto x = full(stream, 1), y = full(stream, 3);
    delay(stream);
    add.launch(stream, 8, x, y, z, N);
  }
  expect(z.download(stream).wait(), 4, "H4");
}

void H5() { // the source goes under the copy
  Stream stream{Device()};
  auto x = Buffer::uninitialised(Device(), N);
  {
    std::vector<float> source(N, 5);
    delay(stream);
    x.upload(stream, std::move(source));
    source.assign(N, 6);
  }
  (void)x.download(stream); // and a result that nobody takes
  expect(x.download(stream).wait(), 5, "H5");
}

void H6() { // a stream goes with work in it
  std::optional<Stream> stream(Device{});
  auto x = full(*stream, 6);
  delay(*stream);
  x.fill_bytes(*stream, 0);
  stream.reset();
  Stream other{Device()};
  expect(x.download(other).wait(), 0, "H6");
}

void H8() { // a thread that never set a device
  Device first(0), second(1);
  Stream here(first), there(second);
  std::thread([&] {
    auto x = full(there, 8), y = full(here, 9);
    expect(y.download(here).wait(), 9, "H8");
    expect(x.download(there).wait(), 8, "H8");
  }).join();
}

void H9() { // a context outlives all names of its device
  std::optional<Context> context;
  {
    Device device(1);
    context.emplace(Context::create(device));
  }
  Stream stream(*context);
  expect(full(stream, 9).download(stream).wait(), 9, "H9");
}

void H12() { // a message is read after other calls
  std::optional<error> kept;
  try {
    Model bad(Device(), "/proc/self/exe");
  } catch (const error &failure) {
    kept.emplace(failure);
  }
  Stream stream{Device()};
  expect(full(stream, 12).download(stream).wait(), 12, "H12");
  if (!kept || !std::strstr(kept->what(), "NPU code"))
    ++mistakes, std::printf("H12: the text is lost\n");
}

void H13() { // what a callback holds is the last of its kind
  Stream stream{Device()};
  auto x = std::make_shared<Buffer>(full(stream, 13));
  stream.call([x] {});
  x.reset();
  stream.synchronize();
}

void H15() { // the code goes under the kernel
  Stream stream{Device()};
  auto x = full(stream, 7), z = Buffer::zeroed(stream, N);
  delay(stream);
  Add(Module(Device(), object), "add").launch(stream, 8, x, x, z, N);
  expect(z.download(stream).wait(), 14, "H15");
}

void H18() { // an operation that is never run, and one that runs at once
  Stream stream{Device()};
  auto x = Tensor<float>::from(stream, std::vector<float>(N, -1), {N});
  {
    Operation never = operations::relu(x, x);
  }
  operations::relu(x, x).run(stream);
  expect(x.download(stream).wait(), 0, "H18");
}

void H19() { // tensors go before the operation runs
  Stream stream{Device()};
  auto z = Tensor<float>::zeroed(stream, {N});
  std::optional<Operation> sum;
  {
    auto x = Tensor<float>::from(stream, std::vector<float>(N, 9), {N});
    auto y = Tensor<float>::from(stream, std::vector<float>(N, 10), {N});
    sum.emplace(operations::add(x, y, z));
  }
  delay(stream);
  std::move(*sum).run(stream);
  expect(z.download(stream).wait(), 19, "H19");
}

void H20() { // two streams at one model
  Device device;
  Stream first(device), second(device);
  Model model(device, om);
  auto x = full(first, 10), z = Buffer::zeroed(first, N);
  for (int n = 0; n < 4; ++n) {
    delay(n % 2 ? first : second);
    model.execute(n % 2 ? first : second, {x, x}, {z});
  }
  expect(z.download(first).wait(), 20, "H20");
}

void H21() { // model, inputs and output go while it is executed
  Stream stream{Device()};
  auto z = Buffer::zeroed(stream, N);
  {
    Model model(Device(), om);
    auto x = full(stream, 10), y = full(stream, 11);
    delay(stream);
    model.execute(stream, {x, y}, {z});
  }
  expect(z.download(stream).wait(), 21, "H21");
}

void H22() { // an output that nobody keeps
  Stream stream{Device()};
  Model model(Device(), om);
  auto x = full(stream, 1);
  auto z = Buffer::uninitialised(Device(), N);
  delay(stream);
  model.execute(stream, {x, x}, {z});
}

void H23() { // communicators go while their collectives run
  std::vector<Device> devices = {Device(0), Device(1)};
  std::vector<Stream> streams;
  std::vector<Buffer> values;
  for (int r = 0; r < 2; ++r) {
    streams.emplace_back(devices[r]);
    values.push_back(full(streams[r], 11.5));
  }
  {
    std::vector<Communicator> ranks = Communicator::all(devices);
    for (int r = 0; r < 2; ++r) {
      delay(streams[r]);
      ranks[r].all_reduce(streams[r], values[r], reduce::sum);
    }
  }
  for (int r = 0; r < 2; ++r)
    expect(values[r].download(streams[r]).wait(), 23, "H23");
}

void H24() { // channel and picture go while they are resized
  Stream stream{Device()};
  auto small = Picture::uninitialised(Device(), pixels::nv12, 34, 18);
  {
    PictureChannel channel{Device()};
    auto large =
        Picture::from(stream, pixels::nv12, 102, 54,
                      std::vector<uint8_t>(std::size_t(102) * 54 * 3 / 2, 24));
    delay(stream);
    channel.resize(stream, large, small);
  }
  auto bytes = small.download(stream).wait();
  expect({bytes.begin(), bytes.end()}, 24, "H24");
}

void H25() { // the profiler goes before its sessions
  std::optional<ProfilingSession> first, second;
  {
    Profiler profiler("folder");
    first.emplace(profiler.start(Device(0), profile::task_time));
    second.emplace(
        profiler.start(Device(1), profile::acl_calls | profile::memory));
  }
  Stream stream{Device()};
  expect(full(stream, 25).download(stream).wait(), 25, "H25");
  std::move(*first).stop();
  second.reset();
  Profiler again("folder");
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  object = argv[1];
  om = argv[2];
  int count = 0;
  for (auto *each : {H1, H2, H3, H4, H5, H6, H8, H9, H12, H13, H15, H18, H19,
                     H20, H21, H22, H23, H24, H25}) {
    try {
      each();
    } catch (const error &failure) {
      std::printf("case %d: %s\n", count, failure.what());
      ++mistakes;
    }
    ++count;
  }
  int dropped = take_dropped_error();
  std::printf("%d hazards, %d wrong, dropped error %d\n", count, mistakes,
              dropped);
  return mistakes || dropped;
}
