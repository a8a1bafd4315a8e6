#include "renyi/plan.h"

#include <fmt/format.h>

#include "json/parse.h"
#include "numerics/rounding.h"
#include "tree.h"
