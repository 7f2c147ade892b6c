//===- Npy.h - NumPy's array files ------------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The format is described in numpy.lib.format. Files come from anywhere, so
// nothing in them is believed before it has been checked against the file's
// size. Supported: versions 1 to 3, little endian, C order.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_CASES_NPY_H
#define BELAY_CASES_NPY_H

#include "cases/Shape.h"
#include "support/Files.h"

namespace belay::cases {

struct NpyHeader {
  TensorType Tensor;
  /// Where the elements begin in the file.
  uint64_t DataOffset = 0;
  /// Stored as uint16, int16 or void16, which is how bfloat16 travels.
  bool MayBeBFloat16 = false;
};

/// Reads the header at the start of Bytes, which may be cut anywhere after it.
llvm::Expected<NpyHeader> parseNpyHeader(llvm::StringRef Bytes);

/// The header that goes before the elements; its length is a multiple of 64.
std::string formatNpyHeader(const TensorType &Tensor);

/// An open .npy file whose header has been checked against its size.
class NpyFile {
public:
  static llvm::Expected<NpyFile> open(llvm::StringRef Path);

  const NpyHeader &header() const { return Header; }

  /// Reads all elements; Bytes has exactly their size.
  llvm::Error read(llvm::MutableArrayRef<uint8_t> Bytes) const;

  /// Whether the file can stand for elements of this type: the same type, or
  /// 16 raw bits for bf16.
  bool holds(DataType Type) const;

private:
  NpyFile(std::string Path, NpyHeader Header, support::Descriptor File)
      : Path(std::move(Path)), Header(std::move(Header)),
        File(std::move(File)) {}
  std::string Path;
  NpyHeader Header;
  support::Descriptor File;
};

llvm::Error writeNpy(llvm::StringRef Path, const TensorType &Tensor,
                     llvm::ArrayRef<uint8_t> Bytes);

} // namespace belay::cases

#endif // BELAY_CASES_NPY_H
