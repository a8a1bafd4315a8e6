// Mechanisms of one's own.
#include "renyi/own.h"

#include <string>
#include <utility>

#include "bindings.h"
#include "gil.h"

namespace renyi::python {

void bind_own(py::module_& module) {
  module.def(
      "own_curve",
      [](std::string name, py::function divergence) {
        return own_curve(std::move(name), callback(std::move(divergence)));
      },
      py::arg("name"), py::arg("divergence"));
  module.def("own_pair", &own_pair, py::arg("name"), py::arg("pair"), py::call_guard<WithoutGil>());
}

}  // namespace renyi::python
