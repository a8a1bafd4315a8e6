#include "renyi/calibrate.h"

#include <pybind11/stl.h>

#include <array>
#include <string>
#include <vector>

#include "bindings.h"
#include "gil.h"

namespace renyi::python {
namespace calibrate_file {
namespace {

Calibration solve(const Plan& plan, const std::vector<std::size_t>& path, const std::string& parameter, double epsilon,
                  double delta, const std::optional<std::string>& by, const CostOptions& options) {
  constexpr int digits = 3;
  const CalibrateOptions how{.by = named("by", by, std::array{Accounting::exact, Accounting::renyi}),
                             .conversion = options.conversion,
                             .exact = options.exactness,
                             .digits = digits};
  const WithoutGil unlocked;
  return calibrate(plan, Unknown{path, parameter}, Target{epsilon, delta}, how);
}

// Returns whole numbers as Python integers.
py::object value_of(const Calibration& found, double value, std::int64_t count) {
  return found.is_whole ? py::object(py::int_(count)) : py::object(py::float_(value));
}

py::tuple rounded_of(const Calibration& found) {
  const RoundedValue& rounded = *found.rounded;
  return py::make_tuple(value_of(found, rounded.value, rounded.count), rounded.spent, rounded.unspent);
}

}  // namespace
}  // namespace calibrate_file

void bind_calibrate(py::module_& module) {
  py::class_<Calibration>(module, "Calibration")
      .def_property_readonly("value",
                             [](const Calibration& c) { return calibrate_file::value_of(c, c.value, c.count); })
      .def_property_readonly("rounded", &calibrate_file::rounded_of)
      .def_property_readonly("by", [](const Calibration& c) { return std::string(to_string(c.by)); })
      .def_property_readonly("renyi", [](const Calibration& c) { return c.cost.renyi->upper; })
      .def_property_readonly("order", [](const Calibration& c) { return c.cost.renyi->order; })
      .def_property_readonly("exact", [](const Calibration& c) { return c.cost.exact; })
      .def_readonly("unspent", &Calibration::unspent)
      .def_readonly("beyond", &Calibration::beyond)
      .def_readonly("classical", &Calibration::classical)
      .def_property_readonly("plan", [](const Calibration& c) { return Plan(c.plan); });
  module.def("calibrate", &calibrate_file::solve);
}

}  // namespace renyi::python
