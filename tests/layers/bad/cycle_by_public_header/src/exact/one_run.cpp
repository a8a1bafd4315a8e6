#include "plan/select.h"
#include "renyi/exact.h"
#include "renyi/rdp.h"
