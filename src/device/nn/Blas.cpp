//===- Blas.cpp - Products of matrices ------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/api/Api.h"
#include "device/nn/Executor.h"

using namespace belay::device;
using namespace belay::device::nn;

namespace {

enum Transposed : int { No = 0, Yes = 1 };

struct Matrix {
  const char *Name;
  const void *Data;
  int Rows, Columns; // as the product sees it
  int Transposed;
  int Leading;
  int Type;
};

/// Matrices lie by rows and without gaps: the vendor's functions take -1 for
/// the leading dimension, or what that stands for.
bool makeOperand(Call &This, const Matrix &M, bool Writes,
                 std::vector<Operand> &To) {
  if (M.Transposed != No && M.Transposed != Yes) {
    This.fail(InvalidParam, std::string(M.Name) +
                                ": fractal matrices are not simulated; use "
                                "ACL_TRANS_N or ACL_TRANS_T");
    return false;
  }
  int64_t Stored = M.Transposed ? M.Rows : M.Columns;
  if (M.Leading != -1 && M.Leading != Stored) {
    This.fail(InvalidParam, std::string(M.Name) +
                                ": the leading dimension must be -1, got " +
                                std::to_string(M.Leading));
    return false;
  }
  auto T = std::make_shared<Tensor>();
  T->Of = {M.Type,
           {M.Rows, M.Columns},
           M.Transposed ? Shape{1, Stored} : Shape{Stored, 1},
           0};
  T->Data = const_cast<void *>(M.Data);
  To.push_back({M.Name, T, nullptr, Writes});
  return true;
}

/// alpha or beta: in device memory, where it is read in the course of the
/// stream, or on the host, where it is read now.
struct Factor {
  int Operand = -1;
  double Value = 0;
  double read(const std::vector<View> &All) const {
    return Operand < 0 ? Value
                       : nn::read<double>(All[static_cast<size_t>(Operand)])[0];
  }
};

Factor makeFactor(const char *Name, const void *Data, int Type,
                  std::vector<Operand> &Operands) {
  auto T = std::make_shared<Tensor>();
  T->Of = {Type, {}, {}, 0};
  T->Data = const_cast<void *>(Data);
  if (!runtime().locate(Data).On)
    return {-1, read<double>({T->Of, static_cast<uint8_t *>(T->Data)})[0]};
  Operands.push_back({Name, T, nullptr, /*Writes=*/false});
  return {static_cast<int>(Operands.size()) - 1, 0};
}

bool haveProduct(int A, int B, int C) {
  if (A != B)
    return false;
  return (A == F16 && (C == F16 || C == F32)) || (A == F32 && C == F32) ||
         (A == S8 && (C == S32 || C == F32));
}

void multiply(const std::vector<View> &All, const Factor &Alpha,
              const Factor &Beta) {
  std::vector<double> X = read<double>(All[0]), Y = read<double>(All[1]);
  std::vector<double> Z = read<double>(All[2]);
  auto Depth = static_cast<size_t>(All[0].Of.Extents[1]);
  auto Columns = static_cast<size_t>(All[1].Of.Extents[1]);
  double A = Alpha.read(All), B = Beta.read(All);
  for (size_t N = 0; N < Z.size(); ++N) {
    double Sum = 0;
    for (size_t K = 0; K < Depth; ++K)
      Sum += X[N / Columns * Depth + K] * Y[K * Columns + N % Columns];
    // 0 * NaN would keep what nobody wrote.
    Z[N] = A * Sum + (B == 0 ? 0 : B * Z[N]);
  }
  write(All[2], Z);
}

int gemm(Call &This, Matrix A, Matrix B, Matrix C, const void *Alpha,
         const void *Beta, void *Stream) {
  for (const void *Each :
       {A.Data, B.Data, const_cast<const void *>(C.Data), Alpha, Beta})
    if (!Each)
      return This.fail(InvalidParam, "an argument is null");
  if (A.Rows <= 0 || A.Columns <= 0 || B.Columns <= 0)
    return This.fail(InvalidParam, "extents must be above zero");
  if (!haveProduct(A.Type, B.Type, C.Type))
    return This.fail(InvalidParam, std::string("no product of ") +
                                       nameOfType(A.Type) + " and " +
                                       nameOfType(B.Type) + " into " +
                                       nameOfType(C.Type));
  std::vector<Operand> Operands;
  if (!makeOperand(This, A, false, Operands) ||
      !makeOperand(This, B, false, Operands) ||
      !makeOperand(This, C, true, Operands))
    return This.error();
  Factor ByAlpha = makeFactor("alpha", Alpha, C.Type, Operands);
  Factor ByBeta = makeFactor("beta", Beta, C.Type, Operands);
  return enqueue(This, Stream, Operands, [=](const std::vector<View> &All) {
    multiply(All, ByAlpha, ByBeta);
  });
}

} // namespace

