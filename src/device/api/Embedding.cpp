//===- Embedding.cpp - Devices of programs that tell what is wrong --------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the vendor's interface has no words for: several parts in one process,
// failures as text instead of on stderr, and kernels of the language.
// python/belay_npu/_device.py and belay/host.h use it; docs/device.md describes
// it.
//
//===----------------------------------------------------------------------===//

#include "device/api/Api.h"
#include "device/core/Configuration.h"

using namespace belay;
using namespace belay::device;

extern "C" {

/// Makes a device of the part Soc beside those of the environment, for
/// aclrtSetDevice. What its kernels do wrong is printed nowhere; the error of
/// the synchronisation and belayTakeMessage tell it.
BELAY_DEVICE_API int belayAddDevice(const char *Soc, int32_t Check,
                                    int32_t *Id) {
  BELAY_BEGIN(Initialised);
  BELAY_NOT_NULL(Soc);
  BELAY_NOT_NULL(Id);
  const targets::Soc *Found = targets::findSoc(Soc);
  if (!Found) {
    const targets::Soc *Near = targets::suggestSoc(Soc);
    return This.fail(
        RtParam, std::string("there is no SoC '") + Soc + "'" +
                     (Near ? std::string("; did you mean ") + Near->name + "?"
                           : "; 'belay targets' lists all"));
  }
  if (Found->arch->coverage != targets::Coverage::Simulated)
    return This.fail(RtParam,
                     std::string(Found->name) + " cannot be simulated yet");
  *Id = runtime().addDevice({Found, Check != 0, /*Embedded=*/true});
  return Success;
}

/// All that this thread's calls have said since it was last asked, "" if
/// nothing. Good until this thread's next call.
BELAY_DEVICE_API const char *belayTakeMessage() { return takeWholeMessage(); }

/// Whether the function is a kernel of the language, whose proofs hold for what
/// its generated launcher admits: 1 or 0, or an error below 0.
BELAY_DEVICE_API int belayNeedsLauncher(void *Handle) {
  Call This(__func__, BELAY_SITE, Call::Initialised);
  if (!This)
    return -1;
  auto F = runtime().Objects.find<Function>(Handle, HandleKind::Function,
                                            This.Name, This.Site);
  return F ? F->What->NeedsLauncher : -1;
}
}
