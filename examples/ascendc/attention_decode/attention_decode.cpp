// Attention of one new token: for each head, o = softmax(q K^T / sqrt(d)) V
// with keys and values of all tokens before it, on the vector unit. Keys and
// values stream through in tiles of 32 tokens; the softmax is computed on the
// way, as flash attention does: whenever a larger score comes, what was summed
// up before is scaled down.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t DIM = 64;  // floats in one repeat of the vector unit
constexpr uint32_t TILE = 32; // tokens at a time
constexpr float LOWEST = -3.0e38f;
constexpr uint8_t BLOCKS = DIM * sizeof(float) / 32; // of a row of floats

struct AttentionDecodeTilingData {
  uint32_t heads;
  uint32_t tokens;
  float scale;
};
REGISTER_TILING_DEFAULT(AttentionDecodeTilingData);

class KernelAttentionDecode {
public:
  __aicore__ inline void Init(GM_ADDR q, GM_ADDR k, GM_ADDR v, GM_ADDR o,
                              const AttentionDecodeTilingData &t) {
    heads = t.heads;
    tokens = t.tokens;
    scale = t.scale;
    qGm.SetGlobalBuffer((__gm__ half *)q, uint64_t(heads) * DIM);
    kGm.SetGlobalBuffer((__gm__ half *)k, uint64_t(heads) * tokens * DIM);
    vGm.SetGlobalBuffer((__gm__ half *)v, uint64_t(heads) * tokens * DIM);
    oGm.SetGlobalBuffer((__gm__ half *)o, uint64_t(heads) * DIM);
    pipe.InitBuffer(inQ, 1, DIM * sizeof(half));
    pipe.InitBuffer(inK, 2, TILE * DIM * sizeof(half));
    pipe.InitBuffer(inV, 2, TILE * DIM * sizeof(half));
    pipe.InitBuffer(outO, 1, DIM * sizeof(half));
    pipe.InitBuffer(queryBuf, DIM * sizeof(float));
    pipe.InitBuffer(wideBuf, TILE * DIM * sizeof(float));
    pipe.InitBuffer(scoreBuf, TILE * sizeof(float));
    pipe.InitBuffer(weightBuf, TILE * sizeof(float));
    pipe.InitBuffer(sumBuf, DIM * sizeof(float));
    pipe.InitBuffer(workBuf, TILE * sizeof(float));
    pipe.InitBuffer(scalarBuf, 32);
  }

  __aicore__ inline void Process() {
    for (uint32_t head = GetBlockIdx(); head < heads; head += GetBlockNum()) {
      LoadQuery(head);
      Begin();
      for (uint32_t at = 0; at < tokens; at += TILE) {
        uint32_t count = tokens - at < TILE ? tokens - at : TILE;
        uint64_t from = (uint64_t(head) * tokens + at) * DIM;
        Load(inK, kGm[from], count);
        Load(inV, vGm[from], count);
        Score(count);
        Rescale(count);
        Accumulate(count);
      }
      Finish(head);
    }
  }

private:
  template <typename Queue>
  __aicore__ inline void Load(Queue &queue, const GlobalTensor<half> &from,
                              uint32_t count) {
    LocalTensor<half> tile = queue.template AllocTensor<half>();
    DataCopy(tile, from, count * DIM);
    queue.EnQue(tile);
  }

  /// The query of a head as floats, scaled once instead of every score.
  __aicore__ inline void LoadQuery(uint32_t head) {
    Load(inQ, qGm[uint64_t(head) * DIM], 1);
    LocalTensor<half> narrow = inQ.DeQue<half>();
    LocalTensor<float> query = queryBuf.Get<float>();
    Cast(query, narrow, RoundMode::CAST_NONE, DIM);
    PipeBarrier<PIPE_V>();
    inQ.FreeTensor(narrow);
    Muls(query, query, scale, DIM);
    PipeBarrier<PIPE_V>();
  }

  __aicore__ inline void Begin() {
    largest = LOWEST;
    total = 0;
    Duplicate(sumBuf.Get<float>(), 0.0f, DIM);
    PipeBarrier<PIPE_V>();
  }

