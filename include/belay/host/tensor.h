//===- tensor.h - Elements with a shape -------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_HOST_TENSOR_H
#define BELAY_HOST_TENSOR_H

#include "belay/host/memory.h"

#include <cmath>

namespace belay::host {

namespace abi {

struct aclTensor;
struct aclTensorList;
struct aclScalar;
struct aclIntArray;
struct aclFloatArray;
struct aclBoolArray;
struct aclOpExecutor;

using second_phase = int (*)(void *, uint64_t, aclOpExecutor *, void *);

/// The functions of libnnopbase.so, libopapi.so and libacl_cblas.so; null where
/// the installation has not got one.
struct nn_functions {
#define BELAY_ACLNN_META(Result, Name, Params) Result(*Name) Params = nullptr;
#define BELAY_ACLNN(Name, ...)                                                 \
  int (*aclnn##Name##GetWorkspaceSize)(__VA_ARGS__, uint64_t *,                \
                                       aclOpExecutor **) = nullptr;            \
  second_phase aclnn##Name = nullptr;
#include "belay/host/aclnn.def"
#define BELAY_ACL_BLAS(Result, Name, Params) Result(*Name) Params = nullptr;
#include "belay/host/acl.def"
};

} // namespace abi

namespace detail {

inline abi::nn_functions bind_nn() {
  abi::nn_functions f;
  // Newer installations have the operators in several libraries.
  std::vector<void *> handles;
  for (const char *name :
       {"libnnopbase.so", "libopapi.so", "libopapi_math.so", "libopapi_nn.so",
        "libopapi_transformer.so", "libacl_cblas.so"})
    if (void *handle = open_beside(name))
      handles.push_back(handle);
  auto find = [&](auto &function, const char *name) {
    for (void *handle : handles)
      if (void *address = dlsym(handle, name)) {
        function = reinterpret_cast<std::decay_t<decltype(function)>>(address);
        return;
      }
  };
#define BELAY_ACLNN_META(Result, Name, Params) find(f.Name, #Name);
#define BELAY_ACLNN(Name, ...)                                                 \
  find(f.aclnn##Name##GetWorkspaceSize, "aclnn" #Name "GetWorkspaceSize");     \
  find(f.aclnn##Name, "aclnn" #Name);
#include "belay/host/aclnn.def"
#define BELAY_ACL_BLAS(Result, Name, Params) find(f.Name, #Name);
#include "belay/host/acl.def"
  return f;
}

inline const abi::nn_functions &nn() {
  static const auto &only = *new abi::nn_functions(bind_nn());
  return only;
}

} // namespace detail

/// ACL's number of an element type; -1 for those that it does not know.
template <typename T>
inline constexpr int acl_type =
    element_types::acl_number(element_types::element_of<T>);

using Shape = std::vector<int64_t>;

namespace detail {

inline std::size_t count_of(const Shape &shape) {
  std::size_t count = 1;
  for (int64_t extent : shape) {
    if (extent < 0 ||
        (extent > 0 && count > SIZE_MAX / static_cast<std::size_t>(extent)))
      refuse("Tensor", "a shape with an extent of " + std::to_string(extent));
    count *= static_cast<std::size_t>(extent);
  }
  return count;
}

inline Shape strides_of(const Shape &shape) {
  Shape strides(shape.size(), 1);
  for (std::size_t d = shape.size(); d-- > 1;)
    strides[d - 1] = strides[d] * shape[d];
  return strides;
}

inline std::string to_text(const Shape &shape) {
  std::string text;
  for (int64_t extent : shape)
    text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text;
}

/// An aclTensor, and the memory that it borrows.
struct tensor_state {
  tensor_state(std::shared_ptr<block> owner, const Shape &extents,
               Shape strides_, int type, std::size_t element)
      : memory(std::move(owner)), strides(std::move(strides_)),
        bytes(count_of(extents) * element) {
    constexpr int any_format = 2;
    handle = require(nn().aclCreateTensor, "aclCreateTensor")(
        extents.data(), extents.size(), type, strides.data(), 0, any_format,
        extents.data(), extents.size(), memory->address);
    if (!handle)
      refuse("aclCreateTensor", "no tensor was made");
  }
  ~tensor_state() { note(nn().aclDestroyTensor(handle)); }
  tensor_state(const tensor_state &) = delete;
  tensor_state &operator=(const tensor_state &) = delete;

  const char *begin() const {
    return static_cast<const char *>(memory->address);
  }
  const char *end() const { return begin() + bytes; }

  const std::shared_ptr<block> memory;
  const Shape strides;
  const std::size_t bytes;
  abi::aclTensor *handle = nullptr;
};

/// A tensor in an operation.
struct operand {
  std::shared_ptr<tensor_state> tensor;
  bool writes;
};

struct scalar_state {
  scalar_state(double value, int type) {
    bool real = type == acl_type<float> || type == acl_type<half> ||
                type == acl_type<bfloat16> || type == acl_type<double>;
    auto whole = static_cast<int64_t>(value);
    auto single = static_cast<float>(value);
    auto create = require(nn().aclCreateScalar, "aclCreateScalar");
    handle = real ? create(&single, acl_type<float>)
                  : create(&whole, acl_type<int64_t>);
    if (!handle)
      refuse("aclCreateScalar", "no scalar was made");
  }
  ~scalar_state() { note(nn().aclDestroyScalar(handle)); }
  scalar_state(const scalar_state &) = delete;
  scalar_state &operator=(const scalar_state &) = delete;
  abi::aclScalar *handle = nullptr;
};

/// A number as an element lies in memory.
template <typename T> T to_element(double value) {
  if constexpr (std::is_same_v<T, half>)
    return {acl().aclFloatToFloat16(static_cast<float>(value))};
  else
    return static_cast<T>(value);
}

inline void check_gemm(const Shape &a, const Shape &b, const Shape &c) {
  bool fits = a.size() == 2 && b.size() == 2 && c.size() == 2 && a[1] == b[0] &&
              c[0] == a[0] && c[1] == b[1];
  if (!fits)
    refuse("gemm",
           to_text(a) + " times " + to_text(b) + " is not " + to_text(c));
}

} // namespace detail

template <device_sendable T> class Tensor;

/// A tensor for reading, perhaps with its dimensions in another order. It keeps
/// the memory.
template <device_sendable T> class TensorView {
public:
  TensorView(const Tensor<T> &tensor); // NOLINT: spelled at the operator

  const Shape &shape() const { return shape_; }
  TensorView transposed(std::size_t a, std::size_t b) const {
    if (a >= shape_.size() || b >= shape_.size())
      detail::refuse("Tensor::transposed",
                     "a tensor of shape " + detail::to_text(shape_) +
                         " has no dimensions " + std::to_string(a) + " and " +
                         std::to_string(b));
    TensorView result = *this;
    std::swap(result.shape_[a], result.shape_[b]);
    std::swap(result.strides_[a], result.strides_[b]);
    return result;
  }

  /// For operators.
  std::shared_ptr<detail::tensor_state> make() const {
    return std::make_shared<detail::tensor_state>(memory_, shape_, strides_,
                                                  acl_type<T>, sizeof(T));
  }

private:
  std::shared_ptr<detail::block> memory_;
  Shape shape_, strides_;
};

/// A buffer with a shape; elements lie by rows.
template <device_sendable T> class BELAY_CONSUMABLE Tensor {
  static_assert(acl_type<T> >= 0, "operators compute with ACL's types");

public:
  BELAY_FRESH Tensor(DeviceBuffer<T> &&buffer, Shape shape)
      : buffer_(std::move(buffer)), shape_(std::move(shape)) {
    if (detail::count_of(shape_) != buffer_.size())
      detail::refuse("Tensor", "shape " + detail::to_text(shape_) + " of " +
                                   std::to_string(buffer_.size()) +
                                   " elements");
  }
  BELAY_FRESH static Tensor uninitialised(const Context &context, Shape shape) {
    auto count = detail::count_of(shape);
    return {DeviceBuffer<T>::uninitialised(context, count), std::move(shape)};
  }
  BELAY_FRESH static Tensor zeroed(const Stream &stream, Shape shape) {
    auto count = detail::count_of(shape);
    return {DeviceBuffer<T>::zeroed(stream, count), std::move(shape)};
  }
  BELAY_FRESH static Tensor from(const Stream &stream, std::vector<T> elements,
                                 Shape shape) {
    return {DeviceBuffer<T>::from(stream, std::move(elements)),
            std::move(shape)};
  }

  BELAY_FRESH Tensor(Tensor &&) = default;
  Tensor &operator=(Tensor &&) = default;
  Tensor(const Tensor &) = delete;
  Tensor &operator=(const Tensor &) = delete;

  BELAY_LIVE const Shape &shape() const { return shape_; }
  /// The elements, for kernels.
  BELAY_LIVE DeviceBuffer<T> &buffer() { return buffer_; }
  BELAY_LIVE const DeviceBuffer<T> &buffer() const { return buffer_; }
  BELAY_LIVE Pending<T> download(const Stream &stream) const {
    return buffer_.download(stream);
  }
  /// The same elements for reading, two dimensions exchanged.
  BELAY_LIVE TensorView<T> transposed(std::size_t a, std::size_t b) const {
    return TensorView<T>(*this).transposed(a, b);
  }
  /// The same elements in another shape.
  BELAY_LIVE void reshape(Shape shape) {
    if (detail::count_of(shape) != buffer_.size())
      detail::refuse("Tensor::reshape",
                     "shape " + detail::to_text(shape) + " of " +
                         std::to_string(buffer_.size()) + " elements");
    shape_ = std::move(shape);
  }

  /// For operators.
  BELAY_LIVE std::shared_ptr<detail::tensor_state> make() const {
    return TensorView<T>(*this).make();
  }

private:
  DeviceBuffer<T> buffer_;
  Shape shape_;
};

template <device_sendable T>
TensorView<T>::TensorView(const Tensor<T> &tensor)
    : memory_(In<T>(tensor.buffer()).memory()), shape_(tensor.shape()),
      strides_(detail::strides_of(tensor.shape())) {}

} // namespace belay::host

#endif // BELAY_HOST_TENSOR_H
