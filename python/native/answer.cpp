#include "answer.h"

#include <pybind11/stl.h>

#include <array>
#include <string>
#include <vector>

#include "bindings.h"
#include "renyi/error.h"

namespace renyi::python {
namespace answer_file {
namespace {

// A plan asked as an accountant is.
struct Asked {
  EpsilonBound renyi_epsilon(double delta, const ConversionOptions& how) const {
    return method ? renyi::renyi_epsilon(plan, delta, *method, how) : renyi::renyi_epsilon(plan, delta, how);
  }
  DeltaBound renyi_delta(double epsilon, const ConversionOptions& how) const {
    return method ? renyi::renyi_delta(plan, epsilon, *method, how) : renyi::renyi_delta(plan, epsilon, how);
  }
  ExactAnswer exact_epsilon(double delta) const { return ExactAccountant(plan, exactness).epsilon(delta); }
  ExactAnswer exact_delta(double epsilon) const { return ExactAccountant(plan, exactness).delta(epsilon); }

  const Plan& plan;
  const ExactOptions& exactness;
  const std::optional<SampledGaussianMethod>& method;
};

template <class Source>
void add_bound(Answer& answer, Figure figure, const Source& source, double at, const Options& options) {
  if (figure == Figure::epsilon) {
    const EpsilonBound found = source.renyi_epsilon(at, options.conversion);
    answer.bound = found.epsilon;
    answer.order = found.order;
    answer.conversion = found.conversion;
    answer.delta_apart = found.delta_apart;
  } else {
    const DeltaBound found = source.renyi_delta(at, options.conversion);
    answer.bound = found.delta;
    answer.order = found.order;
    answer.conversion = found.conversion;
    answer.delta_apart = found.delta_apart;
  }
}

template <class Source>
ExactAnswer exact_part(Figure figure, const Source& source, double at) {
  return figure == Figure::epsilon ? source.exact_epsilon(at) : source.exact_delta(at);
}

// Where the bound stands beside it, an exact part that cannot be given is no failure.
template <class Source>
void try_exact(Answer& answer, Figure figure, const Source& source, double at) {
  try {
    answer.exact = exact_part(figure, source, at);
  } catch (const Unsupported& error) {
    answer.unavailable = error.why();
  } catch (const NotConverged& error) {
    answer.unavailable = error.what();
  }
}

template <class Source>
Answer ask(Figure figure, const Source& source, double at, const Options& options) {
  Answer result;
  if (!options.renyi) {
    result.exact = exact_part(figure, source, at);
    return result;
  }
  add_bound(result, figure, source, at, options);
  if (options.exact) try_exact(result, figure, source, at);
  return result;
}

Options make_options(bool renyi, bool exact, std::optional<std::vector<double>> orders, const std::string& conversion,
                     std::optional<double> tolerance, std::optional<std::size_t> memory,
                     const std::optional<std::string>& method) {
  Options options{.renyi = renyi, .exact = exact};
  options.conversion.conversion = named("conversion", conversion, std::array{Conversion::tight, Conversion::classical});
  options.conversion.orders = std::move(orders);
  if (tolerance) options.exactness.tolerance = *tolerance;
  if (memory) options.exactness.memory = *memory;
  options.method = named("method", method, all_sampled_gaussian_methods);
  return options;
}

template <class Enum>
std::string name(Enum value) {
  return std::string(to_string(value));
}

}  // namespace
}  // namespace answer_file

Answer answer(Figure figure, const Plan& plan, double at, const Options& options) {
  return answer_file::ask(figure, answer_file::Asked{plan, options.exactness, options.method}, at, options);
}

Answer answer(Figure figure, const Accountant& accountant, double at, const Options& options) {
  return answer_file::ask(figure, accountant, at, options);
}

// What is wanted of an answer, read once and used for many.
void bind_options(py::module_& module) {
  py::class_<Options>(module, "Options")
      .def(py::init(&answer_file::make_options), py::arg("renyi"), py::arg("exact"), py::arg("orders"),
           py::arg("conversion"), py::arg("tolerance"), py::arg("memory"), py::arg("method") = py::none())
      .def_readonly("renyi", &Options::renyi)
      .def_readonly("exact", &Options::exact)
      .def_property_readonly("tolerance", [](const Options& o) { return o.exactness.tolerance; })
      .def_property_readonly("memory", [](const Options& o) { return o.exactness.memory; });
  module.def("traditional_orders",
             [] { return std::vector<double>(traditional_orders().begin(), traditional_orders().end()); });
}

// Answers and what they are made of, read-only.
void bind_answers(py::module_& module) {
  py::class_<ExactFigure>(module, "ExactFigure")
      .def_readonly("lower", &ExactFigure::lower)
      .def_readonly("upper", &ExactFigure::upper)
      .def_property_readonly("engine", [](const ExactFigure& f) { return answer_file::name(f.engine); })
      .def_readonly("limited", &ExactFigure::limited);

  py::class_<ExactAnswer>(module, "ExactAnswer")
      .def_property_readonly("lower", [](const ExactAnswer& a) { return a.worst.lower; })
      .def_property_readonly("upper", [](const ExactAnswer& a) { return a.worst.upper; })
      .def_property_readonly("engine", [](const ExactAnswer& a) { return answer_file::name(a.worst.engine); })
      .def_property_readonly("limited", [](const ExactAnswer& a) { return a.remove.limited || a.add.limited; })
      .def_property_readonly("direction", [](const ExactAnswer& a) { return answer_file::name(a.direction); })
      .def_readonly("remove", &ExactAnswer::remove)
      .def_readonly("add", &ExactAnswer::add);

  py::class_<Answer>(module, "Answer")
      .def_readonly("bound", &Answer::bound)
      .def_readonly("order", &Answer::order)
      .def_property_readonly("conversion", [](const Answer& a) { return answer_file::name(a.conversion); })
      .def_readonly("delta_apart", &Answer::delta_apart)
      .def_readonly("exact", &Answer::exact)
      .def_property_readonly("upper", [](const Answer& a) { return a.exact ? a.exact->worst.upper : a.bound; })
      .def_readonly("unavailable", &Answer::unavailable);
}

}  // namespace renyi::python
