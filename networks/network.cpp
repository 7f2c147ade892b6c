//===- network.cpp - A network on one device ------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "network.h"

#include <bit>
#include <cstdio>
#include <fstream>
#include <sstream>

using namespace networks;
using namespace belay::host;

static_assert(std::endian::native == std::endian::little);

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

[[noreturn]] static void fail(const std::string &why) {
  throw std::runtime_error(why);
}

static constexpr char FirstLine[] = "belay-arrays 1";

Arrays networks::read_arrays(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  if (!std::getline(file, line) || line != FirstLine)
    fail(path + " is no file of arrays");
  Arrays result;
  std::vector<Array *> order;
  while (std::getline(file, line) && !line.empty()) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    Array &array = result[name];
    for (int64_t extent; words >> extent;)
      array.shape.push_back(extent);
    order.push_back(&array);
  }
  const std::streamoff begin = file.tellg();
  file.seekg(0, std::ios::end);
  std::size_t left =
      static_cast<std::size_t>(file.tellg() - begin) / sizeof(float);
  file.seekg(begin);
  for (Array *array : order) {
    const auto count = static_cast<std::size_t>(count_of(array->shape));
    if (count > left)
      fail(path + " ends early");
    left -= count;
    array->values.resize(count);
    file.read(reinterpret_cast<char *>(array->values.data()),
              static_cast<std::streamsize>(count * sizeof(float)));
  }
  if (!file)
    fail(path + " cannot be read");
  return result;
}

void networks::write_arrays(const std::string &path, const Arrays &arrays) {
  std::ofstream file(path, std::ios::binary);
  file << FirstLine << "\n";
  for (const auto &[name, array] : arrays) {
    file << name;
    for (int64_t extent : array.shape)
      file << " " << extent;
    file << "\n";
  }
  file << "\n";
  for (const auto &[name, array] : arrays)
    file.write(
        reinterpret_cast<const char *>(array.values.data()),
        static_cast<std::streamsize>(array.values.size() * sizeof(float)));
  if (!file.flush())
    fail(path + " cannot be written");
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Pool::Memory Pool::take(std::size_t elements) {
  auto found = free_.lower_bound(elements);
  std::unique_ptr<DeviceBuffer<float>> buffer;
  // Four times as much would keep large memory from those that need it.
  if (found != free_.end() && found->first <= 4 * elements) {
    buffer = std::move(found->second);
    free_.erase(found);
  } else {
    buffer = std::make_unique<DeviceBuffer<float>>(
        DeviceBuffer<float>::uninitialised(device_, elements));
    bytes_ += elements * sizeof(float);
  }
  auto *raw = buffer.release();
  return {raw, [pool = shared_from_this()](DeviceBuffer<float> *memory) {
            pool->free_.emplace(memory->size(), memory);
          }};
}

Value Value::reshaped(Shape shape) const {
  int64_t known = 1;
  for (int64_t extent : shape)
    known *= extent == -1 ? 1 : extent;
  for (int64_t &extent : shape)
    if (extent == -1)
      extent = known ? count() / known : 0;
  if (count_of(shape) != count())
    fail("a value of " + std::to_string(count()) + " elements has no shape " +
         belay::host::detail::to_text(shape));
  Value result = *this;
  result.shape_ = std::move(shape);
  return result;
}

Value Value::part(int64_t first, int64_t count) const {
  if (first < 0 || count < 0 || first + count > extent(0))
    fail("a value has no such part");
  Value result = *this;
  const int64_t row = extent(0) ? this->count() / extent(0) : 0;
  result.first_ += first * row;
  result.shape_[0] = count;
  return result;
}

//===----------------------------------------------------------------------===//
// Networks
//===----------------------------------------------------------------------===//

Network::Network(std::string objects, Arrays arrays, uint32_t blocks)
    : objects_(std::move(objects)), arrays_(std::move(arrays)), blocks_(blocks),
      stream_(device_), pool_(std::make_shared<Pool>(device_)) {}

const Array &Network::host_array(const std::string &name) const {
  auto found = arrays_.find(name);
  if (found == arrays_.end())
    fail("there is no array " + name);
  return found->second;
}

const Value &Network::array(const std::string &name) {
  return prepared(name, [&] { return host_array(name); });
}

const Value &Network::prepared(const std::string &name,
                               const std::function<Array()> &make) {
  auto [found, is_new] = on_device_.try_emplace(name);
  if (is_new) {
    Array array = make();
    found->second =
        Value(std::make_shared<DeviceBuffer<float>>(
                  DeviceBuffer<float>::from(stream_, std::move(array.values))),
              std::move(array.shape));
  }
  return found->second;
}

Array Network::download(const Value &value) {
  std::vector<float> all = value.memory_->download(stream_).wait();
  const auto *begin = all.data() + value.first_;
  return {value.shape(), {begin, begin + value.count()}};
}

static int run(const Entry &entry, char **argv, uint32_t blocks) {
  Network network(argv[2], read_arrays(argv[3]), blocks);
  std::vector<Value> values = entry.run(network);
  Arrays results;
  for (std::size_t i = 0; i < values.size(); ++i)
    results["result" + std::to_string(i)] = network.download(values[i]);
  write_arrays(argv[4], results);
  std::printf("%s: %zu launches, %zu bytes of values\n", entry.name,
              network.launches(), network.bytes());
  return 0;
}

int networks::main_of(std::span<const Entry> entries, int argc, char **argv) {
  if (argc < 5 || argc > 6) {
    std::fprintf(stderr, "usage: %s NAME OBJECTS ARRAYS RESULTS [BLOCKS]\n",
                 argv[0]);
    for (const Entry &entry : entries)
      std::fprintf(stderr, "  %s\n", entry.name);
    return 2;
  }
  try {
    const auto blocks =
        argc == 6 ? static_cast<uint32_t>(std::stoul(argv[5])) : UINT32_MAX;
    for (const Entry &entry : entries)
      if (argv[1] == std::string(entry.name))
        return run(entry, argv, blocks);
    fail("there is no network " + std::string(argv[1]));
  } catch (const std::exception &failure) {
    std::fprintf(stderr, "%s: %s\n", argv[1], failure.what());
    return 1;
  }
}
