// Work in Python, spread over the cores. Its threads are not Python's own: those wait for each other by locks written
// in Python, and a control-C between the lines of these leaves one locked for ever.
#include "api/parallel.h"
#include "bindings.h"
#include "gil.h"

namespace renyi::python {
namespace {

void for_each(std::size_t n, const py::function& work) {
  const WithoutGil unlocked;
  api::for_each_index(
      n, 1,
      [&](std::size_t i) {
        const WithGil gil;
        work(i);
      },
      heed_signals);
}

}  // namespace

void bind_grid(py::module_& module) { module.def("for_each", &for_each); }

}  // namespace renyi::python
