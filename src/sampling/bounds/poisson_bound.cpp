// Poisson sampling of a step that is known by its curve only. With r = p/q, where p and q are the step's distributions
// with and without the record, u = r - 1 and the mixture m = (1-g) q + g p:
//   remove  E_q[(m/q)^a] = E_q[(1 + g u)^a]
//   add     E_m[(q/m)^a] = E_q[(1 + g u)^(1-a)]
// Proofs: docs/math/sampling-bounds.md, "Poisson sampling".
#include <algorithm>
#include <boost/math/special_functions/log1p.hpp>
#include <cmath>
#include <limits>
#include <memory>

#include "mechanism/shared_curves.h"
#include "numerics/exponentials.h"
#include "numerics/rounding.h"
#include "renyi/papers/sampling_bounds.h"
#include "sampling/bounds/logarithms.h"
#include "sampling/bounds/whole_order_curve.h"

namespace renyi::sampling {

namespace poisson_bound_file {
namespace {

class PoissonBound final : public WholeOrderCurve {
 public:
  // The rate is in (0, 1).
  PoissonBound(const std::shared_ptr<const Curve>& step, double rate);

 private:
  double log_moment_at_whole(std::size_t n, Direction direction) const override;
  double divergence_at_any(double order, Direction direction) const override;
  double largest_loss(Direction direction) const override {
    return direction == Direction::add ? largest_add_ : largest_remove_;
  }

  const WholeMoments& moments(Direction direction) const {
    return direction == Direction::remove || !add_ ? remove_ : *add_;
  }
  long double log_excess(std::size_t n, Direction direction) const;
  double remove_by_norm(double k, double order) const;
  double add_at_whole(std::size_t n) const;
  double add_by_second_moment(double order) const;

