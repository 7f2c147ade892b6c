//===- ArgumentBuffers.cpp - Argument values in shared memory -------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "launch/ArgumentBuffers.h"
#include "cases/Generators.h"
#include "cases/Values.h"
#include "launch/TilingBytes.h"
#include "support/DiagnosticError.h"
#include "targets/Target.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using namespace llvm;
using namespace belay;
using namespace belay::cases;
using namespace belay::launch;
using namespace belay::support;
using namespace belay::toolchain;

static Error fill(const ArgumentBuffer &Buffer) {
  MutableArrayRef<uint8_t> Bytes = Buffer.Memory.bytes();
  // Not zeros, so that results that depend on it are seen to be wrong.
  fillPoison(Buffer.Tensor.Type, Buffer.Memory.slack());
  if (Buffer.Spec->reads())
    return fillValues(*Buffer.Spec, Buffer.Tensor, Bytes);
  fillPoison(Buffer.Tensor.Type, Bytes);
  return Error::success();
}

/// Allocator is the architecture whose device memory this stands for; null
/// where nothing past the last byte may be touched.
static Error setMemory(ArgumentBuffer &Buffer, uint64_t Bytes,
                       const targets::Arch *Allocator = nullptr) {
  uint64_t Slack = Allocator ? targets::mallocSlack(*Allocator, Bytes) : 0;
  Expected<MemoryFile> Memory = MemoryFile::create(Buffer.Name, Bytes, Slack);
  if (!Memory)
    return Memory.takeError();
  Buffer.Memory = std::move(*Memory);
  return Error::success();
}

static Error setPositional(ArgumentBuffer &Buffer, const ArgSpec &Arg,
                           const targets::Arch *Allocator);

/// Sets the tensors of a list, and the words that describe it to the kernel:
/// see ascendc/api/list_tensor.h. The addresses at the end are the runner's.
static Error setList(ArgumentBuffer &Buffer, const ArgSpec &Arg,
                     const targets::Arch *Allocator) {
  std::vector<uint64_t> Words = {0};
  for (const auto &[Index, Spec] : enumerate(Arg.List)) {
    ArgumentBuffer &Element = Buffer.Elements.emplace_back();
    Element.Name = formatv("{0}[{1}]", Buffer.Name, Index);
    if (Error E = setPositional(Element, Spec, Allocator))
      return E;
    Words.push_back(static_cast<uint64_t>(Index) << 32 |
                    Element.Tensor.Shape.size());
    append_range(Words, Element.Tensor.Shape);
  }
  Words[0] = Words.size() * sizeof(uint64_t);
  Words.resize(Words.size() + Arg.List.size());
  Buffer.Writable = false;
  if (Error E = setMemory(Buffer, Words.size() * sizeof(uint64_t)))
    return E;
  std::memcpy(Buffer.Memory.bytes().data(), Words.data(), Buffer.Memory.size());
  return Error::success();
}

static Error setPositional(ArgumentBuffer &Buffer, const ArgSpec &Arg,
                           const targets::Arch *Allocator) {
  Buffer.Spec = &Arg;
  Buffer.Writable = Arg.writes();
  if (Arg.Absent || Arg.SameAs)
    return Error::success();
  if (Arg.IsList)
    return setList(Buffer, Arg, Allocator);
  if (Arg.What == ArgSpec::Role::Scalar) {
    Buffer.IsInline = true;
    Buffer.Inline = encodeScalar(Arg);
    return Error::success();
  }
  Expected<TensorType> Tensor = tensorTypeOf(Arg);
  if (!Tensor)
    return Tensor.takeError();
  Buffer.Tensor = std::move(*Tensor);
  if (Error E = setMemory(Buffer, Buffer.Tensor.bytes(), Allocator))
    return E;
  return fill(Buffer);
}

static Error setTiling(ArgumentBuffer &Buffer, const Case &Case,
                       const Description &Kernel, const DescribedParam &Param) {
  // Without values the buffer is empty, so that reading it is an error and not
  // a launch with zeros.
  std::string Bytes;
  if (Case.Tiling.given()) {
    Expected<std::string> Encoded = encodeTiling(Case.Tiling, Kernel);
    if (!Encoded)
      return Encoded.takeError();
    Bytes = std::move(*Encoded);
  }
  if (Param.Kind == sim::ParamKind::Aggregate) {
    if (Bytes.size() != Param.Bytes)
      return makeError(
          DiagId::TilingMismatch,
          formatv("the tiling has {0} bytes, the parameter has {1}",
                  Bytes.size(), Param.Bytes));
    Buffer.IsInline = true;
    Buffer.Inline = std::move(Bytes);
    return Error::success();
  }
  if (Error E = setMemory(Buffer, Bytes.size()))
    return E;
  llvm::copy(toBytes(Bytes), Buffer.Memory.bytes().begin());
  return Error::success();
}

