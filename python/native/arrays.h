// Passes columns of numbers by the buffer protocol only, so that the module does not depend on the version of NumPy.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace renyi::python {

// Returns the numbers of a one-dimensional array of exactly this type.
template <class Number>
std::vector<Number> read_column(const pybind11::buffer& array) {
  const pybind11::buffer_info info = array.request();
  const bool is_float = info.format == "d";
  if (info.ndim != 1 || info.itemsize != sizeof(Number) || is_float != std::is_floating_point_v<Number>) {
    throw std::logic_error("not a column of the numbers expected");
  }
  std::vector<Number> column(static_cast<std::size_t>(info.shape[0]));
  for (std::size_t i = 0; i < column.size(); ++i) {
    std::memcpy(&column[i], static_cast<const char*>(info.ptr) + static_cast<pybind11::ssize_t>(i) * info.strides[0],
                sizeof(Number));
  }
  return column;
}

// Returns the bytes of a column, for numpy.frombuffer.
template <class Number>
pybind11::bytearray write_column(const std::vector<Number>& column) {
  return {reinterpret_cast<const char*>(column.data()), column.size() * sizeof(Number)};
}

}  // namespace renyi::python
