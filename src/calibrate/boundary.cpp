#include <boost/math/tools/toms748_solve.hpp>

#include "calibrate/range.h"
#include "renyi/error.h"

namespace renyi::calibrate_detail {

namespace {

// Of ln(value).
constexpr double aim = 1e-10;

struct LogEnds {
  double low = 0;
  double high = 0;
};

double excess(const Cost& cost, const Setting& setting) {
  return log_ratio(cost.epsilon(setting), cost.target().epsilon);
}

// TOMS 748 on the excess as a function of ln(value), until the ends are within `enough`.
template <class ExcessAt>
LogEnds narrow(const ExcessAt& excess_at, double low, double high, double enough) {
  const double at_low = excess_at(low), at_high = excess_at(high);
  if (at_low == 0 || at_high == 0) return at_low == 0 ? LogEnds{low, low} : LogEnds{high, high};
  const auto close = [&](double x, double y) { return std::abs(x - y) < enough; };
  std::uintmax_t evaluations = 300;
  const auto [below, above] =
      boost::math::tools::toms748_solve(excess_at, low, high, at_low, at_high, close, evaluations);
  return {below, above};
}

}  // namespace

Setting boundary(const Cost& cost, const Ends& ends) {
  const auto [least, most] = std::minmax(ends.private_value, ends.costly_value);
  // exp(ln(x)) may leave the range by a rounding.
  const auto setting_at = [least = least, most = most](double v) {
    return of_value(std::clamp(std::exp(v), least, most));
  };
  const auto excess_at = [&](double v) { return excess(cost, setting_at(v)); };
  const auto [low, high] = narrow(excess_at, std::log(least), std::log(most), aim);
  // From the costly end of what is left, in small steps to the private side: the
  // first is already private when the search met the boundary to the last bit.
  const bool upwards = ends.private_value < ends.costly_value;
  const double outer = upwards ? high : low, inner = upwards ? low : high, back = upwards ? -1 : 1;
  const double left = high - low;
  for (const double v : {outer, inner, inner + back * 1e-13, inner + back * 1e-11, inner + back * 5e-10,
                         inner + back * left, inner + back * 10 * left}) {
    const Setting found = setting_at(v);
    if (cost.within(found)) return found;
  }
  const Setting start = of_value(ends.private_value);
  if (cost.within(start)) return start;
  throw NotConverged("calibration: no private value next to the boundary");
}

Setting count_boundary(const Cost& cost, std::int64_t good, std::int64_t bad) {
  constexpr std::int64_t few = 8;
  const std::int64_t start = good;
  const auto is_private = [&](std::int64_t n) { return cost.within(of_count(n)); };
  if (bad - good > few) {
    const auto count_at = [good, bad](double v) {
      const double n = std::round(std::exp(v));
      return n < static_cast<double>(bad) ? std::max(good, static_cast<std::int64_t>(n)) : bad;
    };
    const auto excess_at = [&](double v) { return excess(cost, of_count(count_at(v))); };
    const double log_good = std::log(static_cast<double>(good)), log_bad = std::log(static_cast<double>(bad));
    const auto [low, high] = narrow(excess_at, log_good, log_bad, std::max(aim, 1 / static_cast<double>(bad)));
    const std::int64_t below = std::max(good, count_at(low) - 1), above = std::min(bad, count_at(high) + 1);
    if (is_private(below)) good = below;
    if (!is_private(above)) bad = above;
  }
  while (bad - good > 1) {
    const std::int64_t middle = good + (bad - good) / 2;
    (is_private(middle) ? good : bad) = middle;
  }
  for (std::int64_t back = 0; good - back > start && back < 100; back = 2 * back + 1) {
    if (cost.within(of_count(good - back))) return of_count(good - back);
  }
  return of_count(start);
}

}  // namespace renyi::calibrate_detail
