//===- Run.td - Options of belay run -----------------------*- tablegen -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "options/Common.td"

def launch_group : Titled<"Launch">;
let Group = launch_group in {
defm kernel : Value<"kernel", "NAME",
  "the __global__ function, or the kernel of the language:\n"
  "softmax<1024>, or softmax if the tensors decide its\n"
  "template arguments; needed if there are several">;
defm soc : Value<"soc", "NAME",
  "the target; default Ascend910B3 (see 'belay targets')">;
defm blocks : Value<"blocks", "N",
  "blocks of the launch; default 1">;
defm case_ : Value<"case", "NAME",
  "of a case file, run only this; may be repeated">;
def stream : Switch<"stream",
  "read cases from standard input, one a line, and answer\n"
  "each with one line of JSON">;
defm task : Value<"task", "KIND",
  "vector, cube, mix11 or mix12; default: what the kernel\n"
  "says or needs">;
defm workspace : Value<"workspace", "BYTES",
  "size of the workspace; default 16M">;
defm repeat : Value<"repeat", "N",
  "launch N times, report the median time">;
defm jobs : Value<"jobs", "N",
  "simulated cores that run at once; default one per CPU">;
defm time_limit : Value<"time-limit", "SECONDS",
  "stop the kernel after this; default 60">;
defm compile_time_limit : Value<"compile-time-limit", "SECONDS",
  "stop each compiler after this; default 300">;
defm compile_memory_limit : Value<"compile-memory-limit", "BYTES",
  "address space of each compiler; default 16G">;
defm budget : Value<"budget", "SECONDS",
  "for each case, compiling and running together">;
defm memory_limit : Value<"memory-limit", "BYTES",
  "memory it may have beside its arguments;\n"
  "default 8G">;
}

def arguments_group : Titled<"Arguments of the kernel">;
let Group = arguments_group in {
defm in_ : Value<"in", "TYPE:SHAPE=VALUES | FILE.npy",
  "an input: f16:1024x64=normal:1, f32:64=data.bin, x.npy">;
defm out : Value<"out", "TYPE:SHAPE[=FILE]",
  "an output, written to FILE.npy or FILE.bin if one is named">;
defm inout : Value<"inout", "INPUT[@FILE]",
  "an input that the kernel changes">;
defm scalar : Value<"scalar", "TYPE=VALUE",
  "an argument by value: i32=5">;
defm op_host : Value<"op-host", "FILE.cpp",
  "the operator's host code, which then decides blocks,\n"
  "tiling and workspace; may be repeated">;
defm op : Value<"op", "TYPE",
  "the operator, if the host code defines several">;
defm attr : Value<"attr", "NAME=VALUE",
  "an attribute of the operator: dim=1, shape=2,3">;
defm tiling : Value<"tiling", "FIELDS | FILE",
  "a=1,b.c=2,dims=[4,8], or the same in FILE.json,\n"
  "or the bytes of the structure in FILE.bin">;
defm tiling_struct : Value<"tiling-struct", "TYPE",
  "the structure, if the kernel registers none">;
defm tiling_header : Value<"tiling-header", "FILE",
  "included before the kernel">;
defm tiling_key : Value<"tiling-key", "K",
  "what TILING_KEY_IS compares with">;
}

def results_group : Titled<"Results">;
let Group = results_group in {
defm expect : Value<"expect", "[N=]FILE.npy",
  "compare the next (or the Nth) output with FILE">;
defm rtol : Value<"rtol", "R",
  "relative tolerance; default as torch.testing for the type">;
defm atol : Value<"atol", "A",
  "absolute tolerance">;
def counts : Switch<"counts",
  "say what was executed: instructions by pipe, products,\n"
  "bytes by path, synchronisation">;
def time : Switch<"time",
  "say what the kernel costs, in simulated cycles: a range,\n"
  "what it is bound by, the most expensive lines">;
defm timeline : Value<"timeline", "FILE.html|FILE.json",
  "implies --time: when each instruction ran, as a page, or as\n"
  "a trace for Perfetto and chrome://tracing; may be repeated">;
defm max_cycles : Value<"max-cycles", "N",
  "implies --time: more simulated cycles than this are an error\n"
  "(too-slow)">;
defm trace : Value<"trace", "PREFIX",
  "write the stream of instructions of each core, as text:\n"
  "PREFIX.aiv0.0 for vector core 0 of block 0">;
def gdb : Switch<"gdb",
  "run the kernel in gdb, with a breakpoint at its beginning\n"
  "and printers for tensors; no limits, no optimisation">;
defm keep : Value<"keep", "DIR",
  "keep the compiled object, all arrays, and the AscendC that\n"
  "a kernel of the language became">;
defm format : Value<"format", "text|json|sarif",
  "json, or SARIF 2.1.0: one object on stdout; what the\n"
  "kernel prints goes to stderr">;
def v : Letter<"v",
  "show the commands that are run">;
}

def checks_group : Titled<"Checks">;
let Group = checks_group in {
def check : Switch<"check",
  "look for races and for flags that do not pair up">;
def conditions : Switch<"conditions",
  "check the source as well, and report what a launch has to\n"
  "be like for a topic to be clean, and is not">;
def deny : Switch<"deny",
  "of a kernel of the language, refuse what is not proven">;
defm allow_unwritten : Value<"allow-unwritten", "NAME|all",
  "with --check: elements of this output may stay unwritten;\n"
  "may be repeated">;
defm auto_sync : Value<"auto-sync", "on|off",
  "with --check: whether bisheng inserts its flags;\n"
  "default on">;
def sealed : Switch<"sealed",
  "keep the kernel away from what judges it, and in a\n"
  "sandbox: the model and the results live in another\n"
  "process, and nothing that reads or runs the source can\n"
  "reach other files or the network (docs/security.md)">;
def no_sandbox : Switch<"no-sandbox",
  "with --sealed: run where this machine cannot confine the\n"
  "kernel, which then can do all that you can">;
defm schedules : Value<"schedules", "N",
  "then run N times with the pipes in random legal\n"
  "orders, and compare the outputs bit by bit">;
defm schedule_seed : Value<"schedule-seed", "SEED",
  "of the first of these orders; default 1">;
defm mutate : Value<"mutate", "HOW@PLACE,...",
  "with --check, for test/campaigns/mutate: overlook or weaken\n"
  "the synchronisation at these places of a trace">;
}

def compilation_group : Titled<"Compilation">;
let Group = compilation_group in {
def D : LetterWith<"D", "NAME[=VALUE]",
  "define a macro">;
def I : LetterWith<"I", "DIR",
  "search headers here">;
defm optimise : Value<"optimise", "on|off",
  "off: compile the kernel in a third of the time, for many\n"
  "small runs; default on">;
def no_cache : Switch<"no-cache",
  "compile even if nothing has changed">;
}

def programs_group : Titled<"Programs">;
let Group = programs_group in {
defm arg : Value<"arg", "TEXT",
  "of a program: an argument; may be repeated">;
def l : LetterWith<"l", "LIBRARY",
  "of a program: link this library, too">;
}

def tuning_group : Titled<"Tuning">;
let Group = tuning_group in {
defm try_ : Value<"try", "NAME=VALUE,...",
  "of belay tune: values for {NAME} in other options; may be\n"
  "repeated">;
def try_all : Switch<"try-all",
  "of belay tune: launch all combinations">;
defm save : Value<"save", "FILE.json",
  "of belay tune: write what was found, for belay build --tuned">;
}
