//===- Kernels.td - Options of belay kernels ---------------*- tablegen -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "options/Common.td"

defm soc : Value<"soc", "NAME",
  "of test: only this target (see 'belay targets')">;
defm dtypes : Value<"dtypes", "TYPES",
  "of test: only these element types: float,half">;
defm schedules : Value<"schedules", "N",
  "of test: then run N times with the pipes in random legal orders">;
def all : Switch<"all",
  "of test: all kernels, as without a name">;
def summary : Switch<"summary",
  "of test: failures, and figures of the whole run">;
def json : Switch<"json",
  "the chosen entries of the catalogue as JSON">;
