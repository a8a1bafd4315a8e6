// What all pairs of binomial normal mixtures share.
#pragma once

#include "sampling/pairs/binomial_mixture.h"
#include "sampling/pairs/gaussian_pair.h"
#include "sampling/pairs/monotone_pair.h"

namespace renyi::sampling {

// Losses above this come from a logarithm of a sum; smaller ones from r - 1.
inline constexpr double small_loss = 0.5;

class NormalPair : public MonotonePair {
 public:
  double scale() const override { return s_; }
  double lowest(double power) const override;
  double highest(double power) const override;
  double largest_z(Direction direction) const override;

 protected:
  NormalPair(const GaussianGroup& group, Reading reading);

  const BinomialMixture& mixture() const { return mixture_; }
  double rate() const { return rate_; }
  double s() const { return s_; }
  double inv_s2() const { return mixture_.inv_s2(); }
  double reach() const { return reach_; }                 // the largest i
  double none() const { return mixture_.log_weight(0); }  // ln w_0
  // N(0, s^2) at x.
  double log_normal(double x) const { return log_scale_ - 0.5 * (x / s_) * (x / s_); }
  double log_normal_error(double x) const;
  double log_scale() const { return log_scale_; }
  double log_scale_error() const;
  // ln of at least sum_i w_i Pr[N(i, s^2) > x]: P's mass above x.
  double log_mixture_above(double x) const;
  // The same below x.
  double log_mixture_below(double x) const;
  // a (a-1) k^2/(2 s^2), a = z+1: K of N(k, s^2) against N(0, s^2).
  double unsampled(double z) const { return 0.5 * z * (z + 1) * inv_s2() * reach_ * reach_; }
  // At least K of P against N(0, s^2), and at most K of its part above 0 against any law that is below N(0, s^2) there.
  double power_upper(double z) const;
  double power_lower(double z) const;

 private:
  double rate_;
  double s_;
  double reach_;
  double log_scale_;  // -ln(s sqrt(2 pi))
  BinomialMixture mixture_;
};

}  // namespace renyi::sampling
