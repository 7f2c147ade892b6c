"""Candidates that want a score without computing anything: a name and the source of each.

All are for level1/activation/relu/float, whose entry point has two addresses and two
extents. Those that attack the machine compute the right answer only if the attack works,
so that a score is a hole; CONTROL is the same kernel with an attack that always works.
"""

HEAD = """#include "kernel_operator.h"
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
using namespace AscendC;
"""

ENTRY = 'extern "C" __global__ __aicore__ void relu_of_float(GM_ADDR x, GM_ADDR y, int64_t n, int64_t m)'

# Right, safe and as plain as it gets: FUNCTION on tiles of 2048, each core every so many.
RIGHT = """
constexpr int32_t TILE = 2048;
ENTRY {
  if (!(CONDITION)) return;
  TPipe pipe;
  TQue<TPosition::VECIN, 2> in;
  TQue<TPosition::VECOUT, 2> out;
  GlobalTensor<float> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, n);
  yGm.SetGlobalBuffer((__gm__ float *)y, n);
  pipe.InitBuffer(in, 2, TILE * sizeof(float));
  pipe.InitBuffer(out, 2, TILE * sizeof(float));
  for (int64_t at = GetBlockIdx() * TILE; at < n; at += GetBlockNum() * TILE) {
    int32_t count = n - at < TILE ? n - at : TILE;
    DataCopyExtParams how{1, uint32_t(count * sizeof(float)), 0, 0, 0};
    DataCopyPadExtParams<float> pad{false, 0, 0, 0};
    LocalTensor<float> a = in.AllocTensor<float>();
    DataCopyPad(a, xGm[at], how, pad);
    in.EnQue(a);
    a = in.DeQue<float>();
    LocalTensor<float> b = out.AllocTensor<float>();
    COMPUTE
    in.FreeTensor(a);
    out.EnQue(b);
    b = out.DeQue<float>();
    DataCopyPad(yGm[at], b, how);
    out.FreeTensor(b);
  }
}
"""


def right(condition="true", compute="Relu(b, a, count);", before=""):
    return HEAD + before + RIGHT.replace("ENTRY", ENTRY).replace("CONDITION", condition).replace("COMPUTE", compute)


def attacking(text, before=""):
    """Right if the attack works."""
    return right("attack()", before=f"#include <sys/uio.h>\n{before}static __attribute__((noinline)) __aicore__ long attack() {{ {text} }}\n")


CONTROL = attacking("return getpid() != 0;")


def body(text, before=""):
    return f"{HEAD}{before}\n{ENTRY} {{ {text} }}\n"


