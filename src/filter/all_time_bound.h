// A bound on the privacy loss that holds at all times at once: a mixture of supermartingales, one for each order
// (docs/math/odometers.md).
#pragma once

#include <span>
#include <vector>

namespace renyi::filter {

// Orders and their weights, which sum to at most 1 and are fixed in advance. M(a) = exp((a-1)(L - spent(a))) is a
// supermartingale from 1 for every order a, and so is the mixture sum_a w(a) M(a); with probability 1 - delta it never
// reaches 1/delta (Ville's inequality).
class AllTimeBound {
 public:
  // `delta` is in [1e-290, 1), the orders are above 1 and distinct; all have the same weight.
  AllTimeBound(double delta, const std::vector<double>& orders);

  // Returns the bound of a run known by rho alone, whose divergence of order a is at most a rho. Its orders are the
  // best ones of levels of rho, the powers of 2 from 2^-30 to 2^16, and levels around 1/8 weigh most. Stored odometers
  // rely on these numbers.
  static AllTimeBound of_rho(double delta);

  const std::vector<double>& orders() const noexcept { return orders_; }

  struct Value {
    double epsilon = 0;
    double order = 0;  // the one whose part of the mixture is largest
  };
  // Returns the smallest epsilon at which the mixture is 1/delta, rounded up, given the divergences spent at each
  // order, which may be infinite. It never falls if any of them grows.
  Value at(std::span<const double> spent) const;

 private:
  AllTimeBound(double delta, std::vector<double> orders, std::vector<double> log_weights);
  // ln(w M delta) of one order if the loss is epsilon.
  double exponent(std::size_t index, double epsilon, double spent) const;
  bool reaches(double epsilon, std::span<const double> spent) const;

  double log_inverse_delta_;
  std::vector<double> orders_;
  std::vector<double> log_weights_;
  double margin_;  // covers the rounding errors of the mixture
};

}  // namespace renyi::filter
