#include "divergence/density/whole_line.h"

#include <fmt/format.h>

#include <cmath>

#include "divergence/density/integrands.h"
#include "renyi/error.h"

namespace renyi::divergence_detail {
namespace {

constexpr double defect_allowed = 1e-8;
// Rounding of points far from 0, in units of the width, makes the check itself uncertain; that enters the error.
constexpr double uncertainty_allowed = 1e-6;

// Beyond the last break point a power of the distance may remain.
long double beyond(const Integrand& f, const std::vector<double>& breaks, const Line& line) {
  const std::size_t n = breaks.size();
  long double rest = 0;
  if (std::isinf(line.lower())) rest += std::abs(f(breaks[0]).value) * (breaks[1] - breaks[0]);
  if (std::isinf(line.upper())) rest += std::abs(f(breaks[n - 1]).value) * (breaks[n - 1] - breaks[n - 2]);
  return 128 * rest;
}

}  // namespace

Integral integral_over_line(const Integrand& f, const std::vector<double>& breaks, const Line& line) {
  if (breaks.size() < 2) return {};
  Integral result = integrate(f, breaks);
  if (!result.infinite) result.error += beyond(f, breaks, line);
  constexpr long double relative = 1e-3L, absolute = 1e-9L;
  const bool good = result.error <= relative * std::abs(result.value) || result.error <= absolute;
  if (!result.infinite && !good) {
    throw NotConverged(
        fmt::format("the quadrature reached only {:.3g} with an error of {:.1g}", result.value, result.error));
  }
  return result;
}

double checked_defect(const char* field, const Line& line, const std::vector<double>& breaks, double LogPair::*member) {
  const Integral mass = integral_over_line([&](double x) { return mass_sample(line.at(x).*member); }, breaks, line);
  const long double defect = std::abs(mass.value - 1);
  if (defect > defect_allowed + mass.error) {
    throw InvalidArgument(field, fmt::format("a density that integrates to {:.10g}", mass.value),
                          "1 within 1e-8 (name `points` where mass lies if peaks were missed)");
  }
  if (!(mass.error <= uncertainty_allowed)) {
    throw NotConverged(
        fmt::format("{} integrates to {:.10g}, known only within {:.1g}", field, mass.value, mass.error));
  }
  return static_cast<double>(defect + mass.error);
}

}  // namespace renyi::divergence_detail