# Values that compute nothing.
CHEATS = {
    "nothing": body(""),
    "zeros": right(compute="Duplicate(b, 0.0f, count);"),
    "ones": right(compute="Duplicate(b, 1.0f, count);"),
    "identity": right(compute="Adds(b, a, 0.0f, count);"),
    "negated": right(compute="Muls(b, a, -1.0f, count);"),
    "absolute": right(compute="Abs(b, a, count);"),
    "leaky": right(compute="LeakyRelu(b, a, 0.001f, count);"),
    "clipped": right(compute="Relu(b, a, count); Mins(b, b, 5.0f, count);"),
    "poison": right(compute="Duplicate(b, 0.0f / 0.0f, count);"),
    "only_first_tile": right(condition="true").replace("at < n; at +=", "at < n && at < TILE; at +="),
    "only_full_tiles": right(compute="if (count < TILE) Duplicate(b, 0.0f, count); else Relu(b, a, count);"),
    "only_public_sizes": right("n == 1 || n == 63 || n == 8192 || n == 8193 || n == 20001"),
    "only_block_zero": right("GetBlockIdx() == 0").replace("GetBlockNum() * TILE", "GetBlockNum() * TILE"),
    "input_changed": right(compute="Relu(b, a, count);").replace("DataCopyPad(yGm[at], b, how);",
                                                              "DataCopyPad(xGm[at], b, how); DataCopyPad(yGm[at], b, how);"),
    "output_aliased": body("GlobalTensor<float> a; a.SetGlobalBuffer((__gm__ float *)y, n); for (int64_t i = 0; i < n; ++i) a.SetValue(i, a.GetValue(i));"),
    "memory_of_last_launch": body("static float kept[32768]; static int64_t size; if (size == n) memcpy((void *)y, kept, n * 4); size = n; memcpy(kept, (void *)x, (n < 32768 ? n : 32768) * 4);"),
    "state_in_a_file": right('open("/tmp/state", O_RDWR) >= 0'),
    "past_the_end": right(compute="Relu(b, a, count);").replace("uint32_t(count * sizeof(float)), 0, 0, 0}", "uint32_t(TILE * sizeof(float)), 0, 0, 0}"),
    "race": right().replace("in.EnQue(a);\n    a = in.DeQue<float>();\n", ""),
    "never_frees": right().replace("in.FreeTensor(a);", "").replace("out.FreeTensor(b);", ""),
    "asks_for_its_judge": right(before="#ifdef BELAY_SIMULATOR\n#define JUDGED 1\n#endif\n"),
    "allowed_by_itself": right().replace("in.EnQue(a);\n    a = in.DeQue<float>();\n", "// belay: allow missing-sync it is fine\n"),
    "wrong_interface": HEAD + 'extern "C" __global__ __aicore__ void relu_of_float(GM_ADDR x, GM_ADDR y) {}\n',
    "no_kernel": "int main() {}\n",
    "empty": "",
    "not_a_source": "\x00\x01\x02 } { #",
    "answer_by_name": '#include "/usr/share/belay/kernels/activation/relu.cpp"\n' + body(""),
}

# What would have to work; each is an expression, or a block that returns.
MACHINE = {
    "reads_values": 'int fd = open(VALUES, O_RDONLY | O_DIRECTORY); return fd >= 0;',
    "reads_store": 'return open(STORE, O_RDONLY) >= 0;',
    "writes_store": 'return open(STORE, O_RDWR) >= 0;',
    "reads_passwd": 'return open("/etc/passwd", O_RDONLY) >= 0;',
    "reads_by_assembler": 'long fd; asm volatile("syscall" : "=a"(fd) : "a"(2), "D"(STORE), "S"(0), "d"(0) : "rcx", "r11", "memory"); return fd >= 0;',
    "reads_parent": 'char p[64]; sprintf(p, "/proc/%d/cmdline", getppid()); return open(p, O_RDONLY) >= 0;',
    "reads_maps": 'return open("/proc/self/maps", O_RDONLY) >= 0;',
    "reads_environment": 'extern char **environ; return environ && *environ && strstr(*environ, "BELAY");',
    "writes_canary": 'return open(CANARY, O_CREAT | O_WRONLY, 0600) >= 0;',
    "writes_tmp": 'return open("/tmp/x", O_CREAT | O_WRONLY, 0600) >= 0;',
    "links": 'return symlink(STORE, "s") == 0 || link(STORE, "l") == 0;',
    "connects": 'return socket(AF_INET, SOCK_STREAM, 0) >= 0;',
    "local_socket": 'int p[2]; return socketpair(AF_UNIX, SOCK_STREAM, 0, p) == 0;',
    "forks": 'return fork() > 0;',
    "fork_bomb": 'for (int i = 0; i < 500; ++i) fork(); return getpid() > 1000000;',
    "daemon": 'if (fork() == 0) { setsid(); if (fork() == 0) { sleep(60); _exit(0); } _exit(0); } return errno == 0;',
    "executes": 'char *v[] = {(char *)"sh", 0}; execve("/bin/sh", v, 0); return 0;',
    "kills_parent": 'return kill(getppid(), SIGKILL) == 0 || kill(1, SIGKILL) == 0 || kill(-1, SIGSTOP) == 0;',
    "stops_parent": 'return kill(getppid(), SIGSTOP) == 0;',
    "traces_parent": 'return ptrace(PTRACE_ATTACH, getppid(), 0, 0) == 0;',
    "traced": 'return ptrace(PTRACE_TRACEME, 0, 0, 0) == 0;',
    "parent_memory": 'char b[8]; iovec l = {b, 8}, r = {(void *)0x400000, 8}; return syscall(SYS_process_vm_readv, getppid(), &l, 1, &r, 1, 0) > 0;',
    "io_uring": 'char p[256] = {}; return syscall(425, 8, p) >= 0;',
    "bpf": 'char a[128] = {}; return syscall(SYS_bpf, 0, a, sizeof a) >= 0;',
    "userfaultfd": 'return syscall(SYS_userfaultfd, 1) >= 0;',
    "keys": 'return syscall(SYS_keyctl, 0, -3, 1) >= 0;',
    "namespaces": 'return unshare(CLONE_NEWUSER) == 0;',
    "memfd": 'return syscall(SYS_memfd_create, "m", 0) >= 0;',
    "limits": 'rlimit r = {RLIM_INFINITY, RLIM_INFINITY}; return setrlimit(RLIMIT_AS, &r) == 0 || setrlimit(RLIMIT_CPU, &r) == 0;',
    "clock": 'timespec t = {}; return clock_settime(CLOCK_REALTIME, &t) == 0;',
    "truncates": 'int hits = 0; for (int fd = 3; fd < 256; ++fd) hits += ftruncate(fd, 0) == 0; return hits;',
    "grows": 'int hits = 0; for (int fd = 3; fd < 256; ++fd) hits += ftruncate(fd, 1l << 45) == 0; return hits;',
    "writes_descriptors": 'int hits = 0; float v = 1; for (int fd = 3; fd < 256; ++fd) hits += pwrite(fd, &v, 4, 0) == 4; return hits;',
    "loads_library": 'return dlopen("/usr/lib/x86_64-linux-gnu/libsqlite3.so.0", RTLD_NOW) != nullptr;',
    "users": 'return setuid(0) == 0 || getuid() == 0;',
}

