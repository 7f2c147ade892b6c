/*===- belay/c.h - The C interface of Belay ---------------------------------===
 *
 * Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Compiles AscendC C++ for a device by the user's own CANN, and checks it. Link
 * libbelay.so or load it with dlopen; C99, no other header is needed.
 *
 *   belay_compiler *compiler = NULL;
 *   belay_compiler_create(NULL, &compiler);
 *   belay_request request = BELAY_REQUEST_INIT;
 *   request.path = "add.cpp";
 *   request.soc = "Ascend910B3";
 *   request.output = BELAY_OUTPUT_SHARED;
 *   request.output_path = "libadd.so";
 *   belay_result *result = NULL;
 *   if (belay_compile(compiler, &request, &result) != BELAY_OK)
 *     fputs(belay_result_report(result), stderr);
 *   belay_result_destroy(result);
 *   belay_compiler_destroy(compiler);
 *
 * One rule of versions: within a major version, functions, enumerators and
 * members at the end of structures are added, never removed or changed. A
 * structure says its size in its first member; a library that is older than its
 * caller accepts members that it does not know if they are zero, and answers
 * BELAY_TOO_NEW if they are not.
 *
 * Strings are UTF-8 and end in NUL. What a function returns by pointer belongs
 * to the handle that it was asked of and lives as long. Functions may be called
 * from several threads, also with one compiler; a result belongs to one thread
 * at a time. No function prints, ends the process or changes the environment;
 * compilers run as child processes. NULL handles are allowed everywhere.
 *
 *===----------------------------------------------------------------------===*/

#ifndef BELAY_C_H
#define BELAY_C_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BELAY_C_VERSION_MAJOR 1
#define BELAY_C_VERSION_MINOR 2

#if defined(__GNUC__)
#define BELAY_API __attribute__((visibility("default")))
#else
#define BELAY_API
#endif

/* Major version in the upper 16 bits, minor version in the lower ones, of the
 * library that was loaded. */
BELAY_API uint32_t belay_c_version(void);
/* Of Belay itself, "0.1.0". */
BELAY_API const char *belay_version(void);

typedef enum belay_status {
  BELAY_OK = 0,
  /* A finding, or a check that was required and could not be made. */
  BELAY_FOUND = 1,
  /* An option, a path, a SoC or a member of a structure cannot be used. */
  BELAY_INVALID = 2,
  /* The kernel does not compile, or there is no CANN. */
  BELAY_NOT_COMPILED = 3,
  /* The request has members that this library does not know. */
  BELAY_TOO_NEW = 4,
  /* Belay or the machine failed: nothing is said about the kernel, which is
   * neither to be accepted nor to be rejected; since 1.2. */
  BELAY_FAILED = 5
} belay_status;

/* "ok", "found", ...; "unknown" for other numbers. */
BELAY_API const char *belay_status_name(belay_status status);

/*===-- Compilers
 * -----------------------------------------------------------===*/

typedef struct belay_compiler belay_compiler;

typedef struct belay_compiler_options {
  size_t struct_size;
  /* The folder of CANN. NULL: ASCEND_HOME_PATH, ASCEND_TOOLKIT_HOME, the usual
   * places, the one whose bisheng is in PATH. */
  const char *cann;
  /* The folder of the cache. NULL: BELAY_CACHE_DIR, XDG_CACHE_HOME/belay,
   * ~/.cache/belay. "": none. */
  const char *cache_dir;
  /* Bound of the cache in bytes. 0: BELAY_CACHE_SIZE, else 2 GiB. */
  uint64_t cache_bytes;
} belay_compiler_options;

#define BELAY_COMPILER_OPTIONS_INIT {sizeof(belay_compiler_options), 0, 0, 0}

/* NULL options are the defaults. CANN is looked for by each compilation, so
 * this succeeds without one. */
BELAY_API belay_status belay_compiler_create(
    const belay_compiler_options *options, belay_compiler **compiler);
BELAY_API void belay_compiler_destroy(belay_compiler *compiler);

/*===-- Requests
 * ------------------------------------------------------------===*/

typedef enum belay_output {
  BELAY_OUTPUT_OBJECT = 0,
  BELAY_OUTPUT_SHARED = 1,
  BELAY_OUTPUT_STATIC = 2
} belay_output;

typedef enum belay_check_mode {
  /* Findings that no launch can make right stop; others are warnings, and so
   * is a source that cannot be read. */
  BELAY_CHECK_ON = 0,
  /* Every finding stops, and so does a source that cannot be read. */
  BELAY_CHECK_REQUIRED = 1,
  BELAY_CHECK_OFF = 2,
  /* As BELAY_CHECK_ON, following one path of each kernel; since 1.1. */
  BELAY_CHECK_QUICK = 3
} belay_check_mode;

