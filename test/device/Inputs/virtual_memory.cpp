// Addresses are reserved and memory is mapped there, twice.
#include "acl/acl.h"

#include <cstdio>
#include <cstring>

#define CHECK(Call)                                                            \
  if (int Code = (Call))                                                       \
  std::printf("%s: %d\n", #Call, Code)

int main(int argc, char **argv) {
  CHECK(aclrtSetDevice(0));
  aclrtPhysicalMemProp Kind = {};
  size_t Unit = 0;
  CHECK(aclrtMemGetAllocationGranularity(
      &Kind, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, &Unit));
  char *At = nullptr, Text[8] = {};
  CHECK(aclrtReserveMemAddress((void **)&At, 2 * Unit, 0, nullptr, 0));
  aclrtDrvMemHandle Memory = nullptr;
  CHECK(aclrtMallocPhysical(&Memory, Unit, &Kind, 0));
  CHECK(aclrtMallocPhysical(&Memory, Unit + 1, &Kind, 0)); // no such size
  CHECK(aclrtMemcpy(At, 8, "first", 6, ACL_MEMCPY_HOST_TO_DEVICE)); // not yet
  CHECK(aclrtMapMem(At, Unit, 0, Memory, 0));
  CHECK(aclrtMapMem(At + Unit, Unit, 0, Memory, 0)); // one place at a time
  CHECK(aclrtMemcpy(At, 8, "first", 6, ACL_MEMCPY_HOST_TO_DEVICE));
  CHECK(aclrtUnmapMem(At));
  CHECK(aclrtMapMem(At + Unit, Unit, 0, Memory, 0));
  CHECK(aclrtMemcpy(Text, 8, At + Unit, 6, ACL_MEMCPY_DEVICE_TO_HOST));
  std::printf("moved '%s'\n", Text);
  if (argc > 1)
    CHECK(aclrtReleaseMemAddress(At)); // memory is mapped there
  CHECK(aclrtUnmapMem(At + Unit));
  CHECK(aclrtFreePhysical(Memory));
  CHECK(aclrtReleaseMemAddress(At));
  CHECK(aclrtResetDevice(0));
}
