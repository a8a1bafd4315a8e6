// Mechanisms, sampled or not, and custom mechanisms, as Python values.
#include <pybind11/stl.h>

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings.h"
#include "gil.h"
#include "renyi/error.h"
#include "renyi/extras/custom.h"
#include "renyi/mechanism.h"

namespace renyi::python {
namespace mechanisms_file {
namespace {

using NamedValues = std::vector<std::pair<std::string, double>>;

NamedValues named_values(std::span<const Parameter> parameters, const std::vector<double>& values) {
  NamedValues result;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!parameters[i].is_left_out(values[i])) result.emplace_back(parameters[i].name, values[i]);
  }
  return result;
}

using NamedTables = std::vector<std::pair<std::string, Rows>>;

Mechanism make_named(const std::string& kind, const NamedValues& parameters, const NamedTables& tables) {
  const std::vector<NamedNumber> numbers(parameters.begin(), parameters.end());
  const std::vector<NamedRows> rows(tables.begin(), tables.end());
  return make_mechanism(kind, numbers, rows);
}

NamedTables tables_of(const Mechanism& mechanism) {
  NamedTables result;
  const auto rows = mechanism.rows();
  for (std::size_t i = 0; i < rows.size(); ++i) result.emplace_back(mechanism.tables()[i].name, rows[i]);
  return result;
}

// The name of the one property of a sample that is no number.
constexpr std::string_view padded = "padded";

Sampling make_sampling(const std::string& scheme, const NamedValues& numbers) {
  Sampling sampling{.scheme = named("scheme", scheme, all_schemes)};
  for (const auto& [name, value] : numbers) {
    if (name == padded)
      sampling.padded = value != 0;
    else
      sampling = sampling.with(name, value);
  }
  sampling.check();
  return sampling;
}

std::optional<std::pair<std::string, NamedValues>> sampling_of(const Mechanism& mechanism) {
  const Sampling* sampling = mechanism.sampling();
  if (sampling == nullptr) return std::nullopt;
  auto numbers = named_values(renyi::parameters(sampling->scheme), sampling->values());
  if (sampling->padded) numbers.emplace_back(padded, 1);
  return std::pair(std::string(to_string(sampling->scheme)), std::move(numbers));
}

std::string name_of(const Mechanism& mechanism) {
  const Mechanism inner = mechanism.unsampled();
  const CustomMechanism* own = inner.get_if<CustomMechanism>();
  return std::string(own ? own->name() : inner.kind());
}

}  // namespace
}  // namespace mechanisms_file

void bind_mechanisms(py::module_& module) {
  py::class_<Mechanism>(module, "Mechanism")
      .def(py::init(&mechanisms_file::make_named), py::arg("kind"), py::arg("parameters"),
           py::arg("tables") = mechanisms_file::NamedTables{})
      .def_property_readonly("kind", [](const Mechanism& m) { return std::string(m.kind()); })
      .def_property_readonly("name", &mechanisms_file::name_of)
      .def_property_readonly("summary", [](const Mechanism& m) { return std::string(m.summary()); })
      .def_property_readonly(
          "parameters", [](const Mechanism& m) { return mechanisms_file::named_values(m.parameters(), m.values()); })
      .def_property_readonly("tables", &mechanisms_file::tables_of)
      // Returns the sampling scheme and its numbers, or None.
      .def_property_readonly("sampling", &mechanisms_file::sampling_of)
      .def(
          "sampled",
          [](const Mechanism& m, const std::string& scheme, const mechanisms_file::NamedValues& numbers) {
            return m.sampled_by(mechanisms_file::make_sampling(scheme, numbers));
          },
          py::arg("scheme"), py::arg("numbers"))
      .def("unsampled", &Mechanism::unsampled)
      .def(
          "__eq__", [](const Mechanism& a, const Mechanism& b) { return a == b; }, py::is_operator());
  module.def(
      "check_sampling",
      [](const std::string& scheme, const mechanisms_file::NamedValues& numbers) {
        mechanisms_file::make_sampling(scheme, numbers);
      },
      py::arg("scheme"), py::arg("numbers"));
}

// Custom mechanisms.
void bind_own(py::module_& module) {
  module.def(
      "custom_curve",
      [](std::string name, py::function divergence) {
        return custom_curve(std::move(name), callback(std::move(divergence)));
      },
      py::arg("name"), py::arg("divergence"));
  module.def("custom_pair", &custom_pair, py::arg("name"), py::arg("pair"), py::call_guard<WithoutGil>());
}

}  // namespace renyi::python
