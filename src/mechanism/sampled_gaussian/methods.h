// The published ways to one step's Renyi divergence, direction remove.
#pragma once

#include "renyi/bounded.h"
#include "renyi/mechanism.h"

namespace renyi::sampled_gaussian {

// Whole orders from 2 on: the binomial sum (Mironov, Talwar, Zhang 2019, section 3.3).
Bounded by_integer_sum(const SampledGaussian& mechanism, double order);

// Real orders above 1: the two-sided binomial series with complementary error
// functions (ibid.). Throws NotConverged.
Bounded by_series(const SampledGaussian& mechanism, double order);

// The bound 2 q^2 a / s^2 (ibid., Theorem 11). Throws Unsupported with the
// condition that fails.
Bounded by_closed_form(const SampledGaussian& mechanism, double order);

}  // namespace renyi::sampled_gaussian
