#include "renyi/calibrate.h"

#include <pybind11/stl.h>

#include <array>
#include <string>
#include <tuple>
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

struct SolvedSplit {
  api::SplitRequest asked;
  SplitCalibration found;
};

CalibrateOptions options_of(const std::optional<std::string>& by, const CostOptions& options) {
  constexpr int digits = 3;
  return {.by = named("by", by, std::array{Accounting::exact, Accounting::renyi}),
          .conversion = options.conversion,
          .exact = options.exactness,
          .report_excess_width = options.report_excess_width,
          .digits = digits};
}

// The unknown is a number of the plan, or the size of the run that is solved for.
Solved solve(const Plan& plan, const std::vector<std::size_t>& path, const std::string& parameter, double epsilon,
             double delta, const std::optional<std::string>& by, const CostOptions& options, const ResolvedRun* run) {
  const Unknown unknown = run != nullptr ? unknown_of(*run, plan) : Unknown{path, parameter};
  api::CalibrateRequest asked{.plan = plan, .number = {.unknown = unknown}, .target = {epsilon, delta}};
  asked.options = options_of(by, options);
  const WithoutGil unlocked;
  Calibration found = calibrate(plan, asked.number.unknown, asked.target, asked.options);
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

using Place = std::pair<std::vector<std::size_t>, std::string>;

std::vector<Place> places_of(const std::vector<Unknown>& unknowns) {
  std::vector<Place> places;
  for (const Unknown& unknown : unknowns) places.emplace_back(unknown.path, unknown.parameter);
  return places;
}

SolvedSplit solve_split(const Plan& plan, const std::vector<Place>& places, const std::string& rule,
                        const std::vector<double>& shares, double epsilon, double delta,
                        const std::optional<std::string>& by, const CostOptions& options) {
  api::SplitRequest asked{.plan = plan, .target = {epsilon, delta}};
  std::vector<Unknown> unknowns;
  for (const auto& [path, parameter] : places) {
    unknowns.push_back({path, parameter});
    asked.numbers.push_back({.unknown = unknowns.back(), .name = parameter});
  }
  asked.split = {named("split", rule, std::array{SplitRule::shares, SplitRule::equal_error}), shares};
  asked.options = options_of(by, options);
  const WithoutGil unlocked;
  SplitCalibration found = calibrate(plan, unknowns, asked.split, asked.target, asked.options);
  return {std::move(asked), std::move(found)};
}

// As above; `paths` has the path of each unknown number in a request.
std::string written_split(const SolvedSplit& solved, const std::vector<std::string>& paths) {
  api::SplitRequest asked = solved.asked;
  for (std::size_t i = 0; i < paths.size(); ++i) asked.numbers.at(i).path = paths[i];
  return write(api::Document().set("op", "calibrate"), answer_of(asked, solved.found));
}

std::vector<std::tuple<double, double, double>> values_of(const SolvedSplit& solved) {
  std::vector<std::tuple<double, double, double>> values;
  for (const SplitValue& each : solved.found.values) values.emplace_back(each.value, each.rounded, each.stddev);
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
  using calibrate_file::Solved;
  using calibrate_file::SolvedSplit;
  py::class_<Solved>(module, "Calibration")
      .def_property_readonly(
          "value", [](const Solved& s) { return calibrate_file::value_of(s.found, s.found.value, s.found.count); })
      .def_property_readonly("rounded", [](const Solved& s) { return calibrate_file::rounded_of(s.found); })
      .def_property_readonly("is_smallest", [](const Solved& s) { return s.found.effect == Effect::lowers_cost; })
      .def_property_readonly("is_extreme", [](const Solved& s) { return s.found.is_extreme; })
      .def_property_readonly("by", [](const Solved& s) { return std::string(to_string(s.found.by)); })
      .def_property_readonly("renyi", [](const Solved& s) { return s.found.cost.renyi->upper; })
      .def_property_readonly("order", [](const Solved& s) { return s.found.cost.renyi->order; })
      .def_property_readonly("exact", [](const Solved& s) { return s.found.cost.exact; })
      .def_property_readonly("unspent", [](const Solved& s) { return s.found.unspent; })
      .def_property_readonly("beyond", [](const Solved& s) { return s.found.beyond; })
      .def_property_readonly("classical", [](const Solved& s) { return s.found.classical; })
      .def_property_readonly("plan", [](const Solved& s) { return Plan(s.found.plan); })
      .def("to_json", &calibrate_file::written, py::arg("name"), py::arg("path"), py::call_guard<WithoutGil>());
  py::class_<SolvedSplit>(module, "SplitCalibration")
      .def_property_readonly("values", &calibrate_file::values_of)
      .def_property_readonly("by", [](const SolvedSplit& s) { return std::string(to_string(s.found.by)); })
      .def_property_readonly("renyi", [](const SolvedSplit& s) { return s.found.cost.renyi->upper; })
      .def_property_readonly("order", [](const SolvedSplit& s) { return s.found.cost.renyi->order; })
      .def_property_readonly("exact", [](const SolvedSplit& s) { return s.found.cost.exact; })
      .def_property_readonly("rounded_epsilon", [](const SolvedSplit& s) { return *s.found.rounded_epsilon; })
      .def_property_readonly("unspent", [](const SolvedSplit& s) { return s.found.unspent; })
      .def_property_readonly("plan", [](const SolvedSplit& s) { return Plan(s.found.plan); })
      .def("to_json", &calibrate_file::written_split, py::arg("paths"), py::call_guard<WithoutGil>());
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
