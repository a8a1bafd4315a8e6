// The module itself, and everything in it that is not a value: errors, JSON requests, and Python functions on all
// cores.
#include <pybind11/stl.h>

#include <chrono>
#include <map>
#include <optional>
#include <string>

#include "api/api.h"
#include "api/deprecations.h"
#include "api/parallel.h"
#include "api/suggestion.h"
#include "bindings.h"
#include "gil.h"
#include "renyi/error.h"
#include "renyi/limits.h"
#include "renyi/version.h"

namespace renyi::python {
namespace module_file {
namespace {

// Translates the library's typed errors to those of renyi.errors, with their members.
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
  } catch (const LimitReached& error) {
    raise("LimitReached", error.path(), std::string(to_string(error.limit())), error.why(), error.instead());
  } catch (const StoreFailure& error) {
    raise("StoreFailure", std::string(to_string(error.fault())), std::string(error.what()));
  }
}

// Answers questions whose answers have many members, by the JSON requests that all front ends share. The plan is passed
// as a value, so that plans with custom mechanisms are possible too.
std::string ask(const Plan& plan, const std::string& request) { return api::evaluate(request, plan); }

// Answers one whole request of the same table.
std::string ask_request(const std::string& request) { return api::evaluate_request(request); }

// Returns the warnings about names of the package that are going away, by name.
std::map<std::string, std::string> deprecations() {
  std::map<std::string, std::string> warnings;
  for (const api::Deprecation& entry : api::deprecations()) {
    if (entry.interface == api::Interface::python) warnings.emplace(entry.name, api::warning_of(entry));
  }
  return warnings;
}

// Runs a Python function on all cores. The threads are not those of Python's threading module: these wait for each
// other by locks written in Python, and a control-C between two lines of them leaves a lock taken permanently.
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

// A limit of time for all questions of a `with` block.
class TimeLimit {
 public:
  explicit TimeLimit(double seconds) : time_(time_of_seconds("timeout", seconds)) {}
  void enter() { scope_.emplace(Limits{.time = time_}); }
  void leave() { scope_.reset(); }

 private:
  std::chrono::nanoseconds time_;
  std::optional<LimitScope> scope_;
};

void bind_limits(py::module_& module) {
  py::class_<TimeLimit>(module, "TimeLimit")
      .def(py::init<double>(), py::arg("seconds"))
      .def("__enter__", &TimeLimit::enter)
      .def("__exit__", [](TimeLimit& limit, const py::args&) { limit.leave(); });
}

void bind_errors() { py::register_exception_translator(&translate); }

void bind_grid(py::module_& module) { module.def("for_each", &for_each); }

void bind_table(py::module_& module) {
  module.def("ask", &ask, py::arg("plan"), py::arg("request"), py::call_guard<WithoutGil>());
  module.def("did_you_mean", &api::did_you_mean, py::arg("word"), py::arg("names"));
  module.def("deprecations", &deprecations);
  module.def("ask_request", &ask_request, py::arg("request"), py::call_guard<WithoutGil>());
}

}  // namespace
}  // namespace module_file
}  // namespace renyi::python

PYBIND11_MODULE(_native, module) {
  using namespace renyi::python;
  module.doc() = "The C++ engine behind the package renyi.";
  module.attr("version") = std::string(renyi::version);
  // This is registered first: no thread may return to an interpreter that has ended.
  py::module_::import("atexit").attr("register")(py::cpp_function(&interpreter_ends));
  module_file::bind_errors();
  module_file::bind_limits(module);
  bind_mechanisms(module);
  bind_plans(module);
  bind_run(module);
  bind_options(module);
  bind_costs(module);
  bind_questions(module);
  bind_accountant(module);
  bind_filter(module);
  bind_ledger(module);
  bind_odometer(module);
  bind_calibrate(module);
  bind_convert(module);
  bind_divergence(module);
  module_file::bind_grid(module);
  bind_own(module);
  bind_certificates(module);
  bind_sweep(module);
  bind_noise(module);
  bind_exact_sums(module);
  bind_individual_filter(module);
  module_file::bind_table(module);
  bind_command(module);
}
