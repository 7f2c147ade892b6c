//===- Check.td - Options of belay check -------------------*- tablegen -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "options/Common.td"

defm soc : Value<"soc", "NAME",
  "the target; default Ascend910B3 (see 'belay targets')">;
defm auto_sync : Value<"auto-sync", "on|off",
  "whether bisheng inserts its flags; default on">;
def quick : Switch<"quick",
  "follow one path only: entry point, capacity, and what\n"
  "that path shows">;
def pto : Switch<"pto",
  "the files are PTO-MLIR: do tiles fit, are flags right, do\n"
  "they order all that uses the same memory">;
defm effort : Value<"effort", "N",
  "follow N times as many paths as usual, up to 100, and\n"
  "longer ones">;
def D : LetterWith<"D", "NAME[=VALUE]",
  "define a macro">;
def I : LetterWith<"I", "DIR",
  "search headers here">;
def p : LetterWith<"p", "DIR",
  "take macros and header folders of each file from\n"
  "compile_commands.json of this build; without files,\n"
  "check all in it that have kernels">;
defm op_host : Value<"op-host", "FILE",
  "the operator's host code, for its tiling structures and\n"
  "types; runs in a child process">;
defm op : Value<"op", "NAME",
  "the operator, if the host code defines several">;
defm launches : Value<"launches", "CASES.json",
  "run the launches of this case file under the sanitizer,\n"
  "and hold them against the conditions of what is clean if\n"
  "they hold">;
def fix : Switch<"fix",
  "insert missing flags and barriers into the files, where\n"
  "the check confirms that fewer findings are left">;
defm baseline : Value<"baseline", "FILE",
  "findings in this file make no status; their topics are\n"
  "silenced">;
defm write_baseline : Value<"write-baseline", "FILE",
  "write all findings to it, and end with 0 if the files\n"
  "could be checked">;
def ignore_allow : Switch<"ignore-allow",
  "report what '// belay: allow' in the source silences,\n"
  "and take '// belay: assume' for a comment">;
def sandbox : Switch<"sandbox",
  "for a file that nobody knows: it can include nothing but\n"
  "its own folder, -I folders and headers of the system;\n"
  "launches are confined">;
defm time_limit : Value<"time-limit", "SECONDS",
  "CPU time for each file; default 60">;
def no_cache : Switch<"no-cache",
  "do without precompiled headers">;
defm format : Value<"format", "text|json|sarif",
  "json, or SARIF 2.1.0: one object on stdout">;
defm fail_on : Value<"fail-on", "finding|unknown|conditions",
  "what makes the exit status 1: a finding (default), or also\n"
  "a topic that is unknown, or one that is clean only on\n"
  "conditions">;
def v : Letter<"v",
  "show every reason for an unknown verdict">;
