//===- attrs.h - Attribute values -------------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPHOST_OPHOST_ATTRS_H
#define BELAY_OPHOST_OPHOST_ATTRS_H

#include "ophost/shape.h"

#include <memory>
#include <string>

namespace gert {

/// The values of an operator's attributes, in the order of its definition.
/// Every getter hands out the address of the stored value: int64_t, float,
/// bool, characters, or a list.
class RuntimeAttrs {
public:
  struct Value {
    int64_t Int = 0;
    float Float = 0;
    bool Bool = false;
    std::string Text;
    std::shared_ptr<ContinuousVector> List;
    enum class Kind { None, Int, Float, Bool, Text, List } What = Kind::None;
  };
  std::vector<Value> Values;

  size_t GetAttrNum() const { return Values.size(); }
  const void *address(size_t Index) const {
    if (Index >= Values.size())
      return nullptr;
    const Value &V = Values[Index];
    switch (V.What) {
    case Value::Kind::Int:
      return &V.Int;
    case Value::Kind::Float:
      return &V.Float;
    case Value::Kind::Bool:
      return &V.Bool;
    case Value::Kind::Text:
      return V.Text.c_str();
    case Value::Kind::List:
      return V.List.get();
    case Value::Kind::None:
      return nullptr;
    }
    return nullptr;
  }
  template <typename T> const T *GetAttrPointer(size_t Index) const {
    return static_cast<const T *>(address(Index));
  }
  const int64_t *GetInt(size_t Index) const {
    return GetAttrPointer<int64_t>(Index);
  }
  const float *GetFloat(size_t Index) const {
    return GetAttrPointer<float>(Index);
  }
  const bool *GetBool(size_t Index) const {
    return GetAttrPointer<bool>(Index);
  }
  const char *GetStr(size_t Index) const { return GetAttrPointer<char>(Index); }
  const TypedContinuousVector<int64_t> *GetListInt(size_t Index) const {
    return GetAttrPointer<TypedContinuousVector<int64_t>>(Index);
  }
  const TypedContinuousVector<float> *GetListFloat(size_t Index) const {
    return GetAttrPointer<TypedContinuousVector<float>>(Index);
  }
};

} // namespace gert

#endif // BELAY_OPHOST_OPHOST_ATTRS_H
