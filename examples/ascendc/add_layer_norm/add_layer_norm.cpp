// A residual and layer normalisation in one: z = x + r, and
// y = (z - mean) * rstd * gamma + beta, for rows of any length. A row goes
// through in pieces: once for its sum and the sum of its squares, once for the
// result, where z is read back from what the first pass has stored. The
// statistics are stored too, for the backward pass. Halves outside, floats
// inside.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t PIECE = 2048; // columns at a time
constexpr uint32_t GROUP = 8;    // rows whose statistics fill a block

struct AddLayerNormTilingData {
  uint32_t rows;
  uint32_t columns;
  float eps;
};
REGISTER_TILING_DEFAULT(AddLayerNormTilingData);

class KernelAddLayerNorm {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR r, GM_ADDR gamma, GM_ADDR beta,
                              GM_ADDR y, GM_ADDR z, GM_ADDR mean, GM_ADDR rstd,
                              const AddLayerNormTilingData &t) {
    columns = t.columns;
    eps = t.eps;
    uint32_t groups = (t.rows + GROUP - 1) / GROUP;
    firstRow = groups * GetBlockIdx() / GetBlockNum() * GROUP;
    lastRow = groups * (GetBlockIdx() + 1) / GetBlockNum() * GROUP;
    lastRow = lastRow < t.rows ? lastRow : t.rows;
    uint64_t elements = uint64_t(t.rows) * columns;
    xGm.SetGlobalBuffer((__gm__ half *)x, elements);
    rGm.SetGlobalBuffer((__gm__ half *)r, elements);
    gammaGm.SetGlobalBuffer((__gm__ half *)gamma, columns);
    betaGm.SetGlobalBuffer((__gm__ half *)beta, columns);
    yGm.SetGlobalBuffer((__gm__ half *)y, elements);
    zGm.SetGlobalBuffer((__gm__ half *)z, elements);
    meanGm.SetGlobalBuffer((__gm__ float *)mean, t.rows);
    rstdGm.SetGlobalBuffer((__gm__ float *)rstd, t.rows);
    pipe.InitBuffer(inFirst, 2, PIECE * sizeof(half));
    pipe.InitBuffer(inSecond, 2, PIECE * sizeof(half));
    pipe.InitBuffer(inThird, 2, PIECE * sizeof(half));
    pipe.InitBuffer(out, 2, PIECE * sizeof(half));
    pipe.InitBuffer(outStats, 1, 2 * GROUP * sizeof(float));
    pipe.InitBuffer(aBuf, PIECE * sizeof(float));
    pipe.InitBuffer(bBuf, PIECE * sizeof(float));
    pipe.InitBuffer(workBuf, PIECE * sizeof(float));
    pipe.InitBuffer(scalarBuf, 32);
  }

  __aicore__ inline void Process() {
    for (uint32_t row = firstRow; row < lastRow; row += GROUP) {
      uint32_t count = lastRow - row < GROUP ? lastRow - row : GROUP;
      LocalTensor<float> stats = outStats.AllocTensor<float>();
      for (uint32_t i = 0; i < count; ++i)
        ProcessRow(row + i, stats, i);
      StoreStats(row, count, stats);
    }
  }

