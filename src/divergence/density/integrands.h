// What is integrated, formed from two log-densities with the rounding they carry.
#pragma once

#include "divergence/density/line.h"
#include "divergence/density/quadrature.h"

namespace renyi::divergence_detail {

// What a log-density computed in double may be off by.
double rounding_of(double log_density);

// p itself.
Sample mass_sample(double log_density);
// exp(-scale) p [R(zl) + z R(-l)] / z: the centred integrand, >= 0; infinite where P has mass that Q lacks and z >= 0.
Sample centred_sample(const LogPair& at, double z, double scale);
// exp(-scale) p exp(zl)
Sample moment_sample(const LogPair& at, double z, double scale);
// max(0, p - exp(epsilon) q)
Sample excess_sample(const LogPair& at, double epsilon);

// a ln p + (1 - a) ln q with a = 1 + z: the logarithm of the integrand of the moment.
double tilted(const LogPair& at, double z);

}  // namespace renyi::divergence_detail