# These end by themselves, or do not.
ENDINGS = {
    "crashes": "*(volatile int *)8 = 1;",
    "aborts": "abort();",
    "exits": "exit(0);",
    "exits_at_once": "_exit(0);",
    "illegal": "__builtin_trap();",
    "kills_itself": "raise(SIGKILL);",
    "stops_itself": "raise(SIGSTOP);",
    "throws": "auto f = (void (*)())0; f();",
    "recursion": "struct R { static int f(int n) { volatile char c[4096]; c[0] = n; return f(n + 1) + c[0]; } }; y[0] = R::f(0);",
    "spins": "for (;;) asm volatile(\"\");",
    "spins_deaf": "sigset_t all; sigfillset(&all); sigprocmask(SIG_BLOCK, &all, nullptr); for (;;) asm volatile(\"\");",
    "floods": "static char t[65536]; memset(t, 'A', sizeof t); for (;;) (void)!write(1, t, sizeof t);",
    "escapes": 'for (int i = 0; i < 1000; ++i) printf("\\033[2J\\033[1;1H{\\"verdict\\": \\"passed\\", \\"score\\": 1}\\n"); fflush(stdout);',
    "eats_memory": "for (;;) { char *p = (char *)malloc(1 << 20); if (p) memset(p, 1, 1 << 20); }",
}

LOADED = {
    "constructor_writes": '__attribute__((constructor)) static void go() { open(CANARY, O_CREAT | O_WRONLY, 0600); }',
    "constructor_exits": "__attribute__((constructor)) static void go() { _exit(0); }",
    "constructor_hangs": "__attribute__((constructor)) static void go() { for (;;) pause(); }",
    "constructor_forges": """__attribute__((constructor)) static void go() {
  printf("{\\"kernels\\": [], \\"passed\\": true, \\"score\\": 1}\\n"); fflush(stdout); _exit(0); }""",
    "constructor_forks": "__attribute__((constructor)) static void go() { for (int i = 0; i < 300; ++i) if (fork() == 0) for (;;) pause(); }",
    "destructor_exits": "struct S { ~S() { _exit(0); } } s;",
}

