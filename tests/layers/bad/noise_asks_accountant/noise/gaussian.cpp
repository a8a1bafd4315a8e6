#include "numerics/rounding.h"
#include "renyi/cost.h"
#include "renyi/error.h"
#include "renyi/noise.h"
