// Sums of binomial probabilities over runs of neighbouring counts, bounded from above, in constant time for each run
// (docs/math/shuffle-model.md, "Sums over cells").
#pragma once

namespace renyi::mechanism {

// Upper bounds of b(lo) + ... + b(hi) and, by the same majorant of b, the sum of b(k) (k - centre): a sum of b(k) f(k)
// over the cell with f linear and f >= 0 there is at most f(centre) total + f' first.
struct CellSum {
  long double centre = 0;
  long double total = 0;
  long double first = 0;
};

// The binomial distribution b of `trials` trials that each succeed with probability p, 0 <= p < 1.
class BinomialCells {
 public:
  BinomialCells(long double trials, long double p);

  // Returns ln b(k), 0 <= k <= trials.
  [[nodiscard]] long double log_mass(long double k) const;
  // Returns b(k).
  [[nodiscard]] long double mass(long double k) const;
  // Return b(k+1)/b(k) - 1 and b(k-1)/b(k) - 1.
  [[nodiscard]] long double rise_above(long double k) const;
  [[nodiscard]] long double rise_below(long double k) const;
  // Returns the sums over lo <= k <= hi, whole numbers.
  [[nodiscard]] CellSum cell(long double lo, long double hi) const;
  // Returns an upper bound of b(k) + b(k+1) + ..., k above the mean, or of b(k) + b(k-1) + ..., k below it.
  [[nodiscard]] long double tail_above(long double k) const;
  [[nodiscard]] long double tail_below(long double k) const;

 private:
  long double n_;
  long double p_;
  long double q_;
  long double error_of_n_;  // the remainder of Stirling's formula for ln n!
};

}  // namespace renyi::mechanism
