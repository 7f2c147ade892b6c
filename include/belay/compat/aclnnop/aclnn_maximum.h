/* All operators are declared together. */
#include "aclnn/acl_meta.h"
