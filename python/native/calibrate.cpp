#include "renyi/calibrate.h"

#include <pybind11/stl.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "api/calibrate.h"
#include "bindings.h"
#include "gil.h"

namespace renyi::python {
namespace calibrate_file {
namespace {

// A calibration, and the request that it answers.
struct Solved {
  api::CalibrateRequest asked;
  Calibration found;
};

Solved solve(const Plan& plan, const std::vector<std::size_t>& path, const std::string& parameter, double epsilon,
             double delta, const std::optional<std::string>& by, const CostOptions& options) {
  constexpr int digits = 3;
  const CalibrateOptions how{.by = named("by", by, std::array{Accounting::exact, Accounting::renyi}),
                             .conversion = options.conversion,
                             .exact = options.exactness,
                             .report_excess_width = options.report_excess_width,
                             .digits = digits};
  api::CalibrateRequest asked{.plan = plan, .number = {.unknown = {path, parameter}}, .target = {epsilon, delta}};
  asked.options = how;
  const WithoutGil unlocked;
  Calibration found = calibrate(plan, asked.number.unknown, asked.target, how);
  return {std::move(asked), std::move(found)};
}

// Returns the answer as the requests give it. `name` and `path` are those of the unknown number in a request. If the
// Renyi bound met the target, the exact interval is computed only now.
std::string written(const Solved& solved, const std::string& name, const std::string& path) {
  api::CalibrateRequest asked = solved.asked;
  asked.number.name = name;
  asked.number.path = path;
  return write(api::Document().set("op", "calibrate"), answer_of(asked, solved.found));
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
  using calibrate_file::Solved;
  py::class_<Solved>(module, "Calibration")
      .def_property_readonly(
          "value", [](const Solved& s) { return calibrate_file::value_of(s.found, s.found.value, s.found.count); })
      .def_property_readonly("rounded", [](const Solved& s) { return calibrate_file::rounded_of(s.found); })
      .def_property_readonly("is_smallest", [](const Solved& s) { return s.found.effect == Effect::lowers_cost; })
      .def_property_readonly("by", [](const Solved& s) { return std::string(to_string(s.found.by)); })
      .def_property_readonly("renyi", [](const Solved& s) { return s.found.cost.renyi->upper; })
      .def_property_readonly("order", [](const Solved& s) { return s.found.cost.renyi->order; })
      .def_property_readonly("exact", [](const Solved& s) { return s.found.cost.exact; })
      .def_property_readonly("unspent", [](const Solved& s) { return s.found.unspent; })
      .def_property_readonly("beyond", [](const Solved& s) { return s.found.beyond; })
      .def_property_readonly("classical", [](const Solved& s) { return s.found.classical; })
      .def_property_readonly("plan", [](const Solved& s) { return Plan(s.found.plan); })
      .def("to_json", &calibrate_file::written, py::arg("name"), py::arg("path"), py::call_guard<WithoutGil>());
  module.def("calibrate", &calibrate_file::solve);
}

}  // namespace renyi::python
