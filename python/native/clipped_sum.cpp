// Sums to which noise is added: clipped vectors and exact sums. They add and draw while other threads of Python run.
#include "renyi/clipped_sum.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "arrays.h"
#include "bindings.h"
#include "gil.h"
#include "renyi/exact_sum.h"

namespace renyi::python {
namespace clipped_sum_file {
namespace {

// A table of numbers that Python holds, row by row; it cannot change its size while this exists.
template <class Number>
class Table {
 public:
  Table(const py::buffer& array, bool writable) : info_(array.request(writable)) {
    const char letter = sizeof(Number) == sizeof(float) ? 'f' : 'd';
    const bool is_named = info_.format.size() == 1 && info_.format[0] == letter;
    if (info_.ndim != 2 || !is_named || info_.itemsize != sizeof(Number) || !is_dense())
      throw std::logic_error("not a table of these numbers");
  }
  std::size_t rows() const { return static_cast<std::size_t>(info_.shape[0]); }
  std::size_t columns() const { return static_cast<std::size_t>(info_.shape[1]); }
  std::span<Number> row(std::size_t i) const { return {static_cast<Number*>(info_.ptr) + i * columns(), columns()}; }
  std::span<Number> all() const { return {static_cast<Number*>(info_.ptr), rows() * columns()}; }

 private:
  bool is_dense() const {
    const bool columns = info_.shape[1] <= 1 || info_.strides[1] == info_.itemsize;
    const bool rows = info_.shape[0] <= 1 || info_.strides[0] == info_.shape[1] * info_.itemsize;
    return info_.shape[0] * info_.shape[1] == 0 || (columns && rows);
  }
  py::buffer_info info_;
};

bool is_of_floats(const py::buffer& array) { return array.request().format == "f"; }

// Returns the facts of a release in the order in which Python reads them.
py::tuple facts(const noise::Release& release) {
  return py::make_tuple(release.mechanism, release.step, release.draws, release.timing_delta, release.grid,
                        release.range, release.effective_stddev);
}

template <class Draw>
py::tuple drawn(std::mutex& busy, const Draw& draw) {
  noise::Release release;
  {
    const WithoutGil unlocked;
    const std::lock_guard guard(busy);
    release = draw();
  }
  return facts(release);
}

// The lock of Python is not held while numbers are added, so each sum has a lock of its own.
class Clipped {
 public:
  Clipped(std::size_t dimension, double clip_norm, std::optional<double> grid) : sum_(dimension, clip_norm, grid) {}

  // The parts of a record are the same row of all tables.
  void add(const std::vector<py::buffer>& parts) {
    if (!parts.empty() && is_of_floats(parts.front()))
      add_rows<float>(parts);
    else
      add_rows<double>(parts);
  }

  void merge(Clipped& other) {
    if (&other == this) {
      const std::lock_guard guard(busy_);
      return sum_.merge(sum_);  // which refuses it
    }
    const noise::ClippedSum added = other.copy();
    const std::lock_guard guard(busy_);
    sum_.merge(added);
  }
  void clear() {
    const std::lock_guard guard(busy_);
    sum_.clear();
  }
  double grid() const { return sum_.grid(); }
  std::uint64_t records() {
    const std::lock_guard guard(busy_);
    return sum_.records();
  }
  py::bytearray sums() {
    const noise::ClippedSum sum = copy();
    return write_column(std::vector<std::int64_t>(sum.sums().begin(), sum.sums().end()));
  }

  py::tuple noise_like(const py::buffer& out, double noise_multiplier) {
    if (is_of_floats(out)) return released<float>(out, noise_multiplier);
    return released<double>(out, noise_multiplier);
  }

 private:
  noise::ClippedSum copy() {
    const std::lock_guard guard(busy_);
    return sum_;
  }

  template <class Number>
  void add_rows(const std::vector<py::buffer>& parts) {
    std::vector<Table<Number>> tables;
    tables.reserve(parts.size());
    for (const py::buffer& part : parts) tables.emplace_back(part, false);
    const std::size_t rows = tables.empty() ? 0 : tables.front().rows();
    for (const Table<Number>& table : tables)
      if (table.rows() != rows) throw std::logic_error("tables of different lengths");
    const WithoutGil unlocked;
    const std::lock_guard guard(busy_);
    std::vector<std::span<const Number>> record(tables.size());
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < tables.size(); ++j) record[j] = tables[j].row(i);
      sum_.add(std::span<const std::span<const Number>>(record));
    }
  }

