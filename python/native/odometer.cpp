// Odometers. Several Python threads may charge one and read it.
#include "renyi/odometer.h"

#include <pybind11/stl.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings.h"
#include "gil.h"
#include "plans.h"

namespace renyi::python {
namespace odometer_file {
namespace {

// Epsilon, delta, order.
using ReadingRow = std::tuple<double, double, std::optional<double>>;

ReadingRow row_of(const OdometerReading& reading) { return {reading.epsilon, reading.delta, reading.order}; }

Odometer made(const std::string& kind, double delta, const Adjacency& relation, std::vector<double> orders,
              double infinite_mass) {
  switch (named("kind", kind, all_odometer_kinds)) {
    case OdometerKind::renyi: return Odometer::renyi(delta, relation, std::move(orders), infinite_mass);
    case OdometerKind::zcdp: return Odometer::zcdp(delta, relation, infinite_mass);
    case OdometerKind::gdp: break;
  }
  return Odometer::gdp(delta, relation, infinite_mass);
}

// Every member function runs without the interpreter lock: a thread that waits here must not hold it.
class SharedOdometer {
 public:
  SharedOdometer(const std::string& kind, double delta, const std::string& neighbors, std::int64_t unit,
                 std::vector<double> orders, double infinite_mass)
      : odometer_(made(kind, delta, Adjacency{neighbors_named(neighbors), unit}, std::move(orders), infinite_mass)) {}
  explicit SharedOdometer(Odometer odometer) : odometer_(std::move(odometer)) {}

  static std::unique_ptr<SharedOdometer> from_json(const std::string& text) {
    return std::make_unique<SharedOdometer>(read_odometer(text));
  }

  template <class Steps>
  void charge(const Steps& steps, std::int64_t count) {
    const std::lock_guard lock(guard_);
    odometer_.charge(steps, count);
  }
  ReadingRow reading() const {
    const std::lock_guard lock(guard_);
    return row_of(odometer_.reading());
  }
  ReadingRow reading_after(const Mechanism& step, std::int64_t count) const {
    const std::lock_guard lock(guard_);
    return row_of(odometer_.reading_after(step, count));
  }
  // What was fixed when the odometer was made needs no lock.
  std::string kind() const { return std::string(to_string(odometer_.kind())); }
  double delta() const { return odometer_.delta(); }
  double infinite_mass() const { return odometer_.infinite_mass(); }
  std::vector<double> orders() const { return odometer_.orders(); }
  Plan history() const {
    const std::lock_guard lock(guard_);
    return odometer_.history();
  }
  std::string to_json() const {
    const std::lock_guard lock(guard_);
    return write_odometer(odometer_);
  }

 private:
  Odometer odometer_;
  mutable std::mutex guard_;
};

}  // namespace
}  // namespace odometer_file

void bind_odometer(py::module_& module) {
  using odometer_file::SharedOdometer;
  using Unlocked = py::call_guard<WithoutGil>;
  py::class_<SharedOdometer>(module, "Odometer")
      .def(py::init<const std::string&, double, const std::string&, std::int64_t, std::vector<double>, double>(),
           Unlocked())
      .def_static("from_json", &SharedOdometer::from_json, Unlocked())
      .def("charge", &SharedOdometer::charge<Mechanism>, Unlocked())
      .def("charge", &SharedOdometer::charge<Plan>, Unlocked())
      .def("reading", &SharedOdometer::reading, Unlocked())
      .def("reading_after", &SharedOdometer::reading_after, Unlocked())
      .def("kind", &SharedOdometer::kind, Unlocked())
      .def("delta", &SharedOdometer::delta, Unlocked())
      .def("infinite_mass", &SharedOdometer::infinite_mass, Unlocked())
      .def("orders", &SharedOdometer::orders, Unlocked())
      .def("history", &SharedOdometer::history, Unlocked())
      .def("to_json", &SharedOdometer::to_json, Unlocked());
}

}  // namespace renyi::python
