//===- Executor.h - Operators between their two phases ----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_DEVICE_NN_EXECUTOR_H
#define BELAY_DEVICE_NN_EXECUTOR_H

#include "device/core/Runtime.h"
#include "device/nn/Tensor.h"

struct aclTensor;
struct aclTensorList;
struct aclScalar;
struct aclIntArray;
struct aclFloatArray;
struct aclBoolArray;
struct aclOpExecutor;

extern "C" {
#define BELAY_ACLNN_META(Result, Name, Params)                                 \
  __attribute__((visibility("default"))) Result Name Params;
#define BELAY_ACLNN(Name, ...)                                                 \
  __attribute__((visibility("default"))) int aclnn##Name##GetWorkspaceSize(    \
      __VA_ARGS__, uint64_t *, aclOpExecutor **);                              \
  __attribute__((visibility("default"))) int aclnn##Name(                      \
      void *, uint64_t, aclOpExecutor *, void *);
#include "belay/host/aclnn.def"
}

namespace belay::device::nn {

enum NnCode : int {
  NullPointer = 161001,
  InvalidParameter = 161002,
  InnerError = 561000,
};

/// What an aclTensor * points to: a layout, and a pointer to someone else's
/// memory.
struct Tensor {
  Layout Of;
  Shape Storage;
  int Format = 0;
  void *Data = nullptr;
};

struct Scalar {
  int Type;
  double Real = 0;
  int64_t Integer = 0;
};

/// What these point to: aclIntArray *, aclFloatArray *, aclBoolArray *.
struct Array {
  std::vector<int64_t> Integers;
  std::vector<float> Reals;
};

struct TensorList {
  std::vector<const aclTensor *> Handles;
};

/// A tensor as an operator uses it.
struct Operand {
  const char *Name;
  std::shared_ptr<Tensor> What;
  const void *Handle; // null if it is not one of the program's
  bool Writes;
};

using Attributes = std::vector<std::pair<std::string, std::string>>;

/// What computes, once the operands can be touched; in their order.
using Body = std::function<void(const std::vector<View> &)>;

/// What an aclOpExecutor * points to.
struct Executor {
  std::string Operator; // "aclnnAdd"
  std::vector<Operand> Operands;
  uint64_t WorkspaceBytes = 0;
  bool Repeatable = false;
  Body Compute;
  /// Scalars and arrays that the first phase was given.
  Attributes Params;
  const void *Site = nullptr; // of the first phase
};

/// Enqueues a computation. The operands are checked and remembered: freeing
/// them before the stream has passed is noticed. Params is for dumps.
BELAY_DEVICE_API int enqueue(Call &This, void *StreamHandle,
                             const std::vector<Operand> &Operands,
                             const Body &Compute,
                             const Attributes &Params = {});

/// The first phase of an operator: looks at what was passed, and makes an
/// executor of it. Errors stick; finish() returns the first.
class BELAY_DEVICE_API Preparation {
public:
  Preparation(const char *Function, const void *Site, uint64_t *WorkspaceBytes,
              aclOpExecutor **Made);

  /// Null after an error, too.
  const Layout *input(const char *Name, const aclTensor *Handle) {
    return operand(Name, Handle, /*Writes=*/false);
  }
  const Layout *output(const char *Name, const aclTensor *Handle) {
    return operand(Name, Handle, /*Writes=*/true);
  }
  std::shared_ptr<Scalar> scalar(const char *Name, const aclScalar *Handle);
  std::shared_ptr<Array> integers(const char *Name, const aclIntArray *Handle);

  bool good() const { return Error == 0; }
  int refuse(const std::string &Why, int Code = InvalidParameter);
  /// The output has to have this shape.
  bool wants(const Layout *Out, const Shape &Extents);
  int finish(uint64_t WorkspaceBytes, Body Compute);

private:
  const Layout *operand(const char *Name, const aclTensor *Handle, bool Writes);
  Call This;
  int Error = 0;
  uint64_t *Bytes;
  aclOpExecutor **Made;
  std::shared_ptr<Executor> Result;
};

/// The second phase.
BELAY_DEVICE_API int run(const char *Function, const void *Site,
                         void *Workspace, uint64_t WorkspaceBytes,
                         aclOpExecutor *Handle, void *StreamHandle);

/// A dimension that may be counted from the end; false if there is none.
BELAY_DEVICE_API bool resolveDimension(int64_t &Dimension, size_t Rank);

} // namespace belay::device::nn

#endif // BELAY_DEVICE_NN_EXECUTOR_H
