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
typedef struct aclprofStepInfo aclprofStepInfo;
/* Programs that are older than these have their own, and say so. */
#ifndef ACL_PROF_TENSOR_INFO_DEFINED
#define ACL_PROF_TENSOR_INFO_DEFINED
#define ACL_PROF_EVENT_ATTR_VERSION 1
typedef struct aclprofTensor {
  uint32_t type; /* 0: input, 1: output */
  uint32_t format;
  uint32_t dataType;
  uint32_t shapeDim;
  uint32_t shape[8];
} aclprofTensor;
typedef struct aclprofTensorInfo {
  uint64_t opNameId;
  uint64_t opTypeId;
  uint32_t resv;
  uint32_t tensorNum;
  uint32_t kernelType;
  uint32_t blockNums;
  void *stream;
  aclprofTensor *tensors;
} aclprofTensorInfo;
typedef struct aclprofEventAttributes {
  uint16_t version;
  uint16_t size;
  uint32_t messageType;
  union Message {
    aclprofTensorInfo *tensorInfo;
  } message;
} aclprofEventAttributes;
#endif
typedef enum { ACL_PROF_MESSAGE_TYPE_TENSOR_INFO = 0 } aclprofMessageType;
typedef struct aclprofSubscribeConfig aclprofSubscribeConfig;
typedef void *aclrtAllocator;
typedef void *aclrtAllocatorDesc;
typedef void *aclrtAllocatorBlock;
typedef void *aclrtAllocatorAddr;
typedef void *(*aclrtAllocatorAllocFunc)(aclrtAllocator, size_t);
typedef void (*aclrtAllocatorFreeFunc)(aclrtAllocator, aclrtAllocatorBlock);
typedef void *(*aclrtAllocatorAllocAdviseFunc)(aclrtAllocator, size_t,
                                               aclrtAllocatorAddr);
typedef void *(*aclrtAllocatorGetAddrFromBlockFunc)(aclrtAllocatorBlock);
typedef struct aclrtStreamConfigHandle aclrtStreamConfigHandle;
typedef struct aclrtIpcEventHandle {
  char reserved[64];
} aclrtIpcEventHandle;
typedef union {
  uint64_t failureMode;
  uint32_t overflowSwitch;
  uint32_t userCustomTag;
  uint32_t cacheOpInfoSwitch;
  uint32_t streamPriority;
  uint32_t reserve[4];
} aclrtStreamAttrValue;

