// Skellam noise on every number of a vector of whole numbers (docs/math/discrete-noise.md, "Skellam").
#include <algorithm>
#include <array>
#include <cmath>

#include "mechanism/custom/order_curve.h"
#include "mechanism/model.h"
#include "mechanism/references.h"
#include "mechanism/table.h"
#include "numerics/rounding.h"

namespace renyi {

namespace skellam_vector_file {
namespace {

struct SkellamVector {
  double variance = 10;
  double l1_sensitivity = 1;
  double l2_sensitivity = 1;

  static constexpr std::string_view kind = "skellam-vector";
  static constexpr std::string_view summary = "Skellam noise on every number of a vector of whole numbers";
  static std::span<const Parameter> parameters();
  static constexpr auto fields =
      std::tuple{&SkellamVector::variance, &SkellamVector::l1_sensitivity, &SkellamVector::l2_sensitivity};
  static Notes notes();
  static constexpr bool is_additive_noise = true;
  std::optional<SkellamVector> for_group(double size) const;
  std::shared_ptr<const Curve> curve() const;
  bool operator==(const SkellamVector&) const = default;
};

std::span<const Parameter> SkellamVector::parameters() {
  static constexpr std::array<Parameter, 3> table{{
      {.name = "variance",
       .meaning = "variance of the noise on each number",
       .lowest = 0.1,
       .highest = 1e50,
       .effect = Effect::lowers_cost},
      {.name = "l1_sensitivity",
       .meaning = "how far one record moves the query in L1 norm",
       .lowest = 1,
       .highest = 1e30,
       .effect = Effect::raises_cost},
      {.name = "l2_sensitivity",
       .meaning = "how far one record moves the query in L2 norm",
       .lowest = 1,
       .highest = 1e30,
       .effect = Effect::raises_cost},
  }};
  return table;
}

// At whole orders a >= 2, with D1 and D2 the norms and v the variance,
//     D_a <= a D2^2/(2v) + min( ((2a-1) D2^2 + 6 D1)/(4v^2), 3 D1/(2v) )
// (Agarwal, Kairouz, Liu 2021, Theorem 3.5). For vectors of whole numbers D2 <= D1 <= D2^2.
class SkellamVectorCurve final : public mechanism::OrderCurve {
 public:
  SkellamVectorCurve(double v, double d1, double d2)
      : v_(v), squared_(std::min(d1, d2) * std::min(d1, d2)), l1_(std::min(d1, squared_)) {}

  bool is_symmetric() const override { return true; }
  // Bounds D_a by D at the next whole order, which is at most a + 1.
  Growth growth() const override {
    const double rho = squared_ / (2 * v_), up = 1 + rounding;
    return {(rho + 3 * l1_ / (2 * v_)) * up, rho * up};
  }

 private:
  static constexpr double rounding = 16 * numerics::unit_roundoff;

  double at_whole(double order) const {
    const double linear = order * squared_ / (2 * v_);
    const double rest = std::min(((2 * order - 1) * squared_ + 6 * l1_) / (4 * v_) / v_, 3 * l1_ / (2 * v_));
    return (linear + rest) * (1 + rounding);
  }

  // Between whole orders n and n+1, convexity of K gives (a-1) D_a <= (1-t) (n-1) D_n + t n D_(n+1), t = a - n; below 2
  // that is D_2.
  Bounded divergence_of(double order, Direction) const override {
    if (std::isinf(order)) return {order, 0};
    const double n = std::floor(order), t = order - n;
    if (n < 2) return {at_whole(2), 0};
    if (t == 0) return {at_whole(order), 0};
    const double k = (1 - t) * (n - 1) * at_whole(n) + t * n * at_whole(n + 1);
    return {k / (order - 1) * (1 + rounding), 0};
  }

  double v_;
  double squared_;
  double l1_;
};

std::shared_ptr<const Curve> SkellamVector::curve() const {
  return std::make_shared<SkellamVectorCurve>(variance, l1_sensitivity, l2_sensitivity);
}

// Along a chain of neighbours the distances add (triangle inequality).
std::optional<SkellamVector> SkellamVector::for_group(double size) const {
  return SkellamVector{variance, mechanism::grown(l1_sensitivity, size), mechanism::grown(l2_sensitivity, size)};
}

Notes SkellamVector::notes() {
  return {
      .relation = "any; both sensitivities are stated for it (of a sampled step: for the presence of one record)",
      .exact = "nothing: of one number skellam is exact",
      .bound = "Renyi divergences at whole orders by the published bound, between them by convexity; no exact figures",
      .references = {reference::agarwal2021}};
}

}  // namespace
}  // namespace skellam_vector_file

Mechanism table::skellam_vector() { return mechanism::made(skellam_vector_file::SkellamVector{}); }

}  // namespace renyi
