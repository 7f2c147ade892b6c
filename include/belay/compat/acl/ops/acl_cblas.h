/* BLAS, for programs that are built without CANN; see acl/acl.h. */
#ifndef BELAY_COMPAT_ACL_OPS_ACL_CBLAS_H
#define BELAY_COMPAT_ACL_OPS_ACL_CBLAS_H

#include "acl/acl.h"

#endif
