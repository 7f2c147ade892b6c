//===- TwinTest.cpp - Kernels on the CPU of the host ----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "belay/twin.h"
#include "kernels.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>

using namespace belay;
using twin::as;
using twin::launch;

/// More cores than work, none of it, tails.
static const i64 Sizes[] = {0, 1, 63, 64, 65, 1000};
static const i64 Cores[] = {1, 2, 7};

TEST(Twin, AddsOverManyCores) {
  for (i64 Size : Sizes)
    for (i64 N : Cores) {
      std::vector<float> X(Size), Y(Size), Z(Size, -1);
      std::iota(X.begin(), X.end(), 1.0f);
      std::iota(Y.begin(), Y.end(), 100.0f);
      launch(N, [&] {
        kernels::vec_add<float>(as<In<float>>(X.data(), Size),
                                as<In<float>>(Y.data(), Size),
                                as<Out<float>>(Z.data(), Size));
      });
      for (i64 I = 0; I < Size; ++I)
        ASSERT_EQ(Z[I], X[I] + Y[I]);
    }
}

TEST(Twin, SoftmaxOfEachRow) {
  constexpr i64 C = 10;
  for (i64 Rows : {0, 1, 7, 8, 9, 30}) {
    std::vector<float> X(Rows * C), Y(Rows * C);
    for (i64 I = 0; I < Rows * C; ++I)
      X[I] = std::sin(float(I)) * 20;
    launch(3, [&] {
      kernels::softmax<C>(as<In<float, dyn, C>>(X.data(), Rows, C),
                          as<Out<float, dyn, C>>(Y.data(), Rows, C));
    });
    for (i64 R = 0; R < Rows; ++R) {
      double Most = -1e30, Sum = 0;
      for (i64 I = R * C; I < (R + 1) * C; ++I)
        Most = std::max(Most, double(X[I]));
      for (i64 I = R * C; I < (R + 1) * C; ++I)
        Sum += std::exp(X[I] - Most);
      for (i64 I = R * C; I < (R + 1) * C; ++I)
        ASSERT_NEAR(Y[I], std::exp(X[I] - Most) / Sum, 1e-6);
    }
  }
}

TEST(Twin, Barriers) {
  for (i64 Size : Sizes)
    for (i64 N : Cores) {
      std::vector<float> X(Size, 1), Part(N, -5), Out1(1, -1);
      launch(N, [&] {
        kernels::total(as<In<float>>(X.data(), Size),
                       as<PerCore<float>>(Part.data(), N),
                       as<Out<float, 1>>(Out1.data(), 1));
      });
      ASSERT_EQ(Out1[0], float(Size));
    }
}

TEST(Twin, BadIndicesHaveAMeaning) {
  std::vector<half> Table(3 * 16);
  for (int I = 0; I < 48; ++I)
    Table[I] = half(float(I / 16 + 1));
  std::vector<i32> Ids = {2, -1, 0, 7};
  auto Run = [&]<Oob P>() {
    std::vector<half> Result(4 * 16);
    launch(2, [&] {
      kernels::embedding<P>(as<In<half, dyn, 16>>(Table.data(), 3, 16),
                            as<In<i32>>(Ids.data(), 4),
                            as<Out<half, dyn, 16>>(Result.data(), 4, 16));
    });
    std::vector<float> First;
    for (int I = 0; I < 4; ++I)
      First.push_back(Result[I * 16 + 15]);
    return First;
  };
  EXPECT_EQ(Run.operator()<Oob::zero>(), (std::vector<float>{3, 0, 1, 0}));
  EXPECT_EQ(Run.operator()<Oob::clamp>(), (std::vector<float>{3, 1, 1, 3}));
  EXPECT_EQ(Run.operator()<Oob::wrap>(), (std::vector<float>{3, 3, 1, 2}));
  EXPECT_THROW(Run.operator()<Oob::trap>(), violation);
}

