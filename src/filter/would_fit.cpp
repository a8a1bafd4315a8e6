// The version of a refused step that would run: more noise, or a smaller epsilon of its own.
#include <algorithm>
#include <chrono>
#include <cmath>

#include "numerics/significant_digits.h"
#include "renyi/error.h"
#include "renyi/filter.h"
#include "renyi/limits.h"

namespace renyi {

namespace would_fit_file {
namespace {

// Numbers that a data owner may choose freely: how much noise is added, and what a promised step promises. Numbers that
// describe the query or the data, such as a sensitivity, are not.
bool is_free(const Parameter& parameter) {
  if (parameter.whole || parameter.effect == Effect::not_monotone) return false;
  static constexpr std::array free_names{std::string_view("noise_multiplier"),
                                         std::string_view("stddev"),
                                         std::string_view("scale"),
                                         std::string_view("epsilon"),
                                         std::string_view("rho"),
                                         std::string_view("mu"),
                                         std::string_view("variance"),
                                         std::string_view("truth_probability")};
  return std::find(free_names.begin(), free_names.end(), parameter.name) != free_names.end();
}

// The name that plan files use for the parameter of this step.
std::string key_of(const Mechanism& step, const Parameter& parameter) {
  const auto parameters = step.parameters();
  const auto values = step.values();
  for (const Alias& alias : step.aliases()) {
    if (alias.parameter != parameter.name) continue;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      if (parameters[i].name == alias.excluded && parameters[i].fallback == values[i]) return std::string(alias.name);
    }
  }
  return std::string(parameter.name);
}

// A search is given up after this time. Few steps take that long: some have a cost that is searched over all orders.
class TimeLimit {
 public:
  bool is_over() const { return std::chrono::steady_clock::now() > end_; }

 private:
  std::chrono::steady_clock::time_point end_ = std::chrono::steady_clock::now() + std::chrono::seconds(1);
};

// Bisection in ln x between a value that does not fit and one that does.
template <class Fits>
double boundary(double bad, double good, const TimeLimit& limit, const Fits& fits) {
  for (int i = 0; i < 60 && std::abs(std::log(good / bad)) > 1e-5 && !limit.is_over(); ++i) {
    stop_if_asked();
    const double middle = std::sqrt(good) * std::sqrt(bad);
    (fits(middle) ? good : bad) = middle;
  }
  return good;
}

// The first of value * 2^+-1, 2^+-2, 2^+-4, ... that fits.
template <class Fits>
std::optional<double> some_fitting(double value, const Parameter& parameter, const TimeLimit& limit, const Fits& fits) {
  const bool up = parameter.effect == Effect::lowers_cost;
  for (double factor = 2; factor < 1e120; factor *= factor) {
    stop_if_asked();
    if (limit.is_over()) return {};
    const double next = up ? value * factor : value / factor;
    if (!parameter.allows(next)) break;
    if (fits(next)) return next;
  }
  const double last = up ? parameter.highest : parameter.lowest;
  if (parameter.allows(last) && last > 0 && fits(last)) return last;
  return {};
}

}  // namespace
}  // namespace would_fit_file

std::optional<FittingStep> Filter::would_fit(const Mechanism& step, std::int64_t count) const {
  if (step.identity() != nullptr) return {};
  const auto parameters = step.parameters();
  const auto free = std::find_if(parameters.begin(), parameters.end(), would_fit_file::is_free);
  if (free == parameters.end()) return {};
  const double value = step.values()[static_cast<std::size_t>(free - parameters.begin())];
  if (!(value > 0) || !std::isfinite(value)) return {};
  // A copy, so that values on the way are not kept.
  const Filter scratch(*this);
  const auto fits = [&](double next) {
    try {
      return scratch.may_run(step.with(free->name, next), count).runs;
    } catch (const Error&) {
      return false;
    }
  };
  const would_fit_file::TimeLimit limit;
  const auto good = would_fit_file::some_fitting(value, *free, limit, fits);
  if (!good) return {};
  const bool up = free->effect == Effect::lowers_cost;
  const double found = would_fit_file::boundary(value, *good, limit, fits);
  // The boundary is found to five digits only: a round number on its other side may fit.
  constexpr int shown_digits = 4;
  const double beyond = numerics::to_digits(found, shown_digits, !up),
               shown = numerics::to_digits(found, shown_digits, up);
  const bool is_closest = !limit.is_over();
  const bool takes_beyond = is_closest && free->allows(beyond) && fits(beyond);
  const double fitting = takes_beyond ? beyond : free->allows(shown) ? shown : found;
  return FittingStep{would_fit_file::key_of(step, *free), fitting, is_closest};
}

}  // namespace renyi
