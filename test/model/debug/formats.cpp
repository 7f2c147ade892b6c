// What a kernel says, and how it stops itself.
#include "../call.h"

using namespace AscendC;

__global__ __aicore__ void print(GM_ADDR xIn) {
  TPipe pipe;
  auto x = load<half>(pipe, xIn, 16);
  AscendC::printf("plain\n");
  printf("int %d %i %u %x %ld\n", -5, int8_t(-3), 7u, 255, int64_t(1) << 40);
  PRINTF("real %f %.2f %f %f\n", 1.5f, 2.25, x.GetValue(1), bfloat16_t(3.0f));
  AscendC::PRINTF("text %s, share 50%%\n", "abc");
  AscendC::printf("wide [%5d] [%-4d] [%08.3f]\n", 42, 7, 3.14159f);
  AscendC::printf("missing %d\n");
}

__global__ __aicore__ void dump(GM_ADDR xIn) {
  TPipe pipe;
  auto x = load<half>(pipe, xIn, 16);
  GlobalTensor<half> g;
  g.SetGlobalBuffer((__gm__ half *)xIn, 16);
  DumpTensor(x, 5, 4);
  DumpTensor(g, 6, 3);
  uint32_t shape[] = {2, 3};
  DumpTensor(x, 7, 6, ShapeInfo(2, shape));
  DumpTensor(x, 8, 4, ShapeInfo(2, shape));
  DumpTensor(x, 9, 8, ShapeInfo(2, shape));
  DumpAccChkPoint(g, 10, 4, 2);
  DumpTensor(x.ReinterpretCast<int16_t>(), 11, 2);
  asc_dump_gm<half>((__gm__ half *)g.GetPhyAddr(), 12, 2);
  asc_dump_ubuf<half>((__ubuf__ half *)x.GetPhyAddr(), 13, 2);
  asc_dump<half>((__ubuf__ half *)x.GetPhyAddr(), 14, 2);
}

__global__ __aicore__ void stop(GM_ADDR xIn, int32_t how) {
  int32_t n = 10;
  switch (how) {
  case 0:
    assert(n == 10);
    ascendc_assert(n == 10, "not printed %d\n", n);
    ASSERT(GetBlockNum() != 0 && "needs blocks");
    break;
  case 1:
    assert(n == 11); // the plain one
    break;
  case 2:
    ascendc_assert(n != 10, "n is %d.\n", n); // the one with text
    break;
  case 3:
    ASSERT(n == 12 && "twelve"); // the old one
    break;
  case 4:
    Trap(); // the end
    break;
  case 5:
    ASCENDC_ASSERT(n == 13, { KERNEL_LOG(KERNEL_ERROR, "logged %d", n); });
    break;
  }
}

/// The scalar unit's bit counting.
__global__ __aicore__ void bits(GM_ADDR zOut) {
  auto *z = (__gm__ int64_t *)zOut;
  z[0] = ScalarGetCountOfValue<1>(0xff00ff);
  z[1] = ScalarGetCountOfValue<0>(0xff00ff);
  z[2] = ScalarCountLeadingZero(0x0100000000000020ULL);
  z[3] = ScalarCountLeadingZero(0);
  z[4] = CountBitsCntSameAsSignBit(0x0100000000000020LL);
  z[5] = CountBitsCntSameAsSignBit(-1);
  z[6] = ScalarGetSFFValue<1>(0x1000000000000100ULL);
  z[7] = GetSFFValue<0>(0xffULL);
  z[8] = GetSFFValue<1>(0);
  uint32_t magic, shift;
  GetUintDivMagicAndShift(magic, shift, 7u);
  uint32_t wrong = 0;
  for (uint64_t x = 0; x < 0xffffffff; x += 12345677) {
    uint64_t high = x * magic >> 32;
    wrong += (high + x) >> shift != x / 7;
  }
  z[9] = wrong;
  // The compiler's names of the same.
  z[10] = bcnt1(0xff00ff);
  z[11] = bcnt0(0xff00ff);
  z[12] = clz(0x0100000000000020ULL);
  z[13] = sflbits(0x0100000000000020LL);
  z[14] = sff1(0x1000000000000100ULL);
  z[15] = sff0(0xffULL);
}
