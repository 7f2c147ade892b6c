// A program asks for the part, and lets the library tile a product for it.
#include "kernel_operator.h"
#include "kernel_tiling/kernel_tiling.h"
#include "tiling/platform/platform_ascendc.h"
#include "tiling/tiling_api.h"

#include <cstdio>

// As in op_host; a program of one file has nobody who asks for it.
namespace optiling {
BEGIN_TILING_DATA_DEF(RowsTilingData)
TILING_DATA_FIELD_DEF(uint32_t, rows);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(Rows, RowsTilingData)
} // namespace optiling

int main() {
  auto *Platform = platform_ascendc::PlatformAscendCManager::GetInstance();
  uint64_t L1 = 0;
  Platform->GetCoreMemSize(platform_ascendc::CoreMemType::L1, L1);
  std::printf("%u cube cores, %u vector cores, %d KB\n",
              Platform->GetCoreNumAic(), Platform->GetCoreNumAiv(),
              int(L1 / 1024));

  matmul_tiling::MultiCoreMatmulTiling Product(*Platform);
  Product.SetDim(2);
  Product.SetAType(matmul_tiling::TPosition::GM, matmul_tiling::CubeFormat::ND,
                   matmul_tiling::DataType::DT_FLOAT16, false);
  Product.SetBType(matmul_tiling::TPosition::GM, matmul_tiling::CubeFormat::ND,
                   matmul_tiling::DataType::DT_FLOAT16, false);
  Product.SetOrgShape(512, 256, 128);
  Product.SetShape(512, 256, 128);
  Product.SetBufferSpace(-1, -1, -1);
  AscendC::tiling::TCubeTiling Plain; // as kernels have it
  optiling::TCubeTiling Fields;       // as op_host has it
  std::printf("%d %d\n", int(Product.GetTiling(Plain)),
              int(Product.GetTiling(Fields)));
  std::printf("%d cores, %d x %d x %d, %d rows each; %d\n", Plain.usedCoreNum,
              Plain.M, Plain.N, Plain.Ka, Plain.singleCoreM,
              Plain.baseM == Fields.get_baseM());
  int32_t Used, AlongM, AlongN, M, N, K;
  Product.GetCoreNum(Used, AlongM, AlongN);
  Product.GetSingleShape(M, N, K);
  std::printf("%d = %d x %d cores of %d x %d x %d\n", Used, AlongM, AlongN, M,
              N, K);
  Product.EnableMultiCoreSplitK(true);
  Product.SetALayout(4, 512, 1, 1, 128);
  Product.GetTiling(Plain);
  std::printf("along K: %d cores of %d, %d batches\n", Plain.usedCoreNum,
              Plain.singleCoreK, Plain.ALayoutInfoB);

  // Small products stay on one core, wide ones are divided along N; rows of B
  // are not cut short.
  const int32_t Shapes[][4] = {{24, 64, 64, 64},
                               {24, 128, 7679, 128},
                               {40, 640, 1024, 512},
                               {2, 512, 128, 128}};
  for (auto [Cores, M, N, K] : Shapes) {
    matmul_tiling::MultiCoreMatmulTiling Divided(*Platform);
    Divided.SetDim(Cores);
    Divided.SetOrgShape(M, N, K);
    Divided.SetShape(M, N, K);
    Divided.GetTiling(Plain);
    std::printf("%d cores of %d x %d x %d by %d x %d x %d\n", Plain.usedCoreNum,
                Plain.singleCoreM, Plain.singleCoreN, Plain.singleCoreK,
                Plain.baseM, Plain.baseN, Plain.baseK);
  }
  matmul_tiling::MultiCoreMatmulTiling FixedParts(*Platform);
  FixedParts.SetDim(20);
  FixedParts.SetShape(2560, 2048, 128);
  FixedParts.SetSingleShape(256, 1024, 128);
  FixedParts.SetFixSplit(64, -1, -1);
  FixedParts.GetTiling(Plain);
  std::printf("given: %d cores of %d x %d x %d by %d x %d, of %d x %d\n",
              Plain.usedCoreNum, Plain.singleCoreM, Plain.singleCoreN,
              Plain.singleCoreK, Plain.baseM, Plain.baseN, Plain.M, Plain.N);

  // Routines: what is computed, and room for it.
  AscendC::tiling::LayerNormTiling Norm;
  optiling::LayerNormTiling NormFields;
  AscendC::TensorShape Shape({2, 8, 32});
  AscendC::GetLayerNormNDTilingInfo(Shape, 4096, 4, false, Norm);
  AscendC::GetLayerNormNDTilingInfo(Shape, 4096, 4, false, NormFields);
  std::printf("%u x %u rows of %u; %u\n", Norm.bLength, Norm.sLength,
              NormFields.get_hLength(), NormFields.get_originalHLength());
  AscendC::tiling::ConfusionTransposeTiling Swap;
  AscendC::GetTransposeTilingInfo(AscendC::TensorShape({2, 3, 20, 40}), 0, 2, 1,
                                  Swap); // NZ to ND, 0213
  std::printf("transposed: %u %u %u %u\n", Swap.param1, Swap.param2,
              Swap.param4, Swap.param3);
  uint32_t Max = 0, Min = 0;
  AscendC::GetReduceSumMaxMinTmpSize(
      Shape, ge::DT_FLOAT, AscendC::ReducePattern::AR, true, false, Max, Min);
  std::printf("%d\n", Min > 0 && Max >= Min);
  Max = Min = 0;
  AscendC::GetSwiGLUMaxMinTmpSize(Shape, sizeof(float), Max, Min, false);
  std::printf("SwiGLU: %d\n", Min > 0 && Max >= Min);
  optiling::RowsTilingData Rows;
  Rows.set_rows(7);
  std::printf("%u rows in %zu bytes\n", Rows.get_rows(), Rows.GetDataSize());
}
