/*===- acl_tdt.h - Channels for tensors, without CANN ---------------------===*\
|*                                                                            *|
|* Part of Belay, under the Apache License v2.0 with LLVM Exceptions.         *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef BELAY_COMPAT_ACL_ACL_TDT_H
#define BELAY_COMPAT_ACL_ACL_TDT_H

#include "acl/acl.h"

typedef int acltdtTensorType;
enum {
  ACL_TENSOR_DATA_UNDEFINED = -1,
  ACL_TENSOR_DATA_TENSOR = 0,
  ACL_TENSOR_DATA_END_OF_SEQUENCE = 1,
  ACL_TENSOR_DATA_ABNORMAL = 2,
  ACL_TENSOR_DATA_SLICE_TENSOR = 3,
  ACL_TENSOR_DATA_END_TENSOR = 4
};
typedef struct acltdtDataItem acltdtDataItem;
typedef struct acltdtDataset acltdtDataset;
typedef struct acltdtChannelHandle acltdtChannelHandle;

#ifdef __cplusplus
extern "C" {
#endif
#define BELAY_TDT_CHANNEL(Result, Name, Params) Result Name Params;
#include "../../host/tdt.def"
#ifdef __cplusplus
}
#endif

#endif
