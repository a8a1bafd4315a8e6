// Individual accounts. They charge while other threads of Python run.
#include "renyi/individual_filter.h"

#include <pybind11/stl.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bindings.h"
#include "gil.h"
#include "plans.h"

namespace renyi::python {
namespace individual_filter_file {
namespace {

// A dense column of numbers that Python holds; it cannot change its size while this exists.
template <class Number>
class Column {
 public:
  Column(const py::buffer& array, bool writable) : info_(array.request(writable)) {
    const bool is_float = info_.format == "d";
    const bool is_dense = info_.ndim == 1 && (info_.shape[0] <= 1 || info_.strides[0] == info_.itemsize);
    if (!is_dense || info_.itemsize != sizeof(Number) || is_float != std::is_floating_point_v<Number>)
      throw std::logic_error("not a column of the numbers expected");
  }
  // A copy: other threads of Python may write to the array between the checks of the numbers and their use.
  std::vector<Number> copy() const { return {all().begin(), all().end()}; }
  std::span<Number> all() const { return {static_cast<Number*>(info_.ptr), static_cast<std::size_t>(info_.shape[0])}; }

 private:
  py::buffer_info info_;
};

using Norms = Column<double>;
using Indices = Column<std::uint64_t>;
using Mask = Column<std::uint8_t>;

// The lock of Python is not held while records are charged, so the accounts have a lock of their own.
class Accounts {
 public:
  explicit Accounts(IndividualFilter accounts) : accounts_(std::move(accounts)) {}

  static std::unique_ptr<Accounts> make(std::size_t records, const std::string& budget, const std::string& neighbors) {
    const Neighbors relation = neighbors_named(neighbors);
    const Budget limit = read_budget(budget);
    const WithoutGil unlocked;
    return std::make_unique<Accounts>(IndividualFilter(records, limit, relation));
  }
  static std::unique_ptr<Accounts> from_json(const std::string& text) {
    const WithoutGil unlocked;
    return std::make_unique<Accounts>(read_individual_filter(text));
  }
  std::string to_json() {
    const WithoutGil unlocked;
    const std::lock_guard guard(busy_);
    return write_individual_filter(accounts_);
  }

  void charge(double noise_multiplier, double sampling_rate, double clip, const py::buffer& norms,
              const py::buffer& mask) {
    const std::vector<double> in = Norms(norms, false).copy();
    const Mask out(mask, true);
    const WithoutGil unlocked;
    const std::lock_guard guard(busy_);
    accounts_.charge({noise_multiplier, sampling_rate, clip}, in, out.all());
  }
  void charge_drawn(double noise_multiplier, double sampling_rate, double clip, const py::buffer& drawn,
                    const py::buffer& norms, const py::buffer& mask) {
    const std::vector<std::uint64_t> records = Indices(drawn, false).copy();
    const std::vector<double> in = Norms(norms, false).copy();
    const Mask out(mask, true);
    const WithoutGil unlocked;
    const std::lock_guard guard(busy_);
    accounts_.charge({noise_multiplier, sampling_rate, clip}, records, in, out.all());
  }
  void active(const py::buffer& mask) {
    const Mask out(mask, true);
    const WithoutGil unlocked;
    const std::lock_guard guard(busy_);
    accounts_.active(out.all());
  }

  // The balances as a table that only this object writes to.
  py::buffer_info view() {
    const auto columns = static_cast<py::ssize_t>(accounts_.limits().size());
    const auto rows = static_cast<py::ssize_t>(accounts_.records());
    constexpr auto size = static_cast<py::ssize_t>(sizeof(double));
    // The view is read-only; the type of the pointer cannot say so.
    auto* numbers =
        const_cast<double*>(accounts_.spent().data());  // NOLINT(cppcoreguidelines-pro-type-const-cast): as above
    return {numbers, size, "d", 2, {rows, columns}, {columns * size, size}, true};
  }

  std::size_t records() const { return accounts_.records(); }
  std::uint64_t steps() {
    const std::lock_guard guard(busy_);
    return accounts_.steps();
  }
  std::string budget() const { return write_budget(accounts_.budget()); }
  std::string neighbors() const { return std::string(to_string(accounts_.neighbors())); }
  std::vector<double> limits() const { return accounts_.limits(); }
  Plan guarantee() const { return accounts_.guarantee(); }

 private:
  std::mutex busy_;
  IndividualFilter accounts_;
};

}  // namespace
}  // namespace individual_filter_file

void bind_individual_filter(py::module_& module) {
  using individual_filter_file::Accounts;
  py::class_<Accounts>(module, "IndividualFilter", py::buffer_protocol())
      .def(py::init(&Accounts::make), py::arg("records"), py::arg("budget"), py::arg("neighbors"))
      .def_static("from_json", &Accounts::from_json, py::arg("text"))
      .def("to_json", &Accounts::to_json)
      .def("charge", &Accounts::charge, py::arg("noise_multiplier"), py::arg("sampling_rate"), py::arg("clip"),
           py::arg("norms"), py::arg("mask"))
      .def("charge_drawn", &Accounts::charge_drawn, py::arg("noise_multiplier"), py::arg("sampling_rate"),
           py::arg("clip"), py::arg("drawn"), py::arg("norms"), py::arg("mask"))
      .def("active", &Accounts::active, py::arg("mask"))
      .def("spent", [](const py::object& self) { return py::memoryview(self); })
      .def("records", &Accounts::records)
      .def("steps", &Accounts::steps)
      .def("budget", &Accounts::budget)
      .def("neighbors", &Accounts::neighbors)
      .def("limits", &Accounts::limits)
      .def("guarantee", &Accounts::guarantee)
      .def_buffer(&Accounts::view);
}

}  // namespace renyi::python
