// Two log-densities on the line, looked at safely.
#pragma once

#include "renyi/divergence.h"

namespace renyi::divergence_detail {

struct LogPair {
  double p = 0;
  double q = 0;
};

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

 private:
  LogPair raw(double x) const;

  LogDensities given_;
};

}  // namespace renyi::divergence_detail
