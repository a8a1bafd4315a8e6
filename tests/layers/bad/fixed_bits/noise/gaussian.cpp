#include <support/fixed_bits.h>

#include "noise/bits/bits.h"
#include "noise/bits/kernel_source.h"
