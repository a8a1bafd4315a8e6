// A plan taken apart as the notions ask for it: what is Gaussian, exactly, and how fast the divergences of the rest
// grow with the order.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "relate/supremum.h"
#include "renyi/extras/curve.h"
#include "renyi/plan.h"

namespace renyi::relate {

// The plan's mechanisms with their counts, without those that reveal nothing.
std::vector<CountedMechanism> steps_with_loss(const Analysis& analysis);

// mu where the step's curve is that of N(0, 1) against N(mu, 1): Gaussian noise, mu-GDP.
std::optional<double> gaussian_mu(const Mechanism& mechanism);

// K(z) = rho z (z+1) + K of the rest. The first part has D_a / a the same at every
// order, so only the rest is searched.
struct GaussianAndRest {
  Interval rho{0, 0};
  std::vector<CountedMechanism> rest;
};
GaussianAndRest split_off_gaussian(const std::vector<CountedMechanism>& mechanisms);

// The sum of counts times ranges, rounded outwards.
class OutwardSum {
 public:
  void add(double count, const Interval& x);
  Interval total() const;

 private:
  Interval sum_{0, 0};
  int terms_ = 0;
};

// A range around a value with that relative error.
Interval around(double value, double relative);
Interval sum_outwards(const Interval& a, const Interval& b);

// How fast the divergences of a curve grow with the order, the numbers behind zCDP and tCDP
// (docs/math/privacy-notions.md): sup D_a / a over 1 < a <= last_order, of the larger direction; last_order may be
// infinite.
Interval smallest_rho(const Curve& curve, double last_order);

// sup (D_a - rho a)+ over a > 1. rho must be at least curve.growth().rho.
Interval smallest_xi(const Curve& curve, double rho);

// A mechanism of one's own that is a bound on its divergences: known from above only, the truth may be anything below
// (docs/math/privacy-notions.md, "Own mechanisms").
bool is_only_bounded(const Mechanism& mechanism);

// The steps without those. A step more never makes a smallest parameter smaller, so what these need at least is a
// lower end for all.
std::vector<CountedMechanism> with_known_lower_end(std::vector<CountedMechanism> mechanisms);

// smallest_rho and smallest_xi of the composed curve, the lower end by these steps alone.
Interval smallest_rho(const std::vector<CountedMechanism>& mechanisms, double last_order);
Interval smallest_xi(const std::vector<CountedMechanism>& mechanisms, double rho);

// The analysed steps of the plan whose own loss is known: what holds of their curves then holds of the steps. What is
// known of others is a bound, and the step may be better.
std::vector<CountedMechanism> with_known_loss(const Analysis& analysis);

// "none exists, because the loss of ... is infinite with probability 1e-06", where some loss is.
std::optional<std::string> proof_of_no_orders(const Analysis& analysis);

// That, or "none is known, because the loss of ... may be infinite with probability up to 1e-06", where that is a
// bound.
std::optional<std::string> why_no_orders(const Analysis& analysis);

// "none is known, because nothing is known of ... at orders above 8", where curves end.
std::optional<std::string> why_orders_end(const std::vector<CountedMechanism>& mechanisms);

// "laplace (scale 20)": how messages name a step.
std::string name_of(const Mechanism& mechanism);

}  // namespace renyi::relate
