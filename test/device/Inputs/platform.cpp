// The part, by the other of its two headers.
#include "platform/platform_ascendc.h"
#include <cstdio>

int main() {
  auto *platform = platform_ascendc::PlatformAscendCManager::GetInstance();
  uint64_t bytes = 0;
  platform->GetCoreMemSize(platform_ascendc::CoreMemType::UB, bytes);
  std::printf("%u vector cores, %d\n", platform->GetCoreNumAiv(), bytes > 0);
}
