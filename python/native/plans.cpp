// Mechanisms and plans, as values.
#include <pybind11/stl.h>

#include <string>
#include <utility>
#include <vector>

#include "bindings.h"
#include "renyi/error.h"
#include "renyi/own.h"
#include "renyi/plan.h"
#include "renyi/plan_json.h"
#include "runs.h"

namespace renyi::python {
namespace {

using NamedValues = std::vector<std::pair<std::string, double>>;

Mechanism make_mechanism(const std::string& kind, const NamedValues& parameters) {
  const Mechanism* known = find_mechanism(kind);
  if (!known) throw InvalidArgument("mechanism", kind, "the kind of a mechanism of the library");
  Mechanism made = *known;
  for (const auto& [name, value] : parameters) made = made.with(name, value);
  return made;
}

NamedValues parameters_of(const Mechanism& mechanism) {
  NamedValues result;
  const auto values = mechanism.values();
  for (std::size_t i = 0; i < values.size(); ++i) result.emplace_back(mechanism.parameters()[i].name, values[i]);
  return result;
}

// A group of steps as a plan of its own.
Plan as_plan(const Steps& group, Neighbors neighbors) {
  Plan plan(neighbors);
  for (const Step& step : group) {
    std::visit([&](const auto& what) { plan.add(what, step.count); }, step.what);
  }
  return plan;
}

py::list steps_of(const Plan& plan) {
  py::list result;
  for (const Step& step : plan.steps()) {
    const auto* mechanism = std::get_if<Mechanism>(&step.what);
    py::object what =
        mechanism ? py::cast(*mechanism) : py::cast(as_plan(std::get<Steps>(step.what), plan.neighbors()));
    result.append(py::make_tuple(std::move(what), step.count));
  }
  return result;
}

}  // namespace

void bind_plans(py::module_& module) {
  py::class_<Mechanism>(module, "Mechanism")
      .def(py::init(&make_mechanism), py::arg("kind"), py::arg("parameters"))
      .def_property_readonly("kind", [](const Mechanism& m) { return std::string(m.kind()); })
      .def_property_readonly("name",
                             [](const Mechanism& m) {
                               const Own* own = m.get_if<Own>();
                               return std::string(own ? own->name() : m.kind());
                             })
      .def_property_readonly("summary", [](const Mechanism& m) { return std::string(m.summary()); })
      .def_property_readonly("parameters", &parameters_of)
      .def(
          "__eq__", [](const Mechanism& a, const Mechanism& b) { return a == b; }, py::is_operator());

  py::class_<Plan>(module, "Plan")
      .def(py::init([](const std::string& neighbors) { return Plan(neighbors_named(neighbors)); }),
           py::arg("neighbors"))
      .def("copy", [](const Plan& plan) { return Plan(plan); })
      .def(
          "add", [](Plan& plan, const Mechanism& m, std::int64_t count) { plan.add(m, count); }, py::arg("mechanism"),
          py::arg("count"))
      .def(
          "add", [](Plan& plan, const Plan& group, std::int64_t count) { plan.add(group, count); }, py::arg("group"),
          py::arg("count"))
      .def_property_readonly("neighbors", [](const Plan& plan) { return std::string(to_string(plan.neighbors())); })
      .def_property_readonly("steps", &steps_of)
      .def("merged",
           [](const Plan& plan) {
             py::list result;
             for (const auto& [mechanism, count] : plan.merged()) result.append(py::make_tuple(mechanism, count));
             return result;
           })
      .def("to_json", &write_plan)
      .def_static("from_json", &read_plan, py::arg("text"));

  module.def("run_plan", [](std::optional<double> sampling_rate, double noise_multiplier, std::int64_t steps,
                            const std::string& neighbors) {
    return run_plan(sampling_rate, noise_multiplier, steps, neighbors_named(neighbors));
  });
}

}  // namespace renyi::python
