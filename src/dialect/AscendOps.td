//===- AscendOps.td - All operations of the dialect --------*- tablegen -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "dialect/TileOps.td"
include "dialect/CoreOps.td"
include "dialect/VectorOps.td"
include "dialect/InstructionOps.td"
include "dialect/CopyOps.td"
include "dialect/CubeOps.td"
include "dialect/OneCoreOps.td"
