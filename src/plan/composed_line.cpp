#include "plan/composed_line.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "numerics/rounding.h"

namespace renyi::plan {

namespace {

// exp of this is nothing beside any answer.
constexpr double invisible = -55;
// Points of parts with a closed form cost less than this.
constexpr double most_cheap = 50;
// From so many steps on it is worth while to ask how many points their atoms leave visible.
constexpr double many_steps = 100;
constexpr int samples = 256;

// The errors of the factors that are known belong to the bound.
ComplexLogMoment only_bounded(const ComplexLogMoment& total) {
  return {{total.value.real() + total.error, 0}, std::numeric_limits<double>::infinity()};
}

// The sum over the parts of one point.
struct Running {
  ComplexLogMoment total;
  double modulus = 0;
  bool lost = false;  // a factor of which only an upper bound is left

  void add(double count, const ComplexLogMoment& one) {
    total.value += count * one.value;
    lost = lost || std::isinf(one.error);
    total.error += std::isinf(one.error) ? 0 : count * one.error;
    modulus += count * std::abs(one.value);
  }

  // Rounding of count, product and running sum: a few for each part.
  ComplexLogMoment sum(std::size_t parts) const {
    ComplexLogMoment result = total;
    result.error += (2.0 + static_cast<double>(parts)) * numerics::unit_roundoff * modulus;
    return lost ? only_bounded(result) : result;
  }
};

}  // namespace

ComposedLine::ComposedLine(std::vector<CountedLine> parts) : parts_(std::move(parts)) {
  const auto middle = std::stable_partition(parts_.begin(), parts_.end(),
                                            [](const CountedLine& part) { return part.line->cost(1) < most_cheap; });
  cheap_ = static_cast<std::size_t>(middle - parts_.begin());
  for (std::size_t i = 0; i < cheap_; ++i) cheap_steps_ += parts_[i].count;
}

// No factor exceeds 1: where the cheap ones leave nothing the others are not asked.
ComplexLogMoment ComposedLine::log_phi(double y) const {
  Running running;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (i == cheap_ && running.total.value.real() + running.total.error < invisible) return only_bounded(running.total);
    running.add(parts_[i].count, parts_[i].line->log_phi(y));
  }
  return running.sum(parts_.size());
}

// Point by point where the cheap parts may spare the others; else each part does its points in a row.
void ComposedLine::log_phis(double first, double step, std::span<ComplexLogMoment> values) const {
  if (cheap_ > 0) {
    for (std::size_t j = 0; j < values.size(); ++j) values[j] = log_phi(first + static_cast<double>(j) * step);
    return;
  }
  std::vector<Running> totals(values.size());
  for (const CountedLine& part : parts_) {
    part.line->log_phis(first, step, values);
    for (std::size_t j = 0; j < values.size(); ++j) totals[j].add(part.count, values[j]);
  }
  for (std::size_t j = 0; j < values.size(); ++j) values[j] = totals[j].sum(parts_.size());
}

double ComposedLine::visible_share(double y) const {
  int visible = 0;
  for (int i = 0; i < samples; ++i) {
    // Multiples of the golden ratio modulo 1 fill the zone evenly.
    const double v = y * (1 + std::fmod(0.6180339887498949 * i, 1.0));
    double log_modulus = 0;
    for (std::size_t k = 0; k < cheap_; ++k) log_modulus += parts_[k].count * parts_[k].line->log_phi(v).value.real();
    visible += log_modulus < invisible ? 0 : 1;
  }
  return (visible + 0.5) / samples;
}

template <class Ask>
double ComposedLine::sum(const Ask& ask) const {
  double total = 0;
  for (const CountedLine& part : parts_) total += ask(part);
  return total;
}

// All terms are <= 0; the sum is rounded towards 0.
double ComposedLine::decay(double y) const {
  const double down = 1 - (4.0 + static_cast<double>(parts_.size())) * numerics::unit_roundoff;
  return down * sum([&](const CountedLine& part) { return part.count * part.line->decay(y); });
}

double ComposedLine::decay_beyond(double y) const {
  const double down = 1 - (4.0 + static_cast<double>(parts_.size())) * numerics::unit_roundoff;
  return down * sum([&](const CountedLine& part) { return part.count * part.line->decay_beyond(y); });
}

double ComposedLine::shift_error() const {
  return (1 + 1e-9) * sum([&](const CountedLine& part) { return part.count * part.line->shift_error(); });
}

double ComposedLine::cost(double y) const {
  double cheap = 0, rest = 0;
  for (std::size_t i = 0; i < parts_.size(); ++i) (i < cheap_ ? cheap : rest) += parts_[i].line->cost(y);
  return cheap + rest * (rest > cheap && cheap_steps_ > many_steps ? visible_share(y) : 1);
}

}  // namespace renyi::plan
