#include "accuracy/half_width.h"

#include <algorithm>
#include <cmath>

#include "numerics/rounding.h"

namespace renyi::noise_error {

namespace half_width_file {
namespace {

// 1 - level as an interval: the difference is exact for levels of at least 1/2.
Interval complement(double level) {
  const double rest = 1 - level;
  if (level >= 0.5) return {rest, rest};
  return {numerics::next_down(rest), std::min(1.0, numerics::next_up(rest))};
}

// A search for the point where the tail falls to `allowed`, first with few digits and then with all. On the integers
// all points are whole numbers.
class Search {
 public:
  Search(Tails& tails, double level) : tails_(tails), allowed_(complement(level)), lattice_(tails.sum().is_lattice()) {}

  Interval run();

 private:
  enum class Digits { few, all };

  // ln(tail/allowed), which is positive below the half-width.
  double excess(double t, Digits digits) {
    const Interval tail = digits == Digits::few ? tails_.roughly_beyond(t) : tails_.beyond(t);
    const double middle = tail.lower + (tail.upper - tail.lower) / 2;
    return std::log(std::max(middle, 1e-300)) - std::log(allowed_.lower);
  }
  double best() const { return std::abs(at_low_) < std::abs(at_high_) ? low_ : high_; }
  bool is_enough(double t) { return tails_.beyond(t).upper <= allowed_.lower; }
  bool is_too_little(double t) { return tails_.beyond(t).lower > allowed_.upper; }
  void bracket();
  void bracket_again();
  void narrow(Digits digits, double tolerance);
  Interval certified();
  Interval certified_integers();

  Tails& tails_;
  Interval allowed_;
  bool lattice_;
  double low_ = 0, high_ = 0;
  double at_low_ = 0, at_high_ = 0;
};

void Search::bracket() {
  low_ = 0;
  at_low_ = excess(0, Digits::few);
  const auto stddev = static_cast<double>(std::sqrt(tails_.sum().variance()));
  high_ = lattice_ ? std::ceil(stddev) : stddev;
  while ((at_high_ = excess(high_, Digits::few)) > 0) {
    low_ = high_;
    at_low_ = at_high_;
    high_ *= 2;
  }
}

// Brackets the root around the point that was found with few digits.
void Search::bracket_again() {
  const double start = best();
  const double slope = (at_low_ - at_high_) / (high_ - low_);
  const double at = excess(start, Digits::all);
  double step = std::max(1.2 * std::abs(at) / slope, 1e-15 * start);
  if (lattice_) step = std::ceil(std::max(1.0, step));
  low_ = high_ = start;
  at_low_ = at_high_ = at;
  while (at_high_ > 0)
    low_ = high_, at_low_ = at_high_, high_ += step, at_high_ = excess(high_, Digits::all), step *= 2;
  while (at_low_ <= 0 && low_ > 0) {
    high_ = low_, at_high_ = at_low_, low_ = std::max(0.0, low_ - step), at_low_ = excess(low_, Digits::all), step *= 2;
  }
}

// The Illinois variant of false position, which keeps the root between the two points.
void Search::narrow(Digits digits, double tolerance) {
  int side = 0;
  for (int i = 0; i < 200 && high_ - low_ > (lattice_ ? 1 : 2e-15 * high_); ++i) {
    double share = at_low_ / (at_low_ - at_high_);
    if (!(share > 0 && share < 1) || i % 8 == 7) share = 0.5;
    double middle = low_ + share * (high_ - low_);
    if (lattice_) middle = std::clamp(std::floor(middle), low_ + 1, high_ - 1);
    if (!(middle > low_ && middle < high_)) break;
    const double at = excess(middle, digits);
    if (at > 0) {
      low_ = middle, at_low_ = at;
      if (side == 1) at_high_ /= 2;
      side = 1;
    } else {
      high_ = middle, at_high_ = at;
      if (side == -1) at_low_ /= 2;
      side = -1;
    }
    if (std::abs(at) < tolerance) break;
  }
}

Interval Search::certified_integers() {
  double upper = high_, lower = high_;
  for (double step = 1; !is_enough(upper); step *= 2) upper += step;
  for (double step = 1; lower > 0 && !is_too_little(lower - 1); step *= 2) lower = std::max(0.0, lower - step);
  return {lower, upper};
}

// Moves both ends outwards until they are proven.
Interval Search::certified() {
  const double found = best();
  double upper = found, lower = found;
  const double start = 1e-14 * std::max(found, 1e-3 * static_cast<double>(std::sqrt(tails_.sum().variance())));
  for (double step = start; !is_enough(upper); step *= 4) upper = found + step;
  for (double step = start; lower > 0 && !is_too_little(lower); step *= 4) lower = std::max(0.0, found - step);
  return {lower, upper};
}

Interval Search::run() {
  if (lattice_ && is_enough(0)) return {0, 0};
  bracket();
  narrow(Digits::few, 1e-4);
  bracket_again();
  narrow(Digits::all, lattice_ ? 0 : 1e-13);
  return lattice_ ? certified_integers() : certified();
}

}  // namespace
}  // namespace half_width_file

Interval half_width(Tails& tails, double level) { return half_width_file::Search(tails, level).run(); }

}  // namespace renyi::noise_error
