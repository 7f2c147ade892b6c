//===- graph.h - Types of the graph engine ----------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPHOST_GRAPH_H
#define BELAY_OPHOST_GRAPH_H

#include "ophost/types.h"

#include <string>
#include <vector>

namespace ge {

/// The shape that library tiling functions take.
class Shape {
public:
  Shape() = default;
  explicit Shape(const std::vector<int64_t> &Dims) : Dims(Dims) {}
  size_t GetDimNum() const { return Dims.size(); }
  int64_t GetDim(size_t Index) const {
    return Index < Dims.size() ? Dims[Index] : 0;
  }
  graphStatus SetDim(size_t Index, int64_t Value) {
    if (Index >= Dims.size())
      return GRAPH_FAILED;
    Dims[Index] = Value;
    return GRAPH_SUCCESS;
  }
  std::vector<int64_t> GetDims() const { return Dims; }
  int64_t GetShapeSize() const {
    int64_t Size = Dims.empty() ? 0 : 1;
    for (int64_t Dim : Dims)
      Size *= Dim;
    return Size;
  }

private:
  std::vector<int64_t> Dims;
};

class AscendString {
public:
  AscendString() = default;
  AscendString(const char *Text) : Text(Text ? Text : "") {}
  const char *GetString() const { return Text.c_str(); }
  size_t GetLength() const { return Text.size(); }
  bool operator==(const AscendString &Other) const {
    return Text == Other.Text;
  }
  bool operator<(const AscendString &Other) const { return Text < Other.Text; }

private:
  std::string Text;
};

/// Only the graph engine makes operators; functions that take one (format
/// selection, support checks) compile, and are never called here.
class TensorDesc {
public:
  ge::Shape GetShape() const { return {}; }
  DataType GetDataType() const { return DT_UNDEFINED; }
  Format GetFormat() const { return FORMAT_ND; }
};
class Operator {
public:
  TensorDesc GetInputDescByName(const char *) const { return {}; }
  TensorDesc GetOutputDescByName(const char *) const { return {}; }
  template <typename T> graphStatus GetAttr(const char *, T &) const {
    return GRAPH_FAILED;
  }
};

} // namespace ge

#endif // BELAY_OPHOST_GRAPH_H
