// Errors of one element of an array, with its place.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "renyi/error.h"

namespace renyi::python {

// "[7]", "[2, 3]", or nothing where there is one element only.
inline std::string place_of(std::size_t flat, const std::vector<std::size_t>& shape) {
  if (shape.empty()) return "";
  std::string place = "]";
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    place = (axis > 0 ? ", " : "[") + std::to_string(flat % shape[axis]) + place;
    flat /= shape[axis];
  }
  return place;
}

// Does the work on element `flat`; what it finds bad is named with its place.
template <class Work>
auto at_element(std::size_t flat, const std::vector<std::size_t>& shape, const Work& work) {
  try {
    return work();
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(error.path() + place_of(flat, shape), error.value(), error.allowed());
  }
}

}  // namespace renyi::python
