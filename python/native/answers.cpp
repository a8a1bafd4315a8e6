// Answers and what they are made of, read-only.
#include <pybind11/stl.h>

#include "answer.h"
#include "bindings.h"

namespace renyi::python {
namespace {

template <class Enum>
std::string name(Enum value) {
  return std::string(to_string(value));
}

}  // namespace

void bind_answers(py::module_& module) {
  py::class_<ExactFigure>(module, "ExactFigure")
      .def_readonly("lower", &ExactFigure::lower)
      .def_readonly("upper", &ExactFigure::upper)
      .def_property_readonly("engine", [](const ExactFigure& f) { return name(f.engine); })
      .def_readonly("limited", &ExactFigure::limited);

  py::class_<ExactAnswer>(module, "ExactAnswer")
      .def_property_readonly("lower", [](const ExactAnswer& a) { return a.worst.lower; })
      .def_property_readonly("upper", [](const ExactAnswer& a) { return a.worst.upper; })
      .def_property_readonly("engine", [](const ExactAnswer& a) { return name(a.worst.engine); })
      .def_property_readonly("limited", [](const ExactAnswer& a) { return a.remove.limited || a.add.limited; })
      .def_property_readonly("direction", [](const ExactAnswer& a) { return name(a.direction); })
      .def_readonly("remove", &ExactAnswer::remove)
      .def_readonly("add", &ExactAnswer::add);

  py::class_<Answer>(module, "Answer")
      .def_readonly("bound", &Answer::bound)
      .def_readonly("order", &Answer::order)
      .def_property_readonly("conversion", [](const Answer& a) { return name(a.conversion); })
      .def_readonly("delta_apart", &Answer::delta_apart)
      .def_readonly("exact", &Answer::exact)
      .def_property_readonly("upper", [](const Answer& a) { return a.exact ? a.exact->worst.upper : a.bound; })
      .def_readonly("unavailable", &Answer::unavailable);
}

}  // namespace renyi::python