static Error setBuffer(ArgumentBuffer &Buffer, const Binding &Binding,
                       const Case &Case, const Description &Kernel,
                       const DescribedParam &Param) {
  // The sanitizer reports what would do no harm today.
  const targets::Arch *Allocator =
      Case.Check ? nullptr : targets::findSoc(Case.Soc)->arch;
  switch (Binding.From) {
  case Binding::Source::Positional:
    return setPositional(Buffer, Case.Args[Binding.Index], Allocator);
  case Binding::Source::Workspace:
    // A file of zeros without pages: what is not touched costs nothing.
    Buffer.Writable = true;
    return setMemory(
        Buffer,
        Case.WorkspaceBytes.value_or(ArgumentBuffers::DefaultWorkspaceBytes),
        Allocator);
  case Binding::Source::Tiling:
    return setTiling(Buffer, Case, Kernel, Param);
  }
  llvm_unreachable("unknown source");
}

/// Outputs that the case does not exempt are to be written whole; the sanitizer
/// tells which elements were not.
static Error demandValues(std::vector<ArgumentBuffer> &Buffers,
                          const Case &Case) {
  for (const std::string &Name : Case.AllowUnwritten)
    if (Name != "all" && none_of(Buffers, [&](const ArgumentBuffer &B) {
          return B.Name == Name && B.Spec && B.Spec->writes();
        }))
      return makeError(
          DiagId::ArgumentMismatch,
          formatv("--allow-unwritten {0}: the kernel has no such output",
                  Name));
  for (ArgumentBuffer &Buffer : Buffers) {
    bool Allowed = is_contained(Case.AllowUnwritten, Buffer.Name) ||
                   is_contained(Case.AllowUnwritten, "all");
    auto Demand = [&](ArgumentBuffer &B) {
      B.MustWrite = !Allowed && B.Spec && !B.Spec->Internal &&
                    B.Spec->What == ArgSpec::Role::Out;
    };
    Demand(Buffer);
    for (ArgumentBuffer &Element : Buffer.Elements)
      Demand(Element);
  }
  return Error::success();
}

Expected<ArgumentBuffers> ArgumentBuffers::create(const Case &Case,
                                                  const Description &Kernel,
                                                  ArrayRef<Binding> Bindings) {
  ArgumentBuffers Result;
  for (const auto &[Index, Binding] : enumerate(Bindings)) {
    ArgumentBuffer &Buffer = Result.Buffers.emplace_back();
    Buffer.Name = Binding.Name;
    if (Error E =
            setBuffer(Buffer, Binding, Case, Kernel, Kernel.Params[Index]))
      return E;
  }
  if (Error E = demandValues(Result.Buffers, Case))
    return E;
  return Result;
}

std::vector<const ArgumentBuffer *> ArgumentBuffers::tensors() const {
  std::vector<const ArgumentBuffer *> Result;
  for (const ArgumentBuffer &Buffer : Buffers) {
    if (Buffer.isTensor())
      Result.push_back(&Buffer);
    for (const ArgumentBuffer &Element : Buffer.Elements)
      Result.push_back(&Element);
  }
  return Result;
}

Error ArgumentBuffers::refill() {
  for (const ArgumentBuffer *Buffer : tensors())
    if (Buffer->Spec->writes())
      if (Error E = fill(*Buffer))
        return E;
  for (const ArgumentBuffer &Buffer : Buffers)
    if (!Buffer.Spec && Buffer.Writable)
      if (Error E = Buffer.Memory.clear())
        return E;
  return Error::success();
}

uint64_t ArgumentBuffers::totalBytes() const {
  uint64_t Total = 0;
  for (const ArgumentBuffer &Buffer : Buffers) {
    Total += Buffer.Memory.size();
    for (const ArgumentBuffer &Element : Buffer.Elements)
      Total += Element.Memory.size();
  }
  return Total;
}