typedef enum aclDataType {
  ACL_DT_UNDEFINED = -1,
#define BELAY_ELEMENT_GE(Id, Name, Number)
#define BELAY_ELEMENT_ACL(Id, Name, Number) ACL_##Name = Number,
#include "../../elements.def"
} aclDataType;
typedef enum aclFormat {
  ACL_FORMAT_UNDEFINED = -1,
  ACL_FORMAT_NCHW = 0,
  ACL_FORMAT_NHWC = 1,
  ACL_FORMAT_ND = 2,
  ACL_FORMAT_NC1HWC0 = 3,
  ACL_FORMAT_FRACTAL_Z = 4,
  ACL_FORMAT_NCDHW = 30,
  ACL_FORMAT_FRACTAL_NZ = 29
} aclFormat;
#define BELAY_ACL_TYPES

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
typedef int aclrtFloatOverflowMode;
typedef int aclrtDeviceStatus;
typedef int aclrtStreamAttr;
typedef int aclrtStreamConfigAttr;
typedef int aclrtCmoType;
typedef int aclCannAttr;
typedef int aclrtReduceKind;
typedef int aclprofAicoreMetrics;
typedef int acldumpType;
typedef int acldumpTensorType;
typedef int acldumpTensorAddressType;
typedef int acldumpTensorPlacement;
typedef int aclprofConfigType;
typedef int aclprofStepTag;
enum { ACL_STEP_START = 0, ACL_STEP_END = 1 };
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
#define ACL_ERROR_RT_STREAM_ABORT 107023
#define ACL_ERROR_RT_FEATURE_NOT_SUPPORT 207000
#define ACL_ERROR_RT_QUEUE_EMPTY 207013
#define ACL_ERROR_RT_QUEUE_FULL 207014
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
enum {
  ACL_MEM_MALLOC_HUGE_FIRST_P2P = 3,
  ACL_MEM_MALLOC_HUGE_ONLY_P2P = 4,
  ACL_MEM_MALLOC_NORMAL_ONLY_P2P = 5
};
enum {
  ACL_RT_OVERFLOW_MODE_SATURATION = 0,
  ACL_RT_OVERFLOW_MODE_INFNAN = 1,
  ACL_RT_OVERFLOW_MODE_UNDEF = 2
};
enum { ACL_RT_DEV_RES_CUBE_CORE = 0, ACL_RT_DEV_RES_VECTOR_CORE = 1 };
enum { ACL_EVENT_STATUS_COMPLETE = 0, ACL_EVENT_STATUS_NOT_READY = 1 };
enum {
  ACL_EVENT_WAIT_STATUS_COMPLETE = 0,
  ACL_EVENT_WAIT_STATUS_NOT_READY = 1
};
enum {
  ACL_STREAM_ATTR_FAILURE_MODE = 1,
  ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK = 2,
  ACL_STREAM_ATTR_USER_CUSTOM_TAG = 3,
  ACL_STREAM_ATTR_CACHE_OP_INFO = 4,
  ACL_STREAM_ATTR_PRIORITY = 5
};
enum {
  ACL_RT_STREAM_WORK_ADDR_PTR = 0,
  ACL_RT_STREAM_WORK_SIZE = 1,
  ACL_RT_STREAM_FLAG = 2,
  ACL_RT_STREAM_PRIORITY = 3
};
enum {
  ACL_RT_CMO_TYPE_PREFETCH = 0,
  ACL_RT_CMO_TYPE_WRITEBACK = 1,
  ACL_RT_CMO_TYPE_INVALID = 2,
  ACL_RT_CMO_TYPE_FLUSH = 3
};
enum {
  ACL_CANN_ATTR_UNDEFINED = -1,
  ACL_CANN_ATTR_INF_NAN = 0,
  ACL_CANN_ATTR_BF16 = 1,
  ACL_CANN_ATTR_JIT_COMPILE = 2
};
enum {
  ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM = 10,
  ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX = 11,
  ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN = 12,
  ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL = 13
};
enum {
  ACL_DEV_ATTR_AICORE_CORE_NUM = 1,
  ACL_DEV_ATTR_CUBE_CORE_NUM = 1,
  ACL_DEV_ATTR_VECTOR_CORE_NUM = 101,
  ACL_DEV_ATTR_L2_CACHE_SIZE = 401
};
enum {
  ACL_AICORE_ARITHMETIC_UTILIZATION = 0,
  ACL_AICORE_PIPE_UTILIZATION = 1,
  ACL_AICORE_MEMORY_BANDWIDTH = 2,
  ACL_AICORE_L0B_AND_WIDTH = 3,
  ACL_AICORE_RESOURCE_CONFLICT_RATIO = 4,
  ACL_AICORE_NONE = 0xff
};
#define ACL_PROF_ACL_API 0x0001ull
#define ACL_PROF_TASK_TIME 0x0002ull
#define ACL_PROF_AICORE_METRICS 0x0004ull
#define ACL_PROF_AICPU 0x0008ull
#define ACL_PROF_L2CACHE 0x0010ull
#define ACL_PROF_HCCL_TRACE 0x0020ull
#define ACL_PROF_TRAINING_TRACE 0x0040ull
#define ACL_PROF_MSPROFTX 0x0080ull
#define ACL_PROF_RUNTIME_API 0x0100ull
#define ACL_PROF_TASK_MEMORY 0x1000ull
enum {
  ACL_SUBSCRIBE_OP = 0,
  ACL_SUBSCRIBE_SUBGRAPH = 1,
  ACL_SUBSCRIBE_OP_THREAD = 2,
  ACL_SUBSCRIBE_NONE = 0xff
};
enum { ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV = 1 };
enum {
  AIC_ERR_BRIEF_DUMP = 1,
  AIC_ERR_NORM_DUMP = 2,
  AIC_ERR_DETAIL_DUMP = 3,
  DATA_DUMP = 4,
  OVERFLOW_DUMP = 5
};
#define ACL_OP_DUMP_OP_AICORE_ARGS 0x00000001u
#define ACL_DUMP_MAX_FILE_PATH_LENGTH 4096
#define ACL_DUMP_MAX_SHAPE_NUM 25
enum {
  ACL_DUMP_TENSOR_INPUT = 0,
  ACL_DUMP_TENSOR_OUTPUT = 1,
  ACL_DUMP_TENSOR_WORKSPACE = 2
};
enum {
  ACL_DUMP_ADDR_PTR = 0,
  ACL_DUMP_ADDR_PTR_PTR = 1,
  ACL_DUMP_ADDR_RAW = 2
};
enum { ACL_DUMP_PLACEMENT_DEVICE = 0, ACL_DUMP_PLACEMENT_HOST = 1 };
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic" /* C++ has no such arrays */
typedef struct acldumpChunk {
  char fileName[ACL_DUMP_MAX_FILE_PATH_LENGTH];
  uint32_t bufLen;
  uint32_t isLastChunk;
  int64_t offset; /* -1: after what came before */
  int32_t flag;
  uint8_t dataBuf[];
} acldumpChunk;
#pragma GCC diagnostic pop
typedef struct acldumpTensorInfo {
  acldumpTensorType type;
  size_t tensorSize;
  int32_t format;
  int32_t dataType;
  int64_t *tensorAddr;
  acldumpTensorAddressType addrType;
  acldumpTensorPlacement placement;
  uint32_t argsOffset;
  uint32_t shapeNum;
  uint32_t originShapeNum;
  uint64_t shape[ACL_DUMP_MAX_SHAPE_NUM];
  uint64_t originShape[ACL_DUMP_MAX_SHAPE_NUM];
} acldumpTensorInfo;
enum {
  ACL_PROF_STORAGE_LIMIT = 1,
  ACL_PROF_SYS_HARDWARE_MEM_FREQ = 3,
  ACL_PROF_LLC_MODE = 4,
  ACL_PROF_SYS_IO_FREQ = 5,
  ACL_PROF_SYS_INTERCONNECTION_FREQ = 6,
  ACL_PROF_DVPP_FREQ = 7,
  ACL_PROF_HOST_SYS = 8,
  ACL_PROF_HOST_SYS_USAGE = 9,
  ACL_PROF_HOST_SYS_USAGE_FREQ = 10,
  ACL_PROF_LOW_POWER_FREQ = 11,
  ACL_PROF_SYS_MEM_SERVICEFLOW = 12
};
#define ACL_PKG_VERSION_MAX_SIZE 128
#define ACL_IPC_EVENT_HANDLE_SIZE 64u
#define ACL_RT_IPC_MEM_EXPORT_FLAG_DEFAULT 0x0ul
#define ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION 0x1ul
#define ACL_RT_IPC_MEM_IMPORT_FLAG_DEFAULT 0x0ul
#define ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS 0x1ul
#define ACL_RT_NOTIFY_EXPORT_FLAG_DEFAULT 0x0ul
#define ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION 0x2ul
#define ACL_RT_NOTIFY_IMPORT_FLAG_DEFAULT 0x0ul
#define ACL_RT_NOTIFY_IMPORT_FLAG_ENABLE_PEER_ACCESS 0x2ul
#define ACL_EVENT_DEVICE_USE_ONLY 0x10u
#define ACL_EVENT_EXTERNAL 0x20u
#define ACL_EVENT_IPC 0x40u
#define ACL_STREAM_HUGE 0x8u
#define ACL_STREAM_CPU_SCHEDULE 0x10u
#define ACL_STREAM_DEVICE_USE_ONLY 0x20u
#define ACL_EVENT_RECORD_DEFAULT 0x0u
#define ACL_EVENT_RECORD_EXTERNAL 0x1u
#define ACL_EVENT_WAIT_DEFAULT 0x0u
#define ACL_EVENT_WAIT_EXTERNAL 0x1u
#define ACL_MODEL_STREAM_FLAG_HEAD 0x0u
#define ACL_MODEL_STREAM_FLAG_DEFAULT 0x7fffffffu
#define ACL_CONTINUE_ON_FAILURE 0x0u
#define ACL_STOP_ON_FAILURE 0x1u
#define ACL_STREAM_WAIT_VALUE_GEQ 0x0u
#define ACL_STREAM_WAIT_VALUE_EQ 0x1u
#define ACL_STREAM_WAIT_VALUE_AND 0x2u
#define ACL_STREAM_WAIT_VALUE_NOR 0x3u
#define ACL_HOST_REG_MAPPED 0x2u
#define ACL_HOST_REG_PINNED 0x10000000u
#define ACL_STREAM_FAST_LAUNCH 0x1u
#define ACL_STREAM_FAST_SYNC 0x2u
#define ACL_STREAM_PERSISTENT 0x4u
#define ACL_EVENT_SYNC 0x1u
#define ACL_EVENT_CAPTURE_STREAM_PROGRESS 0x2u
#define ACL_EVENT_TIME_LINE 0x8u

