// The library's typed errors as those of renyi.errors, with their parts.
#include "bindings.h"
#include "renyi/error.h"

namespace renyi::python {
namespace {

template <class... Parts>
void raise(const char* name, const Parts&... parts) {
  const py::object type = py::module_::import("renyi.errors").attr(name);
  PyErr_SetObject(type.ptr(), type(parts...).ptr());
}

void translate(std::exception_ptr failure) {  // NOLINT(performance-unnecessary-value-param): as pybind11 calls it
  try {
    if (failure) std::rethrow_exception(failure);
  } catch (const InvalidArgument& error) {
    raise("InvalidArgument", error.path(), error.value(), error.allowed());
  } catch (const Unsupported& error) {
    raise("Unsupported", error.path(), error.why(), error.instead());
  } catch (const NotConverged& error) {
    raise("NotConverged", error.path(), std::string(error.what()));
  }
}

}  // namespace

void bind_errors() { py::register_exception_translator(&translate); }

}  // namespace renyi::python