  /// The scores of a tile: each key times the query, summed up.
  __aicore__ inline void Score(uint32_t count) {
    LocalTensor<half> narrow = inK.DeQue<half>();
    LocalTensor<float> keys = wideBuf.Get<float>();
    Cast(keys, narrow, RoundMode::CAST_NONE, count * DIM);
    PipeBarrier<PIPE_V>();
    inK.FreeTensor(narrow);
    // A stride of 0: the same query for each key.
    Mul(keys, keys, queryBuf.Get<float>(), DIM, count,
        {1, 1, 1, BLOCKS, BLOCKS, 0});
    PipeBarrier<PIPE_V>();
    WholeReduceSum(scoreBuf.Get<float>(), keys, DIM, count, 1, 1, BLOCKS);
    PipeBarrier<PIPE_V>();
  }

  /// Weights of the tile against the largest score so far, and what was summed
  /// up before against the same.
  __aicore__ inline void Rescale(uint32_t count) {
    LocalTensor<float> scores = scoreBuf.Get<float>();
    LocalTensor<float> weights = weightBuf.Get<float>();
    LocalTensor<float> scalar = scalarBuf.Get<float>();
    ReduceMax(scalar, scores, workBuf.Get<float>(), count);
    float best = Fetch(scalar);
    best = best > largest ? best : largest;
    // Exp exists on the vector unit only.
    Duplicate(scalar, largest - best, 8);
    PipeBarrier<PIPE_V>();
    Exp(scalar, scalar, 8);
    float shrink = Fetch(scalar);
    largest = best;
    Adds(weights, scores, -best, count);
    PipeBarrier<PIPE_V>();
    Exp(weights, weights, count);
    PipeBarrier<PIPE_V>();
    ReduceSum(scalar, weights, workBuf.Get<float>(), count);
    total = total * shrink + Fetch(scalar);
    LocalTensor<float> sum = sumBuf.Get<float>();
    Muls(sum, sum, shrink, DIM);
    PipeBarrier<PIPE_V>();
  }

  /// Adds each value with its weight.
  __aicore__ inline void Accumulate(uint32_t count) {
    LocalTensor<half> narrow = inV.DeQue<half>();
    LocalTensor<float> values = wideBuf.Get<float>();
    LocalTensor<float> weights = weightBuf.Get<float>();
    LocalTensor<float> sum = sumBuf.Get<float>();
    Cast(values, narrow, RoundMode::CAST_NONE, count * DIM);
    PipeBarrier<PIPE_V>();
    inV.FreeTensor(narrow);
    Order<HardEvent::V_S>();
    for (uint32_t i = 0; i < count; ++i) {
      Axpy(sum, values[i * DIM], weights.GetValue(i), DIM);
      PipeBarrier<PIPE_V>();
    }
    Order<HardEvent::S_V>();
  }

  __aicore__ inline void Finish(uint32_t head) {
    LocalTensor<float> sum = sumBuf.Get<float>();
    LocalTensor<half> out = outO.AllocTensor<half>();
    Muls(sum, sum, 1.0f / total, DIM);
    PipeBarrier<PIPE_V>();
    Cast(out, sum, RoundMode::CAST_RINT, DIM);
    outO.EnQue(out);
    out = outO.DeQue<half>();
    DataCopy(oGm[uint64_t(head) * DIM], out, DIM);
    outO.FreeTensor(out);
  }

  template <HardEvent event> __aicore__ inline void Order() {
    TEventID id = GetTPipePtr()->FetchEventID<event>();
    SetFlag<event>(id);
    WaitFlag<event>(id);
  }

  /// A number from the vector unit, which may then write there again.
  __aicore__ inline float Fetch(const LocalTensor<float> &from) {
    Order<HardEvent::V_S>();
    float value = from.GetValue(0);
    Order<HardEvent::S_V>();
    return value;
  }

  TPipe pipe;
  TQue<TPosition::VECIN, 1> inQ;
  TQue<TPosition::VECIN, 2> inK, inV;
  TQue<TPosition::VECOUT, 1> outO;
  TBuf<TPosition::VECCALC> queryBuf, wideBuf, scoreBuf, weightBuf, sumBuf,
      workBuf, scalarBuf;
  GlobalTensor<half> qGm, kGm, vGm, oGm;
  uint32_t heads, tokens;
  float scale, largest, total;
};

extern "C" __global__ __aicore__ void attention_decode(GM_ADDR q, GM_ADDR k,
                                                       GM_ADDR v, GM_ADDR o,
                                                       GM_ADDR workspace,
                                                       GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  KernelAttentionDecode op;
  op.Init(q, k, v, o, t);
  op.Process();
}
