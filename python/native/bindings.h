// The extension module renyi._native: the values and questions of the library, without conveniences, which are written
// in Python (python/renyi). There is one file per subject; options are chosen by name.
#pragma once

#include <pybind11/pybind11.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/suggestion.h"
#include "renyi/cost.h"
#include "renyi/error.h"

namespace renyi::python {

namespace py = pybind11;

void bind_mechanisms(py::module_& module);
void bind_plans(py::module_& module);
void bind_run(py::module_& module);
void bind_options(py::module_& module);
void bind_costs(py::module_& module);
void bind_questions(py::module_& module);
void bind_accountant(py::module_& module);
void bind_filter(py::module_& module);
void bind_ledger(py::module_& module);
void bind_odometer(py::module_& module);
void bind_calibrate(py::module_& module);
void bind_convert(py::module_& module);
void bind_divergence(py::module_& module);
void bind_own(py::module_& module);
void bind_certificates(py::module_& module);
void bind_sweep(py::module_& module);
void bind_noise(py::module_& module);
void bind_exact_sums(py::module_& module);
void bind_individual_filter(py::module_& module);
void bind_command(py::module_& module);

// Returns the cost if it has at least one part; otherwise throws the reason why there is no exact part.
Cost required(Cost cost);

// Returns the parts of an answer that few plans have: the method of the Renyi bound ("" if none was chosen); each step
// with truncated Poisson sampling and its probability of overflow; for shuffled epochs the estimate under Poisson
// sampling or the reason why there is none, and None for other plans.
py::tuple rare_parts(const Cost& cost);

// Returns the element of `options` whose to_string is `name`.
template <class Option, std::size_t n>
Option named(std::string_view field, const std::string& name, const std::array<Option, n>& options) {
  std::string allowed = "one of ";
  for (const Option option : options) {
    if (to_string(option) == name) return option;
    if (option != options.front()) allowed += ", ";
    allowed += to_string(option);
  }
  std::vector<std::string> names;
  for (const Option option : options) names.emplace_back(to_string(option));
  throw InvalidArgument(std::string(field), '"' + name + '"' + api::did_you_mean(name, names), allowed);
}

// Does the same; returns std::nullopt if there is no name.
template <class Option, std::size_t n>
std::optional<Option> named(std::string_view field, const std::optional<std::string>& name,
                            const std::array<Option, n>& options) {
  if (!name) return std::nullopt;
  return named(field, *name, options);
}

}  // namespace renyi::python
