//===- null_acl.cpp - AscendCL that does nothing --------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every function succeeds, every task has ended at once, and nothing is
// allocated: what a program costs with this library is what it costs itself.
// BELAY_ACL_LIBRARY=libnull_acl.so
//
//===----------------------------------------------------------------------===//

#include <cstddef>
#include <cstdint>
#include <cstdlib>

/// Handles are the address of something.
static int something;

/// Calls that give a handle out.
#define BELAY_NULL_GIVES(Name, Params)                                         \
  extern "C" int Name Params {                                                 \
    *out = &something;                                                         \
    return 0;                                                                  \
  }

extern "C" int aclInit(const char *) { return 0; }
extern "C" int aclFinalizeReference(uint64_t *) { return 0; }
extern "C" const char *aclGetRecentErrMsg() { return nullptr; }
extern "C" int aclrtSetDevice(int32_t) { return 0; }
extern "C" int aclrtResetDevice(int32_t) { return 0; }
extern "C" int aclrtSetCurrentContext(void *) { return 0; }
BELAY_NULL_GIVES(aclrtGetCurrentContext, (void **out))
BELAY_NULL_GIVES(aclrtCreateStream, (void **out))
extern "C" int aclrtDestroyStream(void *) { return 0; }
extern "C" int aclrtSynchronizeStream(void *) { return 0; }
BELAY_NULL_GIVES(aclrtCreateEventExWithFlag, (void **out, uint32_t))
extern "C" int aclrtDestroyEvent(void *) { return 0; }
extern "C" int aclrtRecordEvent(void *, void *) { return 0; }
extern "C" int aclrtStreamWaitEvent(void *, void *) { return 0; }
extern "C" int aclrtSynchronizeEvent(void *) { return 0; }
extern "C" int aclrtQueryEventStatus(void *, int *status) {
  *status = 1; // complete
  return 0;
}
extern "C" int aclrtMalloc(void **out, size_t bytes, int) {
  *out = std::malloc(bytes);
  return 0;
}
extern "C" int aclrtFree(void *pointer) {
  std::free(pointer);
  return 0;
}
extern "C" int aclrtMemsetAsync(void *, size_t, int32_t, size_t, void *) {
  return 0;
}
BELAY_NULL_GIVES(aclrtBinaryLoadFromFile, (const char *, void *, void **out))
BELAY_NULL_GIVES(aclrtBinaryGetFunction, (void *, const char *, void **out))
extern "C" int aclrtBinaryUnLoad(void *) { return 0; }
extern "C" int aclrtLaunchKernelWithHostArgs(void *, uint32_t, void *, void *,
                                             void *, size_t, void *, size_t) {
  return 0;
}
