// Steps that add Gaussian or Laplace noise to a sum of bounded contributions, one a record.
#pragma once

#include <span>
#include <string_view>

#include "convert/parts.h"
#include "json/field.h"

namespace renyi::convert {

// A number in the parameter's range; errors call it `name`, because in arrays the path does not.
double read_parameter(const json::Field& value, std::string_view name, const Parameter& parameter);

// The same, or 0.
double read_noise(const json::Field& value, std::string_view name, const Parameter& parameter);

// Noise of `noise` times the largest norm C of one record's contribution. No noise is no privacy.
// Taking a record away moves the sum by at most C, replacing it by at most 2C.
std::optional<Mechanism> gaussian_of(double noise, Neighbors neighbors);
std::optional<Mechanism> laplace_of(double noise, Neighbors neighbors);

// Gaussian queries on one sample are one query on it: the noise multiplier of that one, never above
// 1 / sqrt(sum of count / noise^2). Every part is a Gaussian made by `gaussian_of`.
double joint_noise_below(std::span<const Part> gaussians);

}  // namespace renyi::convert
