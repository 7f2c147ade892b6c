//===- platform.h - The target's numbers as tiling code asks for them -*- C++
//-*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPHOST_OPHOST_PLATFORM_H
#define BELAY_OPHOST_OPHOST_PLATFORM_H

#include "ophost/types.h"

#include <string>

namespace belay::ophost {

/// Filled by the process that loads the operator, from the table of targets:
/// nothing here knows a number.
struct Platform {
  std::string Soc, Series;
  uint32_t Arch = 0;
  /// Cores that run cube code, and vector code, at the same time.
  uint32_t Aic = 0, Aiv = 0;
  /// Vector cores beside the AI cores, which only some parts have.
  uint32_t SpareVector = 0;
  uint64_t Ub = 0, L1 = 0, L0a = 0, L0b = 0, L0c = 0, L2 = 0, Memory = 0;
  uint64_t Fb = 0, Bt = 0;
  /// What the library keeps of UB and L1 for itself.
  uint64_t LocalReserve = 0;
  uint64_t LibWorkspace = 0;
  uint32_t VectorBytes = 0;
};

} // namespace belay::ophost

extern "C" const belay::ophost::Platform *belay_ophost_platform();

namespace fe {

enum class LocalMemType {
  L0_A = 0,
  L0_B = 1,
  L0_C = 2,
  L1 = 3,
  L2 = 4,
  UB = 5,
  HBM = 6,
  RESERVED
};

class PlatFormInfos {
public:
  uint32_t GetCoreNum() const { return belay_ophost_platform()->Aic; }
  uint32_t GetCoreNumByType(const std::string &Type) const {
    auto *P = belay_ophost_platform();
    return Type == "VectorCore" ? P->Aiv : P->Aic;
  }
  void GetLocalMemSize(const LocalMemType &Type, uint64_t &Size) const {
    auto *P = belay_ophost_platform();
    const uint64_t Sizes[] = {P->L0a, P->L0b, P->L0c,   P->L1,
                              P->L2,  P->Ub,  P->Memory};
    Size = Type < LocalMemType::RESERVED ? Sizes[static_cast<int>(Type)] : 0;
  }
  bool GetPlatformRes(const std::string &Label, const std::string &Key,
                      std::string &Value) const {
    auto *P = belay_ophost_platform();
    if (Label == "version" && Key == "Short_SoC_version")
      Value = P->Series;
    else if (Label == "version" && Key == "SoC_version")
      Value = P->Soc;
    else if (Label == "version" && Key == "NpuArch")
      Value = std::to_string(P->Arch);
    else if (Label == "SoCInfo" && Key == "ai_core_cnt")
      Value = std::to_string(P->Aic);
    else if (Label == "SoCInfo" && Key == "cube_core_cnt")
      Value = std::to_string(P->Aic);
    else if (Label == "SoCInfo" && Key == "vector_core_cnt")
      Value = std::to_string(P->Aiv);
    else if (Label == "SoCInfo" && Key == "l2_size")
      Value = std::to_string(P->L2);
    else if (Label == "AICoreSpec" && Key == "ub_size")
      Value = std::to_string(P->Ub);
    else
      return false;
    return true;
  }
  bool GetPlatformResWithLock(const std::string &Label, const std::string &Key,
                              std::string &Value) const {
    return GetPlatformRes(Label, Key, Value);
  }
};
using PlatformInfo = PlatFormInfos;

} // namespace fe

enum class NpuArch : uint32_t {
  DAV_1001 = 1001,
  DAV_2002 = 2002,
  DAV_2201 = 2201,
  DAV_3002 = 3002,
  DAV_3510 = 3510,
  DAV_RESV = 0xFFFF
};

