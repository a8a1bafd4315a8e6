// epsilon, delta and rdp of one plan, and of arrays of plans.
#include <pybind11/stl.h>

#include <array>
#include <cstddef>
#include <exception>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "api/parallel.h"
#include "arrays.h"
#include "bindings.h"
#include "gil.h"
#include "plans.h"
#include "renyi/error.h"
#include "renyi/papers/sampled_gaussian.h"

namespace renyi::python {
namespace questions_file {
namespace {

using Shape = std::vector<std::size_t>;

template <Quantity quantity>
Cost ask(const Plan& plan, double at, const CostOptions& options) {
  if constexpr (quantity == Quantity::epsilon) return epsilon(plan, at, options);
  return delta(plan, at, options);
}

template <Quantity quantity>
Cost of_run(std::optional<double> sampling_rate, double noise_multiplier, std::int64_t steps,
            const std::string& neighbors, std::int64_t unit, double at, const CostOptions& options) {
  const Plan plan = run_plan(sampling_rate, noise_multiplier, steps, {neighbors_named(neighbors), unit});
  return required(ask<quantity>(plan, at, options));
}

template <Quantity quantity>
Cost of_plan(const Plan& plan, double at, const CostOptions& options) {
  return required(ask<quantity>(plan, at, options));
}

// Formats an index as "[7]" or "[2, 3]"; empty if there is only one element.
std::string place_of(std::size_t flat, const Shape& shape) {
  if (shape.empty()) return "";
  std::string place = "]";
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    place.insert(0, (axis > 0 ? ", " : "[") + std::to_string(flat % shape[axis]));
    flat /= shape[axis];
  }
  return place;
}

// Does the work on element `flat`; the field of an error gets the element's index.
template <class Work>
auto at_element(std::size_t flat, const Shape& shape, const Work& work) {
  try {
    return work();
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(error.path() + place_of(flat, shape), error.value(), error.allowed());
  }
}

// The columns of many answers, which several threads fill.
struct FigureColumns {
  explicit FigureColumns(std::size_t n) : lower(n), upper(n), engine(n), limited(n) {}

  void set(std::size_t i, const ExactInterval& figure) {
    lower[i] = figure.lower;
    upper[i] = figure.upper;
    engine[i] = static_cast<std::uint8_t>(figure.engine);
    limited[i] = static_cast<std::uint8_t>(figure.limited);
  }
  void write(py::dict& to, const std::string& prefix) const {
    to[py::str(prefix + "lower")] = write_column(lower);
    to[py::str(prefix + "upper")] = write_column(upper);
    to[py::str(prefix + "engine")] = write_column(engine);
    to[py::str(prefix + "limited")] = write_column(limited);
  }

  std::vector<double> lower, upper;
  std::vector<std::uint8_t> engine, limited;
};

struct ExactColumns {
  explicit ExactColumns(std::size_t n)
      : worst(n), remove(n), add(n), direction(n), standing(n), limit(n), contradiction(n), unavailable(n) {}

  // An unknown value may lie anywhere.
  void set(std::size_t i, const Cost& found) {
    const ExactInterval anything{{0, std::numeric_limits<double>::infinity()}};
    const ExactAnswer exact = found.exact.value_or(ExactAnswer{.worst = anything, .remove = anything, .add = anything});
    worst.set(i, exact.worst);
    remove.set(i, exact.remove);
    add.set(i, exact.add);
    direction[i] = static_cast<std::uint8_t>(exact.direction);
    standing[i] = static_cast<std::uint8_t>(found.standing);
    limit[i] = found.limit;
    contradiction[i] = found.contradiction;
    if (found.obstacle) unavailable[i] = found.obstacle->why;
  }
  void write(py::dict& to) const {
    worst.write(to, "");
    remove.write(to, "remove_");
    add.write(to, "add_");
    to["direction"] = write_column(direction);
    to["standing"] = write_column(standing);
    to["limit"] = limit;
    to["contradiction"] = contradiction;
    to["unavailable"] = unavailable;
  }

