#include "gil.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>

namespace renyi::python {
namespace gil_file {
namespace {

std::atomic<bool> ending{false};
std::atomic<int> at_work{0};  // threads that released the lock and will take it again

void wait_if_ending() {
  while (ending) pause();
}

// The last owner may be a thread of the engine.
struct Release {
  void operator()(pybind11::function* function) const {
    if (ending) return;  // the interpreter frees its objects itself
    const WithGil gil;
    delete function;
  }
};

}  // namespace
}  // namespace gil_file

// Threads that wait for the lock already get it in the meantime.
void interpreter_ends() {
  gil_file::ending = true;
  if (gil_file::at_work == 0) return;
  const pybind11::gil_scoped_release release;
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

namespace gil_file {
namespace {

// Short questions never take the lock again.
constexpr std::chrono::milliseconds before_first_look{50};

bool is_interrupted() {
  heed_signals();
  return false;
}

}  // namespace
}  // namespace gil_file

WithoutGil::WithoutGil()
    : state_(PyEval_SaveThread()),
      interruption_(Limits{.stop = gil_file::is_interrupted, .first_call = gil_file::before_first_look}) {
  ++gil_file::at_work;
}

WithoutGil::~WithoutGil() noexcept(false) {
  gil_file::wait_if_ending();
  PyEval_RestoreThread(state_);
  --gil_file::at_work;
}

// The wait happens first: members are constructed in the order of their declaration.
WithGil::WithGil() : state_((gil_file::wait_if_ending(), PyGILState_Ensure())) {}

void heed_signals() {
  const WithGil gil;
  if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
}

std::function<double(double)> callback(pybind11::function function) {
  const std::shared_ptr<pybind11::function> held(new pybind11::function(std::move(function)), gil_file::Release{});
  return [held](double x) {
    const WithGil gil;
    return (*held)(x).cast<double>();
  };
}

}  // namespace renyi::python
