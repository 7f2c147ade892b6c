//===- Hints.cpp - What a message of Clang means in a kernel --------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "language/Hints.h"
#include "llvm/Support/Regex.h"

using namespace belay::language;
using namespace llvm;

namespace {

struct Rule {
  StringRef Error; ///< A regular expression.
  StringRef At;    ///< The same, of the source from there on; "" for any.
  Hint Say;
};

constexpr Rule Rules[] = {
    {"^(no template named|unknown type name|use of undeclared identifier) "
     "'(In|Out|InOut|PerCore|Tile|Row|Col|half|bfloat16|i8|i16|i32|i64|dyn|"
     "my_tiles|my_rows|my_spans|load|store|expects)'$",
     "",
     {"a kernel's file starts with '#include \"belay/kernel.h\"' and 'using "
      "namespace belay;'"}},
    {"'(TPipe|TQue|TBuf|TQueBind|LocalTensor|GlobalTensor|GM_ADDR|AscendC|"
     "DataCopy(Pad)?|SetFlag|WaitFlag|PipeBarrier|PIPE_[A-Z0-9]+|SyncAll|"
     "GetBlockIdx|GetBlockNum|TPosition|QuePosition|HardEvent|__aicore__|"
     "__global__|__gm__|__ubuf__)'$",
     "",
     {"this is AscendC; in the kernel language load and store move tiles, "
      "my_tiles deals them out to the cores, and buffers, queues and flags are "
      "the compiler's (docs/coming-from/ascendc.md)"}},
    {"^use of undeclared identifier 'printf'",
     "",
     {"print(t) prints a tile, on the simulated device and on the NPU"}},
    {"^no viable overloaded operator\\[\\] for type '(const )?(In|Out|InOut)<|"
     "^type '.*Tile<.*does not provide a subscript operator",
     "",
     {"elements have no index: load(x, span<N>(first, n)) is a tile of them, "
      "store(y, i, value) writes one, gather reads those that indices name",
      /*SaysAll=*/true}},
    {"^value of type '(Tile|Row|Col)<.*bool>'.*not contextually convertible to "
     "'bool'",
     "",
     {"a comparison of tiles is a mask, with an answer for each element: "
      "select(mask, a, b) chooses between two tiles"}},
    {"^no matching function for call to '(abs|exp|log|sqrt|tanh|erf|sin|cos|"
     "floor|ceil|round|trunc|pow|min|max|fmin|fmax|fabs)'",
     "^std::",
     {"the operations of tiles are belay's: without 'std::'",
      /*SaysAll=*/true}},
    {"^no matching function for call to '(abs|exp|log|sqrt|rsqrt|reciprocal|"
     "tanh|erf|sin|cos|floor|ceil|round|trunc|sigmoid|relu)'",
     "",
     {"operations are those of tiles; of a number, that is one of a single "
      "element: sum(sqrt(full<1, 1, float>(a)))",
      /*SaysAll=*/true}},
    {"^no matching function for call to '(my_tiles|my_rows|my_spans|tiles)'",
     "",
     {"the size of a tile is a constant in brackets: my_tiles<1024>(y) of a "
      "view of rank 1, my_tiles<16, 64>(y) of rank 2, my_rows<8>(y) of rank 2 "
      "with static columns, as Out<float, dyn, 1024>, my_spans<8>(n) of "
      "indices",
      /*SaysAll=*/true}},
    {"^no matching function for call to 'store'",
     "",
     {"store(w, t) writes a tile to a window of an Out or InOut view, store(y, "
      "span<N>(first, n), t) to a part of it; elements and extents of both are "
      "the same, and an In view is only read"}},
    {"^no matching function for call to 'load'",
     "",
     {"load(x, w) reads what lies where the window w does, load(x, "
      "span<N>(first, n)) a part of a view of rank 1, load(x, rows, cols) of "
      "rank 2"}},
    {"^expected ','",
     "^:kernel\\]\\]",
     {"attributes have two colons: [[belay::kernel]]"}},
    {"^no (member|template) named '(vector|array|string|map|span|cout|unique_"
     "ptr|shared_ptr|list|deque|set)' in namespace 'std'",
     "",
     {"kernels have no containers and no streams: a Tile holds elements on "
      "chip, In and Out are views of global memory"}},
    {"^(no viable conversion from|cannot initialize a variable of type).*"
     "'(Tile|Row|Col)<",
     "",
     {"a tile is no number: 'auto t = ...' keeps its type, cast<T>(t) converts "
      "its elements, sum(t) makes one number of them",
      /*SaysAll=*/true}},
};

} // namespace

Hint belay::language::hintFor(StringRef Error, StringRef At) {
  for (const Rule &Each : Rules)
    if (Regex(Each.Error).match(Error) &&
        (Each.At.empty() || Regex(Each.At).match(At)))
      return Each.Say;
  return {};
}
