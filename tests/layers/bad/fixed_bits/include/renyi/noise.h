#include "../../tests/support/fixed_bits.h"
