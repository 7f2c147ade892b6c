/*===- client.c - A program in plain C --------------------------------------===
 *
 * Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 *   client CANN CACHE FOLDER
 *
 * Uses all of belay/c.h. Compiled with gcc -std=c99 -pedantic -Werror, so that
 * the header stays what it says it is.
 *
 *===----------------------------------------------------------------------===*/
#include "belay/c.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);          \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

static const char kernel[] = "extern \"C\" void k() {}\n";

static const char checked[] =
    "#include \"kernel_operator.h\"\n"
    "extern \"C\" __global__ __aicore__ void k(GM_ADDR x) {}\n";
static const char host_code[] =
    "#include \"kernel_operator.h\"\n"
    "extern \"C\" __global__ void k(GM_ADDR x) {}\n";

static belay_request request_for(const char *path) {
  belay_request request = BELAY_REQUEST_INIT;
  request.path = path;
  request.source = kernel;
  request.source_size = strlen(kernel);
  request.soc = "Ascend910B3";
  request.output = BELAY_OUTPUT_SHARED;
  request.check = BELAY_CHECK_OFF;
  return request;
}

static void test_success(belay_compiler *compiler, const char *folder) {
  char out[4096];
  int round;
  snprintf(out, sizeof out, "%s/libk.so", folder);
  for (round = 0; round < 2; ++round) {
    belay_request request = request_for("k.cpp");
    belay_result *result = NULL;
    const char *data;
    size_t size = 0, word;
    int shared = 0;
    const char *const options[] = {"-DN=1", "-O3"};
    FILE *file;
    request.options = options;
    request.num_options = 2;
    request.output_path = out;
    CHECK(belay_compile(compiler, &request, &result) == BELAY_OK);
    CHECK(belay_result_status(result) == BELAY_OK);
    CHECK(belay_result_from_cache(result) == round);
    CHECK(strcmp(belay_result_path(result), out) == 0);
    CHECK(strcmp(belay_result_target(result), "dav-2201") == 0);
    CHECK(strcmp(belay_result_check(result), "not-run") == 0);
    CHECK(strcmp(belay_result_report(result), "") == 0);
    CHECK(strcmp(belay_result_log(result), "") == 0);
    CHECK(belay_result_num_problems(result) == 0);
    data = belay_result_data(result, &size);
    CHECK(data && size > 16 && memcmp(data, "\177ELF", 4) == 0);
    file = fopen(out, "rb");
    CHECK(file != NULL);
    CHECK(fseek(file, 0, SEEK_END) == 0 && (size_t)ftell(file) == size);
    fclose(file);
    if (round == 0) {
      CHECK(belay_result_num_commands(result) == 1);
      for (word = 0; word < belay_result_num_words(result, 0); ++word)
        shared |= strcmp(belay_result_word(result, 0, word), "-shared") == 0;
      CHECK(shared);
      CHECK(belay_result_word(result, 0, word) == NULL);
      CHECK(belay_result_word(result, 1, 0) == NULL);
    }
    belay_result_destroy(result);
  }
}

static void test_in_memory(belay_compiler *compiler) {
  belay_request request = request_for(NULL);
  belay_result *result = NULL;
  CHECK(belay_compile(compiler, &request, &result) == BELAY_OK);
  /* The cache has it. */
  CHECK(strstr(belay_result_path(result), ".bin") != NULL);
  CHECK(belay_result_num_inputs(result) == 0);
  CHECK(belay_result_input(result, 0) == NULL);
  belay_result_destroy(result);
}

static void test_problems(belay_compiler *compiler) {
  belay_request request = request_for("k.cpp");
  belay_problem problem = BELAY_PROBLEM_INIT;
  belay_note note = BELAY_NOTE_INIT;
  belay_result *result = NULL;
  const char *const options[] = {"-fplugin=x.so"};
  request.options = options;
  request.num_options = 1;
  CHECK(belay_compile(compiler, &request, &result) == BELAY_INVALID);
  CHECK(belay_result_num_problems(result) == 1);
  CHECK(belay_result_problem(result, 0, &problem) == BELAY_OK);
  CHECK(strcmp(problem.id, "option-refused") == 0);
  CHECK(strstr(problem.message, "load code") != NULL);
  CHECK(problem.severity == BELAY_ERROR && problem.line == 0);
  CHECK(strstr(belay_explain(problem.id), "## Rule") != NULL);
  CHECK(strstr(belay_result_report(result), "[option-refused]") != NULL);
  CHECK(belay_result_problem(result, 1, &problem) == BELAY_INVALID);
  CHECK(belay_result_note(result, 0, 0, &note) == BELAY_INVALID);
  CHECK(belay_result_data(result, NULL) == NULL);
  CHECK(strcmp(belay_result_path(result), "") == 0);
  belay_result_destroy(result);
}

/* What a caller of the next version would send. */
struct newer_request {
  belay_request known;
  uint64_t later;
};

