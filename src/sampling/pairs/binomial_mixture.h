// Sums over Binomial(k, q) tilted by normal densities: r(x) = sum_i w_i exp(i (x - i/2)/s^2), the density of sum_i w_i
// N(i, s^2) divided by that of N(0, s^2).
#pragma once

#include <cstddef>
#include <vector>

namespace renyi::sampling {

// ln r(x) with its absolute error, the mean of i under the terms of the sum, and ln of sum_i w_i exp(-(x-i)^2/(2 s^2)),
// which is r(x) exp(-x^2/(2 s^2)) but keeps digits where both are large.
struct TiltedSum {
  double log_sum = 0;
  double error = 0;
  double mean = 0;
  double log_density = 0;
  double log_density_error = 0;
};

// A sum that may be tiny, with its absolute error.
struct SmallSum {
  double value = 0;
  double error = 0;
};

class BinomialMixture {
 public:
  BinomialMixture(double rate, std::size_t group, double s);

  std::size_t group() const { return log_weight_.size() - 1; }
  double log_weight(std::size_t i) const { return log_weight_[i]; }
  double inv_s2() const { return inv_s2_; }

  TiltedSum tilted(double x) const;
  // r(x) - 1 = sum_{i>0} w_i expm1(i (x - i/2)/s^2): accurate relative to its terms, for r(x) near 1.
  SmallSum excess(double x) const;
  // r(x) - r(-x) = sum_i w_i exp(-i^2/(2 s^2)) 2 sinh(i x/s^2) for x >= 0, multiplied by exp(-log_scale).
  SmallSum difference(double x, double log_scale) const;

 private:
  double exponent(std::size_t i, double x) const;
  double exponent_error(std::size_t i, double x) const;
  // Returns the index of the largest term: the logarithms of the terms are concave in i.
  std::size_t peak(double x) const;
  // Calls term(i) for i between `low` and `high`, and on from `low` downwards and from `high` upwards until it returns
  // false: the remaining terms are negligible.
  template <class Term>
  void for_terms(std::size_t low, std::size_t high, const Term& term) const;

  std::vector<double> log_weight_;
  std::vector<double> weight_;
  double inv_s2_;
  std::size_t likeliest_;
};

}  // namespace renyi::sampling