int aclblasGemmEx(int TransA, int TransB, int TransC, int M, int N, int K,
                  const void *Alpha, const void *A, int LeadingA, int TypeA,
                  const void *B, int LeadingB, int TypeB, const void *Beta,
                  void *C, int LeadingC, int TypeC, int, void *Stream) {
  BELAY_BEGIN(CurrentContext);
  if (TransC != No)
    return This.fail(InvalidParam, "transC must be ACL_TRANS_N");
  return gemm(This, {"matrixA", A, M, K, TransA, LeadingA, TypeA},
              {"matrixB", B, K, N, TransB, LeadingB, TypeB},
              {"matrixC", C, M, N, No, LeadingC, TypeC}, Alpha, Beta, Stream);
}

int aclblasHgemm(int TransA, int TransB, int TransC, int M, int N, int K,
                 const uint16_t *Alpha, const uint16_t *A, int LeadingA,
                 const uint16_t *B, int LeadingB, const uint16_t *Beta,
                 uint16_t *C, int LeadingC, int, void *Stream) {
  BELAY_BEGIN(CurrentContext);
  if (TransC != No)
    return This.fail(InvalidParam, "transC must be ACL_TRANS_N");
  return gemm(This, {"matrixA", A, M, K, TransA, LeadingA, F16},
              {"matrixB", B, K, N, TransB, LeadingB, F16},
              {"matrixC", C, M, N, No, LeadingC, F16}, Alpha, Beta, Stream);
}

int aclblasS8gemm(int TransA, int TransB, int TransC, int M, int N, int K,
                  const int32_t *Alpha, const int8_t *A, int LeadingA,
                  const int8_t *B, int LeadingB, const int32_t *Beta,
                  int32_t *C, int LeadingC, int, void *Stream) {
  BELAY_BEGIN(CurrentContext);
  if (TransC != No)
    return This.fail(InvalidParam, "transC must be ACL_TRANS_N");
  return gemm(This, {"matrixA", A, M, K, TransA, LeadingA, S8},
              {"matrixB", B, K, N, TransB, LeadingB, S8},
              {"matrixC", C, M, N, No, LeadingC, S32}, Alpha, Beta, Stream);
}

int aclblasGemvEx(int TransA, int M, int N, const void *Alpha, const void *A,
                  int LeadingA, int TypeA, const void *X, int IncrementX,
                  int TypeX, const void *Beta, void *Y, int IncrementY,
                  int TypeY, int, void *Stream) {
  BELAY_BEGIN(CurrentContext);
  for (int Increment : {IncrementX, IncrementY})
    if (Increment != -1 && Increment != 1)
      return This.fail(InvalidParam, "increments must be -1");
  return gemm(This, {"a", A, M, N, TransA, LeadingA, TypeA},
              {"x", X, N, 1, No, -1, TypeX}, {"y", Y, M, 1, No, -1, TypeY},
              Alpha, Beta, Stream);
}
