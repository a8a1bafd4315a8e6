#include "../conversion/epsilon.h"
