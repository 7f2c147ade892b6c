//===- language.h - Kernels of the kernel language --------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `belay build` writes a launcher for each kernel, which knows what the kernel
// was proven for. Kernel<launcher> launches by it and by nothing else:
//
//   #include "softmax_1024.h"
//   Kernel<belay::kernels::softmax_1024> softmax(device, "softmax_1024.o");
//   softmax.launch(stream, 8, x, y); // tensors of rank 2, or shaped(buffer,
//   ..) softmax(stream, x, y);           // on all cores
//
// Extents come from the tensors, so that they are the real ones. A launch that
// the proof does not cover throws an error with the kernel's own line. Memory
// for each core that a kernel needs besides its arguments is the library's.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_HOST_LANGUAGE_H
#define BELAY_HOST_LANGUAGE_H

#include "belay/host/module.h"
#include "belay/host/tensor.h"
#include "belay/launch.h"

#include <tuple>

namespace belay::host {

namespace detail {

/// The element of a launcher's view as host programs call it.
template <typename T> struct host_element {
  using type = std::remove_const_t<T>;
};
template <> struct host_element<belay::half> {
  using type = host::half;
};
template <> struct host_element<const belay::half> {
  using type = host::half;
};
template <> struct host_element<belay::bfloat16> {
  using type = host::bfloat16;
};
template <> struct host_element<const belay::bfloat16> {
  using type = host::bfloat16;
};

template <typename T>
concept kernel_launcher = requires {
  typename T::parameters;
  { T::info } -> std::convertible_to<const launch::kernel_info &>;
};

} // namespace detail

/// Memory in a shape, for one parameter of a kernel: made of a tensor, or of a
/// buffer where the parameter has one dimension; shaped() makes others.
template <device_sendable T, bool Reads, bool Writes> class ShapedArgument {
public:
  using argument = Argument<T, Reads, Writes>;
  using owner = std::conditional_t<Writes, Tensor<T>, const Tensor<T>>;
  using buffer =
      std::conditional_t<Writes, DeviceBuffer<T>, const DeviceBuffer<T>>;

  ShapedArgument(owner &tensor) // NOLINT: spelled at the launch
      : memory_(tensor.buffer()), shape_(tensor.shape()) {}
  ShapedArgument(buffer &elements) // NOLINT
      : ShapedArgument(argument(elements)) {}
  ShapedArgument(argument elements) // NOLINT
      : memory_(std::move(elements)),
        shape_{static_cast<int64_t>(memory_.size())} {}
  ShapedArgument(argument elements, Shape shape)
      : memory_(std::move(elements)), shape_(std::move(shape)) {
    if (detail::count_of(shape_) != memory_.size())
      detail::refuse("shaped", "shape " + detail::to_text(shape_) + " of " +
                                   std::to_string(memory_.size()) +
                                   " elements");
  }

  const argument &memory() const { return memory_; }
  const Shape &shape() const { return shape_; }

private:
  argument memory_;
  Shape shape_;
};

/// \name Elements in another shape than they are kept in, for one launch:
/// softmax.launch(stream, 8, shaped(x, {100, 1024}), shaped(y, {100, 1024})).
/// What is const can be read only.
/// @{
template <device_sendable T, bool Reads, bool Writes>
ShapedArgument<T, Reads, Writes> shaped(Argument<T, Reads, Writes> elements,
                                        Shape shape) {
  return {std::move(elements), std::move(shape)};
}

/// Elements whose role the parameter decides.
template <typename Buffer> class Reshaped {
public:
  Reshaped(Buffer &buffer, Shape shape)
      : buffer_(&buffer), shape_(std::move(shape)) {}

  template <device_sendable T, bool Reads, bool Writes>
  operator ShapedArgument<T, Reads, Writes>()
      && // NOLINT: spelled at the launch
    requires std::constructible_from<Argument<T, Reads, Writes>, Buffer &>
  {
    return {Argument<T, Reads, Writes>(*buffer_), std::move(shape_)};
  }

private:
  Buffer *buffer_;
  Shape shape_;
};
template <device_sendable T>
Reshaped<DeviceBuffer<T>> shaped(DeviceBuffer<T> &buffer, Shape shape) {
  return {buffer, std::move(shape)};
}
template <device_sendable T>
Reshaped<const DeviceBuffer<T>> shaped(const DeviceBuffer<T> &buffer,
                                       Shape shape) {
  return {buffer, std::move(shape)};
}
template <device_sendable T>
Reshaped<DeviceBuffer<T>> shaped(Tensor<T> &tensor, Shape shape) {
  return {tensor.buffer(), std::move(shape)};
}
template <device_sendable T>
Reshaped<const DeviceBuffer<T>> shaped(const Tensor<T> &tensor, Shape shape) {
  return {tensor.buffer(), std::move(shape)};
}
/// @}

namespace detail {

template <typename... Ts> struct type_list {};

template <typename, typename> struct joined;
template <typename... A, typename... B>
struct joined<type_list<A...>, type_list<B...>> {
  using type = type_list<A..., B...>;
};

/// What the caller gives for a parameter of the launcher: a shaped argument for
/// a view, nothing if it is memory of each block, the number itself otherwise.
template <typename Scalar> struct argument_of {
  static constexpr bool by_caller = true, is_view = false;
  using type = type_list<Scalar>;
};
template <launch::access How, typename View>
struct argument_of<launch::parameter<How, View>> {
  static constexpr bool by_caller = How != launch::access::per_core;
  static constexpr bool is_view = true;
  using view = View;
  using element = typename host_element<typename View::element>::type;
  using type = std::conditional_t<
      by_caller,
      type_list<ShapedArgument<element, How != launch::access::out,
                               How != launch::access::in>>,
      type_list<>>;
};

template <typename List> struct all_arguments;
template <> struct all_arguments<launch::parameters<>> {
  using type = type_list<>;
};
template <typename First, typename... Rest>
struct all_arguments<launch::parameters<First, Rest...>> {
  using type = typename joined<
      typename argument_of<First>::type,
      typename all_arguments<launch::parameters<Rest...>>::type>::type;
};

/// A launch on its way: what it uses, and the views that the launcher gets.
class language_launch {
public:
  /// As many as a launcher compares with each other.
  static constexpr std::size_t most_views = 64;

