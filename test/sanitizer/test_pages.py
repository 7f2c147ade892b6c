"""The examples of `belay explain`: the bad one is found, the good one is not.

Pages show a few lines; what they take for granted stands here, in a frame for each
page. A line of dots in an example stands for what the frame calls `dots`."""
import json
import os
import pathlib
import re
import subprocess
import tempfile

from harness import ROOT, belay, main

PAGES = ROOT / "docs" / "errors"

# Tensors of floats with values in them, and global memory on both ends.
FLOATS = """
  TPipe pipe;
  TBuf<TPosition::VECCALC> all;
  pipe.InitBuffer(all, 49152);
  LocalTensor<float> rest = all.Get<float>();
  Duplicate(rest, 1.0f, 12288);
  LocalTensor<float> x = rest, y = rest[2048], z = rest[4096], t = rest[6144];
  LocalTensor<float> w = rest[8192], u = rest[10240];
  GlobalTensor<float> gm, out;
  gm.SetGlobalBuffer((__gm__ float *)a);
  out.SetGlobalBuffer((__gm__ float *)c);
  constexpr uint32_t tile = 256;
  constexpr int id = 0;
  constexpr float s = 2.0f;
  PipeBarrier<PIPE_ALL>();
"""
# Two queues, and in the first one a tensor.
QUEUES = """
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> inX, inY;
  TBuf<TPosition::VECCALC> rest;
  pipe.InitBuffer(inX, 1, 1024);
  pipe.InitBuffer(inY, 1, 1024);
  pipe.InitBuffer(rest, 2048);
  GlobalTensor<half> gm;
  gm.SetGlobalBuffer((__gm__ half *)a);
  LocalTensor<half> y = rest.Get<half>(), z = y[512];
  LocalTensor<half> filled = inX.AllocTensor<half>();
  DataCopy(filled, gm, 512);
  inX.EnQue(filled);
"""
TAKEN = QUEUES + "  LocalTensor<half> x = inX.DeQue<half>();\n"
BUFFER = """
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf, more;
  pipe.InitBuffer(buf, 4096);
  pipe.InitBuffer(more, 4096);
  LocalTensor<float> x = more.Get<float>();
  Duplicate(x, 1.0f, 512);
  PipeBarrier<PIPE_ALL>();
  GlobalTensor<float> out;
  out.SetGlobalBuffer((__gm__ float *)c);
  constexpr uint32_t n = 512;
"""
LOADED = """
  DataCopy(x, gm, tile);
  SetFlag<HardEvent::MTE2_MTE3>(0);
  WaitFlag<HardEvent::MTE2_MTE3>(0);
  DataCopy(out[i * tile], x, tile);
"""
STORED = "PipeBarrier<PIPE_ALL>(); DataCopy(out, sum, n);"


class Frame:
    def __init__(self, before, after="", good_after=None, dots="", outside=False,
                 options=(), kind="f32"):
        self.before, self.dots = before, dots
        self.after = {"Bad": after, "Good": after if good_after is None else good_after}
        self.outside, self.options, self.kind = outside, options, kind

    def kernel(self, name, part, code):
        code = re.sub(r"^\s*\.\.\.$", lambda _: self.dots, code, flags=re.MULTILINE)
        body = self.before + (code if not self.outside else "") + self.after[part]
        if self.outside:  # members of a class
            body = self.after[part]
            code = f"struct Example {{\n{self.before}{code}}};\n"
        return (code if self.outside else "") + (
            f'extern "C" __global__ __aicore__ void {name}(GM_ADDR a, GM_ADDR c, '
            f"uint32_t number) {{\n{body}\n}}\n")


BLOCKS = ("--blocks", "2")
# 64 threads with a buffer of their own.
THREADS = """
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, 4096);
  struct Code {
    static void run(__ubuf__ float *part, __gm__ float *x, uint32_t n) {
      constexpr uint32_t half = 32;
      float sum = x[threadIdx.x];
"""
STARTED = """}};
  asc_vf_call<&Code::run>(dim3(64), (__ubuf__ float *)buf.Get<float>().GetPhyAddr(),
                          (__gm__ float *)a, 40u);"""
