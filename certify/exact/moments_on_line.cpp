#include "certify/exact/moments_on_line.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "certify/mechanism/moment.h"
#include "certify/sampled_gaussian/trapezoid.h"

namespace renyi::certify {
namespace {

constexpr long guard_bits = 24;

// So that count times the error of one moment is below exp(-digits).
long bits_for(const CountedMechanism& step, double digits) {
  return static_cast<long>(std::ceil((digits + std::log(static_cast<double>(step.count))) / std::numbers::ln2)) + 8;
}

// Exponents such as y epsilon and K lose the bits of their integer part.
long working_bits(const Steps& steps, double digits) {
  long most = 64;
  for (const CountedMechanism& step : steps) most = std::max(most, bits_for(step, digits));
  return most + 2 * guard_bits;
}

// E[exp(zL)] of one step at z = c + i j h.
std::vector<Complex> moments(const CountedMechanism& step, Direction direction, const Ball& c, const Ball& spacing,
                             long points, double digits) {
  if (!has_closed_moment(step.mechanism)) {
    const SampledGaussian& sampled = *step.mechanism.get_if<SampledGaussian>();
    const bool remove = direction == Direction::remove;
    return trapezoid_moments(sampled, remove ? 1 + c : -c, remove ? spacing : -spacing, points, bits_for(step, digits));
  }
  std::vector<Complex> result;
  for (long j = 0; j < points; ++j) {
    const Ball y = spacing * Ball(static_cast<std::int64_t>(j));
    result.push_back(moment(step.mechanism, direction, Complex(c, y)));
  }
  return result;
}

struct Sum {
  Complex log_phi;    // of the steps whose phase is known
  Ball log_modulus;   // at least the logarithm of the others' |phi|
  bool known = true;  // no such others
};

// count is whole, so any branch of the logarithm does.
void add(Sum& sum, const Complex& ratio, const Ball& count) {
  const Complex log_phi = log(ratio);
  if (log_phi.real().is_finite() && log_phi.imaginary().is_finite()) {
    sum.log_phi += Complex(count) * log_phi;
    return;
  }
  sum.known = false;
  sum.log_modulus += count * log(abs(ratio).upper());
}

// A delta far below Chernoff's bound on the line takes as many bits as it has digits, and long numbers take their time.
double slowness(long bits) {
  constexpr double usual_bits = 512;
  const double length = std::max(1.0, static_cast<double>(bits) / usual_bits);
  return length * length;
}

}  // namespace

LineMoments moments_on_line(const Steps& steps, Direction direction, const Line& line, long points, double digits) {
  LineMoments result;
  result.bits = working_bits(steps, digits);
  const Precision working(result.bits);
  const Ball c = line.c;
  const Ball spacing = line.spacing;
  std::vector<Sum> sums(static_cast<std::size_t>(points));
  for (const CountedMechanism& step : steps) {
    const std::vector<Complex> row = moments(step, direction, c, spacing, points, digits);
    const Ball whole = row.front().real();
    result.log_moment += Ball(step.count) * log(whole);
    for (std::size_t j = 1; j < row.size(); ++j) add(sums[j], row[j] / Complex(whole), Ball(step.count));
  }
  for (std::size_t j = 0; j < sums.size(); ++j) {
    if (sums[j].known) {
      result.phi.push_back(exp(sums[j].log_phi));
      continue;
    }
    const Ball y = spacing * Ball(static_cast<std::int64_t>(j));
    const Ball kernel = sqrt((square(c) + square(y)) * (square(c + 1) + square(y)));
    result.lost += exp(sums[j].log_modulus + sums[j].log_phi.real()) / kernel;
    result.phi.emplace_back();
  }
  return result;
}

Ball log_moment_at(const Steps& steps, Direction direction, double c, double digits) {
  const Precision working(working_bits(steps, digits));
  Ball total(0);
  for (const CountedMechanism& step : steps) {
    total += Ball(step.count) * log(moments(step, direction, c, 0, 1, digits).front().real());
  }
  return total;
}

double work(const Steps& steps, Direction direction, const Line& line, double points, double digits) {
  const double slow = slowness(working_bits(steps, digits));
  double total = 0;
  for (const CountedMechanism& step : steps) {
    if (has_closed_moment(step.mechanism)) {
      total += 10 * slow * points;
      continue;
    }
    const Ball c = line.c;
    const Ball exponent = direction == Direction::remove ? 1 + c : -c;
    const SampledGaussian& sampled = *step.mechanism.get_if<SampledGaussian>();
    const double nodes =
        trapezoid_node_count(sampled, exponent, Ball(points) * Ball(line.spacing), bits_for(step, digits));
    // Setting a node up costs as much as some fifty points; long lines need more bits.
    total += slow * nodes * (50 + points * (1 + std::sqrt(points) / 200));
  }
  return total;
}

}  // namespace renyi::certify
