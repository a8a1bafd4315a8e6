// The options and the members of a cost: read-only views of renyi/cost.h.
#include "renyi/cost.h"

#include <pybind11/stl.h>

#include <array>
#include <string>
#include <vector>

#include "bindings.h"
#include "renyi/papers/sampled_gaussian.h"
#include "renyi/rdp.h"

namespace renyi::python {
namespace cost_file {
namespace {

CostOptions make_options(bool renyi, bool exact, std::optional<std::vector<double>> orders,
                         const std::string& conversion, std::optional<double> tolerance,
                         std::optional<std::size_t> memory, const std::optional<std::string>& method) {
  CostOptions options{.renyi = renyi, .exact = exact};
  options.conversion.conversion = named("conversion", conversion, std::array{Conversion::tight, Conversion::classical});
  options.conversion.orders = std::move(orders);
  if (tolerance) options.exactness.tolerance = *tolerance;
  options.report_excess_width = tolerance.has_value();
  if (memory) options.exactness.memory = *memory;
  options.method = named("method", method, all_sampled_gaussian_methods);
  return options;
}

template <class Enum>
std::string name(Enum value) {
  return std::string(to_string(value));
}

// A Renyi bound that was not requested has default values.
RenyiBound bound_of(const Cost& cost) { return cost.renyi.value_or(RenyiBound()); }

}  // namespace
}  // namespace cost_file

Cost required(Cost cost) {
  // If only the exact part was requested and it is not available, that is an error.
  if (!cost.renyi && cost.obstacle) std::rethrow_exception(cost.obstacle->error);
  return cost;
}

py::tuple rare_parts(const Cost& cost) {
  const std::string method = cost.renyi && cost.renyi->method ? cost_file::name(*cost.renyi->method) : std::string();
  py::list overflows;
  for (const Overflow& overflow : cost.overflows) overflows.append(py::make_tuple(overflow.path, overflow.probability));
  py::object estimate = py::none();
  if (const auto& found = cost.under_poisson) {
    estimate = found->estimate ? py::object(py::float_(*found->estimate)) : py::object(py::str(found->unavailable));
  }
  return py::make_tuple(method, overflows, estimate);
}

// The requested parts and options of an answer, read once and used for many questions.
void bind_options(py::module_& module) {
  py::class_<CostOptions>(module, "Options")
      .def(py::init(&cost_file::make_options), py::arg("renyi"), py::arg("exact"), py::arg("orders"),
           py::arg("conversion"), py::arg("tolerance"), py::arg("memory"), py::arg("method") = py::none())
      .def_readonly("renyi", &CostOptions::renyi)
      .def_readonly("exact", &CostOptions::exact)
      .def_property_readonly("tolerance", [](const CostOptions& o) { return o.exactness.tolerance; })
      .def_property_readonly("memory", [](const CostOptions& o) { return o.exactness.memory; });
  module.def("traditional_orders",
             [] { return std::vector<double>(traditional_orders().begin(), traditional_orders().end()); });
  module.def("note_on_standing", [](const std::string& standing) {
    return std::string(standing_note(named("standing", standing, all_standings)));
  });
}

void bind_costs(py::module_& module) {
  using cost_file::bound_of;
  using cost_file::name;
  py::class_<ExactInterval>(module, "ExactInterval")
      .def_readonly("lower", &ExactInterval::lower)
      .def_readonly("upper", &ExactInterval::upper)
      .def_property_readonly("engine", [](const ExactInterval& f) { return name(f.engine); })
      .def_readonly("limited", &ExactInterval::limited);

  py::class_<ExactAnswer>(module, "ExactAnswer")
      .def_property_readonly("lower", [](const ExactAnswer& a) { return a.worst.lower; })
      .def_property_readonly("upper", [](const ExactAnswer& a) { return a.worst.upper; })
      .def_property_readonly("engine", [](const ExactAnswer& a) { return name(a.worst.engine); })
      .def_property_readonly("limited", [](const ExactAnswer& a) { return a.remove.limited || a.add.limited; })
      .def_property_readonly("direction", [](const ExactAnswer& a) { return name(a.direction); })
      .def_readonly("remove", &ExactAnswer::remove)
      .def_readonly("add", &ExactAnswer::add);

  py::class_<Cost>(module, "Cost")
      .def_property_readonly("bound", [](const Cost& c) { return bound_of(c).upper; })
      .def_property_readonly("order", [](const Cost& c) { return c.renyi ? c.renyi->order : 0; })
      .def_property_readonly("conversion", [](const Cost& c) { return name(bound_of(c).conversion); })
      .def_property_readonly("infinite_mass", [](const Cost& c) { return bound_of(c).infinite_mass; })
      .def_readonly("exact", &Cost::exact)
      .def_property_readonly("standing", [](const Cost& c) { return name(c.standing); })
      .def_readonly("limit", &Cost::limit)
      .def_readonly("limited", &Cost::limited)
      .def_readonly("contradiction", &Cost::contradiction)
      .def_property_readonly("upper", &Cost::upper)
      .def_property_readonly("rare_parts", &rare_parts)
      .def_property_readonly("unavailable", [](const Cost& c) { return c.obstacle ? c.obstacle->why : std::string(); });
}

}  // namespace renyi::python
