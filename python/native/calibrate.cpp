#include "renyi/calibrate.h"

#include <pybind11/stl.h>

#include <array>
#include <string>
#include <vector>

#include "answer.h"
#include "bindings.h"
#include "gil.h"
#include "named.h"

namespace renyi::python {
namespace {

Calibration solve(const Plan& plan, const std::vector<std::size_t>& path, const std::string& parameter, double epsilon,
                  double delta, const std::optional<std::string>& by, const Options& options) {
  const CalibrateOptions how{named("by", by, std::array{Accounting::exact, Accounting::renyi}), options.conversion,
                             options.exactness};
  const WithoutGil unlocked;
  return calibrate(plan, Unknown{path, parameter}, Target{epsilon, delta}, how);
}

}  // namespace

void bind_calibrate(py::module_& module) {
  py::class_<Calibration>(module, "Calibration")
      .def_readonly("value", &Calibration::value)
      .def_readonly("count", &Calibration::count)
      .def_property_readonly("by", [](const Calibration& c) { return std::string(to_string(c.by)); })
      .def_property_readonly("renyi", [](const Calibration& c) { return c.renyi.epsilon; })
      .def_property_readonly("order", [](const Calibration& c) { return c.renyi.order; })
      .def_readonly("exact", &Calibration::exact)
      .def_readonly("unspent", &Calibration::unspent)
      .def_property_readonly("plan", [](const Calibration& c) { return Plan(c.plan); });
  module.def("calibrate", &solve);
}

}  // namespace renyi::python
