// Two log-densities on the line, looked at safely.
#pragma once

#include <cmath>
#include <limits>

#include "renyi/extras/divergence.h"

namespace renyi::divergence_detail {

struct LogPair {
  double p = 0;
  double q = 0;
  // ln(p/q) and what it may be off by, where it is known better than by the difference.
  double known_loss = std::numeric_limits<double>::quiet_NaN();
  double loss_rounding = 0;

  bool knows_loss() const { return !std::isnan(known_loss); }
  double loss() const { return knows_loss() ? known_loss : p - q; }
  LogPair swapped() const { return {q, p, -known_loss, loss_rounding}; }
};

// What a log-density computed in double may be off by.
double rounding_of(double log_density);

class Line {
 public:
  // Throws InvalidArgument for functions that are missing, an empty interval, points outside it.
  explicit Line(LogDensities densities);

  // Throws InvalidArgument for NaN, and for +infinity unless it is a pole at one point. A point by itself where only
  // one has density says nothing of the line around it: its neighbour answers.
  LogPair at(double x) const;

  double lower() const { return given_.lower; }
  double upper() const { return given_.upper; }
  bool contains(double x) const { return x > given_.lower && x < given_.upper; }
  const std::vector<double>& points() const { return given_.points; }
  Line swapped() const;
  // The line of ((1-rate) Q + rate P, Q).
  Line mixed(double rate) const;

 private:
  LogPair raw(double x) const;

  LogDensities given_;
  double rate_ = 1;      // of P in the first law
  bool turned_ = false;  // after mixing
};

}  // namespace renyi::divergence_detail
