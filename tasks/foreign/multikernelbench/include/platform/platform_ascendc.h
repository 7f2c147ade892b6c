#include "multikernelbench/platform.h"
