// The interpreter's lock, between Python's threads, the engine's, and the end of the interpreter.
//
// Whoever takes the lock of an interpreter that is ending is ended by force, by unwinding, which most frames do not
// survive. So, from the moment Python runs its exit functions, threads that would take it wait for the end of the
// process instead, as they do from Python 3.14 on.
#pragma once

#include <pybind11/pybind11.h>

#include <functional>

namespace renyi::python {

// Called once, by Python, before it ends.
void interpreter_ends();

// Gives up the lock while the engine works.
class WithoutGil {
 public:
  WithoutGil();
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;
  ~WithoutGil() noexcept(false);  // unwinding by force may pass

 private:
  PyThreadState* state_;
};

// Takes it, on any thread, for as long as a call back into Python lasts.
class WithGil {
 public:
  WithGil();
  WithGil(const WithGil&) = delete;
  WithGil& operator=(const WithGil&) = delete;
  ~WithGil() { PyGILState_Release(state_); }

 private:
  PyGILState_STATE state_;
};

// So that control-C ends long work: throws what Python's handler of a signal did.
void heed_signals();

// A function of the user's, to be called from any thread.
std::function<double(double)> callback(pybind11::function function);

}  // namespace renyi::python
