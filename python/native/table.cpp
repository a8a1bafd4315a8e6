// The questions whose answers are many-membered: by the table of requests, which every
// front end shares. The plan goes as a value, so own mechanisms can be asked about too.
#include "api/api.h"
#include "bindings.h"
#include "gil.h"

namespace renyi::python {
namespace {

std::string ask(const Plan& plan, const std::string& request) {
  return api::write(api::evaluate(api::Json::parse(request), plan));
}

}  // namespace

void bind_table(py::module_& module) { module.def("ask", &ask, py::call_guard<WithoutGil>()); }

}  // namespace renyi::python
