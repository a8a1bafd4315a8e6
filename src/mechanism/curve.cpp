#include "renyi/curve.h"

#include <fmt/format.h>

#include <cmath>

#include "renyi/error.h"

namespace renyi {

namespace {

void check_point(double re, double im) {
  if (std::isfinite(re) && re >= 0 && std::isfinite(im)) return;
  throw InvalidArgument("z", im == 0 ? fmt::format("{}", re) : fmt::format("{}{:+}i", re, im),
                        "finite numbers with real part at least 0");
}

}  // namespace

LogMoment Curve::log_moment(double z, Direction direction) const {
  check_point(z, 0);
  return real_at(z, direction);
}

ComplexLogMoment Curve::log_moment(std::complex<double> z, Direction direction) const {
  check_point(z.real(), z.imag());
  return complex_at(z, direction);
}

LogMoment Curve::worst_log_moment(double z) const {
  check_point(z, 0);
  return worst_at(z);
}

Bounded Curve::worst_max_loss() const {
  const Bounded remove = max_loss_at(Direction::remove), add = max_loss_at(Direction::add);
  return add.upper() > remove.upper() ? add : remove;
}

LogMoment Curve::worst_at(double z) const {
  const LogMoment remove = real_at(z, Direction::remove);
  const LogMoment add = real_at(z, Direction::add);
  // At z = 0 both values are 0 and the slopes (orders near 1) decide.
  const bool add_is_larger =
      add.value + add.error > remove.value + remove.error || (z == 0 && add.slope > remove.slope);
  return add_is_larger ? add : remove;
}

}  // namespace renyi
