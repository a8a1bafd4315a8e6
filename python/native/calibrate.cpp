#include "renyi/calibrate.h"

#include <pybind11/stl.h>

#include <array>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings.h"
#include "gil.h"

namespace renyi::python {
namespace calibrate_file {
namespace {

CalibrateOptions options_of(const std::optional<std::string>& by, const CostOptions& options) {
  constexpr int digits = 3;
  return {.by = named("by", by, std::array{Accounting::exact, Accounting::renyi}),
          .conversion = options.conversion,
          .exact = options.exactness,
          .digits = digits};
}

// The unknown is a number of the plan, or the size of the run that is solved for.
Calibration solve(const Plan& plan, const std::vector<std::size_t>& path, const std::string& parameter, double epsilon,
                  double delta, const std::optional<std::string>& by, const CostOptions& options,
                  const ResolvedRun* run) {
  const CalibrateOptions how = options_of(by, options);
  const Unknown unknown = run != nullptr ? unknown_of(*run, plan) : Unknown{path, parameter};
  const WithoutGil unlocked;
  return calibrate(plan, unknown, Target{epsilon, delta}, how);
}

using Place = std::pair<std::vector<std::size_t>, std::string>;

std::vector<Place> places_of(const std::vector<Unknown>& unknowns) {
  std::vector<Place> places;
  for (const Unknown& unknown : unknowns) places.emplace_back(unknown.path, unknown.parameter);
  return places;
}

SplitCalibration solve_split(const Plan& plan, const std::vector<Place>& places, const std::string& rule,
                             const std::vector<double>& shares, double epsilon, double delta,
                             const std::optional<std::string>& by, const CostOptions& options) {
  const CalibrateOptions how = options_of(by, options);
  std::vector<Unknown> unknowns;
  for (const auto& [path, parameter] : places) unknowns.push_back({path, parameter});
  const Split split{named("split", rule, std::array{SplitRule::shares, SplitRule::equal_error}), shares};
  const WithoutGil unlocked;
  return calibrate(plan, unknowns, split, Target{epsilon, delta}, how);
}

std::vector<std::tuple<double, double, double>> values_of(const SplitCalibration& found) {
  std::vector<std::tuple<double, double, double>> values;
  for (const SplitValue& each : found.values) values.emplace_back(each.value, each.rounded, each.stddev);
  return values;
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
  py::class_<SplitCalibration>(module, "SplitCalibration")
      .def_property_readonly("values", &calibrate_file::values_of)
      .def_property_readonly("by", [](const SplitCalibration& c) { return std::string(to_string(c.by)); })
      .def_property_readonly("renyi", [](const SplitCalibration& c) { return c.cost.renyi->upper; })
      .def_property_readonly("order", [](const SplitCalibration& c) { return c.cost.renyi->order; })
      .def_property_readonly("exact", [](const SplitCalibration& c) { return c.cost.exact; })
      .def_property_readonly("rounded_epsilon", [](const SplitCalibration& c) { return *c.rounded_epsilon; })
      .def_readonly("unspent", &SplitCalibration::unspent)
      .def_property_readonly("plan", [](const SplitCalibration& c) { return Plan(c.plan); });
  module.def("calibrate", &calibrate_file::solve, py::arg("plan"), py::arg("path"), py::arg("parameter"),
             py::arg("epsilon"), py::arg("delta"), py::arg("by"), py::arg("options"), py::arg("run"));
  module.def("calibrate_split", &calibrate_file::solve_split, py::arg("plan"), py::arg("unknowns"), py::arg("rule"),
             py::arg("shares"), py::arg("epsilon"), py::arg("delta"), py::arg("by"), py::arg("options"));
  module.def(
      "unknowns_named",
      [](const Plan& plan, const std::string& name) { return calibrate_file::places_of(unknowns_named(plan, name)); },
      py::arg("plan"), py::arg("parameter"));
  module.def(
      "noise_unknowns", [](const Plan& plan) { return calibrate_file::places_of(noise_unknowns(plan)); },
      py::arg("plan"));
}

}  // namespace renyi::python