  FigureColumns worst, remove, add;
  std::vector<std::uint8_t> direction, standing;
  std::vector<std::string> limit, contradiction, unavailable;
};

struct BoundColumns {
  explicit BoundColumns(std::size_t n) : bound(n), order(n), infinite_mass(n), conversion(n) {}

  void set(std::size_t i, const RenyiBound& found) {
    bound[i] = found.upper;
    order[i] = found.order;
    infinite_mass[i] = found.infinite_mass;
    conversion[i] = static_cast<std::uint8_t>(found.conversion);
  }
  void write(py::dict& to) const {
    to["bound"] = write_column(bound);
    to["order"] = write_column(order);
    to["infinite_mass"] = write_column(infinite_mass);
    to["conversion"] = write_column(conversion);
  }

  std::vector<double> bound, order, infinite_mass;
  std::vector<std::uint8_t> conversion;
};

void check_lengths(const Plans& plans, std::size_t n) {
  if (plans.size() != n) throw std::logic_error("columns of different lengths");
}

bool has_rare_parts(const Cost& cost) {
  return (cost.renyi && cost.renyi->method) || !cost.overflows.empty() || cost.under_poisson;
}

// The answers that have parts which few plans have, by their index. Several threads add to them.
class RareParts {
 public:
  void set(std::size_t i, const Cost& found) {
    if (!has_rare_parts(found)) return;
    const std::lock_guard lock(guard_);
    kept_.emplace(i, found);
  }
  void write(py::dict& to) const {
    py::dict parts;
    for (const auto& [i, cost] : kept_) parts[py::int_(i)] = rare_parts(cost);
    to["rare_parts"] = parts;
  }

