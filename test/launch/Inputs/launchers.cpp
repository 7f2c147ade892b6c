// The launchers of kernels.cpp: each check fires, each is silent where nothing
// is wrong, and what reaches the device is the block of arguments to the byte.
#include "check.h"
#include "divides.h"
#include "floats.h"
#include "launch_8.h"
#include "planes.h"
#include "scale_half_256.h"
#include "total.h"
#include "unnamed.h"
#include "whole_numbers.h"

#include <cstdio>
#include <cstdlib>
#include <vector>

using belay::launch::status;
namespace kernels = belay::kernels;

static int failures = 0;

#define EXPECT(condition)                                                      \
  if (!(condition)) {                                                          \
    std::printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);        \
    ++failures;                                                                \
  }

static void refused(const status &status, const std::string &id,
                    const std::string &text, int line) {
  if (status.id() == id && status.text() == text)
    return;
  std::printf("line %d: want %s [%s],\n         got %s\n", line, text.c_str(),
              id.c_str(), status.message().c_str());
  ++failures;
}
#define REFUSED(status, id, text) refused(status, id, text, __LINE__)

/// Stands in for the device: keeps what it is asked to start.
struct Recorder {
  int code = 0;
  std::vector<unsigned char> bytes;
  std::string entry;
  unsigned blocks = 0, calls = 0;

  int operator()(const belay::launch::request &request) {
    const auto *data = static_cast<const unsigned char *>(request.arguments);
    bytes.assign(data, data + request.bytes);
    entry = request.kernel.entry;
    blocks = request.blocks;
    ++calls;
    return code;
  }
  template <class T> T at(std::size_t offset) const {
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
  }
};

template <class T> static T *memory(std::uintptr_t address) {
  return reinterpret_cast<T *>(address);
}
static belay::half *halves(std::uintptr_t address) {
  return memory<belay::half>(address);
}

static void launches() {
  Recorder device;
  status ok = kernels::scale_half_256::launch(
      device, 7, {halves(0x10000), 4, 256}, 2.5f, {halves(0x20000), 4u, 256});
  EXPECT(ok.ok() && ok.id().empty() && ok.message().empty());
  EXPECT(device.entry == "scale_half_256" && device.blocks == 7);
  // Views, open extents, scalars; zeros after the last.
  EXPECT(device.bytes.size() == 40);
  EXPECT(device.at<std::uint64_t>(0) == 0x10000);
  EXPECT(device.at<std::uint64_t>(8) == 0x20000);
  EXPECT(device.at<std::int64_t>(16) == 4 && device.at<std::int64_t>(24) == 4);
  EXPECT(device.at<float>(32) == 2.5f && device.at<std::uint32_t>(36) == 0);

  ok = kernels::floats::launch(device, 1, {memory<float>(64), 1}, 1.0f,
                               belay::launch::half_bits{0x3c00},
                               belay::launch::bfloat16_bits{0x4080}, 7, true);
  EXPECT(ok.ok());
  EXPECT(device.bytes.size() == 48);
  EXPECT(device.at<float>(16) == 1 && device.at<std::uint16_t>(20) == 0x3c00);
  EXPECT(device.at<std::uint16_t>(24) == 0x4080);
  EXPECT(device.at<std::int64_t>(32) == 7 && device.at<bool>(40));

  ok = kernels::check_::launch(device, 65535);
  EXPECT(ok.ok() && device.bytes.empty() && device.blocks == 65535);
  ok = kernels::launch_8::launch(device, 1, {memory<float>(64), 2},
                                 {memory<float>(128), 2}, 9, false, 1.0f);
  EXPECT(ok.ok() && device.at<std::int64_t>(32) == 9);
  ok = kernels::unnamed::launch(device, 1, {memory<float>(64), 0},
                                {memory<float>(128), 5}, 0.0f);
  EXPECT(ok.ok());

  device = {};
  device.code = 507015;
  REFUSED(kernels::check_::launch(device, 1), "launch-failed",
          "check was not launched: error 507015");
  EXPECT(device.calls == 1);
  // What is refused does not reach the device.
  REFUSED(kernels::check_::launch(device, 0), "bad-block-count",
          "check has 1 to 65535 blocks, not 0");
  EXPECT(device.calls == 1);
}

static void extents() {
  auto check = [](std::int64_t rows, std::int64_t cols, std::int64_t last) {
    return kernels::planes::check(1, {memory<float>(64), rows, cols, 2, last},
                                  {memory<std::int32_t>(64), 0},
                                  {memory<float>(0x100000), rows * cols, 1});
  };
  EXPECT(check(3, 2, 8).ok());
  EXPECT(check(0, 2, 8).ok());
  REFUSED(check(3, 2, 9), "bad-extent",
          "planes takes 'x', whose extent 3 is 8, not 9");
  REFUSED(check(-1, 2, 8), "bad-extent",
          "planes takes 'x', whose extent 0 is from 0 to 2^40, not -1");
  const std::int64_t most = std::int64_t(1) << 40;
  REFUSED(check(1, most + 1, 8), "bad-extent",
          "planes takes 'x', whose extent 1 is from 0 to 2^40, not "
          "1099511627777");
  REFUSED(kernels::planes::check(1, {memory<float>(64), most, most, 2, 8},
                                 {memory<std::int32_t>(64), 0},
                                 {memory<float>(64), 0, 0}),
          "bad-extent", "planes takes 'x', which has more than 2^40 elements");
  // The last number that is admitted, and one more.
  auto square = [](std::int64_t a, std::int64_t b) {
    return kernels::planes::check(1, {memory<float>(64), 0, 0, 2, 8},
                                  {memory<std::int32_t>(64), 0},
                                  {memory<float>(64), a, b});
  };
  EXPECT(square(1 << 20, 1 << 20).id() == "expects-not-met");
  EXPECT(square((1 << 20) + 1, 1 << 20).id() == "bad-extent");
  // One that only fits in 64 bits without a sign.
  REFUSED(kernels::unnamed::check(1, {memory<float>(64), ~std::uint64_t(0)},
                                  {memory<float>(64), 0}, 0),
          "bad-extent",
          "unnamed takes 'arg0_', whose extent 0 is from 0 to 2^40, not -1");
}

