#include "part.h"
extern "C" void add() {}
