#include <vector>

#include "renyi/curve.h"
