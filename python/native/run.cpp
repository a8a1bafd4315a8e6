// Training runs that are described by their sizes: renyi/run.h for Python.
#include "renyi/run.h"

#include <pybind11/stl.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings.h"
#include "gil.h"
#include "plans.h"

namespace renyi::python {
namespace run_file {
namespace {

using Whole = std::optional<std::int64_t>;
using Real = std::optional<double>;

ResolvedRun read(Whole dataset_size, Whole batch_size, Whole accumulation, Real epochs, Whole steps, Real sampling_rate,
                 const std::optional<std::string>& sampling, Whole batch_limit,
                 const std::optional<std::string>& open) {
  const RunSizes sizes{.dataset_size = dataset_size,
                       .batch_size = batch_size,
                       .accumulation = accumulation,
                       .epochs = epochs,
                       .steps = steps,
                       .sampling_rate = sampling_rate,
                       .sampling = named("sampling", sampling, all_schemes),
                       .batch_limit = batch_limit};
  return resolved_run(sizes, named("solve", open, all_unknown_sizes));
}

using Numbers = std::vector<std::pair<std::string, double>>;

// Returns the sampling scheme and its numbers; std::nullopt if every step uses all records.
std::optional<std::pair<std::string, Numbers>> sampling_of(const ResolvedRun& parts) {
  const auto sampling = parts.sampling();
  if (!sampling) return std::nullopt;
  Numbers numbers;
  const auto values = sampling->values();
  const auto table = parameters(sampling->scheme);
  for (std::size_t i = 0; i < values.size(); ++i) numbers.emplace_back(table[i].name, values[i]);
  return std::pair(std::string(to_string(*parts.scheme)), std::move(numbers));
}

std::vector<std::pair<std::string, std::string>> warnings(const ResolvedRun& parts, std::optional<double> delta) {
  std::vector<std::pair<std::string, std::string>> found;
  for (const RunWarning& warning : warnings_of(parts, delta)) found.emplace_back(to_string(warning.kind), warning.text);
  return found;
}

Plan plan(const ResolvedRun& parts, const Mechanism& mechanism, const std::string& neighbors, std::int64_t unit) {
  return plan_of(parts, mechanism, {neighbors_named(neighbors), unit});
}

}  // namespace
}  // namespace run_file

void bind_run(py::module_& module) {
  py::class_<ResolvedRun>(module, "Run")
      .def(py::init(&run_file::read), py::arg("dataset_size"), py::arg("batch_size"), py::arg("accumulation"),
           py::arg("epochs"), py::arg("steps"), py::arg("sampling_rate"), py::arg("sampling"), py::arg("batch_limit"),
           py::arg("solve"))
      .def_readonly("count", &ResolvedRun::count)
      .def_property_readonly("sampling", &run_file::sampling_of)
      .def_property_readonly("rules", &ResolvedRun::rules)
      .def("warnings", &run_file::warnings, py::arg("delta"))
      .def("plan", &run_file::plan, py::arg("mechanism"), py::arg("neighbors"), py::arg("unit"),
           py::call_guard<WithoutGil>())
      .def(
          "noise_plan",
          [](const ResolvedRun& parts, double noise_multiplier, const std::string& neighbors, std::int64_t unit) {
            return run_file::plan(parts, noise(noise_multiplier), neighbors, unit);
          },
          py::arg("noise_multiplier"), py::arg("neighbors"), py::arg("unit"), py::call_guard<WithoutGil>());
}

}  // namespace renyi::python
