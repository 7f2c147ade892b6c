//===- error_manager.h - Error reports --------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPHOST_EXPERIMENT_METADEF_COMMON_UTIL_ERROR_MANAGER_ERROR_MANAGER_H
#define BELAY_OPHOST_EXPERIMENT_METADEF_COMMON_UTIL_ERROR_MANAGER_ERROR_MANAGER_H

#include "ophost/log.h"

#endif // BELAY_OPHOST_EXPERIMENT_METADEF_COMMON_UTIL_ERROR_MANAGER_ERROR_MANAGER_H
