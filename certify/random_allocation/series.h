// Powers of power series with positive coefficients: moments of a mean of independent variables from those of one
// (docs/math/certified-allocation.md, Lemma A3).
#pragma once

#include <cstdint>
#include <vector>

#include "certify/ball/ball.h"

namespace renyi::certify {

// Returns E[X^k]/k! of the log-normal variable of mean 1, exp((k^2 - k) variance/2)/k!, for k below `length`.
std::vector<Ball> scaled_moments(const Ball& variance, std::size_t length);

// Returns the last coefficient of (sum of terms[k] x^k)^t that the terms determine, that of x^(size - 1).
Ball last_coefficient(const std::vector<Ball>& terms, std::int64_t t);

// Returns n!/t^n, by which the coefficient of x^n is multiplied for the moment of the mean.
Ball moment_scale(std::int64_t n, std::int64_t t);

// Returns E[R^k] for k below `length`, where R is the mean of t independent variables.
std::vector<Ball> whole_moments(const Ball& variance, std::int64_t t, std::size_t length);

}  // namespace renyi::certify
