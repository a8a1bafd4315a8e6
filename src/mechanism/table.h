// Declarations that the source files of mechanisms share: the functions behind the entries of catalogue/mechanisms.def,
// and how a parameter grows if the unit of privacy is several records.
#pragma once

#include "numerics/decimal_arithmetic.h"
#include "renyi/mechanism.h"

// Each function returns a mechanism with its default parameters.
namespace renyi::table {

#define RENYI_MECHANISM(name, proof) Mechanism name();
#include "catalogue/mechanisms.def"
#undef RENYI_MECHANISM

}  // namespace renyi::table

namespace renyi::mechanism {

// Returns value * factor as decimal numbers, rounded up if necessary; 0 stays 0. The value states how far one record
// moves a step.
inline double grown(double value, double factor) { return numerics::decimal_product_up(value, factor); }

}  // namespace renyi::mechanism