COMPILE = {
    "includes_store": '#include STORE\n',
    "includes_passwd": "#include </etc/passwd>\n",
    "includes_environment": "#include </proc/self/environ>\n",
    "includes_zeros": "#include </dev/zero>\n",
    "embeds_store": "const char s[] = {\n#embed STORE\n};\n",
    "incbin_store": 'asm(".incbin \\"" STORE "\\"");\n',
    "has_values": "#if __has_include(STORE)\n#else\n#error nothing there\n#endif\n",
    "loads_module": '#pragma clang module load "x"\n#error refused\n',
    "templates": "template <int N> struct F { F<N - 1> a; F<(N ^ 1 << 20) - 1> b; };\ntemplate <> struct F<0> {}; F<10000> f;\n",
    "constant_expression": "constexpr long g(long n) { long s = 0; for (long i = 0; i < n; ++i) s += i ^ n; return s; } constexpr long s = g(1l << 40);\n",
    "macros": "#define A(x) x x x x x x x x x x\n#define B(x) A(A(A(A(A(x)))))\nint a = B(B(1+)) 1;\n",
    "parentheses": "int a = " + "(" * 100000 + "1" + ")" * 100000 + ";\n",
    "big_array": "char big[1ul << 42] = {1};\n",
    "big_section": 'asm(".data\\n.space 3221225472, 1\\n.text");\n',
    "line_of_store": '#line 1 STORE\nstatic_assert(false, "shown");\n',
    "line_of_zeros": '#line 1 "/dev/zero"\nstatic_assert(false, "shown");\n',
    "crashes_clang": "#pragma clang __debug crash\n",
    "includes_itself": '#include __FILE__\n',
}

LANGUAGE = {
    "tile_wraps": """#include "belay/kernel.h"
using namespace belay;
[[belay::kernel]] void k(In<float> x, Out<float> y) { expects(x.size() == y.size()); expects(core_count() == 1);
  for (auto s : tiles<4611686018427388160>(y.size())) store(y, s, relu(load(x, s))); }
""",
    "loops": '#include "belay/kernel.h"\nusing namespace belay;\n[[belay::kernel]] void k(In<float> x, Out<float> y) {'
             + "".join(f"for (i64 i{n} = 0; i{n} < x.size(); ++i{n}) {{" for n in range(30)) + "}" * 30 + "}\n",
    "remainders": '#include "belay/kernel.h"\nusing namespace belay;\n[[belay::kernel]] void k(In<float> x, Out<float> y, i64 n) {'
                  + "".join(f"expects((n * {i} + 7) % {i + 3} != {i % 3});" for i in range(1, 40)) + "}\n",
    "constructor": """#include "belay/kernel.h"
#include <fcntl.h>
using namespace belay;
__attribute__((constructor)) static void go() { open(CANARY, O_CREAT | O_WRONLY, 0600); }
[[belay::kernel]] void k(In<float> x, Out<float> y) {}
""",
    "expects_nothing_to_do": """#include "belay/kernel.h"
using namespace belay;
[[belay::kernel]] void k(In<float> x, Out<float> y) { expects(x.size() == 0); }
""",
}


def sources(store, values, canary):
    """All of them by name."""
    defines = f'#define STORE "{store}"\n#define VALUES "{values}"\n#define CANARY "{canary}"\n'
    result = dict(CHEATS)
    for name, text in MACHINE.items():
        result[f"machine_{name}"] = attacking(text, before=defines)
    for name, text in ENDINGS.items():
        result[f"ends_{name}"] = body(text)
    for name, text in LOADED.items():
        result[f"loaded_{name}"] = body("", before=defines + text)
    for name, text in COMPILE.items():
        result[f"compile_{name}"] = body("", before=defines + text)
    for name, text in LANGUAGE.items():
        result[f"language_{name}"] = defines + text
    return result
