//===- model.h - Models that are executed as a whole ------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_HOST_MODEL_H
#define BELAY_HOST_MODEL_H

#include "belay/host/memory.h"

namespace belay::host {

namespace detail {

/// Buffers of an execution. They borrow memory, which the execution keeps.
struct dataset_state {
  dataset_state()
      : handle(require(acl().aclmdlCreateDataset, "aclmdlCreateDataset")()) {
    if (!handle)
      refuse("aclmdlCreateDataset", "no dataset was made");
  }
  ~dataset_state() {
    note(acl().aclmdlDestroyDataset(handle));
    for (abi::aclDataBuffer *buffer : buffers)
      note(acl().aclDestroyDataBuffer(buffer));
  }
  dataset_state(const dataset_state &) = delete;
  dataset_state &operator=(const dataset_state &) = delete;

  void add(void *address, std::size_t bytes) {
    buffers.push_back(acl().aclCreateDataBuffer(address, bytes));
    BELAY_ACL_CALL(aclmdlAddDatasetBuffer, handle, buffers.back());
  }

  abi::aclmdlDataset *handle;
  std::vector<abi::aclDataBuffer *> buffers;
};

/// A loaded model with its memory, and the stream that executed it last.
struct model_state {
  model_state(const std::shared_ptr<context_state> &parent,
              const std::string &path)
      : up(parent) {
    up->bind();
    std::size_t work_bytes = 0, weight_bytes = 0;
    BELAY_ACL_CALL(aclmdlQuerySize, path.c_str(), &work_bytes, &weight_bytes);
    auto lend = [&](std::size_t bytes) {
      return bytes ? std::make_unique<block>(parent, bytes, pages::huge_first)
                   : nullptr;
    };
    work = lend(work_bytes);
    weights = lend(weight_bytes);
    BELAY_ACL_CALL(aclmdlLoadFromFileWithMem, path.c_str(), &id,
                   work ? work->address : nullptr, work_bytes,
                   weights ? weights->address : nullptr, weight_bytes);
    read_sizes();
  }
  ~model_state() {
    up->bind_quietly(); // unloading belongs to the context that loaded
    note(acl().aclmdlUnload(id));
  }
  model_state(const model_state &) = delete;
  model_state &operator=(const model_state &) = delete;

  void read_sizes() {
    auto *description = require(acl().aclmdlCreateDesc, "aclmdlCreateDesc")();
    int code = acl().aclmdlGetDesc(description, id);
    for (std::size_t n = 0; n < acl().aclmdlGetNumInputs(description); ++n)
      inputs.push_back(acl().aclmdlGetInputSizeByIndex(description, n));
    for (std::size_t n = 0; n < acl().aclmdlGetNumOutputs(description); ++n)
      outputs.push_back(acl().aclmdlGetOutputSizeByIndex(description, n));
    note(acl().aclmdlDestroyDesc(description));
    if (code) {
      bind_and_unload();
      check(code, "aclmdlGetDesc");
    }
  }
  void bind_and_unload() noexcept { note(acl().aclmdlUnload(id)); }

  const std::shared_ptr<context_state> up;
  std::unique_ptr<block> work, weights; // end after the model
  uint32_t id = 0;
  std::vector<std::size_t> inputs, outputs; // bytes of each
  std::mutex mutex;
  std::weak_ptr<stream_state> last;
};

} // namespace detail

/// A buffer as an input or an output of a model; made from a buffer where a
/// model is executed.
template <bool Writes> class ModelArgument {
public:
  template <device_sendable T>
    requires(!Writes)
  ModelArgument(const DeviceBuffer<T> &buffer) // NOLINT: spelled at execute
      : memory_(In<T>(buffer).memory()), bytes_(buffer.size() * sizeof(T)) {}
  template <device_sendable T>
    requires(Writes)
  ModelArgument(DeviceBuffer<T> &buffer) // NOLINT
      : memory_(Out<T>(buffer).memory()), bytes_(buffer.size() * sizeof(T)) {}

private:
  friend class Model;
  std::shared_ptr<detail::block> memory_;
  std::size_t bytes_;
};
using ModelInput = ModelArgument<false>;
using ModelOutput = ModelArgument<true>;

/// An offline model, which owns its memory. Executions in several streams are
/// ordered: there is one working memory.
class Model {
public:
  Model(const Context &context, const std::string &path)
      : state_(std::make_shared<detail::model_state>(
            detail::access::state(context), path)) {}
  Model(Model &&) = default;
  Model &operator=(Model &&) = default;
  Model(const Model &) = delete;
  Model &operator=(const Model &) = delete;

