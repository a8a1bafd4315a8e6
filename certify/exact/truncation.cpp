#include "certify/exact/truncation.h"

namespace renyi::certify {
namespace {

constexpr int most_zones = 120;
// Zones are wide where the bound is far below what is needed, and narrow where it is not.
constexpr double ratios[] = {2, 1.4, 1.12, 1.03};

}  // namespace

Truncation::Truncation(const Steps& steps, Direction direction, const Ball& c) : c_(c) {
  for (const CountedMechanism& step : steps) {
    parts_.push_back({decay_of(step.mechanism, direction, c), Ball(step.count)});
  }
}

// Lemma K10: at most (ratio-1) y/h + 1 points lie in (y, ratio y], each with |z (z+1)| at least that at y.
Ball Truncation::zone(const Ball& y, const Ball& ratio, const Ball& spacing) const {
  Ball log_phi(0);
  for (const Part& part : parts_) log_phi += part.count * part.decay->within(y, ratio);
  const Ball kernel = sqrt((square(c_) + square(y)) * (square(c_ + 1) + square(y)));
  return exp(log_phi) * ((ratio - 1) * y + spacing) / (Ball::pi() * kernel);
}

// Lemma K10: h times the sum over y_j > y of 1/y_j^2 is at most 1/y + h/y^2.
Ball Truncation::rest(const Ball& y, const Ball& spacing) const {
  Ball log_phi(0);
  for (const Part& part : parts_) log_phi += part.count * part.decay->beyond(y);
  return exp(log_phi) * (1 / y + spacing / square(y)) / Ball::pi();
}

LeftOut Truncation::beyond(const Ball& from, const Ball& spacing, const Ball& limit) const {
  Ball y = from.lower();
  Ball total(0);
  for (int i = 0; i < most_zones; ++i) {
    const Ball all = rest(y, spacing);
    if (surely_at_most(all, limit / 4)) return {total + all, 0};
    Ball part = Ball::infinity();
    Ball ratio;
    for (const double candidate : ratios) {
      ratio = candidate;
      part = zone(y, ratio, spacing);
      if (surely_at_most(part, limit / 8)) break;
    }
    total += part;
    if (!surely_at_most(total, limit)) break;
    y = (y * ratio).lower();
  }
  return {Ball::infinity(), y.about()};
}

}  // namespace renyi::certify
