/*===- hccl_comm.h - HCCL for programs that are built without CANN
-----------===*\
|*                                                                            *|
|* Part of Belay, under the Apache License v2.0 with LLVM Exceptions.         *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef BELAY_COMPAT_HCCL_HCCL_COMM_H
#define BELAY_COMPAT_HCCL_HCCL_COMM_H

#include "../acl/acl.h"
#include "hccl_types.h"

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif
#define BELAY_HCCL(Result, Name, Params) Result Name Params;
#include "../../host/hccl.def"
#ifdef __cplusplus
}
#endif

/* In the program, not in the library: what it fills in has the size and the
   version that the program was compiled with. */
static inline void HcclCommConfigInit(HcclCommConfig *config) {
  struct {
    size_t size;
    uint32_t magic, version;
    uint64_t reserved;
  } info = {sizeof(HcclCommConfig), HCCL_COMM_CONFIG_MAGIC_WORD,
            HCCL_COMM_CONFIG_VERSION, 0};
  if (!config)
    return;
  memset(config, 0, sizeof(*config));
  memcpy(config->reserved, &info, sizeof(info));
  config->hcclBufferSize = HCCL_COMM_CONFIG_NOT_SET;
  config->hcclDeterministic = HCCL_COMM_CONFIG_NOT_SET;
  config->hcclRdmaTrafficClass = HCCL_COMM_CONFIG_NOT_SET;
  config->hcclRdmaServiceLevel = HCCL_COMM_CONFIG_NOT_SET;
  config->hcclExecTimeOut = -1;
  config->hcclQos = HCCL_COMM_CONFIG_NOT_SET;
  config->hcclSymWinMaxMemSizePerRank = 16;
}

#endif
