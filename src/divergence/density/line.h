// Two log-densities on the real line, evaluated with checks.
#pragma once

#include <cmath>
#include <limits>

#include "renyi/extras/divergence.h"

namespace renyi::divergence_detail {

struct LogPair {
  double p = 0;
  double q = 0;
  // ln(p/q) and its error, for where it is known better than the difference of the log-densities.
  double known_loss = std::numeric_limits<double>::quiet_NaN();
  double loss_rounding = 0;

  bool knows_loss() const { return !std::isnan(known_loss); }
  double loss() const { return knows_loss() ? known_loss : p - q; }
  LogPair swapped() const { return {q, p, -known_loss, loss_rounding}; }
};

// Returns the rounding error of a log-density computed in double.
double rounding_of(double log_density);

class Line {
 public:
  // Throws InvalidArgument for functions that are missing, an empty interval, points outside it.
  explicit Line(LogDensities densities);

  // Throws InvalidArgument for NaN, and for +infinity unless it is a pole at one point. At an isolated point where only
  // one distribution has density, the value at a neighbouring point is returned.
  LogPair at(double x) const;

  double lower() const { return given_.lower; }
  double upper() const { return given_.upper; }
  bool contains(double x) const { return x > given_.lower && x < given_.upper; }
  const std::vector<double>& points() const { return given_.points; }
  Line swapped() const;
  // Returns the line of ((1-rate) Q + rate P, Q).
  Line mixed(double rate) const;

 private:
  LogPair raw(double x) const;

  LogDensities given_;
  double rate_ = 1;      // weight of P in the first distribution
  bool turned_ = false;  // P and Q are exchanged after mixing
};

}  // namespace renyi::divergence_detail