TEST(Twin, GathersFromTiles) {
  std::vector<float> X = {1, 2, 3, 4, 5, 6};
  std::vector<i32> Ids = {2, -1, 1, 3};
  auto Run = [&]<Oob P>() {
    std::vector<float> Result(4);
    launch(1, [&] {
      kernels::taken<P>(as<In<float, dyn, 3>>(X.data(), 2, 3),
                        as<In<i32, dyn, 2>>(Ids.data(), 2, 2),
                        as<Out<float, dyn, 2>>(Result.data(), 2, 2));
    });
    return Result;
  };
  EXPECT_EQ(Run.operator()<Oob::zero>(), (std::vector<float>{3, 0, 5, 0}));
  EXPECT_EQ(Run.operator()<Oob::clamp>(), (std::vector<float>{3, 1, 5, 6}));
  EXPECT_EQ(Run.operator()<Oob::wrap>(), (std::vector<float>{3, 3, 5, 4}));
  EXPECT_THROW(Run.operator()<Oob::trap>(), violation);
}

TEST(Twin, WindowsInTwoDimensions) {
  i64 Rows = 13, Cols = 21;
  std::vector<i32> X(Rows * Cols), Y(Rows * Cols);
  std::iota(X.begin(), X.end(), 0);
  launch(3, [&] {
    kernels::transposed(as<In<i32, dyn, dyn>>(X.data(), Rows, Cols),
                        as<Out<i32, dyn, dyn>>(Y.data(), Cols, Rows));
  });
  for (i64 R = 0; R < Rows; ++R)
    for (i64 C = 0; C < Cols; ++C)
      ASSERT_EQ(Y[C * Rows + R], X[R * Cols + C]);
}

TEST(Twin, MistakesAreViolations) {
  std::vector<float> X(100), Y(100);
  auto Careless = [&](i64 Size) {
    launch(1, [&] {
      kernels::careless(as<In<float>>(X.data(), Size),
                        as<Out<float>>(Y.data(), Size));
    });
  };
  EXPECT_NO_THROW(Careless(64));
  EXPECT_THROW(Careless(100), violation);
  // What the kernel expects.
  EXPECT_THROW(launch(1,
                      [&] {
                        kernels::vec_add<float>(as<In<float>>(X.data(), 99),
                                                as<In<float>>(X.data(), 100),
                                                as<Out<float>>(Y.data(), 100));
                      }),
               violation);
  // What the type of a view says.
  EXPECT_THROW((as<In<float, dyn, 10>>(X.data(), 5, 20)), violation);
}

TEST(Twin, TilesComputeOnTheirExtents) {
  std::vector<float> X = {3, -1, 4, -1, 5};
  auto T = load(as<In<float>>(X.data(), 5), span<8>(0, 5));
  EXPECT_EQ(T.cols(), 5);
  EXPECT_EQ(sum(T), 10);
  EXPECT_EQ(minimum(T), -1);
  EXPECT_EQ(row_argmax(T).twin_at(0, 0), 4);
  EXPECT_EQ(row_argmin(T).twin_at(0, 0), 1); // the first of two
  EXPECT_EQ(argmax(T), 4);
  EXPECT_EQ(argmin(T), 1);
  EXPECT_EQ(col_argmax(transpose(T)).twin_at(0, 0), 4);
  // As on the device: NaN wherever one is, and its place.
  X[1] = std::numeric_limits<float>::quiet_NaN();
  auto N = load(as<In<float>>(X.data(), 5), span<8>(0, 5));
  for (float F : {maximum(N), minimum(N), row_max(N).twin_at(0, 0),
                  row_cummax(N).twin_at(0, 4), row_cummin(N).twin_at(0, 2),
                  max(N, 0.0f).twin_at(0, 1), max(1.0f, X[1]), max(X[1], 1.0f),
                  min(1.0f, X[1]), min(X[1], 1.0f)})
    EXPECT_NE(F, F);
  EXPECT_EQ(row_cummax(N).twin_at(0, 0), 3);
  EXPECT_EQ(argmax(N), 1);
  EXPECT_EQ(row_argmin(N).twin_at(0, 0), 1);
  X[1] = -1;
  EXPECT_EQ(row_cumsum(T).twin_at(0, 4), 10);
  EXPECT_EQ(col_cumsum(transpose(T)).twin_at(4, 0), 10);
  EXPECT_EQ(sum(relu(T)), 12);
  EXPECT_EQ(mean(T), 2);
  auto Padded = load(as<In<float>>(X.data(), 5), span<8>(0, 5), 1.0f);
  EXPECT_EQ(Padded.cols(), 8);
  EXPECT_EQ(sum(Padded), 13);
  EXPECT_EQ(sum(cast<i32>(select(T < 0, full_like(T, 0.5f), T))), 12);
  EXPECT_EQ((cast<i8, Round::floor>(T * 100.0f).twin_at(0, 2)), 127);
  EXPECT_EQ((cast<i8, Round::floor>(T * 0.5f).twin_at(0, 1)), -1);
  EXPECT_THROW(T + Padded, violation);
}

