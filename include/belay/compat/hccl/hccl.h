/*===- hccl.h - HCCL for programs that are built without CANN
----------------===*\
|*                                                                            *|
|* Part of Belay, under the Apache License v2.0 with LLVM Exceptions.         *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef BELAY_COMPAT_HCCL_HCCL_H
#define BELAY_COMPAT_HCCL_HCCL_H

#include "hccl_comm.h"

#endif
