#include "plan/select.h"
#include "renyi/rdp.h"
#include "renyi/exact.h"
