// Refusals that several families share.
#pragma once

#include <string>

namespace renyi::divergence_detail {

// A mean or location: -1e50 to 1e50.
void check_location(const std::string& field, double value);
// A standard deviation or scale: 1e-50 to 1e50.
void check_scale(const std::string& field, double value);

}  // namespace renyi::divergence_detail
