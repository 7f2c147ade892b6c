/*===- acl_dvpp.h - DVPP for programs that are built without CANN ---------===*\
|*                                                                            *|
|* Part of Belay, under the Apache License v2.0 with LLVM Exceptions.         *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* As acl/acl.h: the functions of libacl_dvpp.so that the simulated device    *|
|* has.                                                                       *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef BELAY_COMPAT_ACL_OPS_ACL_DVPP_H
#define BELAY_COMPAT_ACL_OPS_ACL_DVPP_H

#include "acl/acl.h"

typedef struct acldvppPicDesc acldvppPicDesc;
typedef struct acldvppChannelDesc acldvppChannelDesc;
typedef struct acldvppResizeConfig acldvppResizeConfig;
typedef enum acldvppPixelFormat {
  PIXEL_FORMAT_YUV_400 = 0,
  PIXEL_FORMAT_YUV_SEMIPLANAR_420 = 1,
  PIXEL_FORMAT_YVU_SEMIPLANAR_420 = 2,
  PIXEL_FORMAT_RGB_888 = 12,
  PIXEL_FORMAT_BGR_888 = 13
} acldvppPixelFormat;

#ifdef __cplusplus
extern "C" {
#endif
#define BELAY_DVPP(Result, Name, Params) Result Name Params;
#include "../../../host/dvpp.def"
#ifdef __cplusplus
}
#endif

#endif
