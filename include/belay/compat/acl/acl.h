/*===- acl.h - AscendCL for programs that are built without CANN
------------===*\
|*                                                                            *|
|* Part of Belay, under the Apache License v2.0 with LLVM Exceptions.         *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Declarations of the binary interface, so that an ordinary ACL program      *|
|* compiles and runs against the simulated device. With CANN installed, its   *|
|* own acl/acl.h comes first and means the same.                              *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef BELAY_COMPAT_ACL_ACL_H
#define BELAY_COMPAT_ACL_ACL_H

#include <stddef.h>
#include <stdint.h>

typedef int aclError;
typedef void *aclrtContext;
typedef void *aclrtStream;
typedef void *aclrtEvent;
typedef void *aclrtBinHandle;
typedef void *aclrtFuncHandle;
typedef void *aclrtArgsHandle;
typedef void *aclrtParamHandle;
typedef void *aclrtBinary;
typedef uint16_t aclFloat16;
typedef void (*aclrtHostFunc)(void *);
typedef void (*aclrtCallback)(void *);
typedef void (*aclrtExceptionInfoCallback)(void *);
typedef void aclrtExceptionInfo;
typedef struct aclDataBuffer aclDataBuffer;
typedef struct aclTensorDesc aclTensorDesc;
typedef struct aclmdlDataset aclmdlDataset;
typedef struct aclmdlDesc aclmdlDesc;
typedef struct aclmdlIODims {
  char name[128];
  size_t dimCount;
  int64_t dims[128];
} aclmdlIODims;
typedef struct aclprofConfig aclprofConfig;

/* Plain integers: what a call returns, and pointers to them, fit everywhere. */
typedef int aclrtRunMode;
typedef int aclrtMemcpyKind;
typedef int aclrtMemMallocPolicy;
typedef int aclrtMemAttr;
typedef int aclrtStreamStatus;
typedef int aclrtEventStatus;
typedef int aclrtEventRecordedStatus;
typedef int aclrtEventWaitStatus;
typedef int aclrtCallbackBlockType;
typedef int aclrtLastErrLevel;
typedef int aclrtDevAttr;
typedef int aclDataType;
typedef int aclFormat;
typedef int aclrtFloatOverflowMode;
typedef int aclrtDeviceStatus;
typedef int aclTransType;
typedef int aclComputeType;

#define ACL_SUCCESS 0
#define ACL_ERROR_NONE 0
#define ACL_ERROR_INVALID_PARAM 100000
#define ACL_ERROR_UNINITIALIZE 100001
#define ACL_ERROR_REPEAT_INITIALIZE 100002
#define ACL_ERROR_INVALID_FILE 100003
#define ACL_ERROR_RT_PARAM_INVALID 107000
#define ACL_ERROR_RT_INVALID_DEVICEID 107001
#define ACL_ERROR_RT_CONTEXT_NULL 107002
#define ACL_ERROR_RT_STREAM_CONTEXT 107003
#define ACL_ERROR_RT_AICORE_EXCEPTION 507015

enum { ACL_DEVICE = 0, ACL_HOST = 1 };
enum {
  ACL_MEMCPY_HOST_TO_HOST = 0,
  ACL_MEMCPY_HOST_TO_DEVICE = 1,
  ACL_MEMCPY_DEVICE_TO_HOST = 2,
  ACL_MEMCPY_DEVICE_TO_DEVICE = 3,
  ACL_MEMCPY_DEFAULT = 4
};
enum {
  ACL_MEM_MALLOC_HUGE_FIRST = 0,
  ACL_MEM_MALLOC_HUGE_ONLY = 1,
  ACL_MEM_MALLOC_NORMAL_ONLY = 2
};
enum { ACL_DDR_MEM = 0, ACL_HBM_MEM = 1 };
enum { ACL_STREAM_STATUS_COMPLETE = 0, ACL_STREAM_STATUS_NOT_READY = 1 };
enum {
  ACL_EVENT_RECORDED_STATUS_NOT_READY = 0,
  ACL_EVENT_RECORDED_STATUS_COMPLETE = 1
};
enum { ACL_CALLBACK_NO_BLOCK = 0, ACL_CALLBACK_BLOCK = 1 };
enum { ACL_RT_THREAD_LEVEL = 0 };
#define ACL_STREAM_FAST_LAUNCH 0x1u
#define ACL_STREAM_FAST_SYNC 0x2u
#define ACL_STREAM_PERSISTENT 0x4u
#define ACL_EVENT_SYNC 0x1u
#define ACL_EVENT_CAPTURE_STREAM_PROGRESS 0x2u
#define ACL_EVENT_TIME_LINE 0x8u

enum {
  ACL_DT_UNDEFINED = -1,
  ACL_FLOAT = 0,
  ACL_FLOAT16 = 1,
  ACL_INT8 = 2,
  ACL_INT32 = 3,
  ACL_UINT8 = 4,
  ACL_INT16 = 6,
  ACL_UINT16 = 7,
  ACL_UINT32 = 8,
  ACL_INT64 = 9,
  ACL_UINT64 = 10,
  ACL_DOUBLE = 11,
  ACL_BOOL = 12,
  ACL_BF16 = 27
};
enum { ACL_TRANS_N = 0, ACL_TRANS_T = 1, ACL_TRANS_NZ = 2 };
enum { ACL_COMPUTE_HIGH_PRECISION = 0, ACL_COMPUTE_LOW_PRECISION = 1 };
enum { ACL_FORMAT_UNDEFINED = -1, ACL_FORMAT_NCHW = 0, ACL_FORMAT_ND = 2 };

typedef struct {
  uint32_t addrOffset;
  uint32_t dataOffset;
} aclrtPlaceHolderInfo;

#ifdef __cplusplus
extern "C" {
#endif
#define BELAY_ACL(Result, Name, Params) Result Name Params;
#include "../../host/acl.def"
#ifdef __cplusplus
}
#endif

#endif