  language_launch(const std::shared_ptr<stream_state> &in, uint32_t blocks,
                  const launch::kernel_info &kernel)
      : in_(in), blocks_(blocks), kernel_(kernel) {}

  template <typename View, typename Shaped>
  View view_of(const Shaped &given, std::size_t number) {
    const auto &memory = given.memory();
    if (given.shape().size() != View::rank)
      refuse("Kernel::launch", std::string(kernel_.kernel) + " takes " +
                                   std::to_string(View::rank) +
                                   " dimensions as argument " +
                                   std::to_string(number) + ", not " +
                                   to_text(given.shape()) + " [bad-extent]");
    must_share_device(*in_, *memory.memory(), "Kernel::launch");
    return add<View>(memory.memory(), memory.address(),
                     Shaped::argument::writes, given.shape().data());
  }

  /// Memory for each block, which lives as long as the task. A launch with too
  /// many blocks is refused by the launcher, and gets memory for those that
  /// there could be.
  template <typename View> View for_each_block() {
    std::array<int64_t, View::rank> extents{int64_t(blocks_)};
    std::size_t bytes = launch::element_bytes<typename View::element> *
                        std::min(blocks_, kernel_.max_blocks);
    for (int d = 1; d < View::rank; ++d) {
      extents[d] = View::static_extents[d];
      if (__builtin_mul_overflow(bytes, std::size_t(extents[d]), &bytes))
        refuse("Kernel::launch", "memory for each block has no size");
    }
    auto memory = std::make_shared<block>(
        in_->up, std::max<std::size_t>(bytes, 1), pages::huge_first);
    return add<View>(memory, memory->address, true, extents.data());
  }

  std::span<memory_use> uses() { return {uses_.data(), count_}; }

private:
  template <typename View>
  View add(const std::shared_ptr<block> &memory, void *address, bool writes,
           const int64_t *extents) {
    static_assert(launch::element_bytes<typename View::element> > 0);
    auto *begin = static_cast<const char *>(address);
    memory_[count_] = memory;
    uses_[count_] = {&memory_[count_], writes, begin,
                     begin + memory->bytes}; // the launcher compares parts
    ++count_;
    return make<View>(address, extents,
                      std::make_index_sequence<std::size_t(View::rank)>());
  }
  template <typename View, std::size_t... I>
  static View make(void *address, const int64_t *extents,
                   std::index_sequence<I...>) {
    return View(static_cast<typename View::element *>(address), extents[I]...);
  }

