#include "numerics/rounding.h"
