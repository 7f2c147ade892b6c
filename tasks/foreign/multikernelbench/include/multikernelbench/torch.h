//===- torch.h - As much of PyTorch's C++ as bindings of kernels need *- C++
//-*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Host code of candidates is compiled against this instead of PyTorch. Tensors
// have shapes and addresses, but no elements: all that a binding can do is to
// ask for tensors and to launch kernels, and both are written down. What is not
// here does not compile.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MULTIKERNELBENCH_TORCH_H
#define BELAY_MULTIKERNELBENCH_TORCH_H

#include "multikernelbench/record.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <sstream>
#include <tuple>

namespace c10 {

enum class ScalarType : int8_t {
  Byte = 0,
  Char = 1,
  Short = 2,
  Int = 3,
  Long = 4,
  Half = 5,
  Float = 6,
  Double = 7,
  Bool = 11,
  BFloat16 = 15
};

struct Device {};
struct DeviceGuard {
  explicit DeviceGuard(Device) {}
};
struct OptionalDeviceGuard {
  OptionalDeviceGuard() = default;
  explicit OptionalDeviceGuard(Device) {}
};

/// Extents: a copy, which is short.
class IntArrayRef : public std::vector<int64_t> {
public:
  using std::vector<int64_t>::vector;
  IntArrayRef(const std::vector<int64_t> &From) : std::vector<int64_t>(From) {}
  std::vector<int64_t> vec() const { return *this; }
};

template <typename T> using optional = std::optional<T>;
using nullopt_t = std::nullopt_t;
inline constexpr std::nullopt_t nullopt = std::nullopt;

} // namespace c10

namespace at {

using c10::Device;
using c10::IntArrayRef;
using c10::ScalarType;

inline constexpr ScalarType kByte = ScalarType::Byte, kChar = ScalarType::Char,
                            kShort = ScalarType::Short, kInt = ScalarType::Int,
                            kLong = ScalarType::Long, kHalf = ScalarType::Half,
                            kFloat = ScalarType::Float,
                            kDouble = ScalarType::Double,
                            kBool = ScalarType::Bool,
                            kBFloat16 = ScalarType::BFloat16;
inline constexpr ScalarType kInt8 = kChar, kUInt8 = kByte, kInt16 = kShort,
                            kInt32 = kInt, kInt64 = kLong, kFloat16 = kHalf,
                            kFloat32 = kFloat, kFloat64 = kDouble;

inline size_t elementSize(ScalarType Type) {
  switch (Type) {
  case ScalarType::Short:
  case ScalarType::Half:
  case ScalarType::BFloat16:
    return 2;
  case ScalarType::Int:
  case ScalarType::Float:
    return 4;
  case ScalarType::Long:
  case ScalarType::Double:
    return 8;
  default:
    return 1;
  }
}

struct TensorOptions {
  ScalarType Type = kFloat;
  TensorOptions() = default;
  TensorOptions(ScalarType Type) : Type(Type) {}
  TensorOptions dtype(ScalarType T) const { return T; }
  template <typename T> TensorOptions device(T &&) const { return *this; }
};

/// A shape, a type of elements, and an address that says which one it is.
class Tensor {
public:
  Tensor() = default;
  Tensor(IntArrayRef Shape, ScalarType Type, uint64_t Address)
      : Shape(std::move(Shape)), Type(Type), Address(Address) {}

  const IntArrayRef &sizes() const { return Shape; }
  int64_t size(int64_t Dim) const {
    int64_t At = Dim < 0 ? Dim + dim() : Dim;
    if (At < 0 || At >= dim())
      belay::record::refuse("size() of a dimension that is not there");
    return Shape[static_cast<size_t>(At)];
  }
  int64_t dim() const { return static_cast<int64_t>(Shape.size()); }
  int64_t ndimension() const { return dim(); }
  int64_t numel() const {
    int64_t Number = 1;
    for (int64_t Extent : Shape)
      Number *= Extent;
    return Number;
  }
  int64_t stride(int64_t Dim) const {
    int64_t Number = 1;
    for (int64_t At = dim() - 1; At > (Dim < 0 ? Dim + dim() : Dim); --At)
      Number *= Shape[static_cast<size_t>(At)];
    return Number;
  }
  ScalarType scalar_type() const { return Type; }
  ScalarType dtype() const { return Type; }
  size_t element_size() const { return elementSize(Type); }
  size_t itemsize() const { return elementSize(Type); }
  size_t nbytes() const { return element_size() * size_t(numel()); }
  TensorOptions options() const { return Type; }
  Device device() const { return {}; }
  bool defined() const { return Address != 0; }
  // All tensors are dense and on the device.
  bool is_contiguous() const { return true; }
  bool is_privateuseone() const { return true; }
  Tensor contiguous() const { return *this; }
  Tensor view(const IntArrayRef &To) const { return reshape(To); }
  Tensor reshape(const IntArrayRef &To) const {
    Tensor Result(To, Type, Address);
    int64_t Known = 1;
    int64_t *Open = nullptr;
    for (int64_t &Extent : Result.Shape)
      if (Extent == -1 && !Open)
        Open = &Extent;
      else
        Known *= Extent;
    if (Open && Known)
      *Open = numel() / Known;
    if (Result.numel() != numel())
      belay::record::refuse("reshape() to another number of elements");
    return Result;
  }
  Tensor flatten() const { return reshape({-1}); }
  void *data_ptr() const { return reinterpret_cast<void *>(Address); }
  template <typename T> T *data_ptr() const {
    return reinterpret_cast<T *>(Address);
  }
  void *mutable_data_ptr() const { return data_ptr(); }
  const void *const_data_ptr() const { return data_ptr(); }
  void *storage_data() const { return data_ptr(); }

private:
  IntArrayRef Shape;
  ScalarType Type = kFloat;
  uint64_t Address = 0;
};

/// New memory, which is the result or room that the kernel may use.
inline Tensor empty(const IntArrayRef &Shape, TensorOptions Like = {}) {
  Tensor Counted(Shape, Like.Type, 0);
  return {Shape, Like.Type, belay::record::allocate(Counted.nbytes())};
}
inline Tensor empty_like(const Tensor &Like) {
  return empty(Like.sizes(), Like.options());
}
inline Tensor empty_like(const Tensor &Like, TensorOptions With) {
  return empty(Like.sizes(), With);
}

inline TensorOptions device(Device) { return {}; }
inline TensorOptions dtype(ScalarType Type) { return Type; }

template <typename... T> std::string textOf(const T &...Parts) {
  std::ostringstream Text;
  (Text << ... << Parts);
  return Text.str();
}

} // namespace at