enum { ACL_TRANS_N = 0, ACL_TRANS_T = 1, ACL_TRANS_NZ = 2 };
enum { ACL_COMPUTE_HIGH_PRECISION = 0, ACL_COMPUTE_LOW_PRECISION = 1 };

typedef int aclrtDevResLimitType;
typedef int aclrtErrorType;
typedef int aclrtStreamState;
typedef void (*aclrtStreamStateCallback)(aclrtStream, aclrtStreamState, void *);
typedef void *aclrtNotify;
typedef void *aclrtDrvMemHandle;
typedef int aclrtMemGranularityOptions;
enum {
  ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM = 0,
  ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED = 1
};
enum { ACL_MEM_LOCATION_TYPE_HOST = 0, ACL_MEM_LOCATION_TYPE_DEVICE = 1 };
enum { ACL_MEM_ALLOCATION_TYPE_PINNED = 0 };
enum { ACL_MEM_HANDLE_TYPE_NONE = 0 };
typedef struct {
  uint32_t id;
  int type;
} aclrtMemLocation;
typedef struct {
  int handleType;
  int allocationType;
  int memAttr;
  aclrtMemLocation location;
  uint64_t reserve;
} aclrtPhysicalMemProp;
typedef void *aclmdlRI;
typedef int aclrtRandomNumFuncType;
enum {
  ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK = 0,
  ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS = 1,
  ACL_RT_RANDOM_NUM_FUNC_TYPE_NORMAL_DIS = 2,
  ACL_RT_RANDOM_NUM_FUNC_TYPE_TRUNCATED_NORMAL_DIS = 3
};
typedef struct aclrtRandomParaInfo {
  uint8_t isAddr;
  uint8_t valueOrAddr[8];
  uint8_t size;
  uint8_t rsv[6];
} aclrtRandomParaInfo;
typedef struct {
  aclrtRandomParaInfo dropoutRation;
} aclrtDropoutBitmaskInfo;
typedef struct {
  aclrtRandomParaInfo min;
  aclrtRandomParaInfo max;
} aclrtUniformDisInfo;
typedef struct {
  aclrtRandomParaInfo mean;
  aclrtRandomParaInfo stddev;
} aclrtNormalDisInfo;
typedef struct aclrtRandomNumFuncParaInfo {
  aclrtRandomNumFuncType funcType;
  union {
    aclrtDropoutBitmaskInfo dropoutBitmaskInfo;
    aclrtUniformDisInfo uniformDisInfo;
    aclrtNormalDisInfo normalDisInfo;
  } paramInfo;
} aclrtRandomNumFuncParaInfo;
typedef struct aclrtRandomNumTaskInfo {
  aclDataType dataType;
  aclrtRandomNumFuncParaInfo randomNumFuncParaInfo;
  void *randomParaAddr;
  void *randomResultAddr;
  void *randomCounterAddr;
  aclrtRandomParaInfo randomSeed;
  aclrtRandomParaInfo randomNum;
  uint8_t rsv[8];
} aclrtRandomNumTaskInfo;
#define ACL_RT_MEM_ATTACH_GLOBAL 0x01U
typedef void *aclmdlRICondHandle;
typedef void *aclrtTaskGrp;
typedef void *aclrtLabel;
typedef void *aclrtLabelList;
typedef int aclmdlRICondTaskType;
typedef int aclmdlRICondHandleFlag;
typedef int aclrtCondition;
typedef int aclrtCompareDataType;
typedef struct aclmdlRICondTaskParams {
  aclmdlRICondHandle handle;
  aclmdlRICondTaskType type;
  uint32_t size;
  aclmdlRI *modelRIArray;
} aclmdlRICondTaskParams;
enum { ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT = 1 };
enum {
  ACL_MODEL_RI_COND_TYPE_IF = 0,
  ACL_MODEL_RI_COND_TYPE_WHILE = 1,
  ACL_MODEL_RI_COND_TYPE_SWITCH = 2
};
enum {
  ACL_RT_EQUAL = 0,
  ACL_RT_NOT_EQUAL = 1,
  ACL_RT_GREATER = 2,
  ACL_RT_GREATER_OR_EQUAL = 3,
  ACL_RT_LESS = 4,
  ACL_RT_LESS_OR_EQUAL = 5
};
enum { ACL_RT_SWITCH_INT32 = 0, ACL_RT_SWITCH_INT64 = 1 };
typedef int aclmdlRICaptureMode;
typedef int aclmdlRICaptureStatus;
enum {
  ACL_MODEL_RI_CAPTURE_MODE_GLOBAL = 0,
  ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL = 1,
  ACL_MODEL_RI_CAPTURE_MODE_RELAXED = 2
};
enum {
  ACL_MODEL_RI_CAPTURE_STATUS_NONE = 0,
  ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE = 1
};
enum {
  ACL_RT_NO_ERROR = 0,
  ACL_RT_ERROR_MEMORY = 1,
  ACL_RT_ERROR_AICORE = 3,
  ACL_RT_ERROR_OTHERS = 0xffff
};
enum {
  ACL_RT_STREAM_STATE_CREATE_POST = 1,
  ACL_RT_STREAM_STATE_DESTROY_PRE = 2
};

