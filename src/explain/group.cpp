// Groups of records (docs/math/promises.md, "Group privacy").
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "explain/log_probability.h"
#include "mechanism/symmetric_curve.h"
#include "renyi/error.h"
#include "renyi/explain.h"

namespace renyi {

namespace {

using promises::formula_rounding;

// The steps of the chain may go either way, so both directions are the worse of the two.
class GroupCurve final : public mechanism::SymmetricCurve {
 public:
  GroupCurve(std::shared_ptr<const Curve> one, int doublings)
      : one_(std::move(one)), size_(std::ldexp(1, doublings)), cost_(std::pow(3, doublings)) {}

  // Order 2 of the group is the least that is proved.
  double last_order() const override {
    const double last = one_->last_order() / size_;
    return last >= 2 ? last : 1;
  }
  Knowledge knowledge() const override { return Knowledge::orders; }
  // D of the group at order a <= 3^c (xi + rho 2^c max(a, 2)), and max(a, 2) <= a + 1.
  Growth growth() const override {
    const Growth one = one_->growth();
    const double up = cost_ * (1 + formula_rounding);
    return {up * (one.xi + size_ * one.rho), up * size_ * one.rho};
  }

 private:
  // D of one record at an order, with its derivatives by the order.
  struct Divergence {
    double value, error, slope, slope_error, curvature;
  };

  Divergence divergence_at(double order) const {
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
  LogMoment at(double z) const override {
    const double order = size_ * std::max(2.0, z + 1 - 1 < z ? numerics::next_up(z + 1) : z + 1);
    const Divergence d = divergence_at(order);
    if (std::isinf(d.value)) return {z == 0 ? 0 : d.value, 0, d.value, 0, 0};
    const double value = cost_ * z * d.value, error = cost_ * z * d.error + formula_rounding * value;
    // By the chain rule. Below order 2 the curve is a line; the curvature, a guide to
    // searches, is that of the place where it bends.
    const double bend = std::max(0.0, cost_ * size_ * (2 * d.slope + std::max(z, 1.0) * size_ * d.curvature));
    const double lever = z >= 1 ? z * size_ : 0;
    const double slope = cost_ * (d.value + (lever > 0 ? lever * d.slope : 0));
    const double slope_error = cost_ * (d.error + lever * d.slope_error) + formula_rounding * slope;
    return {value, error, slope, slope_error, bend};
  }

  ComplexLogMoment at(std::complex<double>) const override {
    throw Unsupported("group", "group privacy bounds real orders only", "use the Renyi bound");
  }

  // Pure DP: epsilon adds along the chain.
  Bounded supremum() const override {
    const Bounded one = one_->worst_max_loss();
    if (std::isinf(one.value)) return one;
    return {size_ * one.value, size_ * one.error};
  }

  std::shared_ptr<const Curve> one_;
  double size_;  // 2^c
  double cost_;  // 3^c, exact
};

// Parameters that say how far one record moves a step: along a chain of neighbours
// the distances add (triangle inequality), and so do pure epsilons.
struct Scale {
  std::string_view mechanism, parameter;
};
constexpr std::array<Scale, 3> scales{{
    {Gaussian::kind, "l2_sensitivity"},
    {Laplace::kind, "l1_sensitivity"},
    {PureDp::kind, "epsilon"},
}};

std::optional<Mechanism> scaled(const Mechanism& mechanism, double size) {
  for (const Scale& scale : scales) {
    if (mechanism.kind() != scale.mechanism) continue;
    const auto parameters = mechanism.parameters();
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      if (parameters[i].name != scale.parameter) continue;
      const double moved = mechanism.values()[i] * size;
      const double larger = moved == 0 ? 0 : numerics::next_up(moved);
      if (parameters[i].allows(larger)) return mechanism.with(scale.parameter, larger);
    }
  }
  return std::nullopt;
}

}  // namespace

std::shared_ptr<const Curve> group_privacy(std::shared_ptr<const Curve> curve, int doublings) {
  if (doublings < 0 || doublings > most_doublings) {
    throw InvalidArgument("doublings", fmt::format("{}", doublings), fmt::format("0 to {}", most_doublings));
  }
  if (doublings == 0) return curve;
  return std::make_shared<GroupCurve>(std::move(curve), doublings);
}

std::optional<Plan> scaled_to_group(const Plan& plan, std::int64_t size) {
  Plan larger(plan.neighbors());
  for (const CountedMechanism& m : plan.merged()) {
    const auto step = scaled(m.mechanism, static_cast<double>(size));
    if (!step) return std::nullopt;
    larger.add(*step, m.count);
  }
  return larger;
}

}  // namespace renyi
