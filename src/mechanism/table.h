// What the files of mechanisms share: the functions behind the rows of catalogue/mechanisms.def, and how a number grows
// for several records of one person.
#pragma once

#include "numerics/decimal_arithmetic.h"
#include "renyi/mechanism.h"

// Each mechanism with its default parameters.
namespace renyi::table {

#define RENYI_MECHANISM(name, proof) Mechanism name();
#include "catalogue/mechanisms.def"
#undef RENYI_MECHANISM

}  // namespace renyi::table

namespace renyi::mechanism {

// value * factor as they are written, rounded up where it has to be; nothing stays nothing. The value says how far one
// record moves a step.
inline double grown(double value, double factor) { return numerics::decimal_product_up(value, factor); }

}  // namespace renyi::mechanism
