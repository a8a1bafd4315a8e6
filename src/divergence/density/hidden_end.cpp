#include "divergence/density/hidden_end.h"

#include <algorithm>
#include <cmath>

#include "numerics/rounding.h"

namespace renyi::divergence_detail {
namespace {

// Polynomials through rounded values: their rounding grows by less than this up to the ends.
constexpr double amplification = 16;
constexpr double smallest_distance = 1e-290;  // poles of densities stay within double down to here

class End {
 public:
  End(const Integrand& f, double low, double high, int outwards, const std::array<double, node_count>& values)
      : f_(f), at_(outwards < 0 ? low : high), half_(high / 2 - low / 2), outwards_(outwards), values_(values) {
    stretch_ = half_ * (1 - kronrod_nodes().back().at);
    // An edge of the support is known to a unit in the last place: stay off it.
    nearest_ = std::max(8 * numerics::unit_roundoff * std::abs(at_), smallest_distance);
    for (const double value : values) size_ = std::max(size_, std::abs(value));
  }

  double hidden() const {
    if (!(stretch_ > nearest_)) return 0;
    const double deepest = off(std::max(nearest_, stretch_ * 0x1p-40));
    return deepest == 0 || std::isinf(deepest) ? deepest : approached();
  }

 private:
  // |f - polynomial| at a distance from the end, as far as it exceeds rounding.
  double off(double distance) const {
    const Sample sample = f_(at_ - outwards_ * distance);
    if (std::isinf(sample.value)) return INFINITY;
    const double apart = std::abs(sample.value - interpolated(values_, outwards_ * (1 - distance / half_)));
    return std::max(0.0, apart - sample.noise - amplification * numerics::unit_roundoff * size_);
  }

  double approached() const {
    double sum = 0, before = 0, mass = 0, mass_before = 0;
    for (double distance = stretch_; distance > nearest_; distance /= 4) {
      const double here = off(distance / 4);
      if (std::isinf(here)) return INFINITY;
      mass_before = mass;
      mass = std::max(before, here) * 0.75 * distance;
      sum += mass;
      before = here;
      if (mass < 1e-20 * sum && mass < mass_before / 2) break;
    }
    // The rest as a geometric series.
    const double ratio = std::min(mass_before > 0 ? mass / mass_before : 0.25, 0.999);
    return sum + mass * ratio / (1 - ratio);
  }

  const Integrand& f_;
  double at_;
  double half_;
  int outwards_;
  const std::array<double, node_count>& values_;
  double stretch_ = 0, nearest_ = 0, size_ = 0;
};

}  // namespace

double hidden_at_end(const Integrand& f, double low, double high, int outwards,
                     const std::array<double, node_count>& values) {
  return End(f, low, high, outwards, values).hidden();
}

}  // namespace renyi::divergence_detail
