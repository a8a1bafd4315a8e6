#include "api/api.h"
#include "plan/plan_reader.h"
#include "renyi/c.h"
