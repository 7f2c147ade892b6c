//===- op_log.h - Logging ---------------------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPHOST_ACLNN_OPDEV_OP_LOG_H
#define BELAY_OPHOST_ACLNN_OPDEV_OP_LOG_H

#include "ophost/log.h"

#ifndef OP_LOGE
#define OP_LOGD(Name, ...) BELAY_LOG(DLOG_DEBUG, __VA_ARGS__)
#define OP_LOGI(Name, ...) BELAY_LOG(DLOG_INFO, __VA_ARGS__)
#define OP_LOGW(Name, ...) BELAY_LOG(DLOG_WARN, __VA_ARGS__)
#define OP_LOGE(Name, ...) BELAY_LOG(DLOG_ERROR, __VA_ARGS__)
#define OP_LOGE_WITHOUT_REPORT(Name, ...) BELAY_LOG(DLOG_ERROR, __VA_ARGS__)
#endif

#endif // BELAY_OPHOST_ACLNN_OPDEV_OP_LOG_H
