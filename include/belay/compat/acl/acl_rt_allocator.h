/* All of AscendCL is declared together. */
#include "acl/acl.h"
