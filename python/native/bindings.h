// The extension module renyi._native: values and questions of the library, without the
// conveniences, which are in Python (python/renyi). One file a subject.
#pragma once

#include <pybind11/pybind11.h>

namespace renyi::python {

namespace py = pybind11;

void bind_errors();
void bind_mechanisms(py::module_& module);
void bind_plans(py::module_& module);
void bind_options(py::module_& module);
void bind_answers(py::module_& module);
void bind_questions(py::module_& module);
void bind_accountant(py::module_& module);
void bind_calibrate(py::module_& module);
void bind_convert(py::module_& module);
void bind_divergence(py::module_& module);
void bind_grid(py::module_& module);
void bind_own(py::module_& module);
void bind_table(py::module_& module);

}  // namespace renyi::python
