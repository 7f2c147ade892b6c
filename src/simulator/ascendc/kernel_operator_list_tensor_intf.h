//===- kernel_operator_list_tensor_intf.h - Lists of tensors ----*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_KERNEL_OPERATOR_LIST_TENSOR_INTF_H
#define BELAY_ASCENDC_KERNEL_OPERATOR_LIST_TENSOR_INTF_H

#include "kernel_operator.h"

#endif // BELAY_ASCENDC_KERNEL_OPERATOR_LIST_TENSOR_INTF_H
