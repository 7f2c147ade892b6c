// Memory that host and kernels both see, and random numbers.
#include "acl/acl.h"
#include "kernel_operator.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#define CHECK(Call)                                                            \
  if (int Code = (Call))                                                       \
  std::printf("%s: %d\n", #Call, Code)

extern "C" __global__ __aicore__ void twice(__gm__ int32_t *X) {
  AscendC::GlobalTensor<int32_t> Values;
  Values.SetGlobalBuffer(X, 8);
  for (int I = 0; I < 8; ++I)
    Values.SetValue(I, 2 * Values.GetValue(I));
  AscendC::DataCacheCleanAndInvalid<int32_t,
                                    AscendC::CacheLine::ENTIRE_DATA_CACHE>(
      Values);
}

static void fill(int32_t *Values) {
  for (int I = 0; I < 8; ++I)
    Values[I] = I + 1;
}

static void registered(aclrtStream Stream) {
  int32_t *Host = nullptr;
  void *Device = nullptr;
  CHECK(aclrtMallocHost((void **)&Host, 4096));
  CHECK(aclrtHostGetDevicePointer(Host, &Device, 0));
  CHECK(aclrtHostRegisterV2(Host, 4096, ACL_HOST_REG_PINNED));
  CHECK(aclrtHostRegisterV2(Host, 4096, ACL_HOST_REG_MAPPED));
  CHECK(aclrtHostGetDevicePointer(Host, &Device, 0));
  fill(Host);
  twice<<<1, nullptr, Stream>>>((int32_t *)Device);
  CHECK(aclrtSynchronizeStream(Stream));
  std::printf("registered: %d %d\n", Host[0], Host[7]);
  CHECK(aclrtHostUnregister(Host));
  CHECK(aclrtHostUnregister(Host));
  std::printf("unregistered: %d %d\n", Host[0], Host[7]);
  CHECK(aclrtFreeHost(Host));

  // Memory of the program's own.
  auto *Own = static_cast<int32_t *>(std::aligned_alloc(4096, 8192));
  CHECK(aclrtHostRegisterV2(Own + 1, 4096, ACL_HOST_REG_MAPPED));
  CHECK(aclrtHostRegisterV2(Own, 8192, ACL_HOST_REG_MAPPED));
  CHECK(aclrtHostGetDevicePointer(Own, &Device, 0));
  fill(Own);
  twice<<<1, nullptr, Stream>>>((int32_t *)Device);
  CHECK(aclrtSynchronizeStream(Stream));
  std::printf("own: %d %d\n", Own[0], Own[7]);
  CHECK(aclrtHostUnregister(Own));
  std::free(Own);
}

static void managed(aclrtStream Stream) {
  int32_t *Both = nullptr;
  CHECK(aclrtMemAllocManaged((void **)&Both, 64, 2));
  CHECK(aclrtMemAllocManaged((void **)&Both, 64, ACL_RT_MEM_ATTACH_GLOBAL));
  if (!Both)
    return;
  fill(Both);
  twice<<<1, nullptr, Stream>>>(Both);
  CHECK(aclrtSynchronizeStream(Stream));
  std::printf("managed: %d %d\n", Both[0], Both[7]);
  CHECK(aclrtFree(Both));
}

template <typename T> static void put(aclrtRandomParaInfo &P, T Value) {
  P = {};
  std::memcpy(P.valueOrAddr, &Value, sizeof(T));
  P.size = sizeof(T);
}

static int random(int Function, aclDataType Type, float A, float B,
                  uint64_t Seed, void *Counter, void *To, aclrtStream S) {
  aclrtRandomNumTaskInfo Info = {};
  Info.dataType = Type;
  Info.randomNumFuncParaInfo.funcType = Function;
  auto &Range = Info.randomNumFuncParaInfo.paramInfo.uniformDisInfo;
  if (Type == ACL_FLOAT) {
    put(Range.min, A);
    put(Range.max, B);
  } else {
    put(Range.min, (int32_t)A);
    put(Range.max, (int32_t)B);
  }
  Info.randomResultAddr = To;
  Info.randomCounterAddr = Counter;
  put(Info.randomSeed, Seed);
  put(Info.randomNum, (uint64_t)4096);
  return aclrtRandomNumAsync(&Info, S, nullptr);
}

static void numbers(aclrtStream S) {
  void *Counter = nullptr, *Device = nullptr;
  static float Values[4096], Again[4096];
  static int32_t Integers[4096];
  static uint8_t Mask[512];
  CHECK(aclrtMalloc(&Counter, 16, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclrtMemset(Counter, 16, 0, 16));
  CHECK(aclrtMalloc(&Device, sizeof(Values), ACL_MEM_MALLOC_HUGE_FIRST));
  auto Make = [&](int F, aclDataType T, float A, float B, uint64_t Seed,
                  void *To, size_t Bytes) {
    if (int Code = random(F, T, A, B, Seed, Counter, Device, S))
      return Code;
    CHECK(aclrtSynchronizeStream(S));
    return aclrtMemcpy(To, Bytes, Device, Bytes, ACL_MEMCPY_DEVICE_TO_HOST);
  };
  if (int Code = Make(1, ACL_FLOAT, 2, 3, 7, Values, sizeof(Values))) {
    std::printf("random: %d\n", Code);
    return;
  }
  double Sum = 0;
  bool Inside = true;
  for (float V : Values) {
    Sum += V;
    Inside &= V >= 2 && V < 3;
  }
  std::printf("uniform: inside %d, mean %.1f\n", Inside, Sum / 4096);
  CHECK(Make(1, ACL_FLOAT, 2, 3, 7, Again, sizeof(Again)));
  std::printf("same seed: %d\n", !std::memcmp(Values, Again, sizeof(Again)));
  CHECK(Make(1, ACL_FLOAT, 2, 3, 8, Again, sizeof(Again)));
  std::printf("other seed: %d\n", !std::memcmp(Values, Again, sizeof(Again)));
  CHECK(Make(3, ACL_FLOAT, 10, 2, 7, Values, sizeof(Values)));
  double Squares = Sum = 0;
  Inside = true;
  for (float V : Values) {
    Sum += V;
    Squares += (V - 10) * (V - 10);
    Inside &= V >= 6 && V <= 14;
  }
  std::printf("truncated normal: inside %d, mean %.0f, variance %.0f\n", Inside,
              Sum / 4096, Squares / 4096); // 0.77 of 4
  CHECK(Make(1, ACL_INT32, -2, 2, 7, Integers, sizeof(Integers)));
  int Least = 9, Most = -9;
  for (int V : Integers) {
    Least = V < Least ? V : Least;
    Most = V > Most ? V : Most;
  }
  std::printf("integers: %d to %d\n", Least, Most);
  CHECK(Make(0, ACL_FLOAT, 0.25f, 0, 7, Mask, sizeof(Mask)));
  int Stay = 0;
  for (uint8_t Byte : Mask)
    Stay += __builtin_popcount(Byte);
  std::printf("dropout: %d%%\n", (Stay * 20 / 4096) * 5);
  CHECK(Make(2, ACL_INT32, 0, 1, 7, Integers, sizeof(Integers)));
  CHECK(aclrtFree(Counter));
  CHECK(aclrtFree(Device));
}

int main(int Argc, char **) {
  CHECK(aclrtSetDevice(0));
  aclrtStream Stream = nullptr;
  CHECK(aclrtCreateStream(&Stream));
  registered(Stream);
  managed(Stream);
  numbers(Stream);
  if (Argc > 1) { // a copy through the device's address
    void *Host = nullptr, *Device = nullptr;
    int Value = 1;
    CHECK(aclrtMallocHost(&Host, 4096));
    CHECK(aclrtHostRegisterV2(Host, 4096, ACL_HOST_REG_MAPPED));
    CHECK(aclrtHostGetDevicePointer(Host, &Device, 0));
    CHECK(aclrtMemcpy(Device, 4, &Value, 4, ACL_MEMCPY_HOST_TO_DEVICE));
    CHECK(aclrtHostUnregister(Host));
    CHECK(aclrtFreeHost(Host));
  }
  CHECK(aclrtDestroyStream(Stream));
  CHECK(aclrtResetDevice(0));
}