  std::size_t num_inputs() const { return sizes().inputs.size(); }
  std::size_t num_outputs() const { return sizes().outputs.size(); }
  std::size_t input_bytes(std::size_t n) const { return sizes().inputs.at(n); }
  std::size_t output_bytes(std::size_t n) const {
    return sizes().outputs.at(n);
  }

  /// Enqueues an execution. Everything that it uses stays until the stream has
  /// passed it.
  void execute(const Stream &stream, const std::vector<ModelInput> &inputs,
               const std::vector<ModelOutput> &outputs) {
    const auto &in = detail::access::state(stream);
    const auto &state = detail::access::state(*this);
    if (in->up->handle != state->up->handle)
      detail::refuse("Model", "the stream belongs to another context than the "
                              "one that loaded the model");
    auto given = std::make_shared<detail::dataset_state>();
    auto taken = std::make_shared<detail::dataset_state>();
    std::vector<detail::memory_use> uses;
    add("input", inputs, state->inputs, *given, uses);
    add("output", outputs, state->outputs, *taken, uses);
    for (std::size_t a = 0; a < uses.size(); ++a)
      for (std::size_t b = a + 1; b < uses.size(); ++b)
        if ((uses[a].writes || uses[b].writes) && uses[a].overlaps(uses[b]))
          detail::refuse("Model", "an output overlaps another buffer");
    std::lock_guard lock(state->mutex);
    if (auto last = state->last.lock(); last && last != in)
      in->wait_for(*last);
    // Streams that have ended have done their work; the host knows of it.
    std::vector<std::unique_lock<std::mutex>> locks(uses.size());
    detail::submit_ordered(
        in, uses, locks,
        [&] {
          BELAY_ACL_CALL(aclmdlExecuteAsync, state->id, given->handle,
                         taken->handle, in->handle);
        },
        [&](auto &keep) {
          keep(state);
          keep(given);
          keep(taken);
        });
    state->last = in;
  }

private:
  friend detail::access;
  static constexpr const char *type_name = "Model";
  const detail::model_state &sizes() const {
    return *detail::access::state(*this);
  }

  template <bool Writes>
  static void
  add(const char *which, const std::vector<ModelArgument<Writes>> &arguments,
      const std::vector<std::size_t> &sizes, detail::dataset_state &to,
      std::vector<detail::memory_use> &uses) {
    if (arguments.size() != sizes.size())
      detail::refuse("Model", "the model has " + std::to_string(sizes.size()) +
                                  " " + which + "s; got " +
                                  std::to_string(arguments.size()));
    for (std::size_t n = 0; n < sizes.size(); ++n) {
      const auto &argument = arguments[n];
      if (argument.bytes_ != sizes[n])
        detail::refuse("Model", std::string(which) + " " + std::to_string(n) +
                                    " has " + std::to_string(sizes[n]) +
                                    " bytes; got " +
                                    std::to_string(argument.bytes_));
      auto *begin = static_cast<char *>(argument.memory_->address);
      to.add(begin, argument.bytes_);
      uses.push_back(
          {&argument.memory_, Writes, begin, begin + argument.bytes_});
    }
  }

  std::shared_ptr<detail::model_state> state_;
};

} // namespace belay::host

#endif // BELAY_HOST_MODEL_H