  const std::shared_ptr<stream_state> &in_;
  uint32_t blocks_;
  const launch::kernel_info &kernel_;
  std::size_t count_ = 0;
  std::array<memory_use, most_views> uses_{};
  std::array<std::shared_ptr<block>, most_views> memory_;
};

template <typename Launcher, typename Parameters, typename Arguments>
class language_kernel;

template <typename Launcher, typename... Parameters, typename... Arguments>
class language_kernel<Launcher, launch::parameters<Parameters...>,
                      type_list<Arguments...>> {
public:
  explicit language_kernel(const Module &module)
      : module_(access::state(module)) {
    module_->up->bind();
    BELAY_ACL_CALL(aclrtBinaryGetFunction, module_->handle,
                   Launcher::info.entry, &function_);
  }
  language_kernel(const Context &context, const std::string &path)
      : language_kernel(Module(context, path)) {}

  /// Enqueues the kernel on so many blocks, or throws what its proof does not
  /// cover. Memory and code are kept until the stream has passed it; uses in
  /// other streams are ordered.
  void launch(const Stream &stream, uint32_t blocks,
              Arguments... arguments) const {
    launch_with(stream, blocks, std::tuple<Arguments &...>(arguments...),
                std::index_sequence_for<Parameters...>());
  }
  /// On all cores that the SoC has for it.
  void operator()(const Stream &stream, Arguments... arguments) const {
    launch(stream, Launcher::info.cores, std::move(arguments)...);
  }

#if defined(__cpp_lib_expected)
  expected<void> try_launch(const Stream &stream, uint32_t blocks,
                            Arguments... arguments) const {
    return attempt([&] { launch(stream, blocks, std::move(arguments)...); });
  }
#endif

private:
  /// How many of the parameters before this one the caller gives.
  template <std::size_t Parameter> static constexpr std::size_t position() {
    constexpr bool is_given[] = {argument_of<Parameters>::by_caller..., true};
    std::size_t count = 0;
    for (std::size_t each = 0; each < Parameter; ++each)
      count += is_given[each];
    return count;
  }

  template <std::size_t Number>
  static auto pass(language_launch &work,
                   const std::tuple<Arguments &...> &from) {
    using parameter =
        std::tuple_element_t<Number, std::tuple<argument_of<Parameters>...>>;
    constexpr std::size_t at = position<Number>();
    if constexpr (!parameter::by_caller)
      return work.for_each_block<typename parameter::view>();
    else if constexpr (parameter::is_view)
      return work.view_of<typename parameter::view>(std::get<at>(from), at);
    else
      return std::get<at>(from);
  }

  template <std::size_t... Number>
  void launch_with(const Stream &stream, uint32_t blocks,
                   const std::tuple<Arguments &...> &from,
                   std::index_sequence<Number...>) const {
    const auto &in = access::state(stream);
    language_launch work(in, blocks, Launcher::info);
    auto submit = [&](const launch::request &request) {
      std::array<std::unique_lock<std::mutex>, language_launch::most_views>
          locks;
      submit_ordered(
          in, work.uses(), locks,
          [&] {
            BELAY_ACL_CALL(aclrtLaunchKernelWithHostArgs, function_,
                           request.blocks, in->handle, nullptr,
                           const_cast<void *>(request.arguments), request.bytes,
                           nullptr, 0);
          },
          [&](auto &keep) { keep(module_); });
      return 0;
    };
    const launch::status status =
        Launcher::launch(submit, blocks, pass<Number>(work, from)...);
    if (!status.ok())
      refuse("Kernel::launch", status.message());
  }

  std::shared_ptr<module_state> module_;
  void *function_ = nullptr;
};

template <typename Launcher>
using language_kernel_of = language_kernel<
    Launcher, typename Launcher::parameters,
    typename all_arguments<typename Launcher::parameters>::type>;

} // namespace detail

/// A kernel of the kernel language, by the launcher that `belay build` wrote.
template <detail::kernel_launcher Launcher>
class Kernel<Launcher> : public detail::language_kernel_of<Launcher> {
  using base = detail::language_kernel_of<Launcher>;

public:
  using base::base;
};

} // namespace belay::host

#endif // BELAY_HOST_LANGUAGE_H
