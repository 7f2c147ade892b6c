//===- module.h - Kernels, and how they are launched ------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_HOST_MODULE_H
#define BELAY_HOST_MODULE_H

#include "belay/host/memory.h"

#include <array>

namespace belay::host {

namespace detail {

struct module_state {
  module_state(std::shared_ptr<context_state> parent, const std::string &path)
      : up(std::move(parent)) {
    up->bind();
    BELAY_ACL_CALL(aclrtBinaryLoadFromFile, path.c_str(), nullptr, &handle);
  }
  module_state(std::shared_ptr<context_state> parent,
               std::span<const std::byte> data)
      : up(std::move(parent)), data(data.begin(), data.end()) {
    up->bind();
    BELAY_ACL_CALL(aclrtBinaryLoadFromData, this->data.data(),
                   this->data.size(), nullptr, &handle);
  }
  ~module_state() {
    up->bind_quietly(); // unloading belongs to the context that loaded
    note(acl().aclrtBinaryUnLoad(handle));
  }
  module_state(const module_state &) = delete;
  module_state &operator=(const module_state &) = delete;

  std::shared_ptr<context_state> up;
  std::vector<std::byte> data;
  void *handle = nullptr;
};

template <typename T> inline constexpr bool is_argument = false;
template <typename T, bool R, bool W>
inline constexpr bool is_argument<Argument<T, R, W>> = true;

/// What a kernel may take: memory with a role, or a value.
template <typename T>
concept kernel_parameter = is_argument<T> || device_sendable<T>;

/// The structure of arguments, as the device reads it: each at its own
/// alignment, and in at least four bytes.
struct argument_layout {
  std::size_t offset = 0;
  template <typename T> constexpr std::size_t add() {
    constexpr std::size_t size = is_argument<T> ? sizeof(void *) : sizeof(T);
    constexpr std::size_t align = is_argument<T> ? alignof(void *) : alignof(T);
    constexpr std::size_t unit = std::max<std::size_t>(align, 4);
    std::size_t at = (offset + unit - 1) / unit * unit;
    offset = at + std::max<std::size_t>(size, 4);
    return at;
  }
};

template <typename... Parameters> constexpr auto argument_offsets() {
  argument_layout layout;
  // Braces are evaluated from left to right. The last is the size of all.
  std::array<std::size_t, sizeof...(Parameters) + 1> result = {
      layout.add<Parameters>()...};
  result.back() = (layout.offset + 7) / 8 * 8;
  return result;
}

/// What was proven of a kernel of the language holds for the launches that its
/// launcher admits. Objects of the vendor's compiler do not say what they are.
inline void must_not_need_launcher(void *function, const std::string &name) {
  const auto ask = acl().belayNeedsLauncher;
  if (ask && ask(function) == 1)
    refuse("Kernel", "'" + name +
                         "' is a kernel of the language, which was proven for "
                         "what its launcher admits: include \"" +
                         name +
                         ".h\", which 'belay build' writes, and use "
                         "Kernel<belay::kernels::" +
                         name + "> [device-bad-launch]");
}

} // namespace detail

/// Compiled kernels: an object of the vendor's compiler on an NPU, of
/// `belay object` on the simulated device.
class Module {
public:
  Module(const Context &context, const std::string &path)
      : state_(std::make_shared<detail::module_state>(
            detail::access::state(context), path)) {}
  Module(const Context &context, std::span<const std::byte> object)
      : state_(std::make_shared<detail::module_state>(
            detail::access::state(context), object)) {}

private:
  friend detail::access;
  static constexpr const char *type_name = "Module";
  std::shared_ptr<detail::module_state> state_;
};

/// A kernel with its parameters: Kernel<void(In<float>, Out<float>, int)>. A
/// launch takes these and nothing else. Kernels of the language are refused:
/// their extents would be numbers that nobody compares with the memory.
template <typename Signature> class Kernel;

template <detail::kernel_parameter... Parameters>
class Kernel<void(Parameters...)> {
public:
  Kernel(const Module &module, const std::string &name)
      : module_(detail::access::state(module)) {
    module_->up->bind();
    BELAY_ACL_CALL(aclrtBinaryGetFunction, module_->handle, name.c_str(),
                   &function_);
    detail::must_not_need_launcher(function_, name);
  }

  /// Enqueues the kernel on so many blocks (cores). Memory and code are kept
  /// until the stream has passed it; uses in other streams are ordered.
  void launch(const Stream &stream, uint32_t blocks,
              Parameters... arguments) const {
    const auto &in = detail::access::state(stream);
    check_aliases(arguments...);
    (check_device(*in, arguments), ...);
    alignas(16) std::array<std::byte, offsets.back()> bytes{};
    std::size_t number = 0;
    (store(bytes.data() + offsets[number++], arguments), ...);
    auto uses = memory_uses(arguments...);
    std::array<std::unique_lock<std::mutex>, num_memory> locks;
    detail::submit_ordered(
        in, uses, locks,
        [&] {
          BELAY_ACL_CALL(aclrtLaunchKernelWithHostArgs, function_, blocks,
                         in->handle, nullptr, bytes.data(), bytes.size(),
                         nullptr, 0);
        },
        [&](auto &keep) { keep(module_); });
  }

#if defined(__cpp_lib_expected)
  expected<void> try_launch(const Stream &stream, uint32_t blocks,
                            Parameters... arguments) const {
    return attempt([&] { launch(stream, blocks, std::move(arguments)...); });
  }
#endif

private:
  static constexpr auto offsets = detail::argument_offsets<Parameters...>();
  static constexpr std::size_t num_memory =
      (std::size_t(detail::is_argument<Parameters>) + ... + 0);

  template <typename T> static void store(std::byte *to, const T &argument) {
    if constexpr (detail::is_argument<T>) {
      void *address = argument.address();
      std::memcpy(to, &address, sizeof(address));
    } else {
      std::memcpy(to, &argument, sizeof(argument));
    }
  }

  template <typename T>
  static void check_device(const detail::stream_state &in, const T &argument) {
    if constexpr (detail::is_argument<T>)
      detail::must_share_device(in, *argument.memory(), "Kernel::launch");
  }

  static std::array<detail::memory_use, num_memory>
  memory_uses(const Parameters &...arguments) {
    std::array<detail::memory_use, num_memory> result{};
    std::size_t count = 0;
    auto add = [&](const auto &argument) {
      using T = std::remove_cvref_t<decltype(argument)>;
      if constexpr (detail::is_argument<T>) {
        auto *begin = static_cast<const char *>(argument.address());
        result[count++] = {&argument.memory(), T::writes, begin,
                           begin +
                               argument.size() * sizeof(typename T::element)};
      }
    };
    (add(arguments), ...);
    return result;
  }

  /// What is written overlaps no other argument: kernels are compiled, and
  /// proven, under that assumption.
  static void check_aliases(const Parameters &...arguments) {
    auto uses = memory_uses(arguments...);
    for (std::size_t a = 0; a < uses.size(); ++a)
      for (std::size_t b = a + 1; b < uses.size(); ++b)
        if ((uses[a].writes || uses[b].writes) && uses[a].overlaps(uses[b]))
          detail::refuse("Kernel::launch",
                         "memory arguments " + std::to_string(a) + " and " +
                             std::to_string(b) +
                             " overlap, and one of them is written; declare "
                             "one InOut parameter instead");
  }

  std::shared_ptr<detail::module_state> module_;
  void *function_ = nullptr;
};

} // namespace belay::host

#endif // BELAY_HOST_MODULE_H