private:
  __aicore__ inline void ProcessRow(uint32_t row, LocalTensor<float> &stats,
                                    uint32_t at) {
    uint64_t begin = uint64_t(row) * columns;
    float sum = 0, squares = 0;
    for (uint32_t column = 0; column < columns; column += PIECE) {
      uint32_t count = Width(column);
      Load(inFirst, xGm[begin + column], count);
      Load(inSecond, rGm[begin + column], count);
      AddPiece(count);
      Store(zGm[begin + column], count);
      sum += Sum(aBuf.Get<float>(), count);
      Mul(bBuf.Get<float>(), aBuf.Get<float>(), aBuf.Get<float>(), count);
      PipeBarrier<PIPE_V>();
      squares += Sum(bBuf.Get<float>(), count);
    }
    float mean = sum / columns;
    float rstd = 1.0f / sqrt(squares / columns - mean * mean + eps);
    stats.SetValue(at, mean);
    stats.SetValue(GROUP + at, rstd);
    // What the first pass has stored is read again.
    Order<HardEvent::MTE3_MTE2>();
    for (uint32_t column = 0; column < columns; column += PIECE) {
      uint32_t count = Width(column);
      Load(inFirst, zGm[begin + column], count);
      Load(inSecond, gammaGm[column], count);
      Load(inThird, betaGm[column], count);
      NormalisePiece(mean, rstd, count);
      Store(yGm[begin + column], count);
    }
  }

  __aicore__ inline uint32_t Width(uint32_t column) const {
    return columns - column < PIECE ? columns - column : PIECE;
  }

  template <typename Queue>
  __aicore__ inline void Load(Queue &queue, const GlobalTensor<half> &from,
                              uint32_t count) {
    LocalTensor<half> piece = queue.template AllocTensor<half>();
    DataCopyPad(piece, from, {1, uint32_t(count * sizeof(half)), 0, 0, 0},
                {false, 0, 0, 0});
    queue.EnQue(piece);
  }

  template <typename Queue>
  __aicore__ inline void Widen(Queue &queue, const LocalTensor<float> &to,
                               uint32_t count) {
    LocalTensor<half> piece = queue.template DeQue<half>();
    Cast(to, piece, RoundMode::CAST_NONE, count);
    PipeBarrier<PIPE_V>();
    queue.FreeTensor(piece);
  }

  __aicore__ inline void Store(const GlobalTensor<half> &to, uint32_t count) {
    LocalTensor<half> piece = out.DeQue<half>();
    DataCopyPad(to, piece, {1, uint32_t(count * sizeof(half)), 0, 0, 0});
    out.FreeTensor(piece);
  }

  /// z as it is stored, and the same in a as floats: what is normalised later
  /// is the rounded sum.
  __aicore__ inline void AddPiece(uint32_t count) {
    LocalTensor<float> a = aBuf.Get<float>(), b = bBuf.Get<float>();
    Widen(inFirst, a, count);
    Widen(inSecond, b, count);
    Add(a, a, b, count);
    PipeBarrier<PIPE_V>();
    LocalTensor<half> piece = out.AllocTensor<half>();
    Cast(piece, a, RoundMode::CAST_RINT, count);
    PipeBarrier<PIPE_V>();
    Cast(a, piece, RoundMode::CAST_NONE, count);
    PipeBarrier<PIPE_V>();
    out.EnQue(piece);
  }

  __aicore__ inline void NormalisePiece(float mean, float rstd,
                                        uint32_t count) {
    LocalTensor<float> a = aBuf.Get<float>(), b = bBuf.Get<float>();
    Widen(inFirst, a, count);
    Adds(a, a, -mean, count);
    PipeBarrier<PIPE_V>();
    Muls(a, a, rstd, count);
    PipeBarrier<PIPE_V>();
    Widen(inSecond, b, count);
    Mul(a, a, b, count);
    PipeBarrier<PIPE_V>();
    Widen(inThird, b, count);
    Add(a, a, b, count);
    PipeBarrier<PIPE_V>();
    LocalTensor<half> piece = out.AllocTensor<half>();
    Cast(piece, a, RoundMode::CAST_RINT, count);
    PipeBarrier<PIPE_V>();
    out.EnQue(piece);
  }

  __aicore__ inline void StoreStats(uint32_t row, uint32_t count,
                                    LocalTensor<float> &stats) {
    // The scalar unit wrote them.
    Order<HardEvent::S_MTE3>();
    outStats.EnQue(stats);
    stats = outStats.DeQue<float>();
    DataCopyExtParams few(1, count * sizeof(float), 0, 0, 0);
    DataCopyPad(meanGm[row], stats, few);
    DataCopyPad(rstdGm[row], stats[GROUP], few);
    // The scalar unit writes the next ones to the same place.
    Order<HardEvent::MTE3_S>();
    outStats.FreeTensor(stats);
  }

  __aicore__ inline float Sum(const LocalTensor<float> &of, uint32_t count) {
    LocalTensor<float> scalar = scalarBuf.Get<float>();
    ReduceSum(scalar, of, workBuf.Get<float>(), count);
    Order<HardEvent::V_S>();
    float sum = scalar.GetValue(0);
    Order<HardEvent::S_V>();
    return sum;
  }

  template <HardEvent event> __aicore__ inline void Order() {
    TEventID id = GetTPipePtr()->FetchEventID<event>();
    SetFlag<event>(id);
    WaitFlag<event>(id);
  }

  TPipe pipe;
  TQue<TPosition::VECIN, 2> inFirst, inSecond, inThird;
  TQue<TPosition::VECOUT, 2> out;
  TQue<TPosition::VECOUT, 1> outStats;
  TBuf<TPosition::VECCALC> aBuf, bBuf, workBuf, scalarBuf;
  GlobalTensor<half> xGm, rGm, gammaGm, betaGm, yGm, zGm;
  GlobalTensor<float> meanGm, rstdGm;
  uint32_t columns, firstRow, lastRow;
  float eps;
};

extern "C" __global__ __aicore__ void
add_layer_norm(GM_ADDR x, GM_ADDR r, GM_ADDR gamma, GM_ADDR beta, GM_ADDR y,
               GM_ADDR z, GM_ADDR mean, GM_ADDR rstd, GM_ADDR workspace,
               GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  KernelAddLayerNorm op;
  op.Init(x, r, gamma, beta, y, z, mean, rstd, t);
  op.Process();
}
