"""The vendor's public headers of a checkout, so that Clang reads them; see try-vendor-headers.

The vendor's compiler knows names that its headers do not declare: instructions, registers, enumerations,
memories. They are declared here as Clang asks for them: instructions as functions of anything.
"""
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
ARCHS = {
    "2201": ["-D__CCE_AICORE__=220", "-D__DAV_C220__", "-D__DAV_VEC__", "-D__DAV_C220_VEC__"],
    "3510": ["-D__CCE_AICORE__=310", "-D__DAV_C310__", "-D__DAV_3510__", "-D__DAV_VEC__", "-D__DAV_C310_VEC__"],
    "2002": ["-D__CCE_AICORE__=200", "-D__DAV_M200__"],
}
EMPTY = """__aicore__ __host_aicore__ __gm__ __ubuf__ __cbuf__ __ca__ __cb__ __cc__ __fbuf__ __biasbuf__ __ssbuf__
    __global__ __simd_vf__ __simd_callee__ __sync_alias__ __sync_noalias__ __check_sync_alias__ __host__
    __no_simd_vf_fusion__ __simt_vf__ __simt_callee__ __cube__ __vector__ __VEC_SCOPE__""".split()
# Enumerations of the compiler, with the members that are named alone; those after :: are found.
ENUMERATIONS = {
    "pipe_t": "PIPE_S PIPE_V PIPE_M PIPE_MTE1 PIPE_MTE2 PIPE_MTE3 PIPE_ALL PIPE_MTE4 PIPE_MTE5 PIPE_V2 PIPE_FIX PIPE_NUM",
    "event_t": "EVENT_ID0 EVENT_ID1 EVENT_ID2 EVENT_ID3 EVENT_ID4 EVENT_ID5 EVENT_ID6 EVENT_ID7",
    "QuantMode_t": "", "cache_line_t": "", "dcci_dst_t": "", "mem_t": "", "mem_dsb_t": "", "Order_t": "",
    "pad_t": "", "addr_cal_mode_t": "inc dec", "atomic_type_t": "", "atomic_op_t": "",
    "ub_addr8_t": "VA0 VA1 VA2 VA3 VA4 VA5 VA6 VA7", "vpart_t": "L128 H128",
}
# Those whose members do not stand alone.
SCOPED = """Dist DistVST Post Part Part_T HiloPart RoundingSaturation Mode ROUND Pat Pos Spr Order Bin StoreMode
    QuantMode_post LD_L2CacheType ST_L2CacheType L1CacheType""".split()
NUMBERS = """
#define FLOAT_TYPE(Name, Storage) struct Name { Name() = default; \\
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>> constexpr Name(T) {} \\
  constexpr operator float() const { return 0; } Storage bits; };
FLOAT_TYPE(half, uint16_t) FLOAT_TYPE(bfloat16_t, uint16_t)
struct Anything {
  template <class T, class = std::enable_if_t<std::is_class_v<T> || std::is_enum_v<T> || std::is_pointer_v<T>>>
  operator T() const;
  constexpr operator uint64_t() const { return 0; }
};
"""
# Numbers in two to four parts, and where a thread is.
THREADS = "\n".join(
    f"typedef {element} {name}{count} __attribute__((ext_vector_type({count})));"
    for name, element in (("float", "float"), ("int", "int"), ("uint", "unsigned"), ("long", "long"),
                          ("ulong", "unsigned long"), ("short", "short"), ("ushort", "unsigned short"),
                          ("char", "signed char"), ("uchar", "unsigned char"), ("longlong", "long long"),
                          ("ulonglong", "unsigned long long"), ("double", "double"))
    for count in (1, 2, 3, 4)) + """
namespace cce { struct dim3 { uint32_t x = 1, y = 1, z = 1; constexpr dim3(uint32_t a = 1, uint32_t b = 1, uint32_t c = 1)
  : x(a), y(b), z(c) {} }; template <auto F, class... A> void async_invoke(A...); }
using cce::dim3;
inline const dim3 blockIdx, threadIdx, blockDim, gridDim;
inline const int warpSize = 32;
inline const int64_t block_idx = 0;
"""
NAMESPACES = "__cce_scalar", "bisheng::cce"
NOT_LEARNT = "bisheng"
MISSING = re.compile(r"error: (?:use of undeclared identifier|unknown type name|no template named|"
                     r"call to function|explicit qualification required to use member) '(\w+)'")
UNKNOWN_TYPE = re.compile(r"error: unknown type name '(\w+)'")

SAID = re.compile(r"^(/[^:\n]*):(\d+):\d+: (fatal error|error|note): (.*)$", re.M)


