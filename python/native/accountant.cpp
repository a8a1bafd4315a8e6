// The accountant. Several Python threads may record steps and ask questions at the same time.
#include "renyi/accountant.h"

#include <pybind11/stl.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>

#include "bindings.h"
#include "gil.h"

namespace renyi::python {
namespace accountant_file {
namespace {

// Every member function runs without the interpreter lock: a thread that waits here must not hold it. A question is
// answered outside the mutex, on a snapshot: it may take long, and may call functions of the user that record steps or
// ask again.
class SharedAccountant {
 public:
  SharedAccountant(const Plan& plan, const CostOptions& options)
      : now_(std::make_shared<Accountant>(plan, options.exactness)) {}

  template <class What>
  void step(const What& what, std::int64_t count) {
    const std::lock_guard lock(guard_);
    if (now_.use_count() > 1) now_ = std::make_shared<Accountant>(*now_);  // a question is using it
    std::atomic_thread_fence(std::memory_order_acquire);                   // after the reads of the last question
    now_->step(what, count);
  }
  std::int64_t steps() const { return snapshot()->steps(); }
  Plan plan() const { return snapshot()->plan(); }
  Cost epsilon(double delta, const CostOptions& options) const { return required(snapshot()->epsilon(delta, options)); }
  Cost delta(double epsilon, const CostOptions& options) const { return required(snapshot()->delta(epsilon, options)); }

 private:
  std::shared_ptr<const Accountant> snapshot() const {
    const std::lock_guard lock(guard_);
    return now_;
  }

  std::shared_ptr<Accountant> now_;
  mutable std::mutex guard_;
};

}  // namespace
}  // namespace accountant_file

void bind_accountant(py::module_& module) {
  py::class_<accountant_file::SharedAccountant>(module, "Accountant")
      .def(py::init<const Plan&, const CostOptions&>(), py::call_guard<WithoutGil>())
      .def("step", &accountant_file::SharedAccountant::step<Mechanism>, py::call_guard<WithoutGil>())
      .def("step", &accountant_file::SharedAccountant::step<Plan>, py::call_guard<WithoutGil>())
      .def_property_readonly("steps",
                             py::cpp_function(&accountant_file::SharedAccountant::steps, py::call_guard<WithoutGil>()))
      .def_property_readonly("plan",
                             py::cpp_function(&accountant_file::SharedAccountant::plan, py::call_guard<WithoutGil>()))
      .def("epsilon", &accountant_file::SharedAccountant::epsilon, py::call_guard<WithoutGil>())
      .def("delta", &accountant_file::SharedAccountant::delta, py::call_guard<WithoutGil>());
}

}  // namespace renyi::python
