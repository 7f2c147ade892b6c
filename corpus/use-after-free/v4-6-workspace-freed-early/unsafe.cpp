#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 512;

extern "C" __global__ __aicore__ void staged(GM_ADDR z, GM_ADDR workspace) {
  uint32_t me = GetBlockIdx();
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, N * sizeof(float));
  LocalTensor<float> t = buf.Get<float>();
  GlobalTensor<float> zGm, mine;
  zGm.SetGlobalBuffer((__gm__ float *)z + me * N);
  mine.SetGlobalBuffer((__gm__ float *)workspace + me * N);

  Duplicate(t, float(me), N);
  PipeBarrier<PIPE_ALL>();
  DataCopy(mine, t, N);
  PipeBarrier<PIPE_ALL>();
  DataCopy(t, mine, N);
  PipeBarrier<PIPE_ALL>();
  DataCopy(zGm, t, N);
}

// The host's side; device compilers do not see it.
#if defined(BELAY_HOST_CODE)
#include "acl/acl.h"

extern void staged_launch(uint32_t blocks, void *stream, void *z, void *ws);

void Run(void *z, aclrtStream stream) {
  void *workspace = nullptr;
  aclrtMalloc(&workspace, 2 * N * sizeof(float), ACL_MEM_MALLOC_HUGE_FIRST);
  staged_launch(2, stream, z, workspace); // site
  aclrtFree(workspace);                   // other
  aclrtSynchronizeStream(stream);
}
#endif
