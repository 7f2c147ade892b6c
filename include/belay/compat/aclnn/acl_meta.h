//===- acl_meta.h - Operators, for programs built without CANN --*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declarations of the binary interface; see acl/acl.h. With CANN installed, its
// own headers come first and mean the same.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_COMPAT_ACLNN_ACL_META_H
#define BELAY_COMPAT_ACLNN_ACL_META_H

#include "acl/acl.h"

typedef int32_t aclnnStatus;
struct aclTensor;
struct aclTensorList;
struct aclScalar;
struct aclScalarList;
struct aclIntArray;
struct aclFloatArray;
struct aclBoolArray;
struct aclOpExecutor;

#define ACLNN_SUCCESS 0
#define ACLNN_ERR_PARAM_NULLPTR 161001
#define ACLNN_ERR_PARAM_INVALID 161002

extern "C" {
#define BELAY_ACLNN_META(Result, Name, Params) Result Name Params;
#define BELAY_ACLNN(Name, ...)                                                 \
  aclnnStatus aclnn##Name##GetWorkspaceSize(__VA_ARGS__, uint64_t *,           \
                                            aclOpExecutor **);                 \
  aclnnStatus aclnn##Name(void *, uint64_t, aclOpExecutor *, aclrtStream);
#include "../../host/aclnn.def"
}

#endif // BELAY_COMPAT_ACLNN_ACL_META_H