  template <class Number>
  py::tuple released(const py::buffer& out, double noise_multiplier) {
    const Table<Number> table(out, true);
    return drawn(busy_, [&] { return noise::noise_like(sum_, table.all(), noise_multiplier); });
  }

  std::mutex busy_;
  noise::ClippedSum sum_;
};

// One exact sum for each column.
class Exact {
 public:
  Exact(std::size_t columns, double bound) : sums_(columns, noise::ExactSum(bound)) {}

  void add(const py::buffer& rows) {
    const Table<double> table(rows, false);
    if (table.columns() != sums_.size()) throw std::logic_error("a table of another number of columns");
    const WithoutGil unlocked;
    const std::lock_guard guard(busy_);
    for (std::size_t i = 0; i < table.rows(); ++i)
      for (std::size_t j = 0; j < sums_.size(); ++j) sums_[j].add(table.row(i)[j]);
  }
  void merge(Exact& other) {
    if (&other == this) {
      const std::lock_guard guard(busy_);
      return sums_.front().merge(sums_.front());  // which refuses it
    }
    std::vector<noise::ExactSum> added;
    {
      const std::lock_guard guard(other.busy_);
      added = other.sums_;
    }
    if (added.size() != sums_.size()) throw std::logic_error("another number of columns");
    const std::lock_guard guard(busy_);
    for (std::size_t j = 0; j < sums_.size(); ++j) sums_[j].merge(added[j]);
  }
  py::bytearray rounded() {
    const std::lock_guard guard(busy_);
    std::vector<double> values;
    for (const noise::ExactSum& sum : sums_) values.push_back(sum.rounded());
    return write_column(values);
  }

  using Law = noise::Release (*)(std::span<const noise::ExactSum>, std::span<double>, double, const noise::OnGrid&);
  template <Law law>
  py::tuple released(const py::buffer& out, double scale, std::optional<double> grid, std::optional<double> range,
                     std::optional<double> sensitivity) {
    const Table<double> table(out, true);
    return drawn(busy_, [&] { return law(sums_, table.all(), scale, {grid, range, sensitivity}); });
  }

 private:
  std::mutex busy_;
  std::vector<noise::ExactSum> sums_;
};

}  // namespace
}  // namespace clipped_sum_file

void bind_exact_sums(py::module_& module) {
  using clipped_sum_file::Clipped;
  using clipped_sum_file::Exact;
  py::class_<Clipped>(module, "ClippedSum")
      .def(py::init<std::size_t, double, std::optional<double>>(), py::arg("dimension"), py::arg("clip_norm"),
           py::arg("grid"))
      .def("add", &Clipped::add, py::arg("parts"))
      .def("merge", &Clipped::merge, py::arg("other"))
      .def("clear", &Clipped::clear)
      .def("grid", &Clipped::grid)
      .def("records", &Clipped::records)
      .def("sums", &Clipped::sums)
      .def("noise_like", &Clipped::noise_like, py::arg("out"), py::arg("noise_multiplier"));
  py::class_<Exact>(module, "ExactSum")
      .def(py::init<std::size_t, double>(), py::arg("columns"), py::arg("bound"))
      .def("add", &Exact::add, py::arg("rows"))
      .def("merge", &Exact::merge, py::arg("other"))
      .def("rounded", &Exact::rounded)
      .def("gaussian", &Exact::released<&noise::gaussian>, py::arg("out"), py::arg("stddev"), py::arg("grid"),
           py::arg("range"), py::arg("sensitivity"))
      .def("laplace", &Exact::released<&noise::laplace>, py::arg("out"), py::arg("scale"), py::arg("grid"),
           py::arg("range"), py::arg("sensitivity"));
  module.def("float_sum_sensitivity", &noise::float_sum_sensitivity, py::arg("clip_norm"), py::arg("records"),
             py::arg("dimension"));
  module.def("effective_noise_multiplier", &noise::effective_noise_multiplier, py::arg("stddev"),
             py::arg("sensitivity"));
}

}  // namespace renyi::python
