// Budgets and filters. Several Python threads may charge one filter: each step is decided and charged at once.
#include "renyi/filter.h"

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
#include "renyi/cost.h"

namespace renyi::python {
namespace filter_file {
namespace {

using Pairs = std::vector<std::pair<double, double>>;
// Quantity, order, spent, limit, left, within.
using BalanceRow = std::tuple<std::string, std::optional<double>, double, double, double, bool>;
// Whether the step runs, the reason if not, and the balances after it.
using VerdictRow = std::tuple<bool, std::string, std::vector<BalanceRow>>;

std::vector<BalanceRow> rows_of(const std::vector<Balance>& balances) {
  std::vector<BalanceRow> rows;
  rows.reserve(balances.size());
  for (const Balance& one : balances) {
    rows.emplace_back(one.name, one.order, one.spent, one.limit, one.left, one.within);
  }
  return rows;
}

VerdictRow row_of(const FilterVerdict& verdict) { return {verdict.runs, verdict.reason, rows_of(verdict.after)}; }

Budget curve(const Pairs& pairs) {
  std::vector<OrderLimit> limits;
  for (const auto& [order, epsilon] : pairs) limits.push_back({order, epsilon});
  return Budget::curve(std::move(limits));
}

Budget curve_of(const Plan& plan, const std::optional<std::vector<double>>& orders) {
  return Budget::curve_of(plan, orders ? *orders : default_filter_orders());
}

Budget shares(double epsilon, const Pairs& pairs) {
  std::vector<OrderShare> parts;
  for (const auto& [order, delta] : pairs) parts.push_back({order, delta});
  return Budget::shares(epsilon, std::move(parts));
}

// Every member function runs without the interpreter lock: a thread that waits here must not hold it.
class SharedFilter {
 public:
  SharedFilter(const Budget& budget, const std::string& neighbors, std::int64_t unit, std::optional<Budget> cap)
      : filter_(budget, Adjacency{neighbors_named(neighbors), unit}, std::move(cap)) {}
  explicit SharedFilter(Filter filter) : filter_(std::move(filter)) {}

  static std::unique_ptr<SharedFilter> from_json(const std::string& text) {
    return std::make_unique<SharedFilter>(read_filter(text));
  }

  template <class Steps>
  VerdictRow may_run(const Steps& steps, std::int64_t count) const {
    const std::lock_guard lock(guard_);
    return row_of(filter_.may_run(steps, count));
  }
  template <class Steps>
  VerdictRow charge(const Steps& steps, std::int64_t count) {
    const std::lock_guard lock(guard_);
    return row_of(filter_.charge(steps, count));
  }
  template <class Steps>
  std::int64_t headroom(const Steps& steps) const {
    const std::lock_guard lock(guard_);
    return filter_.headroom(steps);
  }
  std::optional<std::tuple<std::string, double, bool>> would_fit(const Mechanism& step, std::int64_t count) const {
    const std::lock_guard lock(guard_);
    const auto found = filter_.would_fit(step, count);
    if (!found) return std::nullopt;
    return std::tuple(found->parameter, found->value, found->is_closest);
  }
  std::vector<BalanceRow> remaining() const {
    const std::lock_guard lock(guard_);
    return rows_of(filter_.remaining());
  }
  Budget budget() const {
    const std::lock_guard lock(guard_);
    return filter_.budget();
  }
  Budget cap() const {
    const std::lock_guard lock(guard_);
    return filter_.cap();
  }
  void set_budget(const Budget& budget) {
    const std::lock_guard lock(guard_);
    filter_.set_budget(budget);
  }
  Plan history() const {
    const std::lock_guard lock(guard_);
    return filter_.history();
  }
  Plan guarantee() const {
    const std::lock_guard lock(guard_);
    return filter_.guarantee();
  }
  std::string to_json() const {
    const std::lock_guard lock(guard_);
    return write_filter(filter_);
  }

 private:
  Filter filter_;
  mutable std::mutex guard_;
};

void bind_budget(py::module_& module) {
  py::class_<Budget>(module, "Budget")
      .def_static("pure", &Budget::pure)
      .def_static("zcdp", &Budget::zcdp)
      .def_static("tcdp", &Budget::tcdp)
      .def_static("gdp", &Budget::gdp)
      .def_static("approx", &Budget::approx)
      .def_static("order", &Budget::order)
      .def_static("curve", &curve)
      .def_static("curve_of", &curve_of, py::call_guard<WithoutGil>())
      .def_static("shares", &shares)
      .def_static("from_json", [](const std::string& text) { return read_budget(text); })
      .def("to_json", [](const Budget& budget) { return write_budget(budget); })
      .def("with_infinite_mass", &Budget::with_infinite_mass)
      .def("is_within", &Budget::is_within)
      .def("guarantee", [](const Budget& budget,
                           const std::string& neighbors) { return guarantee(budget, neighbors_named(neighbors)); })
      .def("equals", [](const Budget& budget, const Budget& other) { return budget == other; });
  module.def("default_filter_orders", &default_filter_orders);
}

}  // namespace
}  // namespace filter_file

void bind_filter(py::module_& module) {
  using filter_file::SharedFilter;
  using Unlocked = py::call_guard<WithoutGil>;
  filter_file::bind_budget(module);
  py::class_<SharedFilter>(module, "Filter")
      .def(py::init<const Budget&, const std::string&, std::int64_t, std::optional<Budget>>(), Unlocked())
      .def_static("from_json", &SharedFilter::from_json, Unlocked())
      .def("may_run", &SharedFilter::may_run<Mechanism>, Unlocked())
      .def("may_run", &SharedFilter::may_run<Plan>, Unlocked())
      .def("charge", &SharedFilter::charge<Mechanism>, Unlocked())
      .def("charge", &SharedFilter::charge<Plan>, Unlocked())
      .def("headroom", &SharedFilter::headroom<Mechanism>, Unlocked())
      .def("headroom", &SharedFilter::headroom<Plan>, Unlocked())
      .def("would_fit", &SharedFilter::would_fit, Unlocked())
      .def("remaining", &SharedFilter::remaining, Unlocked())
      .def("budget", &SharedFilter::budget, Unlocked())
      .def("cap", &SharedFilter::cap, Unlocked())
      .def("set_budget", &SharedFilter::set_budget, Unlocked())
      .def("history", &SharedFilter::history, Unlocked())
      .def("guarantee", &SharedFilter::guarantee, Unlocked())
      .def("to_json", &SharedFilter::to_json, Unlocked());
}

}  // namespace renyi::python
