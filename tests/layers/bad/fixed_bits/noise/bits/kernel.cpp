#include "noise/bits/kernel_source.h"
