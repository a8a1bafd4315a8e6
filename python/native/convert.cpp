// Records of other tools, as plans.
#include "renyi/convert.h"

#include "bindings.h"
#include "runs.h"

namespace renyi::python {
namespace {

// The plan, whether some step has no privacy at all, and the path of the first such step.
template <Converted (*read)(std::string_view, Neighbors)>
py::tuple convert(const std::string& json, const std::string& neighbors) {
  Converted found = read(json, neighbors_named(neighbors));
  return py::make_tuple(std::move(found.plan), found.non_private, std::move(found.non_private_at));
}

}  // namespace

void bind_convert(py::module_& module) {
  module.def("convert_opacus", &convert<&convert_opacus>, py::arg("json"), py::arg("neighbors"));
  module.def("convert_dp_events", &convert<&convert_dp_events>, py::arg("json"), py::arg("neighbors"));
}

}  // namespace renyi::python
