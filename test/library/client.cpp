//===- client.cpp - A program in C++17 ------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   client CANN CACHE FOLDER
//
//===----------------------------------------------------------------------===//

#include "belay/compiler.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>

#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);     \
      std::exit(1);                                                            \
    }                                                                          \
  } while (0)

static belay::compile_request request_for(const std::string &text) {
  belay::compile_request request;
  request.path = "k.cpp";
  request.source = text;
  request.check = belay::check_mode::off;
  return request;
}

/// Many threads with one compiler: each source is compiled once.
static void test_threads(const belay::compiler &compiler) {
  std::vector<std::thread> threads;
  std::vector<std::string> made(64);
  std::vector<int> fresh(64);
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&, i] {
      for (int k = 0; k < 8; ++k) {
        auto result = compiler.compile(request_for("// " + std::to_string(k)));
        made[8 * k + i] = result.data();
        fresh[8 * k + i] = !result.from_cache();
      }
    });
  for (auto &thread : threads)
    thread.join();
  for (int k = 0; k < 8; ++k) {
    auto first = made.begin() + 8 * k;
    CHECK(!first->empty());
    CHECK(std::count(first, first + 8, *first) == 8);
    CHECK(std::count(fresh.begin() + 8 * k, fresh.begin() + 8 * k + 8, 1) == 1);
  }
}

int main(int argc, char **argv) {
  CHECK(argc == 4);
  belay::compiler_options options;
  options.cann = argv[1];
  options.cache_dir = argv[2];
  belay::compiler compiler(options);

  belay::compile_request request = request_for("int x;\n");
  request.output = belay::output_kind::shared;
  request.output_path = std::string(argv[3]) + "/libcpp.so";
  belay::compile_result result = compiler.compile(request);
  CHECK(result && !result.from_cache());
  CHECK(result.data().substr(0, 4) == "\177ELF");
  CHECK(result.path() == request.output_path);
  CHECK(result.target() == "dav-2201");
  CHECK(result.commands().size() == 1);
  CHECK(result.commands()[0].back().find("k.cpp") != std::string::npos);
  CHECK(compiler.compile(request).from_cache());

  request.options = {"@file"};
  result = compiler.compile(request);
  CHECK(!result && result.status() == BELAY_INVALID);
  CHECK(result.problems().size() == 1);
  CHECK(result.problems()[0].id == "option-refused");
  CHECK(!belay::explain(result.problems()[0].id).empty());
  CHECK(result.data().empty());

  request.options.clear();
  request.plan_only = true;
  request.core = "mix";
  request.output = belay::output_kind::object;
  result = compiler.compile(request);
  CHECK(result && result.commands().size() == 3);

  // The folders that were looked at are notes.
  belay::compiler_options nowhere;
  nowhere.cann = std::string(argv[3]) + "/nothing";
  result = belay::compiler(nowhere).compile(request_for("int x;\n"));
  CHECK(result.status() == BELAY_NOT_COMPILED);
  CHECK(result.problems()[0].id == "cann-not-found");

  test_threads(compiler);

  // A host that ignores SIGCHLD loses exit statuses; it must not hang, and
  // nothing may be taken for a success.
  std::signal(SIGCHLD, SIG_IGN);
  result = compiler.compile(request_for("int last;\n"));
  CHECK(!result && result.status() == BELAY_FAILED);
  belay::compile_request asked;
  asked.path = "k.cpp";
  asked.source = "int last;\n";
  result = compiler.check(asked);
  CHECK(!result && result.status() == BELAY_FAILED);
  std::puts("passed");
}
