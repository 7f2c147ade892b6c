//===- tiling_data.h - Tiling structures on the host ------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPHOST_TILING_DATA_H
#define BELAY_OPHOST_TILING_DATA_H

#include "ophost/registry.h"

#include <cstdio>

namespace optiling {

/// One field, as the kernel will see it.
struct TilingField {
  const char *Type;
  const char *Name;
  size_t ElementBytes;
  size_t Count;        // 0: a single value
  size_t Offset;       // in the kernel's structure
  std::ptrdiff_t Here; // from the TilingDef to the value
  bool Nested;         // the value is a TilingDef
};

/// Base of the structures that BEGIN_TILING_DATA_DEF defines. The layout in
/// bytes is that of the same fields in a C structure, which is what the kernel
/// is compiled with.
class TilingDef {
public:
  virtual ~TilingDef() = default;

  /// Of the library: the kernel's headers have it already.
  virtual bool isLibrary() const { return false; }
  virtual const char *GetTilingClassName() const = 0;
  const std::vector<TilingField> &fields() const { return Fields; }
  size_t alignment() const { return Alignment; }

  size_t GetDataSize() const {
    return (End + Alignment - 1) / Alignment * Alignment;
  }
  void SaveToBuffer(void *Buffer, size_t Capacity) const {
    if (Capacity < GetDataSize()) {
      std::fprintf(stderr, "%s has %zu bytes; the buffer has %zu\n",
                   GetTilingClassName(), GetDataSize(), Capacity);
      return;
    }
    std::memset(Buffer, 0, GetDataSize());
    auto *To = static_cast<uint8_t *>(Buffer);
    for (const TilingField &F : Fields) {
      const uint8_t *From = reinterpret_cast<const uint8_t *>(this) + F.Here;
      if (F.Nested)
        nested(F)->SaveToBuffer(To + F.Offset, Capacity - F.Offset);
      else
        std::memcpy(To + F.Offset, From,
                    F.ElementBytes * (F.Count ? F.Count : 1));
    }
  }
  /// From now on every set_ also writes there.
  void SetDataPtr(void *Buffer) {
    Mirror = static_cast<uint8_t *>(Buffer);
    for (const TilingField &F : Fields)
      if (F.Nested)
        nested(F)->SetDataPtr(Mirror + F.Offset);
    if (Mirror)
      SaveToBuffer(Mirror, GetDataSize());
  }

protected:
  template <typename T>
  bool addField(const char *Type, const char *Name, size_t Count,
                const void *Value) {
    place(Type, Name, sizeof(T), Count, Value, alignof(T),
          sizeof(T) * (Count ? Count : 1), /*Nested=*/false);
    return true;
  }
  bool addStruct(const char *Type, const char *Name, const TilingDef *Value) {
    place(Type, Name, Value->GetDataSize(), 0, Value, Value->Alignment,
          Value->GetDataSize(), /*Nested=*/true);
    return true;
  }
  void changed(const void *Value, size_t Bytes) {
    if (!Mirror)
      return;
    for (const TilingField &F : Fields)
      if (reinterpret_cast<const uint8_t *>(this) + F.Here == Value)
        std::memcpy(Mirror + F.Offset, Value, Bytes);
  }

private:
  void place(const char *Type, const char *Name, size_t ElementBytes,
             size_t Count, const void *Value, size_t Align, size_t Bytes,
             bool Nested) {
    size_t Offset = (End + Align - 1) / Align * Align;
    auto Here = static_cast<const uint8_t *>(Value) -
                reinterpret_cast<const uint8_t *>(this);
    Fields.push_back({Type, Name, ElementBytes, Count, Offset, Here, Nested});
    End = Offset + Bytes;
    Alignment = Align > Alignment ? Align : Alignment;
  }
  const TilingDef *nested(const TilingField &F) const {
    return reinterpret_cast<const TilingDef *>(
        reinterpret_cast<const uint8_t *>(this) + F.Here);
  }
  TilingDef *nested(const TilingField &F) {
    return reinterpret_cast<TilingDef *>(reinterpret_cast<uint8_t *>(this) +
                                         F.Here);
  }

  std::vector<TilingField> Fields;
  size_t End = 0, Alignment = 1;
  uint8_t *Mirror = nullptr;
};

} // namespace optiling

#define BEGIN_TILING_DATA_DEF(Class)                                           \
  class Class : public ::optiling::TilingDef {                                 \
  public:                                                                      \
    const char *GetTilingClassName() const override { return #Class; }

#define TILING_DATA_FIELD_DEF(Type, Name)                                      \
public:                                                                        \
  void set_##Name(Type Value) {                                                \
    Name##_ = Value;                                                           \
    changed(&Name##_, sizeof(Name##_));                                        \
  }                                                                            \
  Type get_##Name() const { return Name##_; }                                  \
                                                                               \
private:                                                                       \
  Type Name##_ = {};                                                           \
  bool Name##Added_ = addField<Type>(#Type, #Name, 0, &Name##_);               \
                                                                               \
public:

#define TILING_DATA_FIELD_DEF_ARR(Type, Size, Name)                            \
public:                                                                        \
  void set_##Name(const Type *Values) {                                        \
    std::memcpy(Name##_, Values, sizeof(Name##_));                             \
    changed(Name##_, sizeof(Name##_));                                         \
  }                                                                            \
  Type *get_##Name() { return Name##_; }                                       \
  const Type *get_##Name() const { return Name##_; }                           \
                                                                               \
private:                                                                       \
  Type Name##_[Size] = {};                                                     \
  bool Name##Added_ = addField<Type>(#Type, #Name, Size, Name##_);             \
                                                                               \
public:

#define TILING_DATA_FIELD_DEF_STRUCT(Type, Name)                               \
public:                                                                        \
  Type Name;                                                                   \
                                                                               \
private:                                                                       \
  bool Name##Added_ = addStruct(#Type, #Name, &Name);                          \
                                                                               \
public:

// With its semicolon: some operators write one more, some none.
#define END_TILING_DATA_DEF                                                    \
  }                                                                            \
  ;

#define REGISTER_TILING_DATA_CLASS(Op, Class)                                  \
  [[maybe_unused]] static const bool belayTiling##Op##Class =                  \
      belay_ophost_add_tiling &&                                               \
      (belay_ophost_add_tiling(                                                \
           #Op, #Class,                                                        \
           [] {                                                                \
             return std::unique_ptr<::optiling::TilingDef>(new Class());       \
           }),                                                                 \
       true);

#endif // BELAY_OPHOST_TILING_DATA_H