typedef struct {
  void *addr;
  size_t len;
  size_t reserved[14];
} aclrtMemUceInfo;
typedef struct {
  uint8_t tryRepair;
  uint8_t hasDetail;
  uint8_t reserved[2];
  aclrtErrorType errorType;
  union {
    struct {
      size_t arraySize;
      aclrtMemUceInfo memUceInfoArray[20];
    } uceInfo;
    int aicoreErrType;
  } detail;
} aclrtErrorInfo;

typedef struct {
  int32_t cubeUtilization;
  int32_t vectorUtilization;
  int32_t aicpuUtilization;
  int32_t memoryUtilization;
  void *utilizationExtend;
} aclrtUtilizationInfo;

typedef struct {
  uint32_t addrOffset;
  uint32_t dataOffset;
} aclrtPlaceHolderInfo;

/* How a binary is loaded. */
#define ACL_RT_BINARY_MAGIC_ELF_AICORE 0x43554245U
#define ACL_RT_BINARY_MAGIC_ELF_VECTOR_CORE 0x41415246U
#define ACL_RT_BINARY_MAGIC_ELF_CUBE_CORE 0x41494343U
typedef enum aclrtBinaryLoadOptionType {
  ACL_RT_BINARY_LOAD_OPT_LAZY_LOAD = 1,
  ACL_RT_BINARY_LOAD_OPT_MAGIC = 2,
  ACL_RT_BINARY_LOAD_OPT_LAZY_MAGIC = ACL_RT_BINARY_LOAD_OPT_MAGIC,
  ACL_RT_BINARY_LOAD_OPT_CPU_KERNEL_MODE = 3
} aclrtBinaryLoadOptionType;
typedef union aclrtBinaryLoadOptionValue {
  uint32_t isLazyLoad;
  uint32_t magic;
  int32_t cpuKernelMode;
  uint32_t rsv[4];
} aclrtBinaryLoadOptionValue;
typedef struct {
  aclrtBinaryLoadOptionType type;
  aclrtBinaryLoadOptionValue value;
} aclrtBinaryLoadOption;
typedef struct aclrtBinaryLoadOptions {
  aclrtBinaryLoadOption *options;
  size_t numOpt;
} aclrtBinaryLoadOptions;

