//===- NpyTest.cpp - Array files, honest and hostile ----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cases/Npy.h"
#include "../Testing.h"

#include <random>

using namespace belay::cases;
using namespace belay::testing;

/// A version 1 file with this dictionary.
static std::string fileWith(std::string Dict, std::string Data = "") {
  Dict += '\n';
  std::string Text("\x93NUMPY\1\0", 8);
  Text += static_cast<char>(Dict.size() & 0xff);
  Text += static_cast<char>(Dict.size() >> 8);
  return Text + Dict + Data;
}

TEST(Npy, HeadersAreParsedBack) {
  for (TensorType Tensor :
       {TensorType{DataType::F16, {3, 4}}, TensorType{DataType::S64, {7}},
        TensorType{DataType::Bool, {}}, TensorType{DataType::U8, {0, 5}},
        TensorType{DataType::F64, {1, 2, 3, 4, 5, 6}}}) {
    std::string Header = formatNpyHeader(Tensor);
    EXPECT_EQ(Header.size() % 64, 0u);
    NpyHeader Parsed = valueOf(parseNpyHeader(Header));
    EXPECT_EQ(Parsed.Tensor, Tensor);
    EXPECT_EQ(Parsed.DataOffset, Header.size());
  }
}

TEST(Npy, ReadsWhatNumpyWrites) {
  NpyHeader H = valueOf(parseNpyHeader(fileWith(
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }   ")));
  EXPECT_EQ(H.Tensor, (TensorType{DataType::F32, {2, 3}}));
  H = valueOf(parseNpyHeader(
      fileWith("{\"shape\": (3L,), 'fortran_order': True, 'descr': '|b1'}")));
  EXPECT_EQ(H.Tensor, (TensorType{DataType::Bool, {3}}));
}

TEST(Npy, BFloat16TravelsAsBits) {
  for (const char *Descr : {"<u2", "<i2", "|V2", "<V2"}) {
    NpyHeader H = valueOf(parseNpyHeader(
        fileWith(std::string("{'descr': '") + Descr +
                 "', 'fortran_order': False, 'shape': (3,), }")));
    EXPECT_TRUE(H.MayBeBFloat16) << Descr;
  }
  EXPECT_TRUE(contains(formatNpyHeader({DataType::BF16, {2}}), "'<u2'"));
}

TEST(Npy, SaysWhatItCannotRead) {
  auto Message = [](std::string Dict) {
    return messageOf(parseNpyHeader(fileWith(std::move(Dict))));
  };
  EXPECT_TRUE(contains(
      Message("{'descr': '>f4', 'fortran_order': False, 'shape': (2,)}"),
      "astype(\"<f4\")"));
  EXPECT_TRUE(contains(
      Message("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2)}"),
      "Fortran"));
  EXPECT_TRUE(contains(
      Message("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': ()}"),
      "structured"));
  EXPECT_TRUE(contains(
      Message("{'descr': '<U4', 'fortran_order': False, 'shape': (2,)}"),
      "'<U4'"));
}

TEST(Npy, RefusesMalformedHeaders) {
  const char *Dicts[] = {
      "",
      "{",
      "{}",
      "{'descr'}",
      "{'descr': '<f4'}",
      "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': ()}",
      "{'descr': '<f4', 'fortran_order': Maybe, 'shape': ()}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': 3}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (-3,)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (3}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), 'x': 1}",
      "{'descr': '<f4', 'fortran_order': False, "
      "'shape': (4294967296, 4294967296, 4294967296)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': "
      "(99999999999999999999999,)}",
  };
  for (const char *Dict : Dicts)
    EXPECT_NE(messageOf(parseNpyHeader(fileWith(Dict))), "") << Dict;
  EXPECT_NE(messageOf(parseNpyHeader("")), "");
  EXPECT_NE(messageOf(parseNpyHeader("\x93NUMPY")), "");
  EXPECT_NE(messageOf(parseNpyHeader(std::string("\x93NUMPY\4\0\0\0\0\0", 12))),
            "");
  // A length that passes the end, in both widths.
  EXPECT_NE(
      messageOf(parseNpyHeader(std::string("\x93NUMPY\1\0\xff\xff{}", 12))),
      "");
  EXPECT_NE(messageOf(parseNpyHeader(
                std::string("\x93NUMPY\2\0\xff\xff\xff\xff", 12))),
            "");
}

TEST(Npy, SurvivesMutatedHeaders) {
  std::string Good = formatNpyHeader({DataType::F32, {64, 1024}});
  std::mt19937 Random(1);
  unsigned Accepted = 0;
  for (int I = 0; I < 20000; ++I) {
    std::string Bad = Good;
    for (unsigned N = 1 + Random() % 4; N; --N)
      Bad[Random() % Bad.size()] = static_cast<char>(Random());
    if (Random() % 4 == 0)
      Bad.resize(Random() % Bad.size());
    auto Header = parseNpyHeader(Bad);
    Accepted += !!Header;
    if (Header) {
      EXPECT_LE(Header->Tensor.bytes(), MaxBufferBytes);
      EXPECT_LE(Header->DataOffset, Bad.size());
    } else {
      llvm::consumeError(Header.takeError());
    }
  }
  EXPECT_GT(Accepted, 0u);
}

TEST(Npy, FilesAreReadBack) {
  TemporaryFolder Folder;
  std::string Path = Folder / "x.npy";
  std::vector<uint8_t> Data = {1, 2, 3, 4, 5, 6};
  TensorType Tensor = {DataType::U16, {3}};
  ASSERT_EQ(messageOf(writeNpy(Path, Tensor, Data)), "");
  NpyFile File = valueOf(NpyFile::open(Path));
  EXPECT_TRUE(File.holds(DataType::U16));
  EXPECT_TRUE(File.holds(DataType::BF16));
  EXPECT_FALSE(File.holds(DataType::F16));
  std::vector<uint8_t> Read(6);
  ASSERT_EQ(messageOf(File.read(Read)), "");
  EXPECT_EQ(Read, Data);
}

TEST(Npy, FilesThatAreTooShortOrNoFilesAreRefused) {
  TemporaryFolder Folder;
  std::string Path = Folder / "x.npy";
  std::vector<uint8_t> Five(5);
  ASSERT_EQ(messageOf(writeNpy(Path, {DataType::U16, {3}}, Five)), "");
  EXPECT_TRUE(contains(messageOf(NpyFile::open(Path)), "needs"));
  EXPECT_TRUE(
      contains(messageOf(NpyFile::open(Folder / "none.npy")), "No such file"));
  EXPECT_TRUE(
      contains(messageOf(NpyFile::open(Folder.path())), "not a regular file"));
  EXPECT_TRUE(
      contains(messageOf(NpyFile::open("/dev/zero")), "not a regular file"));
}
