// Launches kernels of ../../check/Inputs/conditions.cpp, some of them with
// numbers that are not admitted, from the object that is named.
#include "acl/acl.h"

#include <cstdint>
#include <cstdio>
#include <cstring>

static aclrtStream stream;

static void run(aclrtFuncHandle kernel, void *args, size_t bytes,
                aclrtPlaceHolderInfo *places, size_t count, const char *what) {
  aclrtLaunchKernelWithHostArgs(kernel, 1, stream, nullptr, args, bytes, places,
                                count);
  int error = aclrtSynchronizeStream(stream);
  std::printf("%s: %d\n", what, error);
  std::fflush(stdout);
}

static void guarded(aclrtFuncHandle kernel, void *y, uint32_t n,
                    uint32_t mode) {
  struct {
    void *y;
    uint32_t n, mode;
  } args = {y, n, mode};
  char what[64];
  std::snprintf(what, sizeof what, "guarded %u %u", n, mode);
  run(kernel, &args, sizeof args, nullptr, 0, what);
}

static void by_tiling(aclrtFuncHandle kernel, void *y, uint32_t tile,
                      size_t bytes) {
  uint32_t sizes[2] = {tile, tile};
  void *tiling = nullptr;
  aclrtMalloc(&tiling, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMemcpy(tiling, bytes, sizes, bytes, ACL_MEMCPY_HOST_TO_DEVICE);
  void *args[] = {y, tiling};
  char what[64];
  std::snprintf(what, sizeof what, "by_tiling %u", tile);
  run(kernel, args, sizeof args, nullptr, 0,
      bytes < sizeof sizes ? "by_tiling of 4 bytes" : what);
  aclrtFree(tiling);
}

static void by_tiling_of_host(aclrtFuncHandle kernel, void *y, uint32_t tile) {
  struct {
    void *y, *tiling;
    uint32_t sizes[2];
  } args = {y, nullptr, {tile, tile}};
  aclrtPlaceHolderInfo place = {8, 16};
  char what[64];
  std::snprintf(what, sizeof what, "by_tiling %u, from the host", tile);
  run(kernel, &args, sizeof args, &place, 1, what);
}

int main(int, char **argv) {
  aclInit(nullptr);
  aclrtSetDevice(0);
  aclrtCreateStream(&stream);
  aclrtBinHandle object = nullptr;
  if (aclrtBinaryLoadFromFile(argv[1], nullptr, &object)) {
    std::fprintf(stderr, "%s\n", aclGetRecentErrMsg());
    return 1;
  }
  aclrtFuncHandle guards = nullptr, tiles = nullptr;
  aclrtBinaryGetFunction(object, "guarded", &guards);
  aclrtBinaryGetFunction(object, "by_tiling", &tiles);
  void *y = nullptr;
  aclrtMalloc(&y, 256, ACL_MEM_MALLOC_HUGE_FIRST);
  guarded(guards, y, 256, 3);
  guarded(guards, y, 257, 3);
  guarded(guards, y, 257, 4);
  by_tiling(tiles, y, 64, 8);
  if (!std::strstr(argv[1], "free")) {
    by_tiling(tiles, y, 65536, 8);
    by_tiling_of_host(tiles, y, 64);
    by_tiling_of_host(tiles, y, 65536);
    by_tiling(tiles, y, 64, 4);
  }
  aclrtFree(y);
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  return aclFinalize();
}