namespace platform_ascendc {

enum class CoreMemType {
  L0_A = 0,
  L0_B = 1,
  L0_C = 2,
  L1 = 3,
  L2 = 4,
  UB = 5,
  HBM = 6,
  FB = 7,
  BT = 8,
  RESERVED
};

enum class SocVersion {
  ASCEND910 = 0,
  ASCEND910B,
  ASCEND310P,
  ASCEND310B,
  ASCEND950,
  ASCEND910_55,
  ASCEND910_95 = ASCEND950,
  AS31XM1,
  ASCEND031,
  ASCEND035,
  ASCEND310,
  ASCEND610,
  ASCEND610Lite,
  ASCEND910_93,
  BS9SX1A,
  BS9SX2A,
  HI3796CV300CS,
  HI3796CV300ES,
  MC61AM21A,
  MC62,
  SD3403,
  KIRINX90,
  KIRIN9030,
  MC32DM11A,
  ASCEND350,
  RESERVED_VERSION = 99999
};

enum class ReservedSize {
  RESERVED_SIZE_8K,
  RESERVED_SIZE_16K,
  RESERVED_SIZE_32K
};

class PlatformAscendC {
public:
  PlatformAscendC() = delete;
  explicit PlatformAscendC(fe::PlatFormInfos *Infos) : Infos(Infos) {}

  uint32_t GetCoreNum() const { return GetCoreNumAiv(); }
  uint32_t GetCoreNumAic() const { return belay_ophost_platform()->Aic; }
  uint32_t GetCoreNumAiv() const { return belay_ophost_platform()->Aiv; }
  uint32_t GetCoreNumVector() const {
    return belay_ophost_platform()->SpareVector;
  }
  uint32_t CalcTschBlockDim(uint32_t Slices, uint32_t Aic, uint32_t Aiv) const {
    if (Aic == 0 || Aiv == 0 || Aic > Aiv)
      return Slices;
    uint32_t Ratio = Aiv / Aic;
    return (Slices + Ratio - 1) / Ratio;
  }
  uint32_t CalcTschNumBlocks(uint32_t Slices, uint32_t Aic,
                             uint32_t Aiv) const {
    return CalcTschBlockDim(Slices, Aic, Aiv);
  }
  void GetCoreMemSize(const CoreMemType &Type, uint64_t &Size) const {
    auto *P = belay_ophost_platform();
    const uint64_t Sizes[] = {P->L0a,    P->L0b,
                              P->L0c,    P->L1 - P->LocalReserve,
                              P->L2,     P->Ub - P->LocalReserve - Reserved,
                              P->Memory, P->Fb,
                              P->Bt};
    Size = Type < CoreMemType::RESERVED ? Sizes[static_cast<int>(Type)] : 0;
  }
  void ReserveLocalMemory(ReservedSize Size) {
    Reserved = 8192u << static_cast<unsigned>(Size);
  }
  SocVersion GetSocVersion() const {
    const std::string &Series = belay_ophost_platform()->Series;
    if (Series == "Ascend910B" || Series == "Ascend910_93")
      return SocVersion::ASCEND910B;
    if (Series == "Ascend310P")
      return SocVersion::ASCEND310P;
    if (Series == "Ascend310B")
      return SocVersion::ASCEND310B;
    if (Series == "Ascend950")
      return SocVersion::ASCEND950;
    if (Series == "Ascend350")
      return SocVersion::ASCEND350;
    if (Series == "Ascend910")
      return SocVersion::ASCEND910;
    return SocVersion::RESERVED_VERSION;
  }
  NpuArch GetCurNpuArch() const {
    return static_cast<NpuArch>(belay_ophost_platform()->Arch);
  }
  uint32_t GetLibApiWorkSpaceSize() const {
    return static_cast<uint32_t>(belay_ophost_platform()->LibWorkspace);
  }
  uint32_t GetVecRegLen() const { return belay_ophost_platform()->VectorBytes; }
  fe::PlatFormInfos *GetPlatFormInfo() const { return Infos; }

private:
  fe::PlatFormInfos *Infos;
  uint64_t Reserved = 0;
};

class PlatformAscendCManager {
public:
  static PlatformAscendC *GetInstance() {
    static fe::PlatFormInfos Infos;
    static PlatformAscendC Platform(&Infos);
    return &Platform;
  }
  static PlatformAscendC *GetInstance(const char *) { return GetInstance(); }
};

} // namespace platform_ascendc

#endif // BELAY_OPHOST_OPHOST_PLATFORM_H
