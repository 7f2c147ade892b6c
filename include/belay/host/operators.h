//===- operators.h - Tensors, and aclnn operators on them -------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operators of CANN that have two phases. The first makes an Operation of
// tensors, the second runs it: once, and with memory that stays until then.
//
//   matmul(stream, q, k.transposed(1, 2), scores);      // both at once
//   Operation op = operations::softmax(scores, -1, p);  // or one by one
//   std::move(op).run(stream);
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_HOST_OPERATORS_H
#define BELAY_HOST_OPERATORS_H

#include "belay/host/tensor.h"

#include <array>

namespace belay::host {

namespace detail {
struct preparation;
}

/// An operator that is ready to run: tensors, and what CANN has prepared. It
/// runs once; what it uses stays until the stream has passed it.
class [[nodiscard("an operation does nothing before run()")]] BELAY_CONSUMABLE
    Operation {
public:
  BELAY_FRESH Operation(Operation &&other) noexcept
      : parts_(std::move(other.parts_)),
        executor_(std::exchange(other.executor_, nullptr)),
        workspace_bytes_(other.workspace_bytes_), second_(other.second_),
        name_(other.name_) {}
  Operation &operator=(Operation &&) = delete;
  ~Operation() {
    // CANN ends executors when they run; this one never did.
    if (executor_)
      detail::note(detail::nn().aclDestroyAclOpExecutor(executor_));
  }

  /// What the device needs beside the tensors, in bytes.
  BELAY_LIVE std::size_t workspace_bytes() const { return workspace_bytes_; }

  BELAY_LIVE BELAY_CONSUMES void run(const Stream &stream) && {
    auto *executor = std::exchange(executor_, nullptr);
    if (!executor)
      detail::refuse(name_, "the operation has run, or was moved from");
    const auto &in = detail::access::state(stream);
    auto uses = memory_uses();
    for (const detail::memory_use &use : uses)
      detail::must_share_device(*in, **use.memory, name_);
    std::shared_ptr<detail::block> workspace;
    if (workspace_bytes_) {
      workspace = std::make_shared<detail::block>(in->up, workspace_bytes_,
                                                  pages::huge_first);
      uses.push_back({&workspace, true, nullptr, nullptr});
    }
    std::vector<std::unique_lock<std::mutex>> locks(uses.size());
    detail::submit_ordered(
        in, uses, locks,
        [&] {
          detail::check(second_(workspace ? workspace->address : nullptr,
                                workspace_bytes_, executor, in->handle),
                        name_);
        },
        [&](auto &keep) {
          for (const detail::operand &part : parts_)
            keep(part.tensor);
        });
  }

private:
  friend struct detail::preparation;
  BELAY_FRESH Operation(std::vector<detail::operand> parts, const char *name)
      : parts_(std::move(parts)), name_(name) {}

  std::vector<detail::memory_use> memory_uses() const {
    std::vector<detail::memory_use> uses;
    for (const detail::operand &part : parts_)
      uses.push_back({&part.tensor->memory, part.writes, part.tensor->begin(),
                      part.tensor->end()});
    return uses;
  }

  std::vector<detail::operand> parts_;
  abi::aclOpExecutor *executor_ = nullptr;
  std::size_t workspace_bytes_ = 0;
  abi::second_phase second_ = nullptr;
  const char *name_;
};

namespace detail {

/// What an operator does with memory that is input and output.
enum class sharing { none, same };

/// The first phase.
struct preparation {
  template <typename First, typename... Arguments>
  static Operation make(const char *name, sharing allowed, First first,
                        abi::second_phase second, std::vector<operand> parts,
                        Arguments... arguments) {
    check_overlaps(name, allowed, parts);
    parts.front().tensor->memory->up->bind();
    Operation result(std::move(parts), name);
    uint64_t bytes = 0;
    result.second_ = require(second, name);
    check(require(first, name)(arguments..., &bytes, &result.executor_), name);
    result.workspace_bytes_ = bytes;
    return result;
  }

private:
  static void check_overlaps(const char *name, sharing allowed,
                             const std::vector<operand> &parts) {
    for (const operand &out : parts)
      for (const operand &other : parts) {
        if (!out.writes || &out == &other)
          continue;
        const tensor_state &a = *out.tensor, &b = *other.tensor;
        bool same = a.begin() == b.begin() && a.strides == b.strides;
        bool overlaps = a.begin() < b.end() && b.begin() < a.end();
        if (overlaps && !(same && allowed == sharing::same))
          refuse(name, "the output overlaps an input");
      }
  }
};

#define BELAY_NN_MAKE(Name, Sharing, ...)                                      \
  ::belay::host::detail::preparation::make(                                    \
      "aclnn" #Name, ::belay::host::detail::sharing::Sharing,                  \
      ::belay::host::detail::nn().aclnn##Name##GetWorkspaceSize,               \
      ::belay::host::detail::nn().aclnn##Name, __VA_ARGS__)

} // namespace detail

/// The first phase of each operator. Shapes that do not fit are errors here.
namespace operations {

// T is the type of the output; inputs convert to it from tensors and views.
template <typename T> using input = std::type_identity_t<TensorView<T>>;

#define BELAY_NN_PAIR(name, Name)                                              \
  template <device_sendable T>                                                 \
  Operation name(input<T> x, input<T> y, Tensor<T> &out) {                     \
    auto a = x.make(), b = y.make(), c = out.make();                           \
    return BELAY_NN_MAKE(Name, same, {{a, false}, {b, false}, {c, true}},      \
                         a->handle, b->handle, c->handle);                     \
  }
BELAY_NN_PAIR(mul, Mul)
BELAY_NN_PAIR(div, Div)
BELAY_NN_PAIR(maximum, Maximum)
BELAY_NN_PAIR(minimum, Minimum)
#undef BELAY_NN_PAIR

/// x + alpha * y, x - alpha * y
#define BELAY_NN_PAIR_WITH_ALPHA(name, Name)                                   \
  template <device_sendable T>                                                 \
  Operation name(input<T> x, input<T> y, Tensor<T> &out, double alpha = 1) {   \
    auto a = x.make(), b = y.make(), c = out.make();                           \
    detail::scalar_state factor(alpha, acl_type<T>);                           \
    return BELAY_NN_MAKE(Name, same, {{a, false}, {b, false}, {c, true}},      \
                         a->handle, b->handle, factor.handle, c->handle);      \
  }
BELAY_NN_PAIR_WITH_ALPHA(add, Add)
BELAY_NN_PAIR_WITH_ALPHA(sub, Sub)
#undef BELAY_NN_PAIR_WITH_ALPHA

/// x * number
template <device_sendable T>
Operation scale(input<T> x, double number, Tensor<T> &out) {
  auto a = x.make(), b = out.make();
  detail::scalar_state factor(number, acl_type<T>);
  return BELAY_NN_MAKE(Muls, same, {{a, false}, {b, true}}, a->handle,
                       factor.handle, b->handle);
}

#define BELAY_NN_SINGLE(name, Name)                                            \
  template <device_sendable T> Operation name(input<T> x, Tensor<T> &out) {    \
    auto a = x.make(), b = out.make();                                         \
    return BELAY_NN_MAKE(Name, same, {{a, false}, {b, true}}, a->handle,       \
                         b->handle);                                           \
  }
BELAY_NN_SINGLE(abs, Abs)
BELAY_NN_SINGLE(neg, Neg)
BELAY_NN_SINGLE(relu, Relu)
BELAY_NN_SINGLE(exp, Exp)
BELAY_NN_SINGLE(log, Log)
BELAY_NN_SINGLE(sqrt, Sqrt)
BELAY_NN_SINGLE(rsqrt, Rsqrt)
BELAY_NN_SINGLE(reciprocal, Reciprocal)
BELAY_NN_SINGLE(sigmoid, Sigmoid)
BELAY_NN_SINGLE(silu, Silu)
BELAY_NN_SINGLE(tanh, Tanh)
BELAY_NN_SINGLE(gelu, Gelu)
#undef BELAY_NN_SINGLE

template <device_sendable T, device_sendable From>
Operation cast(const Tensor<From> &x, Tensor<T> &out) {
  auto a = x.make(), b = out.make();
  return BELAY_NN_MAKE(Cast, none, {{a, false}, {b, true}}, a->handle,
                       acl_type<T>, b->handle);
}

/// Elements one by one, however they lie; shapes are broadcast.
template <device_sendable T> Operation copy(input<T> x, Tensor<T> &out) {
  auto a = x.make(), b = out.make();
  return BELAY_NN_MAKE(InplaceCopy, none, {{a, false}, {b, true}}, b->handle,
                       a->handle);
}

/// Softmax along a dimension, which may be counted from the end.
template <device_sendable T>
Operation softmax(input<T> x, int64_t dimension, Tensor<T> &out) {
  auto a = x.make(), b = out.make();
  return BELAY_NN_MAKE(Softmax, none, {{a, false}, {b, true}}, a->handle,
                       dimension, b->handle);
}

/// How the cube unit computes with floats.
enum class cube_math : int8_t {
  keep_type = 0,
  allow_narrower = 1,
  use_half = 2,
  use_hf32 = 3
};

/// Products of matrices, or of batches of them.
template <device_sendable T>
Operation matmul(input<T> x, input<T> y, Tensor<T> &out,
                 cube_math math = cube_math::keep_type) {
  auto a = x.make(), b = y.make(), c = out.make();
  return BELAY_NN_MAKE(Matmul, none, {{a, false}, {b, false}, {c, true}},
                       a->handle, b->handle, c->handle,
                       static_cast<int8_t>(math));
}

} // namespace operations

/// \name Both phases at once.
/// @{
#define BELAY_NN_BOTH(name)                                                    \
  template <typename... Arguments>                                             \
  auto name(const Stream &stream, Arguments &&...arguments)                    \
      -> decltype(operations::name(std::forward<Arguments>(arguments)...)      \
                      .run(stream)) {                                          \
    operations::name(std::forward<Arguments>(arguments)...).run(stream);       \
  }
BELAY_NN_BOTH(add)
BELAY_NN_BOTH(sub)
BELAY_NN_BOTH(mul)
BELAY_NN_BOTH(div)
BELAY_NN_BOTH(maximum)
BELAY_NN_BOTH(minimum)
BELAY_NN_BOTH(scale)
BELAY_NN_BOTH(abs)
BELAY_NN_BOTH(neg)
BELAY_NN_BOTH(relu)
BELAY_NN_BOTH(exp)
BELAY_NN_BOTH(log)
BELAY_NN_BOTH(sqrt)
BELAY_NN_BOTH(rsqrt)
BELAY_NN_BOTH(reciprocal)
BELAY_NN_BOTH(sigmoid)
BELAY_NN_BOTH(silu)
BELAY_NN_BOTH(tanh)
BELAY_NN_BOTH(gelu)
BELAY_NN_BOTH(cast)
BELAY_NN_BOTH(copy)
BELAY_NN_BOTH(softmax)
BELAY_NN_BOTH(matmul)
#undef BELAY_NN_BOTH
#undef BELAY_NN_MAKE
/// @}

/// c = alpha * a * b + beta * c, by BLAS: half matrices into half or float,
/// int8 into int32 or float.
template <device_sendable T, device_sendable To>
  requires((std::is_same_v<T, half> &&
            (std::is_same_v<To, half> || std::is_same_v<To, float>)) ||
           (std::is_same_v<T, int8_t> &&
            (std::is_same_v<To, int32_t> || std::is_same_v<To, float>)))
void gemm(const Stream &stream, const Tensor<T> &a, const Tensor<T> &b,
          Tensor<To> &c, double alpha = 1, double beta = 0) {
  const auto &in = detail::access::state(stream);
  detail::check_gemm(a.shape(), b.shape(), c.shape());
  // The factors are read by the device, so they live there.
  auto factors = DeviceBuffer<To>::from(
      stream, {detail::to_element<To>(alpha), detail::to_element<To>(beta)});
  In<T> x(a.buffer()), y(b.buffer());
  In<To> scalars(factors);
  InOut<To> z(c.buffer());
  for (const auto &memory : {x.memory(), y.memory(), z.memory()})
    detail::must_share_device(*in, *memory, "gemm");
  if (x.memory() == z.memory() || y.memory() == z.memory())
    detail::refuse("gemm", "the output overlaps an input");
  auto extent = [](int64_t value) { return static_cast<int>(value); };
  std::array<detail::memory_use, 4> uses = {
      {{&x.memory(), false, nullptr, nullptr},
       {&y.memory(), false, nullptr, nullptr},
       {&z.memory(), true, nullptr, nullptr},
       {&scalars.memory(), false, nullptr, nullptr}}};
  std::array<std::unique_lock<std::mutex>, 4> locks;
  constexpr int plain = 0, dense = -1, high_precision = 0;
  auto *factor = static_cast<To *>(scalars.address());
  detail::submit_ordered(
      in, uses, locks,
      [&] {
        detail::check(
            detail::require(detail::nn().aclblasGemmEx, "aclblasGemmEx")(
                plain, plain, plain, extent(a.shape()[0]), extent(b.shape()[1]),
                extent(a.shape()[1]), factor, x.address(), dense, acl_type<T>,
                y.address(), dense, acl_type<T>, factor + 1, z.address(), dense,
                acl_type<To>, high_precision, in->handle),
            "aclblasGemmEx");
      },
      [](auto &) {});
}

} // namespace belay::host

#endif // BELAY_HOST_OPERATORS_H
