#include "certify/exact/hang.h"

#include <algorithm>
#include <cmath>

namespace renyi::certify {
namespace {

constexpr int halvings = 26;

// The border between where `holds` is true (low) and where it is false (high).
template <class Holds>
Span border(const Holds& holds, Span between, int steps) {
  for (int i = 0; i < steps; ++i) {
    const double middle = 0.5 * (between.low + between.high);
    (holds(middle) ? between.low : between.high) = middle;
  }
  return between;
}

// What merging from the top leaves over at the point `start`, less what the losses at or below it lack there.
double left_over(const StepTails& tails, double start, double h, double top) {
  const double cells = std::max(1.0, std::ceil((top - start) / h));
  RoughTail before = tails.rough(start + cells * h);
  double excess = std::max(0.0, before.p - std::exp(start + cells * h) * before.q);
  for (double j = cells - 1; j >= 0; --j) {
    const double l = start + j * h;
    const RoughTail tail = tails.rough(l);
    const double p = tail.p - before.p, q = tail.q - before.q, lack = std::exp(l + h) * q - p;
    const double up = lack > excess ? excess / lack : 1;
    excess = (1 - up) * std::max(0.0, p - std::exp(l) * q);
    before = tail;
  }
  return excess - std::max(0.0, std::exp(start) * (1 - before.q) - before.below);
}

// The least loss has a bulk next to it (sampled Gaussian, remove): the point at which it is balanced by its neighbours.
double balanced_start(const StepTails& tails, double h, const Span& span) {
  const auto offers = [&](double start) { return left_over(tails, start, h, span.high) > 0; };
  if (!offers(span.low)) return span.low;
  double reach = h;
  while (offers(span.low + reach) && reach < span.length()) reach *= 2;
  return border(offers, {span.low, span.low + reach}, halvings).low;
}

// P-mass that merging down from the point `end` loses for want of anything to make up for.
double lost_below(const StepTails& tails, double end, double h, double bottom) {
  RoughTail before = tails.rough(end);
  double excess = before.p - std::exp(end) * before.q;
  double lost = 0;
  // By counting: next to the largest loss the grid may be finer than the doubles there, and l - h is l.
  const double cells = std::ceil((end - bottom) / h) - 1;
  for (double j = 1; j <= cells; ++j) {
    const double l = end - j * h;
    const RoughTail tail = tails.rough(l);
    const double p = tail.p - before.p, q = tail.q - before.q, lack = std::exp(l + h) * q - p;
    const double up = lack > excess ? excess / lack : 1;
    if (up == 1) lost += std::max(0.0, excess - lack);
    excess = (1 - up) * std::max(0.0, p - std::exp(l) * q);
    before = tail;
  }
  return lost;
}

// The largest loss has (sampled Gaussian, add): what is above the point is a share of what the cell below it lacks, the
// share that loses least further down.
double balanced_end(const StepTails& tails, double h, const Span& span) {
  double best = span.high;
  double least = HUGE_VAL;
  for (const double share : {1.0, 0.8, 0.65, 0.5, 0.35, 0.2}) {
    const auto too_much_above = [&](double end) {
      const RoughTail tail = tails.rough(end), lower = tails.rough(end - h);
      const double lack = std::exp(end) * (lower.q - tail.q) - (lower.p - tail.p);
      return tail.p - std::exp(end) * tail.q > share * lack;
    };
    double reach = h;
    while (!too_much_above(span.high - reach) && reach < span.length()) reach *= 2;
    const double end = border(too_much_above, {span.high - reach, span.high}, halvings).high;
    const double lost = lost_below(tails, end, h, span.low);
    if (lost < least) {
      best = end;
      least = lost;
    }
  }
  return best;
}

std::int64_t whole(double x) { return static_cast<std::int64_t>(x); }

// The upper atom on the grid, by definition of the offset; the lower one too if h divides their distance.
Points hang_by_atoms(const StepTails& tails, const Spacing& spacing) {
  const Ball h = spacing.h();
  const std::int64_t fitting = tails.cells(spacing);
  const double cells = (tails.top() - tails.bottom()).about() / h.about();
  const std::int64_t last = fitting > 0 ? fitting : whole(std::ceil(cells));
  Points points{
      .offset = tails.top() - Ball(last) * h, .h = h, .last = last, .start = fitting > 0 ? 0 : 1, .end = last};
  points.atom_at_end = true;
  points.atom_at_start = fitting > 0;
  return points;
}

}  // namespace

Span span_of(const StepTails& tails, double log_negligible) {
  const double negligible = std::exp(std::max(log_negligible, -690.0));
  Span span{tails.bottom().about(), tails.top().about()};
  if (tails.has_atoms()) return span;
  const auto heavy_above = [&](double loss) { return tails.rough(loss).p > negligible; };
  const auto heavy_below = [&](double loss) { return tails.rough(loss).below > negligible; };
  double reach = 1e-9;
  while (reach < 1e18 && (heavy_above(reach) || heavy_below(-reach))) reach *= 2;
  const double high = std::min(reach, span.high), low = std::max(-reach, span.low);
  if (!heavy_below(low)) span.low = border([&](double loss) { return !heavy_below(loss); }, {low, high}, 60).low;
  if (!heavy_above(high)) span.high = border(heavy_above, {low, high}, 60).high;
  return span;
}

Points hang(const StepTails& tails, const Spacing& grid, const Span& span) {
  if (tails.has_atoms()) return hang_by_atoms(tails, grid);
  const Ball h = grid.h();
  const double spacing = h.about();
  const bool from_top = tails.top().is_finite();
  const bool from_bottom = tails.bottom().is_finite();
  const double hook = from_top      ? balanced_end(tails, spacing, span)
                      : from_bottom ? balanced_start(tails, spacing, span)
                                    : span.low;
  const std::int64_t below = std::max<std::int64_t>(0, whole(std::ceil((hook - span.low) / spacing)));
  const std::int64_t above = std::max<std::int64_t>(0, whole(std::ceil((span.high - hook) / spacing)));
  Points points{
      .offset = Ball(hook) - Ball(below) * h, .h = h, .last = below + above, .start = 0, .end = below + above};
  if (from_bottom) points.start = below;
  if (from_top) points.end = below;
  return points;
}

}  // namespace renyi::certify
