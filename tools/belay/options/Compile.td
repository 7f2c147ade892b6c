//===- Compile.td - Options of belay compile ---------------*- tablegen -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "options/Common.td"

defm soc : Value<"soc", "NAME",
  "the target; default Ascend910B3 (see 'belay targets')">;
defm core : Value<"core", "KIND",
  "vec, cube or mix: a device object for one kind of core only.\n"
  "Without it, host and device code of the file for the whole chip">;
def shared : Switch<"shared",
  "a library for dlopen instead of an object">;
def static_ : Switch<"static",
  "an archive instead of an object">;
def o : LetterWith<"o", "FILE",
  "the output; default NAME.o, libNAME.so or libNAME.a">;
def D : LetterWith<"D", "NAME[=VALUE]",
  "define a macro">;
def I : LetterWith<"I", "DIR",
  "search headers here">;
def O : LetterWith<"O", "LEVEL",
  "optimise: 0, 1, 2, 3 or s">;
defm option : Value<"option", "TEXT",
  "any other option of the compiler that is known to be harmless">;
defm check : Value<"check", "HOW",
  "on: stop on findings that no launch can make right, warn of others\n"
  "(default); quick: the same with one path of each kernel; required:\n"
  "stop on every finding, and on what cannot be read; off: only compile">;
defm cann : Value<"cann", "DIR",
  "the toolkit; default ASCEND_HOME_PATH, ASCEND_TOOLKIT_HOME, the usual\n"
  "places, the one whose bisheng is in PATH">;
defm backend : Value<"backend", "NAME",
  "bisheng, or aclrtc: the runtime compile library (objects for 910B and\n"
  "950); default whichever is there">;
defm depfile : Value<"depfile", "FILE",
  "write for make and ninja which files were read">;
defm timeout : Value<"timeout", "SECONDS",
  "for each command; default 600">;
def no_cache : Switch<"no-cache",
  "compile anew and keep nothing">;
def dry_run : Switch<"dry-run",
  "show the commands instead of running them">;
def verbose : Switch<"verbose",
  "show the commands and all that they said">;
defm format : Value<"format", "NAME",
  "text (default) or json">;
