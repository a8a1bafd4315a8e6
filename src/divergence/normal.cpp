// Two normal laws (docs/math/divergences.md, "Normal laws"). With k = s1/s2, w = k^2 - 1, b = (m1 - m2)/s2,
// g(x) = x - ln(1 + x) and t = 1 - z w > 0 (else infinite),
//
//     D of order 1 + z = [ g(w) + g(-z w)/z + (1 + z) b^2/t ] / 2:
//
// the published form with the terms that cancel removed by hand.
#include <cmath>

#include "divergence/check.h"
#include "divergence/extended.h"
#include "divergence/normal_sets.h"
#include "divergence/pair_model.h"
#include "renyi/divergence.h"

namespace renyi {
namespace divergence_detail {
namespace {

constexpr double log_root_two_pi = 0.91893853320467274;

// k - 1 and ln k keep their relative accuracy as the two standard deviations approach each other.
NormalShape shape_of(const NormalLaw& p, const NormalLaw& q) {
  const long double s1 = p.stddev, s2 = q.stddev, k = s1 / s2;
  const bool close = k > 0.5L && k < 2;
  const long double widening = close ? (s1 - s2) / s2 : k - 1;
  return {k, widening * (k + 1), (static_cast<long double>(p.mean) - q.mean) / s2,
          close ? std::log1p(widening) : std::log(k)};
}

class NormalPair final : public PairModel {
 public:
  NormalPair(NormalLaw p, NormalLaw q) : p_(p), q_(q), shape_(shape_of(p, q)) {}

  Bounded renyi(double z) const override {
    if (std::isinf(z)) return largest_loss();
    const long double zw = z * shape_.w, zw_error = 8 * long_epsilon * std::abs(zw);
    const long double t = 1 - zw, t_error = zw_error + long_epsilon;
    if (t <= -t_error) return exactly(infinity);
    if (t <= 4 * t_error) return unknown_finiteness(0);
    const long double shift = (1 + static_cast<long double>(z)) * shape_.b * shape_.b;
    const Part spread = spread_part(z, zw, t);
    const long double value = (spread.value + shift / t) / 2;
    return to_bounded(
        value, 32 * long_epsilon * (spread.size + shift / t) + spread.slope * zw_error + shift / (t * t) * t_error);
  }

  Bounded hockey_stick(double epsilon) const override { return normal_hockey_stick(shape_, epsilon); }

  std::shared_ptr<const PairModel> swapped() const override { return std::make_shared<NormalPair>(q_, p_); }

  std::shared_ptr<const PairModel> mixed(double rate) const override {
    const auto log_density = [](const NormalLaw& law) {
      return [law](double x) {
        const double distance = (x - law.mean) / law.stddev;
        return -distance * distance / 2 - std::log(law.stddev) - log_root_two_pi;
      };
    };
    return DistributionPair::densities(
               {.log_p = log_density(p_), .log_q = log_density(q_), .points = {p_.mean, q_.mean}})
        .model()
        .mixed(rate);
  }

 private:
  // g(w) + g(-zw)/z, the size of its terms, and its derivative by zw.
  struct Part {
    long double value, size, slope;
  };
  Part spread_part(double z, long double zw, long double t) const {
    const long double w = shape_.w;
    // For wide gaps directly: each g then holds a large term that cancels.
    const bool near = std::abs(w) < 0.5L;
    if (z == 0 && near) return {log_remainder(w), log_remainder(w), 0};
    if (z == 0) return {w - 2 * shape_.log_k, std::abs(w) + 2 * std::abs(shape_.log_k), 0};
    const long double a = near ? log_remainder(w) : -2 * shape_.log_k;
    const long double b = (near ? log_remainder(-zw) : -std::log1p(-zw)) / z;
    return {a + b, std::abs(a) + std::abs(b), std::abs((near ? zw : 1) / (t * z))};
  }

  // sup of ln(P/Q): the limit of the formula above; infinite when P is the wider one.
  Bounded largest_loss() const {
    const auto& [k, w, b, log_k] = shape_;
    if (w == 0 && b == 0) return exactly(0);
    if (w >= 0) return exactly(infinity);
    const long double value = -log_k - b * b / (2 * w);
    return to_bounded(value, 32 * long_epsilon * value);
  }

  NormalLaw p_, q_;
  NormalShape shape_;
};

void check(const std::string& field, const NormalLaw& law) {
  check_location(field + ".mean", law.mean);
  check_scale(field + ".stddev", law.stddev);
}

}  // namespace
}  // namespace divergence_detail

DistributionPair DistributionPair::normal(NormalLaw p, NormalLaw q) {
  divergence_detail::check("p", p);
  divergence_detail::check("q", q);
  return DistributionPair(std::make_shared<divergence_detail::NormalPair>(p, q));
}

}  // namespace renyi
