// Bounds how fast the moments of a sampled Gaussian decrease along a vertical line.
#pragma once

#include "certify/exact/decay.h"

namespace renyi::certify {

// The sampled Gaussian tilted by c: density p(x) = exp(-x^2/(2 s^2)) r(x)^e / (sqrt(2 pi) s A(e)), with e = 1+c in the
// direction remove and -c in the direction add. Its loss is l(x) = ln r(x) or the negative of it.
struct Tilted {
  Tilted(const SampledGaussian& mechanism, Direction direction, const Ball& c);

  Ball loss(const Ball& x) const;         // ln r(x)
  Ball share(const Ball& x) const;        // q exp(u)/r, u = (2x-1)/(2 s^2): s^2 times the slope of ln r; increasing
  Ball log_density(const Ball& x) const;  // ln p(x)

  SampledGaussian mechanism;
  Ball rate;
  Ball variance;
  Ball exponent;
  Ball log_scale;  // ln(sqrt(2 pi) s A(e))
};

// Lemma K8: returns the total variation V of p/l' over the line, with which |phi(y)| <= V / |y|.
Ball total_variation_by_parts(const Tilted& law);

// Uses buckets where y is moderate, and integration by parts for large y.
std::unique_ptr<Decay> sampled_gaussian_decay(const SampledGaussian& mechanism, Direction direction, const Ball& c);

}  // namespace renyi::certify
