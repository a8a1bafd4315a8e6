#include "api/shown.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "api/rounded.h"

namespace renyi::api {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

double number_in(const Json& value) { return value == "inf" ? infinity : value.get<double>(); }

std::string up(const Json& value) { return rounded_up(number_in(value)); }
std::string down(const Json& value) { return rounded_down(number_in(value)); }
std::string plain(const Json& value) { return rounded(number_in(value)); }

std::string interval(const Json& ends) {
  const std::string lower = down(ends.at("lower")), upper = up(ends.at("upper"));
  return lower == upper ? upper : fmt::format("{} to {}", lower, upper);
}

// Pr[S] <= e^epsilon Pr'[S] + delta for every event S: nothing less, and nothing more.
std::optional<std::string> most_likely(double epsilon, double delta) {
  const double factor = epsilon == 0 ? 1 : std::nextafter(std::exp(epsilon), infinity);
  if (delta >= 1 || !std::isfinite(factor)) return std::nullopt;
  return fmt::format("{} p{}", rounded_up(factor), delta == 0 ? "" : fmt::format(" + {}", rounded_up(delta)));
}

}  // namespace renyi::api
