"""A kernel as generators write it, and the four mistakes they make in it.

Each mistake is a change of RIGHT that `belay compile` has to stop, whoever asks:
(id, SoCs, source, line). FIXED of them are changes that must stay silent.
"""

RIGHT = """#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t TILE = 2048;
class KernelAdd {
public:
  __aicore__ inline KernelAdd() {}
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t tiles) {
    this->tiles = tiles;
    uint64_t begin = (uint64_t)GetBlockIdx() * tiles * TILE;
    xGm.SetGlobalBuffer((__gm__ float *)x + begin, (uint64_t)tiles * TILE);
    yGm.SetGlobalBuffer((__gm__ float *)y + begin, (uint64_t)tiles * TILE);
    pipe.InitBuffer(inQueue, 2, TILE * sizeof(float));
    pipe.InitBuffer(outQueue, 2, TILE * sizeof(float));
  }
  __aicore__ inline void Process() {
    for (uint32_t i = 0; i < tiles; ++i) {
      LocalTensor<float> in = inQueue.AllocTensor<float>();
      DataCopy(in, xGm[(uint64_t)i * TILE], TILE);
      inQueue.EnQue(in);
      LocalTensor<float> tile = inQueue.DeQue<float>();
      LocalTensor<float> out = outQueue.AllocTensor<float>();
      Adds(out, tile, 1.0f, TILE);
      outQueue.EnQue(out);
      inQueue.FreeTensor(tile);
      LocalTensor<float> done = outQueue.DeQue<float>();
      DataCopy(yGm[(uint64_t)i * TILE], done, TILE);
      outQueue.FreeTensor(done);
    }
  }

private:
  TPipe pipe;
  TQue<TPosition::VECIN, 2> inQueue;
  TQue<TPosition::VECOUT, 2> outQueue;
  GlobalTensor<float> xGm, yGm;
  uint32_t tiles;
};
extern "C" __global__ __aicore__ void add_one(GM_ADDR x, GM_ADDR y,
                                              uint32_t tiles) {
  KernelAdd op;
  op.Init(x, y, tiles);
  op.Process();
}
"""

# The copy goes into a buffer of its own, and nothing tells the vector unit when
# it has arrived.
NO_QUEUE = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void add_one(GM_ADDR x, GM_ADDR y) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 8192);
  GlobalTensor<float> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 2048, 2048);
  yGm.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 2048, 2048);
  LocalTensor<float> tile = buffer.Get<float>();
  DataCopy(tile, xGm, 2048);
%s  Adds(tile, tile, 1.0f, 2048);
%s  DataCopy(yGm, tile, 2048);
}
"""
FLAGS = tuple(
    f"  SetFlag<HardEvent::{event}>(EVENT_ID0);\n"
    f"  WaitFlag<HardEvent::{event}>(EVENT_ID0);\n"
    for event in ("MTE2_V", "V_MTE3"))

BOTH = ("Ascend310P3", "Ascend910B3")


def line_of(text, part):
    return text[: text.index(part)].count("\n") + 1


def _changed(old, new):
    assert old in RIGHT
    text = RIGHT.replace(old, new, 1)
    return text, line_of(text, new.strip().split("\n")[-1])


def _mistakes():
    missing = NO_QUEUE % ("", FLAGS[1])
    yield "missing-sync", BOTH, missing, line_of(missing, "Adds(")
    missing = NO_QUEUE % (FLAGS[0], "")
    yield "missing-sync", BOTH, missing, line_of(missing, "DataCopy(yGm")
    # 256 KiB is the UB of the 310P; one buffer beyond it.
    yield ("local-capacity", BOTH,
           *_changed("pipe.InitBuffer(inQueue, 2, TILE * sizeof(float));",
                     "pipe.InitBuffer(inQueue, 1, 300 * 1024);"))
    # Each of them fits; twice each does not.
    text, _ = _changed("TILE = 2048", "TILE = 20480")
    yield ("local-capacity", BOTH, text,
           line_of(text, "pipe.InitBuffer(outQueue, 2"))
    yield ("bad-entry", BOTH, *_changed("__global__ __aicore__ void add_one",
                                        "__global__ void add_one"))


MISTAKES = tuple(_mistakes())
FIXED = (RIGHT, NO_QUEUE % FLAGS)
# Cores overlap if the launch passes more than 2048: a warning, unless all has to be
# clean.
DOUBTFUL = (NO_QUEUE % FLAGS).replace("GM_ADDR y)", "GM_ADDR y, uint32_t n)").replace(
    "8192", "n * sizeof(float)").replace(", 2048)", ", n)")