TEST(Twin, StoresAsManyAsTheWindowHas) {
  std::vector<float> X = {1, 2, 3, 4, 5}, Y(5);
  auto T = load(as<In<float>>(X.data(), 5), span<8>(0, 5));
  auto Z = as<Out<float>>(Y.data(), 5);
  store(Z, span<8>(1, 3), T);
  EXPECT_EQ(Y, (std::vector<float>{0, 1, 2, 3, 0}));
  auto Few = load(as<In<float>>(X.data(), 5), span<8>(0, 2));
  EXPECT_THROW(store(Z, span<8>(0, 3), Few), violation);
  EXPECT_THROW(store_add(Z, span<8>(0, 3), Few), violation);
}

TEST(Twin, EveryStepthIndex) {
  std::vector<float> X{0, 1, 2, 3, 4};
  auto Five = as<In<float>>(X.data(), 5), One = as<In<float>>(X.data(), 1);
  EXPECT_EQ(Five.strided(1, 2).size(), 2);
  EXPECT_EQ(Five.strided(5, 2).size(), 0);
  // Less than a step after the end there is nothing, which the proofs accept.
  EXPECT_EQ(One.strided(2, 3).size(), 0);
  EXPECT_EQ((as<In<float, dyn, dyn>>(X.data(), 5, 0).strided<1>(1, 2).cols()),
            0);
  EXPECT_THROW(One.strided(9, 2), violation);
  EXPECT_THROW(One.strided(-1, 2), violation);
  EXPECT_THROW(One.strided(0, 0), violation);
}

static void copyAll(In<float, dyn, dyn, dyn, dyn, dyn> X,
                    Out<float, dyn, dyn, dyn, dyn, dyn> Y) {
  for (auto W : my_tiles<2, 4>(Y))
    store(W, load(X[W.plane(0)][W.plane(1)][W.plane(2)], W.row(), W.col()));
}

TEST(Twin, ArgumentsOfFiveExtents) {
  std::vector<float> X(2 * 3 * 1 * 4 * 5), Y(X.size());
  std::iota(X.begin(), X.end(), 1.0f);
  const twin::Argument Arguments[] = {{X.data(), {2, 3, 1, 4, 5}, 0},
                                      {Y.data(), {2, 3, 1, 4, 5}, 0}};
  twin::launch_with(3, copyAll, Arguments);
  EXPECT_EQ(X, Y);
}

#if defined(__clang__)
TEST(Twin, HalvesAreTheHostsHalves) {
  for (unsigned Bits = 0; Bits < 65536; ++Bits) {
    auto Short = static_cast<std::uint16_t>(Bits);
    _Float16 Host = __builtin_bit_cast(_Float16, Short);
    float Value = small_floats::float_from_half(Short);
    if (Host != Host) {
      ASSERT_TRUE(std::isnan(Value));
      continue;
    }
    ASSERT_EQ(Value, float(Host));
    ASSERT_EQ(small_floats::half_from_float(Value), Short);
    // Between two halves, and next to the middle.
    for (float Near : {1 + 0x1p-11f, 1 + 0x1p-12f, 1 + 0x1.8p-11f}) {
      _Float16 Rounded = static_cast<_Float16>(Value * Near);
      ASSERT_EQ(small_floats::half_from_float(Value * Near),
                __builtin_bit_cast(std::uint16_t, Rounded))
          << Value << " * " << Near;
    }
  }
}
#endif