/* How a kernel is launched. */
typedef enum {
  ACL_RT_ENGINE_TYPE_AIC = 0,
  ACL_RT_ENGINE_TYPE_AIV = 1
} aclrtEngineType;
typedef enum aclrtLaunchKernelAttrId {
  ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE = 1,
  ACL_RT_LAUNCH_KERNEL_ATTR_DYN_UBUF_SIZE = 2,
  ACL_RT_LAUNCH_KERNEL_ATTR_ENGINE_TYPE = 3,
  ACL_RT_LAUNCH_KERNEL_ATTR_BLOCKDIM_OFFSET = 4,
  ACL_RT_LAUNCH_KERNEL_ATTR_BLOCK_TASK_PREFETCH = 5,
  ACL_RT_LAUNCH_KERNEL_ATTR_DATA_DUMP = 6,
  ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT = 7,
  ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US = 8
} aclrtLaunchKernelAttrId;
typedef struct {
  uint32_t timeoutLow;
  uint32_t timeoutHigh;
} aclrtTimeoutUs;
typedef union aclrtLaunchKernelAttrValue {
  uint8_t schemMode;
  uint32_t dynUBufSize;
  aclrtEngineType engineType;
  uint32_t blockDimOffset;
  uint8_t isBlockTaskPrefetch;
  uint8_t isDataDump;
  uint16_t timeout; /* seconds */
  aclrtTimeoutUs timeoutUs;
  uint32_t rsv[4];
} aclrtLaunchKernelAttrValue;
typedef struct aclrtLaunchKernelAttr {
  aclrtLaunchKernelAttrId id;
  aclrtLaunchKernelAttrValue value;
} aclrtLaunchKernelAttr;
typedef struct aclrtLaunchKernelCfg {
  aclrtLaunchKernelAttr *attrs;
  size_t numAttrs;
} aclrtLaunchKernelCfg;

#ifdef __cplusplus
extern "C" {
#endif
#define BELAY_ACL(Result, Name, Params) Result Name Params;
#include "../../host/acl.def"
#ifdef __cplusplus
}
#endif

#endif
