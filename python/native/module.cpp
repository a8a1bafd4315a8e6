#include <string>

#include "bindings.h"
#include "gil.h"
#include "renyi/version.h"

PYBIND11_MODULE(_native, module) {
  using namespace renyi::python;
  module.doc() = "The C++ engine behind the package renyi.";
  module.attr("version") = std::string(renyi::version);
  // Before anything else of the module's: threads must not come back to an interpreter that is gone.
  py::module_::import("atexit").attr("register")(py::cpp_function(&interpreter_ends));
  bind_errors();
  bind_mechanisms(module);
  bind_plans(module);
  bind_options(module);
  bind_answers(module);
  bind_questions(module);
  bind_accountant(module);
  bind_calibrate(module);
  bind_convert(module);
  bind_divergence(module);
  bind_grid(module);
  bind_own(module);
  bind_table(module);
}
