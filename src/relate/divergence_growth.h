// Splits a plan for the privacy notions: its Gaussian part, which is exact, and how fast the divergences of the rest
// grow with the order.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "relate/supremum.h"
#include "renyi/extras/curve.h"
#include "renyi/plan.h"

namespace renyi::relate {

// Returns the plan's mechanisms with their counts, without those that reveal nothing.
std::vector<CountedMechanism> steps_with_loss(const Analysis& analysis);

// Returns mu if the step's curve is that of N(0, 1) against N(mu, 1): Gaussian noise, mu-GDP.
std::optional<double> gaussian_mu(const Mechanism& mechanism);

// Returns an interval whose upper end is a mu with which one run of the step is mu-GDP, or std::nullopt if no theorem
// gives one.
std::optional<Interval> gdp_mu(const Curve& curve);

// K(z) = rho z (z+1) + K of the rest. D_a / a of the first part is the same at every order, so only the rest is
// searched.
struct GaussianAndRest {
  Interval rho{0, 0};
  std::vector<CountedMechanism> rest;
};
GaussianAndRest split_off_gaussian(const std::vector<CountedMechanism>& mechanisms);

// The sum of counts times intervals, rounded outwards.
class OutwardSum {
 public:
  void add(double count, const Interval& x);
  Interval total() const;

 private:
  Interval sum_{0, 0};
  int terms_ = 0;
};

// Returns an interval around a value with that relative error.
Interval around(double value, double relative);
Interval sum_outwards(const Interval& a, const Interval& b);

// The next two functions give the growth of the divergences of a curve with the order, which determines the
// parameters of zCDP and tCDP (docs/math/privacy-notions.md). This one is sup D_a / a over 1 < a <= last_order, for
// the larger direction; last_order may be infinite.
Interval smallest_rho(const Curve& curve, double last_order);

// Curve::growth().rho is the limit of D_a / a, rounded up by less than this share of it.
inline constexpr double growth_rounding = 1e-13;

// sup (D_a - rho a)+ over a > 1. rho must be at least curve.growth().rho.
Interval smallest_xi(const Curve& curve, double rho);

// Returns whether the mechanism is a custom mechanism that is given by a bound on its divergences: only upper bounds
// are known, and the exact divergences may be anything below (docs/math/privacy-notions.md, "Custom mechanisms").
bool is_only_bounded(const Mechanism& mechanism);

// Returns the steps without those mechanisms. Another step never makes a smallest parameter smaller, so a lower bound
// for these steps is a lower bound for all.
std::vector<CountedMechanism> with_known_lower_end(std::vector<CountedMechanism> mechanisms);

// smallest_rho and smallest_xi of the composed curve; the lower bound is computed from the steps of
// with_known_lower_end.
Interval smallest_rho(const std::vector<CountedMechanism>& mechanisms, double last_order);
Interval smallest_xi(const std::vector<CountedMechanism>& mechanisms, double rho);

// Returns the analysed steps of the plan whose own loss is known: what holds for their curves then holds for the steps.
// For the other steps only a bound is known, and the step may be better.
std::vector<CountedMechanism> with_known_loss(const Analysis& analysis);

// Returns "none exists, because the loss of ... is infinite with probability 1e-06", if a loss is infinite.
std::optional<std::string> proof_of_no_orders(const Analysis& analysis);

// Returns that proof, or "none is known, because the loss of ... may be infinite with probability up to 1e-06", if only
// a bound is known.
std::optional<std::string> why_no_orders(const Analysis& analysis);

// Returns "none is known, because nothing is known of ... at orders above 8", if curves end at an order.
std::optional<std::string> why_orders_end(const std::vector<CountedMechanism>& mechanisms);

// Returns the name of a step in messages, for example "laplace (scale 20)".
std::string name_of(const Mechanism& mechanism);

}  // namespace renyi::relate
