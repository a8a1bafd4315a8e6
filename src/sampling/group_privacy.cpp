#include "sampling/group_privacy.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>

#include "mechanism/curve.h"
#include "numerics/rounding.h"
#include "renyi/error.h"
#include "renyi/extras/custom.h"
#include "renyi/extras/group_privacy.h"

namespace renyi {

namespace sampling {

namespace group_privacy_file {
namespace {

// The Renyi group bound (docs/math/guarantees.md, "Group privacy"). Each link of the chain may have either direction,
// so that both directions of the result are the larger of the two.
class GroupCurve final : public mechanism::SymmetricCurve {
 public:
  GroupCurve(std::shared_ptr<const Curve> one, int doublings);

  // Order 2 of the group is the smallest that the bound proves.
  double last_order() const override;
  Knowledge knowledge() const override { return Knowledge::orders; }
  Growth growth() const override;

 private:
  // The divergence D of one record at an order, with its derivatives with respect to the order.
  struct Divergence {
    double value, error, slope, slope_error, curvature;
  };

  Divergence divergence_at(double order) const;
  LogMoment at(double z) const override;
  ComplexLogMoment at(std::complex<double> z) const override;
  Bounded supremum() const override;

  std::shared_ptr<const Curve> one_;
  double size_;  // 2^c
  double cost_;  // 3^c, exact
};

// Each term of a formula carries a few roundings.
constexpr double formula_rounding = 8 * numerics::unit_roundoff;

GroupCurve::GroupCurve(std::shared_ptr<const Curve> one, int doublings)
    : one_(std::move(one)), size_(std::ldexp(1, doublings)), cost_(std::pow(3, doublings)) {}

double GroupCurve::last_order() const {
  const double last = one_->last_order() / size_;
  return last >= 2 ? last : 1;
}

// D of the group at order a <= 3^c (xi + rho 2^c max(a, 2)), and max(a, 2) <= a + 1.
Growth GroupCurve::growth() const {
  const Growth one = one_->growth();
  const double up = cost_ * (1 + formula_rounding);
  return {up * (one.xi + size_ * one.rho), up * size_ * one.rho};
}

GroupCurve::Divergence GroupCurve::divergence_at(double order) const {
  constexpr double inf = std::numeric_limits<double>::infinity();
  if (order > largest_order) {  // D_a <= D_inf
    const double most = one_->worst_max_loss().upper();
    return {most, 0, std::isinf(most) ? inf : 0, 0, 0};
  }
  const double w = order - 1;
  const LogMoment k = one_->worst_log_moment(w);
  const double value = k.value / w, error = k.error / w + formula_rounding * value;
  const double slope = std::max(0.0, (k.slope - value) / w);
  const double slope_error = (k.slope_error + error + formula_rounding * (k.slope + value)) / w;
  return {value, error, slope, slope_error, (k.curvature - 2 * slope) / w};
}

// (a, e)-RDP gives (a/2^c, 3^c e)-RDP for a >= 2^(c+1)          Mironov 2017, Proposition 2
// so K_g(z) = z 3^c D_b with b = 2^c (z+1) for z >= 1; below, D_(z+1) <= D_2 (Proposition 9).
LogMoment GroupCurve::at(double z) const {
  const double order = size_ * std::max(2.0, z + 1 - 1 < z ? numerics::next_up(z + 1) : z + 1);
  const Divergence d = divergence_at(order);
  // No divergence exceeds that of order infinity, 2^c times the largest loss.
  const double most = supremum().upper();
  if (cost_ * (d.value + d.error) > most)
    return {z * most, formula_rounding * z * most, most, formula_rounding * most, 0};
  if (std::isinf(d.value)) return {z == 0 ? 0 : d.value, 0, d.value, 0, 0};
  const double value = cost_ * z * d.value, error = cost_ * z * d.error + formula_rounding * value;
  // These follow by the chain rule. Below order 2 the curve is a line; its curvature, a guide to searches, is taken
  // from order 2, where it bends.
  const double bend = std::max(0.0, cost_ * size_ * (2 * d.slope + std::max(z, 1.0) * size_ * d.curvature));
  const double lever = z >= 1 ? z * size_ : 0;
  const double slope = cost_ * (d.value + (lever > 0 ? lever * d.slope : 0));
  const double slope_error = cost_ * (d.error + lever * d.slope_error) + formula_rounding * slope;
  return {value, error, slope, slope_error, bend};
}

ComplexLogMoment GroupCurve::at(std::complex<double>) const {
  throw Unsupported("group", "group privacy bounds real orders only", "use the Renyi bound");
}

// The guarantee is pure DP: epsilon adds along the chain.
Bounded GroupCurve::supremum() const {
  const Bounded one = one_->worst_max_loss();
  if (std::isinf(one.value)) return one;
  return {size_ * one.value, size_ * one.error};
}

}  // namespace
}  // namespace group_privacy_file

}  // namespace sampling

std::shared_ptr<const Curve> group_privacy(std::shared_ptr<const Curve> curve, int doublings) {
  if (doublings < 0 || doublings > most_doublings) {
    throw InvalidArgument("doublings", fmt::format("{}", doublings), fmt::format("0 to {}", most_doublings));
  }
  if (doublings == 0) return curve;
  return std::make_shared<sampling::group_privacy_file::GroupCurve>(std::move(curve), doublings);
}

}  // namespace renyi

namespace renyi::sampling {

Mechanism by_group_bound(const Mechanism& mechanism, std::int64_t size) {
  const auto doublings = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(size - 1)));
  return CustomMechanism(fmt::format("{} for groups of {}", mechanism.kind(), size),
                         group_privacy(mechanism.curve(), doublings));
}

bool is_group_bound(const Mechanism& mechanism) {
  const auto* own = mechanism.get_if<CustomMechanism>();
  return own != nullptr && dynamic_cast<const group_privacy_file::GroupCurve*>(own->curve().get()) != nullptr;
}

Mechanism for_group(const Mechanism& mechanism, std::int64_t size) {
  if (size == 1) return mechanism;
  if (auto tight = mechanism.for_group(static_cast<double>(size))) return *std::move(tight);
  return by_group_bound(mechanism, size);
}

}  // namespace renyi::sampling
