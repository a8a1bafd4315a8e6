#include "relate/divergence_growth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/rounding.h"
#include "renyi/error.h"

namespace renyi::relate {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double up = 1 + 8 * numerics::unit_roundoff;
// growth().rho is the limit of D_a / a, rounded up by less than this.
constexpr double growth_rounding = 1e-13;

Range ends(const LogMoment& k) {
  if (!std::isfinite(k.value) || !std::isfinite(k.error)) return {0, infinity};
  const Bounded bounded{k.value, k.error};
  return {bounded.lower(), bounded.upper()};
}

class OverTheCurve : public Objective {
 public:
  explicit OverTheCurve(const Curve& curve) : curve_(curve), growth_(curve.growth()) {}
  Range convex(double z) const override { return ends(curve_.worst_log_moment(z)); }

 protected:
  const Growth& growth() const { return growth_; }

 private:
  const Curve& curve_;
  Growth growth_;
};

// K(z) / (z (z+1)) = D_a / a at a = z + 1.
class Rate final : public OverTheCurve {
 public:
  using OverTheCurve::OverTheCurve;
  double value(double z, double k) const override { return k / z / (z + 1); }
  // (A + s z)/(z (z+1)) has its derivative's sign from -s z^2 - 2 A z - A.
  double peak(double offset, double slope) const override {
    const double b = -offset;
    return b > 0 && slope > 0 ? (b + std::sqrt(b) * std::sqrt(b + slope)) / slope : 0;
  }
  // K(z)/z never falls with z (convexity, K(0) = 0), and z + 1 >= 1.
  double before(double z, double k_upper) const override { return std::min(k_upper / z * up, beyond(0)); }
  // K(z) <= z (xi + rho (z+1))
  double beyond(double z) const override { return (growth().rho + growth().xi / (z + 1)) * up; }
};

// K(z)/z - rho (z+1) = D_a - rho a at a = z + 1.
class Excess final : public OverTheCurve {
 public:
  Excess(const Curve& curve, double rho) : OverTheCurve(curve), rho_(rho) {}
  double value(double z, double k) const override { return k / z - rho_ * (z + 1); }
  // s + A/z - rho (z+1) is largest at z^2 = -A/rho.
  double peak(double offset, double) const override {
    if (offset >= 0) return 0;
    return rho_ > 0 ? std::sqrt(-offset / rho_) : infinity;
  }
  double before(double z, double k_upper) const override { return std::min(k_upper / z * up - rho_, beyond(0)); }
  double beyond(double z) const override { return growth().xi * up + (growth().rho - rho_) * (z + 1); }

 private:
  double rho_;
};

Range finite(const Range& range, const char* what) {
  if (std::isfinite(range.upper)) return range;
  throw NotConverged(fmt::format("the search for the smallest {}", what));
}

}  // namespace

Range smallest_rho(const Curve& curve, double last_order) {
  const LogMoment at_one = curve.worst_log_moment(0);
  const bool ends_somewhere = std::isfinite(last_order);
  Search search{.last = last_order - 1};
  search.at_least = Bounded{at_one.slope, at_one.slope_error}.lower();
  if (!ends_somewhere) search.at_least = std::max(search.at_least, curve.growth().rho * (1 - growth_rounding));
  return finite(supremum(Rate(curve), search), "rho");
}

Range smallest_xi(const Curve& curve, double rho) {
  const LogMoment at_one = curve.worst_log_moment(0);
  Search search{.last = infinity};
  search.at_least = std::max(0.0, Bounded{at_one.slope, at_one.slope_error}.lower() - rho);
  search.absolute = 1e-10 * std::max(rho, at_one.slope);
  return finite(supremum(Excess(curve, rho), search), "xi");
}

}  // namespace renyi::relate
