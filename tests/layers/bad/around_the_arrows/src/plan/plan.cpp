#include "../account/epsilon.h"
