// Private selection as the mathematics sees it under a relation.
#pragma once

#include "renyi/select.h"

namespace renyi::plan {

Mechanism analyse_select(const Select& select, const Adjacency& relation);

}  // namespace renyi::plan
