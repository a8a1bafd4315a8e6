#include "plans.h"

#include <pybind11/stl.h>

#include <array>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bindings.h"
#include "gil.h"
#include "renyi/error.h"
#include "renyi/extras/convert.h"
#include "renyi/extras/select.h"
#include "renyi/plan.h"

namespace renyi::python {
namespace plans_file {
namespace {

// Renames errors about a count to the name that the caller uses.
void add(Plan& plan, const Mechanism& mechanism, std::int64_t steps) {
  try {
    plan.add(mechanism, steps);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument("steps", error.value(), error.allowed());
  }
}

// Makes a plan of a group of steps. Adding to a plan analyses the step, which may call functions of the user.
Plan as_plan(const Steps& group, const Adjacency& relation) {
  const WithoutGil unlocked;
  Plan plan(relation.neighbors, relation.unit);
  for (const Step& step : group) plan.add(step);
  return plan;
}

py::list steps_of(const Plan& plan) {
  py::list result;
  for (const Step& step : plan.steps()) {
    const auto* mechanism = std::get_if<Mechanism>(&step.what);
    py::object what =
        mechanism ? py::cast(*mechanism) : py::cast(as_plan(std::get<Steps>(step.what), plan.adjacency()));
    result.append(py::make_tuple(std::move(what), step.count, step.name, step.comment));
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

// A part is analysed under the neighbouring relation of the plan that contains it.
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

// Returns the steps of one run, under the neighbouring relation of the plan that contains the selection, and the
// distribution of the number of runs.
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

// Convert the records of other tools to plans.
template <Plan (*read)(std::string_view, Neighbors)>
Plan convert(const std::string& json, const std::string& neighbors) {
  return read(json, neighbors_named(neighbors));
}

}  // namespace
}  // namespace plans_file

Mechanism noise(double noise_multiplier) {
  try {
    return Gaussian{.stddev = noise_multiplier};
  } catch (const InvalidArgument& error) {
    throw InvalidArgument("noise_multiplier", error.value(), error.allowed());
  }
}

Neighbors neighbors_named(const std::string& name) {
  return named("neighbors", name,
               std::array{Neighbors::add_or_remove_one, Neighbors::replace_one, Neighbors::zero_out});
}

Plan run_plan(std::optional<double> sampling_rate, double noise_multiplier, std::int64_t steps,
              const Adjacency& relation) {
  Plan plan(relation.neighbors, relation.unit);
  if (sampling_rate) {
    plans_file::add(plan, SampledGaussian{*sampling_rate, noise_multiplier}, steps);
  } else {
    plans_file::add(plan, noise(noise_multiplier), steps);
  }
  return plan;
}

Plans::Plans(std::vector<double> sampling_rates, std::vector<double> noise_multipliers, std::vector<std::int64_t> steps,
             const Adjacency& relation)
    : rates_(std::move(sampling_rates)),
      noises_(std::move(noise_multipliers)),
      steps_(std::move(steps)),
      relation_(relation),
      size_(noises_.size()) {
  if (steps_.size() != size_ || (!rates_.empty() && rates_.size() != size_)) {
    throw std::logic_error("columns of different lengths");
  }
}

Plan Plans::at(std::size_t i) const {
  if (!plans_.empty()) return plans_[i];
  return run_plan(rates_.empty() ? std::nullopt : std::optional(rates_[i]), noises_[i], steps_[i], relation_);
}

bool Plans::same_as_next(std::size_t i) const {
  return plans_.empty() && noises_[i] == noises_[i + 1] && steps_[i] == steps_[i + 1] &&
         (rates_.empty() || rates_[i] == rates_[i + 1]);
}

void bind_plans(py::module_& module) {
  py::class_<Plan>(module, "Plan")
      .def(py::init(
               [](const std::string& neighbors, std::int64_t unit) { return Plan(neighbors_named(neighbors), unit); }),
           py::arg("neighbors"), py::arg("unit"))
      .def("copy", [](const Plan& plan) { return Plan(plan); })
      .def(
          "add",
          [](Plan& plan, const Mechanism& m, std::int64_t count, const std::string& name, const std::string& comment) {
            plan.add(Step{m, count, name, comment});
          },
          py::arg("mechanism"), py::arg("count"), py::arg("name") = "", py::arg("comment") = "",
          py::call_guard<WithoutGil>())
      .def(
          "add",
          [](Plan& plan, const Plan& group, std::int64_t count, const std::string& name, const std::string& comment) {
            plan.add(Step{group.steps(), count, name, comment});
          },
          py::arg("group"), py::arg("count"), py::arg("name") = "", py::arg("comment") = "",
          py::call_guard<WithoutGil>())
      .def_property_readonly("neighbors", [](const Plan& plan) { return std::string(to_string(plan.neighbors())); })
      .def_property_readonly("unit", &Plan::unit)
      .def_property_readonly("assumption", &assumption)
      .def_property_readonly("steps", &plans_file::steps_of)
      .def("merged", &plans_file::merged)
      .def("to_json", &write_plan)
      .def_static("from_json", &read_plan, py::arg("text"));

  module.def("parallel", &plans_file::parallel, py::arg("parts"));
  module.def("parts_of", &plans_file::parts_of, py::arg("mechanism"), py::arg("neighbors"), py::arg("unit"));
  module.def("select", &plans_file::select, py::arg("run"), py::arg("law"), py::arg("numbers"));
  module.def("run_of", &plans_file::run_of, py::arg("mechanism"), py::arg("neighbors"), py::arg("unit"));
  module.def("run_plan", [](std::optional<double> sampling_rate, double noise_multiplier, std::int64_t steps,
                            const std::string& neighbors, std::int64_t unit) {
    return run_plan(sampling_rate, noise_multiplier, steps, {neighbors_named(neighbors), unit});
  });
}

void bind_convert(py::module_& module) {
  module.def("convert_opacus", &plans_file::convert<&convert_opacus>, py::arg("json"), py::arg("neighbors"));
  module.def("convert_dp_events", &plans_file::convert<&convert_dp_events>, py::arg("json"), py::arg("neighbors"));
}

}  // namespace renyi::python
