// The sampled Gaussian's loss and its tilted density exp(-x^2/(2 s^2)) r(x)^e, in doubles. They are used to choose
// windows and cells, never for bounds.
#pragma once

#include "renyi/mechanism.h"

namespace renyi::certify {

// Estimates ln r(x), r = (1-q) + q exp(u), u = (2x-1)/(2 s^2).
double loss_about(const SampledGaussian& m, double x);
// Estimates q exp(u) / r, the slope of the loss times s^2.
double share_about(const SampledGaussian& m, double x);
// Return the x at which the density is largest, for e >= 1 or e < 0; it may have two peaks for e >= 1.
double lowest_peak(const SampledGaussian& m, double e);
double highest_peak(const SampledGaussian& m, double e);

}  // namespace renyi::certify
