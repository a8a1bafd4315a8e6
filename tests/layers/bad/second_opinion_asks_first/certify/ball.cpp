#include "numerics/directed.h"
