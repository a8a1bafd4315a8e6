// The command `renyi` inside the module: a package that pip installed has it without a second copy of the engine.
#include <pybind11/stl.h>

#include <string>
#include <vector>

#include "apps/cli/program.h"
#include "bindings.h"
#include "gil.h"

namespace renyi::python {
namespace command_file {
namespace {

// Arguments are bytes, as in main: they need not be text in any encoding.
int run_command(const std::vector<py::bytes>& arguments) {
  std::vector<std::string> texts(arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  const WithoutGil unlocked;
  return cli::run_program(static_cast<int>(texts.size()), pointers.data());
}

}  // namespace
}  // namespace command_file

void bind_command(py::module_& module) { module.def("run_command", &command_file::run_command); }

}  // namespace renyi::python