  double rate_;
  WholeMoments remove_;
  std::unique_ptr<const WholeMoments> add_;  // nullptr if add is treated like remove
  double largest_remove_;
  double largest_add_;
};

// exp() is not evaluated for larger exponents.
constexpr double large_exponent = 600;

// Computes -ln(1 - g + g e^-loss), the largest value of ln(q/m) for any step.
double largest_add_loss(double loss, double g) {
  const long double l = loss;
  const long double exact = g < 0.5 ? -std::log1p(g * std::expm1(-l)) : -std::log((1 - g) + g * std::exp(-l));
  return to_double_up(exact * (1 + 16 * log_epsilon));
}

// Squares of smaller numbers underflow.
constexpr double small = 1e-100;

// Computes ln(1/(1-g)) - g, and below e^y - 1 - y: each is half a square to first order.
long double log_remainder(double g) {
  return g < small ? static_cast<long double>(g) * g / 2 : -boost::math::log1pmx(-g);
}
long double exp_remainder(double y) {
  return y < small ? static_cast<long double>(y) * y / 2 : numerics::exp_remainder(y);
}

// ln((1-g)^-z - 1 - z g), as (e^y - 1 - y) + z (ln(1/(1-g)) - g) with y = z ln(1/(1-g)).
long double log_second_moment_factor(double z, double g) {
  const double y = -z * std::log1p(-g);
  return y > large_exponent ? y : std::log(exp_remainder(y) + z * log_remainder(g));
}

PoissonBound::PoissonBound(const std::shared_ptr<const Curve>& step, double rate)
    : WholeOrderCurve(step),
      rate_(rate),
      remove_([step](double z) { return step_log_moment(*step, z, Direction::remove); }),
      largest_remove_(mixed_log_moment(step->max_loss(Direction::remove).upper(), rate)),
      largest_add_(largest_add_loss(step->max_loss(Direction::add).upper(), rate)) {
  if (step->is_symmetric()) return;
  add_ = std::make_unique<const WholeMoments>([step](double z) { return step_log_moment(*step, z, Direction::add); });
}

// ln(E_q[(1 + g u)^n] - 1) by the binomial theorem, E_q[r^l] <= e^K(l-1), E_q[r] = 1:
//   sum_(l=2..n) C(n,l) (1-g)^(n-l) g^l (E_q[r^l] - 1), every term >= 0.
long double PoissonBound::log_excess(std::size_t n, Direction direction) const {
  const WholeMoments::Values k = moments(direction).up_to(n);
  const long double in = std::log(static_cast<long double>(rate_)), out = std::log1p(-static_cast<long double>(rate_));
  LogSum sum;
  BinomialLog choose(n);
  for (std::size_t l = 2; l <= n; ++l, choose.next()) {
    if ((*k)[l] == 0) continue;
    const auto chosen = static_cast<long double>(l), left = static_cast<long double>(n - l);
    const long double excess = log_expm1((*k)[l]), sampled = chosen * in + left * out;
    const long double size = 4 + std::abs(excess) + std::abs(sampled);
    sum.add(choose.value() + sampled + excess, choose.error() + 4 * log_epsilon * size);
  }
  return sum.upper();
}

// At order 2 it is g^2 times the integral of (q-p)^2/m, and 1/x is convex. Above order 2, E_p[(1 + g (q/p - 1))^n] - 1
// bounds the part where r < 1; where r > 1 the second moment of u bounds it, and so does the excess of the other
// direction.
double PoissonBound::add_at_whole(std::size_t n) const {
  const long double in = std::log(static_cast<long double>(rate_));
  const double k_remove = (*remove_.up_to(2))[2], k_add = (*moments(Direction::add).up_to(2))[2];
  const long double error = 8 * log_epsilon * (4 + std::abs(in) + std::abs(log_expm1(std::max(k_remove, k_add))));
  if (n == 2) {
    const double k = std::max(k_remove, k_add);
    return k == 0 ? 0 : log1p_exp_up(2 * in + log_expm1(k), error);
  }
  const auto a = static_cast<long double>(n);
  const long double second = k_remove == 0 ? -std::numeric_limits<long double>::infinity()
                                           : std::log(a * (a - 1) / 2) + 2 * in + log_expm1(k_remove);
  const long double mirrored = log_excess(n, Direction::add);
  LogSum sum;
  sum.add(mirrored, 0);
  sum.add(std::min(second, add_ ? log_excess(n, Direction::remove) : mirrored), error);
  return log1p_exp_up(sum.upper(), 0);
}

// (1 + g u)^-z - 1 + z g u <= u^2 ((1-g)^-z - 1 - z g), since the left side divided by u^2 decreases in u. So with z =
// a - 1
//   E_q[(1 + g u)^-z] - 1 <= E_q[u^2] ((1-g)^-z - 1 - z g),  and  D_1 <= E_q[u^2] (ln(1/(1-g)) - g).
double PoissonBound::add_by_second_moment(double order) const {
  const double k = (*remove_.up_to(2))[2];
  if (k == 0) return 0;
  if (std::isinf(k)) return k;
  const long double chi = log_expm1(k), error = 64 * static_cast<long double>(numerics::unit_roundoff);
  if (order > 1) {
    const long double y = log_second_moment_factor(order - 1, rate_) + chi;
    const long double size = 2 + std::abs(chi) + std::abs(y);
    return divergence_up(log1p_exp_up(y, error * size), order);
  }
  return to_double_up(log_remainder(rate_) * std::expm1(static_cast<long double>(k)) * (1 + error));
}

double PoissonBound::log_moment_at_whole(std::size_t n, Direction direction) const {
  return direction == Direction::add ? add_at_whole(n) : log1p_exp_up(log_excess(n, direction), 0);
}

// Minkowski: the norm of order a of 1 - g + g r is at most 1 - g + g times that of r, e^(K/a).
double PoissonBound::remove_by_norm(double k, double order) const {
  const double log_norm = mixed_log_moment(numerics::next_up(k / order), rate_);
  return divergence_up(numerics::next_up(order * log_norm), order);
}

double PoissonBound::divergence_at_any(double order, Direction direction) const {
  const double k = step_log_moment(step(), order - 1, direction);
  const double d1 = order == 1 ? divergence(step(), 1, direction).upper() : 0;
  const double mixed = mixed_divergence(k, d1, rate_, order);
  if (direction == Direction::add) return std::min(mixed, add_by_second_moment(order));
  return order == 1 || k == 0 ? mixed : std::min(mixed, remove_by_norm(k, order));
}

}  // namespace
}  // namespace poisson_bound_file

}  // namespace renyi::sampling

namespace renyi {

std::shared_ptr<const Curve> poisson_bound(std::shared_ptr<const Curve> step, double rate) {
  sampling::check_sampled(step, rate);
  if (rate == 1) return step;
  if (rate == 0) return std::make_shared<mechanism::LinearDivergenceCurve>(0, 0);
  return std::make_shared<sampling::poisson_bound_file::PoissonBound>(step, rate);
}

}  // namespace renyi