static void addresses() {
  auto check = [](std::uintptr_t x, std::int64_t n, std::uintptr_t y) {
    return kernels::unnamed::check(1, {memory<float>(x), n},
                                   {memory<float>(y), 4}, 0);
  };
  EXPECT(check(64, 4, 128).ok());
  EXPECT(check(0, 0, 128).ok());
  REFUSED(check(0, 1, 128), "bad-address",
          "unnamed takes 'arg0_', whose address is null");
  REFUSED(check(66, 1, 128), "bad-address",
          "unnamed takes 'arg0_', whose address is no multiple of 4");
  REFUSED(check(~std::uintptr_t(7), 4, 128), "bad-address",
          "unnamed takes 'arg0_', which ends past the last address");
  // Neighbours share nothing.
  EXPECT(check(112, 4, 128).ok() && check(144, 4, 128).ok());
  REFUSED(check(116, 4, 128), "argument-overlap",
          "unnamed takes 'arg0_' and 'arg0', which share 4 bytes; 'arg0' is "
          "written");
  REFUSED(check(140, 1, 128), "argument-overlap",
          "unnamed takes 'arg0_' and 'arg0', which share 4 bytes; 'arg0' is "
          "written");
  // Two that are only read may be the same.
  EXPECT(kernels::planes::check(1, {memory<float>(64), 1, 1, 2, 8},
                                {memory<std::int32_t>(64), 1},
                                {memory<float>(4096), 1, 1})
             .ok());
}

static void cores() {
  auto check = [](std::uint32_t blocks, std::int64_t parts,
                  std::uintptr_t part) {
    return kernels::total::check(blocks, {memory<float>(0x10000), 100},
                                 {memory<float>(part), parts},
                                 {memory<float>(64), 1});
  };
  EXPECT(check(40, 40, 4096).ok() && check(1, 1, 4096).ok());
  REFUSED(check(41, 41, 4096), "bad-block-count",
          "total has 1 to 40 blocks, since its cores wait for each other and "
          "Ascend910B3 has no more, not 41");
  REFUSED(check(8, 9, 4096), "bad-extent",
          "total takes 'part', which has one element for each of the 8 blocks, "
          "not 9");
  REFUSED(check(8, 8, 0x10000 + 400 - 4), "argument-overlap",
          "total takes 'x' and 'part', which share 4 bytes; 'part' is written");
  REFUSED(check(8, 8, 64), "argument-overlap",
          "total takes 'part' and 'out', which share 4 bytes; 'out' is "
          "written");
}

static void contracts() {
  auto scale = [](std::int64_t x, std::int64_t y, float factor) {
    return kernels::scale_half_256::check(1, {halves(0x10000), x, 256}, factor,
                                          {halves(0x200000), y, 256});
  };
  EXPECT(scale(3, 3, 1).ok());
  REFUSED(scale(3, 4, 1), "expects-not-met",
          "scale<belay::half, 256> expects x.rows() == y.rows() "
          "(kernels.cpp:9), but x.rows() is 3, y.rows() is 4");
  REFUSED(scale(3, 3, 0), "expects-not-met",
          "scale<belay::half, 256> expects factor != 0 (kernels.cpp:9), but "
          "factor is 0");
  // In 64 bits, the square of 2^32 would be 0 and its contract not be met.
  EXPECT(kernels::whole_numbers::check(1, {memory<float>(64), 1},
                                       std::int64_t(1) << 32, 3, 0)
             .ok());
  auto divides = [](std::int64_t a, std::int64_t b) {
    return kernels::divides::check(1, {memory<float>(64), 1}, a, b);
  };
  EXPECT(divides(8, 4).ok() && divides(-8, -4).ok());
  EXPECT(divides(INT64_MIN, -1).ok());
  REFUSED(divides(8, 0), "expects-not-met",
          "divides expects a / b >= 2 (kernels.cpp:39), which has no value (a "
          "divisor is 0, or a number leaves 128 bits): a is 8, b is 0");
  REFUSED(divides(9, 4), "expects-not-met",
          "divides expects a % b == 0 (kernels.cpp:39), but a is 9, b is 4");
}

/// For the comparison with the description: one launch for each line of input,
/// one answer for each.
static int answer(const std::string &kernel) {
  long long a, b, c;
  unsigned blocks;
  if (kernel == "whole_numbers") {
    while (std::scanf("%u %lld %lld %lld", &blocks, &a, &b, &c) == 4)
      std::puts(kernels::whole_numbers::check(blocks, {memory<float>(64), 1}, a,
                                              b, static_cast<std::int32_t>(c))
                        .ok()
                    ? "yes"
                    : "no");
    return 0;
  }
  float x;
  unsigned h, f;
  while (std::scanf("%u %f %u %u %lld %lld", &blocks, &x, &h, &f, &a, &b) == 6)
    std::puts(kernels::floats::check(
                  blocks, {memory<float>(64), 1}, x,
                  belay::launch::half_bits{static_cast<std::uint16_t>(h)},
                  belay::launch::bfloat16_bits{static_cast<std::uint16_t>(f)},
                  a, b != 0)
                      .ok()
                  ? "yes"
                  : "no");
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 2)
    return answer(argv[1]);
  launches();
  extents();
  addresses();
  cores();
  contracts();
  return failures ? 1 : 0;
}
