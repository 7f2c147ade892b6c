//===- Build.td - Options of belay build -------------------*- tablegen -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "options/Common.td"

defm kernel : Value<"kernel", "NAME",
  "only this kernel, or this instance of a template:\n"
  "softmax<1024>; may be repeated">;
defm tuned : Value<"tuned", "FILE.json",
  "the kernel, the macros and the SoC that belay tune --save\n"
  "wrote">;
defm soc : Value<"soc", "NAME",
  "the target; default Ascend910B3 (see 'belay targets')">;
def o : LetterWith<"o", "DIR",
  "write for every kernel its AscendC (.cpp), its launcher (.h)\n"
  "and its description (.json); with --emit, a file">;
def embed : Switch<"embed",
  "with -o DIR: also compile the kernels for the simulated device,\n"
  "as a header that programs include: DIR/SOURCE_object.h">;
def deny : Switch<"deny",
  "refuse what is not proven, instead of checking it on the device">;
defm emit : Value<"emit", "WHAT",
  "only show one form of the kernels: ascendc; pto, for ptoas;\n"
  "launcher; description; plan-json, as --explain; of\n"
  "Belay's own: ascend-ir, tiles; core-ir, instructions">;
defm format : Value<"format", "text|json|sarif",
  "json, or SARIF 2.1.0: what was said of the source, as one\n"
  "object on stdout">;
defm sync : Value<"sync", "WHO",
  "of --emit pto: ours (default) writes addresses, flags and\n"
  "barriers as planned, ptoas leaves them to ptoas">;
def explain : Switch<"explain",
  "only show what went where: buffers of each memory, what\n"
  "moves on which pipe, the flags, what limits the tiles">;
defm time_limit : Value<"time-limit", "SECONDS",
  "stop after this; default 300">;
def sandbox : Switch<"sandbox",
  "for a file that nobody knows: it can include nothing but\n"
  "its own folder, -I folders and headers of the system">;
def D : LetterWith<"D", "NAME[=VALUE]",
  "define a macro">;
def I : LetterWith<"I", "DIR",
  "search headers here">;
