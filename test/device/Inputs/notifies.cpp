// Notifies, words that streams wait for, and limits of cores.
#include "acl/acl.h"

#include <cstdio>
#include <cstring>

#define CHECK(Call)                                                            \
  if (int Code = (Call))                                                       \
  std::printf("%s: %d\n", #Call, Code)

static void append(void *Text) { std::printf("%s\n", (const char *)Text); }

static void say(aclrtStream Stream, const char *Text) {
  CHECK(aclrtLaunchHostFunc(Stream, append, (void *)Text));
}

int main(int argc, char **argv) {
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  aclrtStream A = nullptr, B = nullptr;
  CHECK(aclrtCreateStream(&A));
  CHECK(aclrtCreateStream(&B));
  aclrtNotify N = nullptr;
  CHECK(aclrtCreateNotify(&N, 0));

  CHECK(aclrtWaitAndResetNotify(N, B, 0)); // before it is recorded
  say(B, "2 after the notify");
  say(A, "1 before it");
  CHECK(aclrtRecordNotify(N, A));
  CHECK(aclrtSynchronizeStream(B));
  CHECK(aclrtRecordNotify(N, A)); // and after
  CHECK(aclrtWaitAndResetNotify(N, B, 0));
  CHECK(aclrtSynchronizeStream(B));
  CHECK(aclrtDestroyNotify(N));

  uint64_t *Word = nullptr;
  CHECK(aclrtMalloc((void **)&Word, 8, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclrtMemset(Word, 8, 0, 8));
  CHECK(aclrtValueWait(Word, 7, ACL_STREAM_WAIT_VALUE_EQ, B));
  say(B, "4 after the word");
  say(A, "3 before it");
  CHECK(aclrtValueWrite(Word, 7, 0, A));
  CHECK(aclrtSynchronizeStream(B));
  CHECK(aclrtSynchronizeStream(A));

  uint32_t Cores = 0;
  CHECK(aclrtSetDeviceResLimit(0, ACL_RT_DEV_RES_VECTOR_CORE, 8));
  CHECK(aclrtGetDeviceResLimit(0, ACL_RT_DEV_RES_VECTOR_CORE, &Cores));
  std::printf("5 limited to %u\n", Cores);
  CHECK(aclrtSetDeviceResLimit(0, ACL_RT_DEV_RES_VECTOR_CORE, 100000));
  CHECK(aclrtResetDeviceResLimit(0));
  CHECK(aclrtGetDeviceResLimit(0, ACL_RT_DEV_RES_CUBE_CORE, &Cores));
  std::printf("6 of %u\n", Cores);

  if (argc > 1 && !std::strcmp(argv[1], "notify"))
    CHECK(aclrtRecordNotify(N, A));
  if (argc > 1 && !std::strcmp(argv[1], "word"))
    CHECK(aclrtValueWrite(&Cores, 7, 0, A));
  CHECK(aclrtFree(Word));
  CHECK(aclrtDestroyStream(A));
  CHECK(aclrtDestroyStream(B));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
}
