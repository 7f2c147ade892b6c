//===- network.h - A network on one device ----------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the programs of this folder share: arrays with names, values on the
// device, and the stream that all kernels of a network are launched in. A
// network is a function of a Network and its inputs; sizes come from the
// weights, so that the same function serves any width.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_NETWORKS_NETWORK_H
#define BELAY_NETWORKS_NETWORK_H

#include "belay/host.h"

#include <functional>
#include <map>
#include <typeindex>

namespace networks {

using belay::host::Shape;

inline int64_t count_of(const Shape &shape) {
  return static_cast<int64_t>(belay::host::detail::count_of(shape));
}

/// Numbers on the host.
struct Array {
  Shape shape;
  std::vector<float> values;
};

/// Arrays by their names, as test/networks/arrays.py writes them: a line
/// `belay-arrays 1`, for each array a line with its name and its extents, an
/// empty line, then all elements as little-endian floats.
using Arrays = std::map<std::string, Array>;
Arrays read_arrays(const std::string &path);
void write_arrays(const std::string &path, const Arrays &arrays);

/// Device memory that is used again when the last value in it has gone. All
/// kernels are in one stream, so that the next use comes after the last one.
class Pool : public std::enable_shared_from_this<Pool> {
public:
  using Memory = std::shared_ptr<belay::host::DeviceBuffer<float>>;
  explicit Pool(const belay::host::Device &device) : device_(device) {}
  Memory take(std::size_t elements);
  std::size_t bytes() const { return bytes_; }

private:
  belay::host::Device device_;
  std::multimap<std::size_t, std::unique_ptr<belay::host::DeviceBuffer<float>>>
      free_;
  std::size_t bytes_ = 0;
};

/// A tensor on the device, or a part of one: row by row, without gaps.
class Value {
public:
  Value() = default;
  Value(Pool::Memory memory, Shape shape)
      : memory_(std::move(memory)), shape_(std::move(shape)) {}

  const Shape &shape() const { return shape_; }
  int64_t extent(std::size_t d) const { return shape_.at(d); }
  int64_t count() const { return count_of(shape_); }

  /// The same elements; an extent of -1 is what is left.
  Value reshaped(Shape shape) const;
  /// Some of the first dimension.
  Value part(int64_t first, int64_t count) const;

  /// \name As arguments of kernels.
  /// @{
  auto in() const {
    return shaped(memory_->in(first(), std::size_t(count())), shape_);
  }
  auto out() const {
    return shaped(memory_->out(first(), std::size_t(count())), shape_);
  }
  auto inout() const {
    return shaped(memory_->inout(first(), std::size_t(count())), shape_);
  }
  /// @}

private:
  friend class Network;
  std::size_t first() const { return static_cast<std::size_t>(first_); }
  Pool::Memory memory_;
  int64_t first_ = 0;
  Shape shape_;
};

class Network {
public:
  /// Objects of kernels are in a folder, by their entry points.
  Network(std::string objects, Arrays arrays, uint32_t blocks);

  Value make(Shape shape) { return {pool_->take(elements(shape)), shape}; }

  /// \name Arrays of the file.
  /// @{
  bool has(const std::string &name) const { return arrays_.contains(name); }
  const Array &host_array(const std::string &name) const;
  /// On the device, where it stays.
  const Value &array(const std::string &name);
  /// In the layout that a kernel wants, made once.
  const Value &prepared(const std::string &name,
                        const std::function<Array()> &make);
  /// @}

  template <typename Launcher, typename... Arguments>
  void launch(Arguments &&...arguments) {
    const auto &info = Launcher::info;
    kernel<Launcher>().launch(stream_, std::min(blocks_, info.cores),
                              std::forward<Arguments>(arguments)...);
    ++launches_;
  }

  Array download(const Value &value);
  std::size_t launches() const { return launches_; }
  std::size_t bytes() const { return pool_->bytes(); }

private:
  static std::size_t elements(const Shape &shape) {
    return static_cast<std::size_t>(count_of(shape));
  }

  template <typename Launcher> const belay::host::Kernel<Launcher> &kernel() {
    using Kernel = belay::host::Kernel<Launcher>;
    auto &found = kernels_[typeid(Launcher)];
    if (!found)
      found = std::make_shared<Kernel>(
          device_, objects_ + "/" + Launcher::info.entry + ".o");
    return *static_cast<const Kernel *>(found.get());
  }

  std::string objects_;
  Arrays arrays_;
  uint32_t blocks_;
  belay::host::Device device_;
  belay::host::Stream stream_;
  std::shared_ptr<Pool> pool_;
  std::map<std::string, Value> on_device_;
  std::map<std::type_index, std::shared_ptr<void>> kernels_;
  std::size_t launches_ = 0;
};

/// What a program offers.
struct Entry {
  const char *name;
  std::vector<Value> (*run)(Network &);
};

/// program NAME OBJECTS ARRAYS RESULTS [BLOCKS]: runs a network on the arrays
/// of a file and writes what it returns as result0, result1, ...
int main_of(std::span<const Entry> entries, int argc, char **argv);

} // namespace networks

#endif // BELAY_NETWORKS_NETWORK_H