static void test_versions(belay_compiler *compiler) {
  struct newer_request newer;
  belay_request request = request_for("k.cpp");
  belay_result *result = NULL;
  CHECK(belay_c_version() >> 16 == BELAY_C_VERSION_MAJOR);
  CHECK((belay_c_version() & 0xffff) + 1 > BELAY_C_VERSION_MINOR);
  CHECK(belay_version()[0] != '\0');

  newer.known = request;
  newer.known.struct_size = sizeof newer;
  newer.later = 0;
  CHECK(belay_compile(compiler, &newer.known, &result) == BELAY_OK);
  belay_result_destroy(result);
  newer.later = 1;
  CHECK(belay_compile(compiler, &newer.known, &result) == BELAY_TOO_NEW);
  CHECK(strstr(belay_result_report(result), "does not know") != NULL);
  belay_result_destroy(result);

  request.struct_size = 8;
  CHECK(belay_compile(compiler, &request, &result) == BELAY_INVALID);
  belay_result_destroy(result);
  request.struct_size = (size_t)-1;
  CHECK(belay_compile(compiler, &request, &result) == BELAY_INVALID);
  belay_result_destroy(result);
}

static void test_nonsense(belay_compiler *compiler) {
  belay_request request = request_for("k.cpp");
  belay_result *result = NULL;
  const char *const options[] = {NULL};
  size_t size = 7;
  CHECK(belay_compile(NULL, &request, &result) == BELAY_INVALID && !result);
  CHECK(belay_compile(compiler, NULL, &result) == BELAY_INVALID && !result);
  CHECK(belay_compile(compiler, &request, NULL) == BELAY_INVALID);
  CHECK(belay_compiler_create(NULL, NULL) == BELAY_INVALID);
  belay_compiler_destroy(NULL);
  belay_result_destroy(NULL);
  CHECK(belay_result_data(NULL, &size) == NULL && size == 0);
  CHECK(belay_result_num_problems(NULL) == 0);
  CHECK(strcmp(belay_result_report(NULL), "") == 0);
  CHECK(belay_explain(NULL) == NULL && belay_explain("nothing") == NULL);
  CHECK(strcmp(belay_status_name(BELAY_TOO_NEW), "too-new") == 0);
  CHECK(strcmp(belay_status_name(BELAY_FAILED), "failed") == 0);
  CHECK(strcmp(belay_status_name((belay_status)99), "unknown") == 0);

  request.options = options;
  request.num_options = 1;
  CHECK(belay_compile(compiler, &request, &result) == BELAY_INVALID);
  belay_result_destroy(result);
  request = request_for("k.cpp");
  request.output = 9;
  CHECK(belay_compile(compiler, &request, &result) == BELAY_INVALID);
  belay_result_destroy(result);
  request = request_for("k.cpp");
  request.reserved = 1;
  CHECK(belay_compile(compiler, &request, &result) == BELAY_INVALID);
  belay_result_destroy(result);
  request = request_for("k.cpp");
  request.output_path = "/nowhere/at/all";
  CHECK(belay_compile(compiler, &request, &result) == BELAY_INVALID);
  CHECK(belay_result_data(result, NULL) == NULL);
  belay_result_destroy(result);
}

static void test_check(belay_compiler *compiler) {
  belay_request request = request_for("k.cpp");
  belay_result *result = NULL;
  request.check = BELAY_CHECK_REQUIRED;
  request.source = checked;
  request.source_size = strlen(checked);
  CHECK(belay_check(compiler, &request, &result) == BELAY_OK);
  CHECK(strcmp(belay_result_check(result), "passed") == 0);
  CHECK(belay_result_data(result, NULL) == NULL);
  belay_result_destroy(result);
  request.source = "#include \"nowhere.h\"\n";
  request.source_size = strlen(request.source);
  CHECK(belay_check(compiler, &request, &result) == BELAY_FOUND);
  CHECK(strcmp(belay_result_check(result), "unknown") == 0);
  belay_result_destroy(result);
}

/* A finding stops, however thorough the search was, and names the line. */
static void test_finding(belay_compiler *compiler) {
  const int32_t modes[] = {BELAY_CHECK_ON, BELAY_CHECK_QUICK,
                           BELAY_CHECK_REQUIRED};
  size_t mode;
  for (mode = 0; mode < 3; ++mode) {
    belay_request request = request_for("k.cpp");
    belay_problem problem = BELAY_PROBLEM_INIT;
    belay_result *result = NULL;
    request.check = modes[mode];
    request.source = host_code;
    request.source_size = strlen(host_code);
    CHECK(belay_compile(compiler, &request, &result) == BELAY_FOUND);
    CHECK(strcmp(belay_result_check(result), "findings") == 0);
    CHECK(belay_result_data(result, NULL) == NULL);
    CHECK(belay_result_num_problems(result) == 1);
    CHECK(belay_result_problem(result, 0, &problem) == BELAY_OK);
    CHECK(strcmp(problem.id, "bad-entry") == 0);
    CHECK(strcmp(problem.file, "k.cpp") == 0);
    CHECK(problem.line == 2 && problem.severity == BELAY_ERROR);
    belay_result_destroy(result);
  }
}

int main(int argc, char **argv) {
  belay_compiler_options options = BELAY_COMPILER_OPTIONS_INIT;
  belay_compiler *compiler = NULL;
  CHECK(argc == 4);
  options.cann = argv[1];
  options.cache_dir = argv[2];
  CHECK(belay_compiler_create(&options, &compiler) == BELAY_OK);
  test_success(compiler, argv[3]);
  test_in_memory(compiler);
  test_problems(compiler);
  test_versions(compiler);
  test_nonsense(compiler);
  test_check(compiler);
  test_finding(compiler);
  belay_compiler_destroy(compiler);
  puts("passed");
  return 0;
}
