//===- compiler.h - Compiling kernels for a device --------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// AscendC C++ to a device binary by the user's own CANN, checked and cached:
//
//   belay::compiler compiler;
//   belay::compile_request request;
//   request.path = "add.cpp";
//   request.soc = "Ascend910B3";
//   request.output = belay::output_kind::shared;
//   request.output_path = "libadd.so";
//   belay::compile_result result = compiler.compile(request);
//   if (!result)
//     std::cerr << result.report();
//
// C++17, header only, over the C interface of libbelay.so (belay/c.h): no type
// of this file crosses the library's border, so compilers may differ. Nothing
// throws but what the standard library throws for lack of memory.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_COMPILER_H
#define BELAY_COMPILER_H

#include "belay/c.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace belay {

enum class output_kind : std::int32_t {
  object = BELAY_OUTPUT_OBJECT,
  shared = BELAY_OUTPUT_SHARED,
  archive = BELAY_OUTPUT_STATIC,
};

enum class check_mode : std::int32_t {
  on = BELAY_CHECK_ON,             ///< findings that are certain stop
  required = BELAY_CHECK_REQUIRED, ///< all do, and so does what cannot be read
  off = BELAY_CHECK_OFF,
  quick = BELAY_CHECK_QUICK, ///< as on, with one path of each kernel
};

enum class backend_kind : std::int32_t {
  automatic = BELAY_BACKEND_AUTO,
  bisheng = BELAY_BACKEND_BISHENG,
  aclrtc = BELAY_BACKEND_ACLRTC,
};

enum class severity : std::int32_t {
  note = BELAY_NOTE,
  warning = BELAY_WARNING,
  error = BELAY_ERROR,
};

/// A place in a source; line 0 is the file as a whole.
struct source_place {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

struct problem_note {
  source_place where;
  std::string message;
};

/// One thing that is wrong. explain(id) tells the rule and how to fix it.
struct problem {
  std::string id;
  std::string message;
  source_place where;
  severity level = severity::error;
  std::vector<problem_note> notes;
};

/// The members are those of belay_request, with the same defaults.
struct compile_request {
  std::string path;
  std::optional<std::string> source;
  std::string soc;
  std::string core;
  output_kind output = output_kind::object;
  check_mode check = check_mode::on;
  backend_kind backend = backend_kind::automatic;
  bool plan_only = false;
  std::vector<std::string> options;
  std::string output_path;
  std::chrono::milliseconds timeout{0};
};

/// What came of a request. Copies share what they show.
class compile_result {
public:
  /// True if the request was fulfilled.
  explicit operator bool() const { return status() == BELAY_OK; }
  belay_status status() const { return belay_result_status(handle_.get()); }

  /// The binary; empty if there is none.
  std::string_view data() const {
    std::size_t size = 0;
    const void *bytes = belay_result_data(handle_.get(), &size);
    return {static_cast<const char *>(bytes), size};
  }
  /// Where it is: the output's path or its place in the cache.
  std::string_view path() const { return belay_result_path(handle_.get()); }
  bool from_cache() const { return belay_result_from_cache(handle_.get()); }
  /// "passed", "findings", "unknown", "not-run".
  std::string_view check() const { return belay_result_check(handle_.get()); }
  std::string_view target() const { return belay_result_target(handle_.get()); }
  std::string_view log() const { return belay_result_log(handle_.get()); }
  /// All problems as a terminal shows them.
  std::string_view report() const { return belay_result_report(handle_.get()); }

  std::vector<problem> problems() const {
    std::vector<problem> all;
    const belay_result *result = handle_.get();
    for (std::size_t i = 0; i < belay_result_num_problems(result); ++i) {
      belay_problem one = BELAY_PROBLEM_INIT;
      if (belay_result_problem(result, i, &one) != BELAY_OK)
        continue;
      problem made{one.id,
                   one.message,
                   {one.file, one.line, one.column},
                   static_cast<severity>(one.severity),
                   {}};
      for (std::size_t k = 0; k < one.num_notes; ++k) {
        belay_note note = BELAY_NOTE_INIT;
        if (belay_result_note(result, i, k, &note) == BELAY_OK)
          made.notes.push_back(
              {{note.file, note.line, note.column}, note.message});
      }
      all.push_back(std::move(made));
    }
    return all;
  }

  /// The commands that were or would be run.
  std::vector<std::vector<std::string>> commands() const {
    const belay_result *result = handle_.get();
    std::vector<std::vector<std::string>> all(
        belay_result_num_commands(result));
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t k = 0; k < belay_result_num_words(result, i); ++k)
        all[i].emplace_back(belay_result_word(result, i, k));
    return all;
  }

  /// Files that were read.
  std::vector<std::string> inputs() const {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < belay_result_num_inputs(handle_.get()); ++i)
      all.emplace_back(belay_result_input(handle_.get(), i));
    return all;
  }

private:
  friend class compiler;
  explicit compile_result(belay_result *handle)
      : handle_(handle, belay_result_destroy) {}

  std::shared_ptr<belay_result> handle_;
};

struct compiler_options {
  std::string cann;                     ///< looked for if empty
  std::optional<std::string> cache_dir; ///< "": no cache
  std::uint64_t cache_bytes = 0;        ///< 0: the default
};

/// May be used by several threads at once.
class compiler {
public:
  explicit compiler(const compiler_options &options = {}) {
    belay_compiler_options given = BELAY_COMPILER_OPTIONS_INIT;
    given.cann = options.cann.empty() ? nullptr : options.cann.c_str();
    given.cache_dir = options.cache_dir ? options.cache_dir->c_str() : nullptr;
    given.cache_bytes = options.cache_bytes;
    belay_compiler *handle = nullptr;
    belay_compiler_create(&given, &handle);
    handle_.reset(handle);
  }

  compile_result compile(const compile_request &request) const {
    return run(belay_compile, request);
  }
  /// Looks at the source only.
  compile_result check(const compile_request &request) const {
    return run(belay_check, request);
  }

private:
  using function = belay_status(belay_compiler *, const belay_request *,
                                belay_result **);

  compile_result run(function *work, const compile_request &request) const {
    std::vector<const char *> options;
    for (const std::string &option : request.options)
      options.push_back(option.c_str());
    belay_request given = BELAY_REQUEST_INIT;
    given.path = request.path.c_str();
    if (request.source) {
      given.source = request.source->data();
      given.source_size = request.source->size();
    }
    given.soc = request.soc.c_str();
    given.core = request.core.c_str();
    given.output = static_cast<std::int32_t>(request.output);
    given.check = static_cast<std::int32_t>(request.check);
    given.backend = static_cast<std::int32_t>(request.backend);
    given.plan_only = request.plan_only;
    given.options = options.data();
    given.num_options = options.size();
    if (!request.output_path.empty())
      given.output_path = request.output_path.c_str();
    given.timeout_ms = static_cast<std::uint32_t>(request.timeout.count());
    belay_result *result = nullptr;
    work(handle_.get(), &given, &result);
    return compile_result(result);
  }

  struct destroy {
    void operator()(belay_compiler *handle) const {
      belay_compiler_destroy(handle);
    }
  };
  std::unique_ptr<belay_compiler, destroy> handle_;
};

/// The page of an id, Markdown; empty if there is none.
inline std::string_view explain(const std::string &id) {
  const char *page = belay_explain(id.c_str());
  return page ? page : "";
}

} // namespace belay

#endif // BELAY_COMPILER_H