typedef enum belay_backend {
  BELAY_BACKEND_AUTO = 0,
  BELAY_BACKEND_BISHENG = 1,
  BELAY_BACKEND_ACLRTC = 2
} belay_backend;

typedef struct belay_request {
  size_t struct_size;
  /* The source's file; with source, only its name in messages. */
  const char *path;
  /* The source itself, of source_size bytes. NULL: read path. */
  const char *source;
  size_t source_size;
  /* "Ascend910B3"; NULL is that one. */
  const char *soc;
  /* "vec", "cube", "mix"; NULL or "" for the whole chip. */
  const char *core;
  int32_t output;  /* belay_output */
  int32_t check;   /* belay_check_mode */
  int32_t backend; /* belay_backend */
  /* Not 0: only say which commands would run. */
  int32_t plan_only;
  /* Further options, as on a command line; the harmless ones are accepted. */
  const char *const *options;
  size_t num_options;
  /* Where to write the binary. NULL: it is only in the result. */
  const char *output_path;
  /* For each command. 0: ten minutes. */
  uint32_t timeout_ms;
  uint32_t reserved; /* 0 */
} belay_request;

#define BELAY_REQUEST_INIT                                                     \
  {sizeof(belay_request), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}

/*===-- Results
 * -------------------------------------------------------------===*/

typedef struct belay_result belay_result;

/* Both set *result, also when they fail, unless it is NULL or the system has no
 * memory. belay_check looks at the source only. */
BELAY_API belay_status belay_compile(belay_compiler *compiler,
                                     const belay_request *request,
                                     belay_result **result);
BELAY_API belay_status belay_check(belay_compiler *compiler,
                                   const belay_request *request,
                                   belay_result **result);
BELAY_API void belay_result_destroy(belay_result *result);

BELAY_API belay_status belay_result_status(const belay_result *result);
/* The binary; NULL if there is none. */
BELAY_API const void *belay_result_data(const belay_result *result,
                                        size_t *size);
/* Where the binary is: output_path, else its place in the cache, else "". A
 * file in the cache may be removed by later compilations; opened or mapped it
 * stays. */
BELAY_API const char *belay_result_path(const belay_result *result);
BELAY_API int belay_result_from_cache(const belay_result *result);
/* "passed": every question was answered; "findings"; "unknown": nothing was
 * found, and not everything could be told; "not-run". */
BELAY_API const char *belay_result_check(const belay_result *result);
/* "dav-2201"; "" if the request did not get so far. */
BELAY_API const char *belay_result_target(const belay_result *result);
/* What the compiler said. */
BELAY_API const char *belay_result_log(const belay_result *result);
/* All problems as a terminal shows them, without colours. */
BELAY_API const char *belay_result_report(const belay_result *result);

typedef enum belay_severity {
  BELAY_NOTE = 0,
  BELAY_WARNING = 1,
  BELAY_ERROR = 2
} belay_severity;

typedef struct belay_problem {
  size_t struct_size;
  const char *id; /* "device-compile-error", for belay_explain. */
  const char *message;
  const char *file; /* "" if it is nowhere. */
  uint32_t line;    /* 0: the file as a whole. */
  uint32_t column;  /* 0: the line as a whole. */
  int32_t severity; /* belay_severity */
  uint32_t num_notes;
} belay_problem;

typedef struct belay_note {
  size_t struct_size;
  const char *message;
  const char *file;
  uint32_t line;
  uint32_t column;
} belay_note;

#define BELAY_PROBLEM_INIT {sizeof(belay_problem), 0, 0, 0, 0, 0, 0, 0}
#define BELAY_NOTE_INIT {sizeof(belay_note), 0, 0, 0, 0}

BELAY_API size_t belay_result_num_problems(const belay_result *result);
/* Fills as much as struct_size says; BELAY_INVALID if there is no such one. */
BELAY_API belay_status belay_result_problem(const belay_result *result,
                                            size_t index,
                                            belay_problem *problem);
BELAY_API belay_status belay_result_note(const belay_result *result,
                                         size_t problem, size_t index,
                                         belay_note *note);

/* The commands that were or would be run. */
BELAY_API size_t belay_result_num_commands(const belay_result *result);
BELAY_API size_t belay_result_num_words(const belay_result *result,
                                        size_t command);
/* NULL if there is no such word. */
BELAY_API const char *belay_result_word(const belay_result *result,
                                        size_t command, size_t index);

/* Files that were read, as far as they are known. */
BELAY_API size_t belay_result_num_inputs(const belay_result *result);
BELAY_API const char *belay_result_input(const belay_result *result,
                                         size_t index);

/* The page of an id, Markdown; NULL if there is none. Lives for ever. */
BELAY_API const char *belay_explain(const char *id);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* BELAY_C_H */
