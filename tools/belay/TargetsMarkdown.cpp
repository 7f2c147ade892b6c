//===- TargetsMarkdown.cpp - docs/targets.md ------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TargetsCommand.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <vector>

using namespace belay;
using namespace belay::tool;
using namespace llvm;
using targets::Arch;
using targets::Coverage;
using targets::Soc;

static const char Introduction[] = R"(# Targets

<!-- Made by 'belay targets --markdown' from src/targets/Targets.def. -->

Every number that Belay uses about a chip. Sizes and counts are those of the
platform files that come with the vendor's runtime; what belongs to a whole
architecture is from its manuals. Where sources disagree Belay takes the stricter
reading:

- **Usable UB.** The framework keeps the top 8 KB on 2002 and 2201, and Belay
  assumes the same for 1001, which has the same UB. Manuals for 2201 ask for
  another 256 bytes that the vendor's headers do not keep; Belay does not either.
- **Cross-core flags.** One page allows ids 0 to 15 on 2201, another 0 to 10;
  SyncAll uses some of those above. Belay allows 0 to 10.
- **Vector interlock.** Only for 3510 is it documented that dependent vector
  instructions wait for each other. Elsewhere a barrier is required.

**simulated**: kernels run with `belay run --soc`. **described**: all facts are
known, the simulator does not model the part. **sizes only**: no more is public.

)";

static const char Footer[] = R"(
## Names that mislead

`Ascend910B`, without a digit, is a first-generation Ascend 910 of arch 1001. The
parts of Atlas A2 are `Ascend910B1` to `Ascend910B4`, arch 2201. Belay takes the
full name at its word, with a note, and refuses the short `910B`.

## Adding a part

One row in src/targets/Targets.def, then

```sh
build/dev/bin/belay targets --markdown > docs/targets.md
```
)";

static void printRow(raw_ostream &OS, const std::vector<std::string> &Cells) {
  OS << "|";
  for (const std::string &Cell : Cells)
    OS << ' ' << Cell << " |";
  OS << '\n';
}

static void printHead(raw_ostream &OS, const std::vector<std::string> &Cells) {
  printRow(OS, Cells);
  printRow(OS, std::vector<std::string>(Cells.size(), "---"));
}

/// One column per architecture of which more than sizes is known.
static void printArchs(raw_ostream &OS) {
  std::vector<const Arch *> Shown;
  std::vector<std::string> Head = {""};
  for (const Arch &A : targets::allArchs())
    if (A.coverage != Coverage::SizesOnly) {
      Shown.push_back(&A);
      Head.push_back(A.name);
    }
  OS << "## Architectures\n\n";
  printHead(OS, Head);

  auto Row = [&](std::string Name,
                 function_ref<std::string(const Arch &)> Cell) {
    std::vector<std::string> Cells = {std::move(Name)};
    for (const Arch *A : Shown)
      Cells.push_back(Cell(*A));
    printRow(OS, Cells);
  };
  auto Bytes = [&](std::string Name, uint32_t Arch::*Field) {
    Row(std::move(Name), [=](const Arch &A) { return formatBytes(A.*Field); });
  };
  auto Number = [&](std::string Name, uint32_t Arch::*Field) {
    Row(std::move(Name), [=](const Arch &A) {
      return A.*Field ? utostr(A.*Field) : std::string("-");
    });
  };
  auto Flag = [&](std::string Name, bool Arch::*Field) {
    Row(std::move(Name),
        [=](const Arch &A) { return A.*Field ? "yes" : "no"; });
  };

  Row("core", [](const Arch &A) { return std::string(A.coreVersion); });
  Row("coverage",
      [](const Arch &A) { return formatCoverage(A.coverage).str(); });
  Bytes("UB kept by the framework", &Arch::ubReserved);
  Bytes("alignment in GM", &Arch::gmAlign);
  Bytes("in UB", &Arch::ubAlign);
  Bytes("in L1", &Arch::l1Align);
  Bytes("in L0A", &Arch::l0aAlign);
  Bytes("in L0B", &Arch::l0bAlign);
  Bytes("in L0C", &Arch::l0cAlign);
  Bytes("in BT", &Arch::btAlign);
  Bytes("in FB", &Arch::fbAlign);
  Bytes("vector block", &Arch::blockBytes);
  Bytes("vector repeat", &Arch::repeatBytes);
  Number("most repeats", &Arch::maxRepeat);
  Number("DataCopy: most bursts", &Arch::copyMaxBursts);
  Number("DataCopy: most blocks", &Arch::copyMaxBlocks);
  Number("DataCopyPad: most bytes", &Arch::padCopyMaxBytes);
  Number("DataCopyPad: most padding bytes", &Arch::padMaxBytes);
  Row("cube step (m, k, n)", [](const Arch &A) {
    return utostr(A.cubeM) + ", " + utostr(A.cubeK) + ", " + utostr(A.cubeN);
  });
  Number("event ids per pipe pair", &Arch::eventIds);
  Number("of these free for kernels", &Arch::userEventIds);
  Number("cross-core flag ids", &Arch::crossCoreFlagIds);
  Row("cross-core modes",
      [](const Arch &A) { return formatModes(A.crossCoreModes); });
  Number("mutex ids", &Arch::mutexIds);
  Flag("SetFlag, WaitFlag", &Arch::hasSetFlag);
  Flag("DataSyncBarrier", &Arch::hasDataSyncBarrier);
  Flag("DataCopyPad", &Arch::hasDataCopyPad);
  Flag("Fixpipe", &Arch::hasFixpipe);
  Flag("bfloat16", &Arch::hasBf16);
  Flag("vector interlock", &Arch::vectorInterlock);
}

static void printSocs(raw_ostream &OS) {
  OS << "\n## SoCs\n\n";
  printHead(OS, {"SoC", "series", "arch", "coverage", "cores", "UB", "usable",
                 "L1", "L0A", "L0B", "L0C", "BT", "FB", "L2", "memory", "MHz"});
  for (const Soc &S : targets::allSocs()) {
    std::string Fb;
    for (uint32_t Bytes : S.fb)
      Fb += (Fb.empty() ? "" : ", ") + formatBytes(Bytes);
    printRow(OS,
             {S.name, S.series, utostr(S.arch->number),
              formatCoverage(S.arch->coverage).str(), formatCores(S),
              formatBytes(S.ub), formatBytes(targets::usableUb(S)),
              formatBytes(S.l1), formatBytes(S.l0a), formatBytes(S.l0b),
              formatBytes(S.l0c), formatBytes(S.bt), Fb, formatBytes(S.l2),
              formatBytes(S.memory), S.clockMHz ? utostr(S.clockMHz) : "-"});
  }
}

void belay::tool::printTargetsMarkdown(raw_ostream &OS) {
  OS << Introduction;
  printArchs(OS);
  printSocs(OS);
  OS << Footer;
}
