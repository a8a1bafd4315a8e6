// Plans, as values.
#include <pybind11/stl.h>

#include <string>
#include <utility>
#include <vector>

#include "bindings.h"
#include "gil.h"
#include "named.h"
#include "renyi/error.h"
#include "renyi/plan.h"
#include "renyi/plan_json.h"
#include "renyi/select.h"
#include "runs.h"

namespace renyi::python {
namespace {

// A group of steps as a plan of its own. What is added to a plan is analysed, which may call functions of the user's.
Plan as_plan(const Steps& group, const Adjacency& relation) {
  const WithoutGil unlocked;
  Plan plan(relation.neighbors, relation.unit);
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
        mechanism ? py::cast(*mechanism) : py::cast(as_plan(std::get<Steps>(step.what), plan.adjacency()));
    result.append(py::make_tuple(std::move(what), step.count));
  }
  return result;
}

py::list merged(const Plan& plan) {
  py::list result;
  for (const auto& [mechanism, count] : plan.merged()) result.append(py::make_tuple(mechanism, count));
  return result;
}

Mechanism parallel(const std::vector<Plan>& plans) {
  std::vector<Steps> parts;
  for (const Plan& plan : plans) parts.push_back(plan.steps());
  return Parallel(std::move(parts));
}

// A part is analysed under the relation of the plan that holds it.
std::vector<Plan> parts_of(const Mechanism& mechanism, const std::string& neighbors, std::int64_t unit) {
  const auto* found = mechanism.get_if<Parallel>();
  if (found == nullptr) throw InvalidArgument("mechanism", std::string(mechanism.kind()), "parallel parts");
  std::vector<Plan> plans;
  for (const Steps& steps : found->parts()) plans.push_back(as_plan(steps, {neighbors_named(neighbors), unit}));
  return plans;
}

using NamedValues = std::vector<std::pair<std::string, double>>;

Mechanism select(const Plan& run, const std::string& law, const NamedValues& numbers) {
  Runs runs{.law = named("law", law, all_runs_laws)};
  for (const auto& [name, value] : numbers) runs = runs.with(name, value);
  return Select(run.steps(), runs);
}

// The steps of a run, under the relation of the plan that holds the selection, and the law of their number.
py::tuple run_of(const Mechanism& mechanism, const std::string& neighbors, std::int64_t unit) {
  const auto* found = mechanism.get_if<Select>();
  if (found == nullptr) throw InvalidArgument("mechanism", std::string(mechanism.kind()), "a selection");
  const Runs& runs = found->runs();
  NamedValues numbers;
  const auto table = parameters(runs.law);
  for (std::size_t i = 0; i < table.size(); ++i) numbers.emplace_back(table[i].name, runs.values()[i]);
  return py::make_tuple(as_plan(found->steps(), {neighbors_named(neighbors), unit}), std::string(to_string(runs.law)),
                        numbers);
}

}  // namespace

void bind_plans(py::module_& module) {
  py::class_<Plan>(module, "Plan")
      .def(py::init(
               [](const std::string& neighbors, std::int64_t unit) { return Plan(neighbors_named(neighbors), unit); }),
           py::arg("neighbors"), py::arg("unit"))
      .def("copy", [](const Plan& plan) { return Plan(plan); })
      .def(
          "add", [](Plan& plan, const Mechanism& m, std::int64_t count) { plan.add(m, count); }, py::arg("mechanism"),
          py::arg("count"), py::call_guard<WithoutGil>())
      .def(
          "add", [](Plan& plan, const Plan& group, std::int64_t count) { plan.add(group, count); }, py::arg("group"),
          py::arg("count"), py::call_guard<WithoutGil>())
      .def_property_readonly("neighbors", [](const Plan& plan) { return std::string(to_string(plan.neighbors())); })
      .def_property_readonly("unit", &Plan::unit)
      .def_property_readonly("steps", &steps_of)
      .def("merged", &merged)
      .def("to_json", &write_plan)
      .def_static("from_json", &read_plan, py::arg("text"));

  module.def("parallel", &parallel, py::arg("parts"));
  module.def("parts_of", &parts_of, py::arg("mechanism"), py::arg("neighbors"), py::arg("unit"));
  module.def("select", &select, py::arg("run"), py::arg("law"), py::arg("numbers"));
  module.def("run_of", &run_of, py::arg("mechanism"), py::arg("neighbors"), py::arg("unit"));
  module.def("run_plan", [](std::optional<double> sampling_rate, double noise_multiplier, std::int64_t steps,
                            const std::string& neighbors, std::int64_t unit) {
    return run_plan(sampling_rate, noise_multiplier, steps, {neighbors_named(neighbors), unit});
  });
}

}  // namespace renyi::python
