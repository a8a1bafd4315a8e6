#include <cmath>

#include "account/epsilon.h"