def errors_of(said):
    """Each error, with the place of its own and those whose use of templates led there."""
    errors = []
    for place, line, kind, text in SAID.findall(said):
        if kind != "note":
            errors.append((text, [(place, int(line))]))
        elif errors and text.startswith("in instantiation of "):
            errors[-1][1].append((place, int(line)))
    return errors


def named_in(checkout):
    """Which members of the compiler's enumerations, and of its namespaces, the headers name."""
    found = {name: set(ENUMERATIONS.get(name, "").split()) for name in [*ENUMERATIONS, *SCOPED, *NAMESPACES]}
    pattern = re.compile(rf"\b({'|'.join(found)})::(\w+)")
    for folder in "include", "impl":
        for file in (checkout / folder).rglob("*.h"):
            for name, member in pattern.findall(file.read_text(errors="replace")):
                found[name].add(member)
    return found


class Headers:
    """The vendor's headers of one architecture, and what has to stand before them."""

    def __init__(self, checkout, arch, folder, members):
        self.checkout, self.folder, self.members = checkout, folder / arch, members
        # What the build of an operator writes; its structures are part of Belay, too.
        (self.folder / "kernel_tiling").mkdir(parents=True, exist_ok=True)
        (self.folder / "kernel_tiling/kernel_tiling.h").write_text(
            f'#include "{ROOT}/src/ascendc/kernel_tiling/kernel_tiling.h"\n')
        self.missing, self.types = set(), set()
        paths = ["include", "include/basic_api", "include/utils", "include/adv_api", "impl", "impl/basic_api", ""]
        self.command = ["clang++-22", "-std=c++17", "-fsyntax-only", "-w", "-ferror-limit=0", "-Wno-c++11-narrowing",
                        "-Wno-missing-template-arg-list-after-template-kw", f"-D__NPU_ARCH__={arch}", *ARCHS[arch],
                        *(f"-I{checkout / path}" for path in paths), f"-I{self.folder}", f"-I{ROOT / 'src'}"]

    def write_prelude(self):
        lines = ["#pragma once", "#include <cmath>", "#include <cstddef>", "#include <cstdint>",
                 "#include <cstring>", "#include <type_traits>", "#include <utility>"]
        lines += [f"#define {name}" for name in EMPTY]
        lines += [f"#define __{kind}_pipe__(...)" for kind in ("in", "out", "inout")]
        lines += ["#define __mix__(...)", "#define __launch_bounds__(...)", NUMBERS, THREADS]
        known = set(self.members).union(*(self.members[name] for name in ENUMERATIONS)) | self.types
        for name in ENUMERATIONS:
            lines.append(f"enum {name} {{ {', '.join(sorted(self.members[name])) or name + '_none'} }};")
        for name in SCOPED:
            lines.append(f"enum class {name} {{ {', '.join(sorted(self.members[name])) or 'none'} }};")
        for name in NAMESPACES:
            lines += [f"namespace {name} {{", *(f"template <class... A> Anything {each}(A...);\n"
                                               f"template <auto F, class... A> Anything {each}(A...);"
                                               for each in sorted(self.members[name])), "}"]
        lines += [f"struct {name} {{}};" for name in sorted(self.types)]
        for name in sorted(self.missing - known):
            if name.isupper():  # a mode of an instruction
                lines.append(f"inline constexpr int {name} = 0;")
            else:
                lines += [f"template <class... A> Anything {name}(A...);",
                          f"template <auto F, auto... G, class... A> Anything {name}(A...);"]
        (self.folder / "prelude.h").write_text("\n".join(lines) + "\n")

    def clang(self, file, *more):
        done = subprocess.run([*self.command, "-include", str(self.folder / "prelude.h"), *more, str(file)],
                              capture_output=True, text=True, errors="replace", timeout=600, check=False)
        return done.stderr

    def learn(self, file):
        """Declares what Clang misses in the vendor's files, until it misses nothing new: first types, as
        what is declared by their means is missed with them."""
        self.write_prelude()
        for _ in range(16):
            said = self.clang(file)
            types = set(UNKNOWN_TYPE.findall(said)) - set(re.findall(r"\busing (\w+) =", said))
            types = types - self.missing - self.types - set(self.members)
            new = {name for name in MISSING.findall(said) if not name.startswith("asc_") and name != NOT_LEARNT}
            new -= self.missing | self.types | set(self.members)
            if not new:
                break
            self.types |= types or {name for name in new if name.endswith("_t")}
            self.missing |= set() if types else new - self.types
            self.write_prelude()
        return said
