// What is wanted of an answer, read once and used for many.
#include <pybind11/stl.h>

#include <array>
#include <string>
#include <vector>

#include "answer.h"
#include "bindings.h"
#include "named.h"

namespace renyi::python {
namespace {

Options make_options(bool renyi, bool exact, std::optional<std::vector<double>> orders, const std::string& conversion,
                     std::optional<double> tolerance, std::optional<std::size_t> memory) {
  Options options{.renyi = renyi, .exact = exact};
  options.conversion.conversion = named("conversion", conversion, std::array{Conversion::tight, Conversion::classical});
  options.conversion.orders = std::move(orders);
  if (tolerance) options.exactness.tolerance = *tolerance;
  if (memory) options.exactness.memory = *memory;
  return options;
}

}  // namespace

void bind_options(py::module_& module) {
  py::class_<Options>(module, "Options")
      .def(py::init(&make_options), py::arg("renyi"), py::arg("exact"), py::arg("orders"), py::arg("conversion"),
           py::arg("tolerance"), py::arg("memory"))
      .def_readonly("renyi", &Options::renyi)
      .def_readonly("exact", &Options::exact)
      .def_property_readonly("tolerance", [](const Options& o) { return o.exactness.tolerance; })
      .def_property_readonly("memory", [](const Options& o) { return o.exactness.memory; });
  module.def("traditional_orders",
             [] { return std::vector<double>(traditional_orders().begin(), traditional_orders().end()); });
}

}  // namespace renyi::python