 private:
  std::mutex guard_;
  std::map<std::size_t, Cost> kept_;
};

template <Quantity quantity>
py::dict of_many(const Plans& plans, const py::buffer& at, const CostOptions& options, const Shape& shape) {
  const std::vector<double> values = read_column<double>(at);
  const std::size_t n = values.size();
  check_lengths(plans, n);
  std::optional<BoundColumns> bounds;
  std::optional<ExactColumns> exact;
  RareParts rare;
  if (options.renyi) bounds.emplace(n);
  if (options.exact) exact.emplace(n);
  {
    const WithoutGil unlocked;
    // Bounds take microseconds, exact intervals up to a second; threads take few of the latter at once.
    api::for_each_index(
        n, options.exact ? 1 : 16,
        [&](std::size_t i) {
          const Cost found =
              at_element(i, shape, [&] { return required(ask<quantity>(plans.at(i), values[i], options)); });
          if (bounds) bounds->set(i, *found.renyi);
          if (exact) exact->set(i, found);
          rare.set(i, found);
        },
        heed_signals);
  }
  py::dict result;
  if (bounds) bounds->write(result);
  if (exact) exact->write(result);
  rare.write(result);
  return result;
}

RdpOptions rdp_options(const std::optional<std::string>& direction, const std::string& method) {
  return {named("direction", direction, std::array{Direction::remove, Direction::add}),
          named("method", method, all_sampled_gaussian_methods)};
}

// Computes the divergences of one plan; an error about an order contains its index.
void find_divergences(const Plan& plan, std::span<const double> orders, const RdpOptions& options, std::size_t first,
                      const Shape& shape, double* to) {
  for (std::size_t i = 0; i < orders.size(); ++i) {
    at_element(first + i, shape, [&] {
      try {
        check_order(orders[i]);
      } catch (const InvalidArgument& error) {
        throw InvalidArgument("orders", error.value(), error.allowed());
      }
    });
  }
  const Analysis analysis(plan);
  std::exception_ptr failure;
  std::size_t failed = 0;
  for (std::size_t i = 0; i < orders.size(); ++i) {
    // An order at which nothing is proved does not keep the others from their answers; infinity is an upper bound.
    try {
      to[i] = at_element(first, shape, [&] { return rdp(analysis, orders[i], options).upper(); });
      continue;
    } catch (const NotConverged&) {
      failure = failure ? failure : std::current_exception();
    } catch (const LimitReached&) {
      failure = failure ? failure : std::current_exception();
    }
    to[i] = std::numeric_limits<double>::infinity();
    ++failed;
  }
  if (failed > 0 && failed == orders.size()) std::rethrow_exception(failure);
}

// Consecutive orders of the same plan share its curve.
py::bytearray rdp_of_many(const Plans& plans, const py::buffer& at, const std::optional<std::string>& direction,
                          const std::string& method, const Shape& shape) {
  const std::vector<double> orders = read_column<double>(at);
  const std::size_t n = orders.size();
  check_lengths(plans, n);
  const RdpOptions options = rdp_options(direction, method);
  std::vector<std::size_t> begins;
  for (std::size_t i = 0; i < n; ++i) {
    if (i == 0 || !plans.same_as_next(i - 1)) begins.push_back(i);
  }
  std::vector<double> found(n);
  {
    const WithoutGil unlocked;
    api::for_each_index(
        begins.size(), 1,
        [&](std::size_t group) {
          const std::size_t begin = begins[group], end = group + 1 < begins.size() ? begins[group + 1] : n;
          find_divergences(plans.at(begin), std::span(orders).subspan(begin, end - begin), options, begin, shape,
                           found.data() + begin);
        },
        heed_signals);
  }
  return write_column(found);
}

py::bytearray rdp_of_plan(const Plan& plan, const py::buffer& at, const std::optional<std::string>& direction,
                          const std::string& method, const Shape& shape) {
  const std::vector<double> orders = read_column<double>(at);
  const RdpOptions options = rdp_options(direction, method);
  std::vector<double> found(orders.size());
  {
    const WithoutGil unlocked;
    find_divergences(plan, orders, options, 0, shape, found.data());
  }
  return write_column(found);
}

Plans plans_of_runs(const std::optional<py::buffer>& sampling_rates, const py::buffer& noise_multipliers,
                    const py::buffer& steps, const std::string& neighbors, std::int64_t unit) {
  return {sampling_rates ? read_column<double>(*sampling_rates) : std::vector<double>{},
          read_column<double>(noise_multipliers),
          read_column<std::int64_t>(steps),
          {neighbors_named(neighbors), unit}};
}

template <class Enum, std::size_t n>
std::vector<std::string> names(const std::array<Enum, n>& all) {
  std::vector<std::string> result;
  for (const Enum one : all) result.emplace_back(to_string(one));
  return result;
}

}  // namespace
}  // namespace questions_file

void bind_questions(py::module_& module) {
  module.def("epsilon_of_run", &questions_file::of_run<Quantity::epsilon>, py::call_guard<WithoutGil>());
  module.def("delta_of_run", &questions_file::of_run<Quantity::delta>, py::call_guard<WithoutGil>());
  module.def("epsilon_of_plan", &questions_file::of_plan<Quantity::epsilon>, py::call_guard<WithoutGil>());
  module.def("delta_of_plan", &questions_file::of_plan<Quantity::delta>, py::call_guard<WithoutGil>());

  py::class_<Plans>(module, "Plans").def(py::init(&questions_file::plans_of_runs)).def(py::init<std::vector<Plan>>());
  module.def("epsilon_of_many", &questions_file::of_many<Quantity::epsilon>);
  module.def("delta_of_many", &questions_file::of_many<Quantity::delta>);
  module.def("rdp_of_many", &questions_file::rdp_of_many);
  module.def("rdp_of_plan", &questions_file::rdp_of_plan);

  // The names of the codes in columns.
  module.attr("engines") =
      questions_file::names(std::array{Engine::closed_form, Engine::contour, Engine::lattice, Engine::bounds});
  module.attr("conversions") = questions_file::names(
      std::array{Conversion::tight, Conversion::classical, Conversion::pure, Conversion::total_variation});
  module.attr("standings") = questions_file::names(all_standings);
  module.attr("directions") = questions_file::names(std::array{Direction::remove, Direction::add});
}

}  // namespace renyi::python
