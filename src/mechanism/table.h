// The functions behind the rows of catalogue/mechanisms.def: each mechanism with its default parameters.
#pragma once

#include "renyi/mechanism.h"

namespace renyi::table {

#define RENYI_MECHANISM(name, proof) Mechanism name();
#include "catalogue/mechanisms.def"
#undef RENYI_MECHANISM

}  // namespace renyi::table
