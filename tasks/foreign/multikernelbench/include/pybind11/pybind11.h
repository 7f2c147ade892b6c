#include "multikernelbench/torch.h"
