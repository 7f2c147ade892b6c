#include "belay/c.h"
int main(void) { return belay_c_version() >> 16 == 1 ? 0 : 1; }
