// Two Laplace laws (docs/math/divergences.md, "Laplace laws"): the moments region by region, each centred so that
// close laws keep their relative accuracy.
#include <cmath>

#include "divergence/check.h"
#include "divergence/extended.h"
#include "divergence/laplace_sets.h"
#include "divergence/laplace_shape.h"
#include "divergence/pair_model.h"
#include "renyi/divergence.h"

namespace renyi {
namespace divergence_detail {
namespace {

// Above this exponent the moment is formed by its logarithm.
constexpr long double large_exponent = 1000;
constexpr long double ulps = 256;

class LaplacePair final : public PairModel {
 public:
  LaplacePair(LaplaceLaw p, LaplaceLaw q) : p_(p), q_(q), shape_(p, q) {}

  Bounded renyi(double z) const override {
    const LaplaceShape& s = shape_;
    // Outside the two locations the loss moves by k for each unit of P's scale.
    if (std::isinf(z)) return s.k > 0 ? exactly(infinity) : to_bounded(s.left, ulps * long_epsilon * s.left);
    const long double zk = z * s.k, t = 1 - zk, t_error = 8 * long_epsilon * (1 + std::abs(zk));
    if (t <= -t_error) return exactly(infinity);
    if (t <= 4 * t_error) return unknown_finiteness(0);
    const long double unsteady = 16 * (1 + std::abs(zk)) / t;  // what the rounding of t does to 1/t
    const CentredMoment m = z * s.left > large_exponent ? CentredMoment{} : s.centred_moment(z);
    const bool far = z * s.left > large_exponent || 1 + z * m.value < 0.25L;
    if (far) return by_logarithm(z, unsteady);
    const long double value = z == 0 ? m.value : std::log1p(z * m.value) / z;
    // Beyond this gap nothing of the right side is left.
    const long double exponents = std::abs(s.left) + (s.gap > 5000 ? 0 : std::abs(s.right));
    const long double rounding = (ulps + unsteady + 4 * std::abs(z) * exponents) * long_epsilon;
    return to_bounded(value, rounding * m.size / (1 + z * m.value));
  }

  Bounded hockey_stick(double epsilon) const override { return laplace_hockey_stick(shape_, epsilon); }

  std::shared_ptr<const PairModel> swapped() const override { return std::make_shared<LaplacePair>(q_, p_); }

  std::shared_ptr<const PairModel> mixed(double rate) const override {
    const auto log_density = [](const LaplaceLaw& law) {
      return [law](double x) { return -std::abs(x - law.location) / law.scale - std::log(2 * law.scale); };
    };
    return DistributionPair::densities(
               {.log_p = log_density(p_), .log_q = log_density(q_), .points = {p_.location, q_.location}})
        .model()
        .mixed(rate);
  }

 private:
  // Far from 1, in either direction, the moment needs no centring.
  Bounded by_logarithm(double z, long double unsteady) const {
    const auto [value, size] = shape_.log_moment(z);
    const long double rounding = long_epsilon * (8 * size + ulps + unsteady);
    return to_bounded(value / z,
                      (rounding + 4 * long_epsilon * std::abs(value)) / std::abs(static_cast<long double>(z)));
  }

  LaplaceLaw p_, q_;
  LaplaceShape shape_;
};

void check(const std::string& field, const LaplaceLaw& law) {
  check_location(field + ".location", law.location);
  check_scale(field + ".scale", law.scale);
}

}  // namespace
}  // namespace divergence_detail

DistributionPair DistributionPair::laplace(LaplaceLaw p, LaplaceLaw q) {
  divergence_detail::check("p", p);
  divergence_detail::check("q", q);
  return DistributionPair(std::make_shared<divergence_detail::LaplacePair>(p, q));
}

}  // namespace renyi