namespace torch {
using namespace at;
}

#define TORCH_CHECK(Condition, ...)                                            \
  do {                                                                         \
    if (!(Condition))                                                          \
      ::belay::record::refuse("TORCH_CHECK(" #Condition "): " +                \
                              ::at::textOf(__VA_ARGS__));                      \
  } while (false)

namespace c10_npu {
struct NPUStream {
  void *stream(bool = true) const { return nullptr; }
  operator void *() const { return nullptr; }
};
inline NPUStream getCurrentNPUStream(int = 0) { return {}; }
} // namespace c10_npu

//===----------------------------------------------------------------------===//
// Bindings
//===----------------------------------------------------------------------===//

namespace belay::record {

/// What Python passes to a function of the module.
struct Value {
  const at::Tensor *Tensor = nullptr;
  double Number = 0;

  template <typename T> T as() const {
    if constexpr (std::is_same_v<T, at::Tensor>) {
      if (!Tensor)
        refuse("a number is passed for a tensor");
      return *Tensor;
    } else if constexpr (std::is_arithmetic_v<T>) {
      if (Tensor)
        refuse("a tensor is passed for a number");
      return static_cast<T>(Number);
    } else {
      static_assert(!sizeof(T), "functions of the module take tensors and "
                                "numbers");
    }
  }
};

using Function = std::function<at::Tensor(const std::vector<Value> &)>;

/// The functions that PYBIND11_MODULE defines, by their names.
std::map<std::string, Function> &functions();

class Module {
public:
  std::string &doc() { return Text; }
  template <typename... A, typename... Rest>
  Module &def(const char *Name, at::Tensor (*Code)(A...), Rest &&...) {
    functions()[Name] = [Code](const std::vector<Value> &Values) {
      if (Values.size() != sizeof...(A))
        refuse("the module's function takes another number of arguments");
      return call(Code, Values, std::index_sequence_for<A...>());
    };
    return *this;
  }
  template <typename F, typename... Rest>
  auto def(const char *Name, F Code, Rest &&...More)
      -> decltype(def(Name, +Code, More...)) {
    return def(Name, +Code, More...);
  }

private:
  template <typename... A, size_t... I>
  static at::Tensor call(at::Tensor (*Code)(A...),
                         const std::vector<Value> &Values,
                         std::index_sequence<I...>) {
    return Code(Values[I].template as<std::decay_t<A>>()...);
  }
  std::string Text;
};

struct Definition {
  explicit Definition(void (*Define)(Module &)) {
    Module M;
    Define(M);
  }
};

} // namespace belay::record

#define BELAY_PYBIND_JOIN(A, B) A##B
#define PYBIND11_MODULE(Name, Variable)                                        \
  static void BELAY_PYBIND_JOIN(belay_define_,                                 \
                                Name)(::belay::record::Module & Variable);     \
  static ::belay::record::Definition BELAY_PYBIND_JOIN(belay_defined_, Name)(  \
      BELAY_PYBIND_JOIN(belay_define_, Name));                                 \
  static void BELAY_PYBIND_JOIN(belay_define_, Name)(                          \
      [[maybe_unused]] ::belay::record::Module & Variable)

#ifndef TORCH_EXTENSION_NAME
#define TORCH_EXTENSION_NAME benchmark_ops
#endif

#endif // BELAY_MULTIKERNELBENCH_TORCH_H
