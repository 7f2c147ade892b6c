//===- Bench.td - Options of belay bench -------------------*- tablegen -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "options/Common.td"

defm tasks : Value<"tasks", "PATTERN",
  "level1, activation, activation/elu, level2/*/half; may be\n"
  "repeated; default: all. npukernelbench:CHECKOUT and\n"
  "multikernelbench:CHECKOUT: those of other benchmarks">;
defm task_folder : Value<"task-folder", "DIR",
  "where tasks are, instead of those that come with Belay">;
defm candidates : Value<"candidates", "DIR",
  "[MODEL/]TASK/SAMPLE.cpp below this">;
defm store : Value<"store", "FILE",
  "jobs and results; default bench.db">;
defm queue : Value<"queue", "URL",
  "jobs and results in a database of many hosts, instead of a\n"
  "file: postgres://USER@HOST/DATABASE; the password comes from\n"
  "PGPASSWORD or ~/.pgpass">;
defm lease : Value<"lease", "SECONDS",
  "how long jobs stay with somebody who has died; default 60">;
def until_empty : Switch<"until-empty",
  "'agent' ends when it finds no job that it can judge">;
defm experiment : Value<"experiment", "NAME",
  "the name of this set of candidates; default 'default'">;
defm soc : Value<"soc", "NAME",
  "the target; default Ascend910B3">;
defm schedules : Value<"schedules", "N",
  "orders of the pipes that a candidate has to hold in;\n"
  "default 1">;
defm jobs : Value<"jobs", "N",
  "candidates that are judged at once; default one per CPU">;
defm time_limit : Value<"time-limit", "SECONDS",
  "CPU time of each launch of a candidate; default 20">;
defm compile_time_limit : Value<"compile-time-limit", "SECONDS",
  "CPU time of each of its compilers; default 60">;
defm check_time_limit : Value<"check-time-limit", "SECONDS",
  "CPU time of its static check; what is open then stays open;\n"
  "default 2">;
defm budget : Value<"budget", "SECONDS",
  "CPU time of everything that a candidate goes through;\n"
  "default 120">;
defm largest : Value<"largest", "ELEMENTS",
  "of foreign sets: larger shapes are halved until they fit;\n"
  "default 4194304, 0: none is">;
def no_sandbox : Switch<"no-sandbox",
  "candidates get all your rights: only for sources that\n"
  "you have written">;
defm model : Value<"model", "NAME",
  "whom 'generate' asks, as the server calls it">;
defm endpoint : Value<"endpoint", "URL",
  "the server, up to /v1: any that has chat completions; the key\n"
  "comes from BELAY_API_KEY">;
defm prompt : Value<"prompt", "NAME",
  "how it is asked: zero-shot, one-shot, api (with facts of the\n"
  "functions that are needed), language (with the guide to the\n"
  "kernel language); default zero-shot">;
defm samples : Value<"samples", "N",
  "answers for each task; default 1">;
defm repairs : Value<"repairs", "N",
  "how often the model is told what is wrong with a sample, and\n"
  "asked again; default 0">;
defm temperature : Value<"temperature", "T",
  "of the model; default 0.8">;
defm max_tokens : Value<"max-tokens", "N",
  "of an answer; default 16384">;
defm rate : Value<"rate", "N",
  "requests a minute, at most">;
defm requests : Value<"requests", "N",
  "of one question, if the server fails; default 6">;
defm seed : Value<"seed", "N",
  "of the samples; default 0">;
defm format : Value<"format", "KIND",
  "of what 'answers' writes: language or ascendc">;
def o : LetterWith<"o", "DIR",
  "where 'report', 'answers' and 'generate' write">;
def json : Switch<"json",
  "results as JSON">;
