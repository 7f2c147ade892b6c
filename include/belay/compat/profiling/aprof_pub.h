/* What libprofapi has for programs that load models themselves. */
#ifndef BELAY_COMPAT_PROFILING_APROF_PUB_H
#define BELAY_COMPAT_PROFILING_APROF_PUB_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
/* aclprofModelSubscribe knows the model from now on. */
int32_t MsprofSetDeviceIdByGeModelIdx(uint32_t model, uint32_t device);
#ifdef __cplusplus
}
#endif

#endif
