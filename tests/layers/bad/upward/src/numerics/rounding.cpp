#include <cmath>

#include "conversion/epsilon.h"