ON_950 = ("--soc", "Ascend950PR_9599")
FRAMES = {
    "missing-sync": Frame(FLOATS),
    "missing-barrier": Frame(FLOATS + "uint32_t n = 512;",
                             options=("--auto-sync", "off")),
    "race-between-cores": Frame(
        FLOATS.replace("all", "memory") + """
        GlobalTensor<float> sum = out;
        LocalTensor<float> mine = x, all = y;""", options=BLOCKS),
    "flag-set-twice": Frame(
        FLOATS, "WaitFlag<HardEvent::MTE2_V>(0);",
        "WaitFlag<HardEvent::MTE2_V>(0); WaitFlag<HardEvent::MTE2_V>(1);"),
    "flag-run-ahead": Frame(FLOATS + "int n = 2;"),
    "flag-never-set": Frame(FLOATS),
    "flag-deadlock": Frame(
        FLOATS, dots="SetFlag<HardEvent::MTE2_V>(0); WaitFlag<HardEvent::MTE2_V>(0);"),
    "flag-left-set": Frame(FLOATS + "int n = 2;", dots=LOADED),
    "flag-reserved": Frame(""),
    # One core after the other: the cube core is as far ahead as it can be.
    "flag-overflow": Frame(
        """KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_1);
        constexpr int tiles = 100;
        auto Produce = [](int) {};
        if ASCEND_IS_AIV {
          for (int i = 0; i < tiles; ++i) {
            CrossCoreWaitFlag(3);
            if (i + 2 < tiles)
              CrossCoreSetFlag<0x2, PIPE_MTE3>(4);
          }
          return;
        }
        """, options=("--jobs", "1")),
    "stale-cache": Frame(
        """GlobalTensor<int32_t> messageGm;
        messageGm.SetGlobalBuffer((__gm__ int32_t *)c);
        """, options=BLOCKS),
    "atomic-left-on": Frame(FLOATS + "GlobalTensor<float> zGm = out; uint32_t n = 256;"),
    "use-after-free": Frame(TAKEN + "uint32_t n = 256;", kind="f16"),
    "double-free": Frame(
        """TPipe pipe;
        TQue<QuePosition::VECIN, 1> inX;
        LocalTensor<half> x;
        void Take() { pipe.InitBuffer(inX, 1, 512); x = inX.AllocTensor<half>(); }
        """, "Example e; e.Take(); e.Process();", "Example e; e.Take(); e.Compute();",
        dots="Duplicate(x, half(0), 256);", outside=True),
    "wrong-queue": Frame(QUEUES, kind="f16"),
    "tensor-leak": Frame(QUEUES + "uint32_t n = number;", kind="f16"),
    "tensor-out-of-bounds": Frame(BUFFER),
    "uninitialised-read": Frame(BUFFER, STORED),
    "slice-overlap": Frame(BUFFER + "LocalTensor<float> sum = x;", STORED),
    "type-confusion": Frame(
        """TPipe pipe;
        TBuf<TPosition::VECCALC> buf;
        pipe.InitBuffer(buf, 4096);
        LocalTensor<float> f = buf.Get<float>(512);
        LocalTensor<half> h = buf.GetWithOffset<half>(512, 2048);
        GM_ADDR x = a;
        constexpr uint32_t n = 512;
        """, "DataCopy(f, g, n);", "",
        dots="DataCopy(h, g, n); PipeBarrier<PIPE_ALL>();", kind="f16"),
    "partial-overlap": Frame(FLOATS),
    "register-state": Frame(
        FLOATS.replace("x = rest", "xs = rest").replace("z = rest", "zs = rest") + """
        __ubuf__ float *x = (__ubuf__ float *)xs.GetPhyAddr();
        __ubuf__ float *z = (__ubuf__ float *)zs.GetPhyAddr();
        constexpr uint16_t times = 3;
        __VEC_SCOPE__ {
          Reg::RegTensor<float> a;
          Reg::UnalignRegForLoad in;
          Reg::UnalignRegForStore out;
        """, "}", options=ON_950),
    "thread-count": Frame(
        """
        struct Code {
          static void scale(__gm__ float *x, uint32_t n) {
            for (uint32_t i = threadIdx.x; i < n; i += blockDim.x)
              x[i] *= 2;
          }
        };
        constexpr void (*scale)(__gm__ float *, uint32_t) = &Code::scale;
        __gm__ float *x = (__gm__ float *)c;
        uint32_t n = 4096;
        """, options=ON_950),
    "thread-race": Frame(THREADS, STARTED, options=ON_950),
    "divergent-barrier": Frame(THREADS, STARTED, options=ON_950),
    "inactive-thread": Frame(THREADS, STARTED, options=ON_950),
    "offset-overflow": Frame("GM_ADDR gm = a; GlobalTensor<half> x;", options=BLOCKS),
    "field-truncated": Frame("uint32_t n = 1120000 + number;"),
}
# Found by --schedules, and only in an --out; both have tests of their own.
ELSEWHERE = {"schedule-dependent", "unwritten-output"}


def example(ident, part):
    page = (PAGES / f"{ident}.md").read_text()
    return re.search(rf"^## {part}\n```cpp\n(.*?)```", page, re.M | re.S).group(1)


def found(ident, part, folder):
    frame = FRAMES[ident]
    name = f"{part}_{ident.replace('-', '_')}".lower()
    source = folder / f"{name}.cpp"
    source.write_text('#include "kernel_operator.h"\nusing namespace AscendC;\n' +
                      frame.kernel(name, part, example(ident, part)))
    done = subprocess.run(
        [belay(), "run", str(source), "--check", "--in", f"{frame.kind}:16384=normal:1",
         "--inout", "f32:16384=zeros", "--scalar", "u32=0", *frame.options,
         "--format", "json"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
        env={**os.environ, "NO_COLOR": "1"})
    problems = json.loads(done.stdout)["cases"][0]["problems"]
    assert all(p["id"] != "compile-error" for p in problems), (
        f"{ident}, {part}: {problems}\n{done.stderr}\n{source.read_text()}")
    return [p["id"] for p in problems]


def test_every_page_has_a_frame():
    """All ids of the parts of the table that --check reports."""
    table = (ROOT / "src/support/Diagnostics.def").read_text()
    table = table[table.index("found by `belay run --check`"):]
    table = table[:table.index("Kernels of the kernel language")]
    ids = set(re.findall(r'BELAY_DIAGNOSTIC\(\w+, "([a-z-]+)"', table))
    assert ids == set(FRAMES) | ELSEWHERE, ids ^ set(FRAMES)


def test_examples():
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for ident in FRAMES:
            bad = found(ident, "Bad", pathlib.Path(folder))
            good = found(ident, "Good", pathlib.Path(folder))
            if ident not in bad or good:
                wrong.append(f"{ident}: bad {bad}, good {good}")
    assert not wrong, "\n".join(wrong)


if __name__ == "__main__":
    main()
