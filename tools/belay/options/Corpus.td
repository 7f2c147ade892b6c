//===- Corpus.td - Options of belay corpus -----------------*- tablegen -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "options/Common.td"

def dynamic : Switch<"dynamic",
  "run the kernels under the sanitizer and score it">;
def static_ : Switch<"static",
  "only read the kernels, and score 'belay check'">;
defm schedules : Value<"schedules", "N",
  "run them in N random legal orders of the pipes, and hold the\n"
  "results against what the sanitizer says">;
defm class_ : Value<"class", "CLASS",
  "only this class; may be repeated">;
defm id : Value<"id", "ID",
  "only this pattern, as V6.1; may be repeated">;
defm arch : Value<"arch", "ARCH",
  "only on 2002, 2201 or 3510">;
def examples : Switch<"examples",
  "also run the examples, which are all right">;
defm jobs : Value<"jobs", "N",
  "kernels that run at once; default one per CPU">;
def json : Switch<"json",
  "the score as one JSON object">;
def markdown : Switch<"markdown",
  "the table of docs/corpus.md">;
def v : Letter<"v",
  "show everything that was reported">;
