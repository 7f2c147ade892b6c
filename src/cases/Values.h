//===- Values.h - The values of a tensor argument ---------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_CASES_VALUES_H
#define BELAY_CASES_VALUES_H

#include "cases/Case.h"

namespace belay::cases {

/// What a tensor says of itself, or its .npy file does.
llvm::Expected<TensorType> tensorTypeOf(const ArgSpec &Arg);

/// Fills Bytes with the values of an `in` or `inout`: from its file, or from
/// its generator. The bytes of an `in` are zero before; those of an `inout` may
/// be what a launch left there.
llvm::Error fillValues(const ArgSpec &Arg, const TensorType &Tensor,
                       llvm::MutableArrayRef<uint8_t> Bytes);

} // namespace belay::cases

#endif // BELAY_CASES_VALUES_H
