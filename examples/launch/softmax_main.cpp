// A host program for examples/kernels/softmax.cpp, on plain AscendCL: the
// generated launcher checks, aclrtLaunchKernelWithHostArgs starts.
//
//   K=../kernels/softmax.cpp
//   belay build $K --kernel 'softmax<1024>' --deny -o out
//   belay object $K --kernel 'softmax<1024>' -o out/softmax_1024.o
//   c++ softmax_main.cpp -Iout -I$BELAY/include -L... -lascendcl -o main
//   ./main out/softmax_1024.o 100 99
#include "softmax_1024.h"

#include "acl/acl.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

static void check(aclError error, const char *call) {
  if (error == ACL_SUCCESS)
    return;
  std::fprintf(stderr, "%s: error %d\n", call, int(error));
  std::exit(1);
}
#define CHECK(call) check(call, #call)

/// Device memory with a copy of some rows.
static float *upload(const std::vector<float> &values) {
  void *memory = nullptr;
  const std::size_t bytes = values.size() * sizeof(float);
  CHECK(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclrtMemcpy(memory, bytes, values.data(), bytes,
                    ACL_MEMCPY_HOST_TO_DEVICE));
  return static_cast<float *>(memory);
}

/// The largest distance of a row's sum from 1.
static double worstSum(const std::vector<float> &rows) {
  double worst = 0;
  for (std::size_t i = 0; i < rows.size(); i += 1024) {
    double sum = 0;
    for (std::size_t j = i; j < i + 1024; ++j)
      sum += rows[j];
    worst = std::fmax(worst, std::fabs(sum - 1));
  }
  return worst;
}

int main(int argc, char **argv) {
  if (argc != 4)
    return std::fprintf(stderr, "usage: main OBJECT ROWS-OF-X ROWS-OF-Y\n"), 2;
  const long rowsX = std::atol(argv[2]), rowsY = std::atol(argv[3]);
  std::vector<float> values(rowsX * 1024), results(rowsY * 1024);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = float(i % 97) / 10;

  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  CHECK(aclrtCreateStream(&stream));
  aclrtBinHandle binary = nullptr;
  aclrtFuncHandle function = nullptr;
  using softmax = belay::kernels::softmax_1024;
  CHECK(aclrtBinaryLoadFromFile(argv[1], nullptr, &binary));
  CHECK(aclrtBinaryGetFunction(binary, softmax::info.entry, &function));
  float *x = upload(values), *y = upload(results);

  auto launcher = [&](const belay::launch::request &r) {
    return aclrtLaunchKernelWithHostArgs(function, r.blocks, stream, nullptr,
                                         const_cast<void *>(r.arguments),
                                         r.bytes, nullptr, 0);
  };
  const belay::launch::status status =
      softmax::launch(launcher, 8, {x, rowsX, 1024}, {y, rowsY, 1024});
  if (!status.ok()) {
    std::fprintf(stderr, "%s\n", status.message().c_str());
  } else {
    CHECK(aclrtSynchronizeStream(stream));
    const std::size_t bytes = results.size() * sizeof(float);
    CHECK(aclrtMemcpy(results.data(), bytes, y, bytes,
                      ACL_MEMCPY_DEVICE_TO_HOST));
    std::printf("rows sum to 1 within %g\n", worstSum(results));
  }

  CHECK(aclrtFree(x));
  CHECK(aclrtFree(y));
  CHECK(aclrtBinaryUnLoad(binary));
  CHECK(aclrtDestroyStream(stream));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
  return status.ok() ? 0 : 1;
}
