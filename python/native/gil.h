// The global interpreter lock (GIL), with respect to Python's threads, the engine's threads, and the end of the
// interpreter.
//
// A thread that takes the lock of an interpreter that is shutting down is terminated by forced unwinding, which most
// frames do not survive. Therefore, from the moment Python runs its exit functions, threads that would take the lock
// wait for the end of the process instead, as they do from Python 3.14 on.
#pragma once

#include <pybind11/pybind11.h>

#include <functional>

#include "renyi/limits.h"

namespace renyi::python {

// Python calls this once before it shuts down.
void interpreter_ends();

// Releases the lock while the engine works. Control-C ends the work: the exception of Python's signal handler passes
// through the question.
class WithoutGil {
 public:
  WithoutGil();
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;
  ~WithoutGil() noexcept(false);  // forced unwinding may pass through

 private:
  PyThreadState* state_;
  LimitScope interruption_;
};

// Takes the lock, on any thread, for the duration of a call into Python.
class WithGil {
 public:
  WithGil();
  WithGil(const WithGil&) = delete;
  WithGil& operator=(const WithGil&) = delete;
  ~WithGil() { PyGILState_Release(state_); }

 private:
  PyGILState_STATE state_;
};

// Makes control-C end long work: throws the exception that Python's signal handler raised.
void heed_signals();

// Wraps a function of the user so that any thread may call it.
std::function<double(double)> callback(pybind11::function function);

}  // namespace renyi::python
