
#include "certify/exact/cells.h"

#include <algorithm>
#include <cmath>

#include "renyi/limits.h"

namespace renyi::certify {
namespace cells_file {
namespace {

constexpr int halvings = 26;

// Finds the border between the points at which `holds` is true (low) and those at which it is false (high).
template <class Holds>
Span border(const Holds& holds, Span between, int steps) {
  for (int i = 0; i < steps; ++i) {
    const double middle = 0.5 * (between.low + between.high);
    (holds(middle) ? between.low : between.high) = middle;
  }
  return between;
}

// Returns the excess P - exp(l) Q that merging from the top leaves at the point `start`, minus the deficit there of the
// losses at or below it.
double left_over(const StepTails& tails, double start, double h, double top) {
  const double cells = std::max(1.0, std::ceil((top - start) / h));
  RoughTail before = tails.rough(start + cells * h);
  double excess = std::max(0.0, before.p - std::exp(start + cells * h) * before.q);
  for (double j = cells - 1; j >= 0; --j) {
    stop_if_asked();
    const double l = start + j * h;
    const RoughTail tail = tails.rough(l);
    const double p = tail.p - before.p, q = tail.q - before.q, lack = std::exp(l + h) * q - p;
    const double up = lack > excess ? excess / lack : 1;
    excess = (1 - up) * std::max(0.0, p - std::exp(l) * q);
    before = tail;
  }
  return excess - std::max(0.0, std::exp(start) * (1 - before.q) - before.below);
}

// If most of the mass is next to the smallest loss (sampled Gaussian, remove), this is the point at which the
// deficit of the bottom is balanced by the excess of its neighbours.
double balanced_start(const StepTails& tails, double h, const Span& span) {
  const auto offers = [&](double start) { return left_over(tails, start, h, span.high) > 0; };
  if (!offers(span.low)) return span.low;
  double reach = h;
  while (offers(span.low + reach) && reach < span.length()) reach *= 2;
  return border(offers, {span.low, span.low + reach}, halvings).low;
}

// Returns the P-mass that merging down from the point `end` loses because there is no deficit to balance it.
double lost_below(const StepTails& tails, double end, double h, double bottom) {
  RoughTail before = tails.rough(end);
  double excess = before.p - std::exp(end) * before.q;
  double lost = 0;
  // The cells are counted: next to the largest loss the grid may be finer than the doubles there, and l - h equals l.
  const double cells = std::ceil((end - bottom) / h) - 1;
  for (double j = 1; j <= cells; ++j) {
    stop_if_asked();
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

// If most of the mass is next to the largest loss (sampled Gaussian, add), the excess above the point is a share of the
// deficit of the cell below it. The share that loses least further down is chosen.
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

// The offset puts the upper atom on the grid; the lower one is on it too if h divides their distance.
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
}  // namespace cells_file

Span span_of(const StepTails& tails, double log_negligible) {
  const double negligible = std::exp(std::max(log_negligible, -690.0));
  Span span{tails.bottom().about(), tails.top().about()};
  if (tails.has_atoms()) return span;
  const auto heavy_above = [&](double loss) { return tails.rough(loss).p > negligible; };
  const auto heavy_below = [&](double loss) { return tails.rough(loss).below > negligible; };
  double reach = 1e-9;
  while (reach < 1e18 && (heavy_above(reach) || heavy_below(-reach))) reach *= 2;
  const double high = std::min(reach, span.high), low = std::max(-reach, span.low);
  if (!heavy_below(low))
    span.low = cells_file::border([&](double loss) { return !heavy_below(loss); }, {low, high}, 60).low;
  if (!heavy_above(high)) span.high = cells_file::border(heavy_above, {low, high}, 60).high;
  return span;
}

Points hang(const StepTails& tails, const Spacing& grid, const Span& span) {
  if (tails.has_atoms()) return cells_file::hang_by_atoms(tails, grid);
  const Ball h = grid.h();
  const double spacing = h.about();
  const bool from_top = tails.top().is_finite();
  const bool from_bottom = tails.bottom().is_finite();
  const double hook = from_top      ? cells_file::balanced_end(tails, spacing, span)
                      : from_bottom ? cells_file::balanced_start(tails, spacing, span)
                                    : span.low;
  const std::int64_t below = std::max<std::int64_t>(0, cells_file::whole(std::ceil((hook - span.low) / spacing)));
  const std::int64_t above = std::max<std::int64_t>(0, cells_file::whole(std::ceil((span.high - hook) / spacing)));
  Points points{
      .offset = Ball(hook) - Ball(below) * h, .h = h, .last = below + above, .start = 0, .end = below + above};
  if (from_bottom) points.start = below;
  if (from_top) points.end = below;
  return points;
}

namespace cells_file {
namespace {

// Lemma L9 (connect the dots): the masses p and q of a cell [l, l+h] move to its endpoints so that both are preserved.
void connect_dots(const Ball& p, const Ball& q, const Ball& ratio, const Ball& rise, Ball& low, Ball& high) {
  const Ball up = min(max((p - ratio * q) / rise, 0), p);
  low += p - up;
  high += up;
}

}  // namespace
}  // namespace cells_file

Cut cut(const StepTails& tails, const Points& points) {
  Cut cut{points, {}, {}};
  for (std::int64_t j = 0; j <= points.last; ++j) {
    stop_if_asked();
    const Ball loss = points.at(j);
    const bool at_atom = points.atom_at_start && j == points.start;
    cut.above.push_back(at_atom ? tails.above_bottom() : tails.above(loss));
    cut.ratio.push_back(exp(loss));
  }
  return cut;
}

Rounded rounded_up(const StepTails& tails, const Cut& cut) {
  const Points& points = cut.points;
  const std::size_t last = static_cast<std::size_t>(points.last);
  const Ball rise = -expm1(-points.h), step = exp(points.h);
  // mass[j + 1] belongs to the point j: there is one more point at either end.
  Rounded result{points.offset, -1, std::vector<Ball>(last + 3), Ball()};
  std::vector<Ball>& mass = result.mass;
  const Tail& lowest = cut.above.front();
  const Tail& highest = cut.above.back();
  if (surely_at_most(points.at(-1), tails.bottom())) {
    cells_file::connect_dots(1 - lowest.p, 1 - lowest.q, cut.ratio.front() / step, rise, mass[0], mass[1]);
  } else {
    mass[1] += 1 - lowest.p;  // Lemma L8: raising a loss at fixed P
  }
  for (std::size_t j = 0; j < last; ++j) {
    stop_if_asked();
    const Ball p = cut.above[j].p - cut.above[j + 1].p, q = cut.above[j].q - cut.above[j + 1].q;
    cells_file::connect_dots(p, q, cut.ratio[j], rise, mass[j + 1], mass[j + 2]);
  }
  if (surely_at_most(tails.top(), points.at(points.last + 1))) {
    cells_file::connect_dots(highest.p, highest.q, cut.ratio.back(), rise, mass[last + 1], mass[last + 2]);
  } else {
    result.infinite = highest.p;
  }
  return result;
}

namespace cells_file {
namespace {

// Keeps the balance valid in spite of rounding.
constexpr double margin = 0x1p-40;

// Returns the share of the cell that moves up; any share in [0, 1] is valid.
double share_of(const Ball& offered, const Ball& lacking) {
  const double share = (offered / lacking).about() * (1 - margin);
  return share >= 0 ? std::min(share, 1.0) : 0;  // NaN gives 0 too
}

// Outcomes that are merged at one point; all their losses are at or above the previous point.
struct Group {
  Ball p;
  Ball q;
};

class Merging {
 public:
  Merging(const StepTails& tails, const Cut& cut) : tails_(tails), cut_(cut), mass_(cut.above.size() + 1) {}

  Rounded result() {
    const Points& points = cut_.points;
    begin_at_top();
    for (std::int64_t j = points.end - 1; j >= points.start; --j) merge_cell(static_cast<std::size_t>(j));
    finish_at_bottom();
    return {points.offset, -1, std::move(mass_), Ball()};
  }

 private:
  Ball& mass_at(std::size_t j) { return mass_[j + 1]; }

  void begin_at_top() {
    const auto end = static_cast<std::size_t>(cut_.points.end);
    const Tail& tail = cut_.above[end];
    if (cut_.points.atom_at_end) {
      mass_at(end) += tail.p;
    } else {
      group_ = {tail.p, tail.q};
      excess_ = tail.p - cut_.ratio[end] * tail.q;
    }
  }

  // A share of the cell [l_j, l_(j+1)] moves up, the rest down.
  void merge_cell(std::size_t j) {
    const Ball p = cut_.above[j].p - cut_.above[j + 1].p, q = cut_.above[j].q - cut_.above[j + 1].q;
    const Ball offered = p - cut_.ratio[j] * q;
    double up = share_of(excess_, cut_.ratio[j + 1] * q - p);
    if (static_cast<std::int64_t>(j) == cut_.points.start) up = std::min(up, spared_by_bottom(offered));
    group_.p += Ball(up) * p;
    group_.q += Ball(up) * q;
    settle(j + 1);
    const Ball down = 1 - Ball(up);
    group_ = {down * p, down * q};
    excess_ = down * offered;
  }

  // Lemma L10: the group moves to the point itself if P >= exp(l) Q is proven, otherwise to the previous point.
  void settle(std::size_t j) {
    const bool proven = surely_at_most(cut_.ratio[j] * group_.q, group_.p);
    (proven ? mass_at(j) : mass_[j]) += group_.p;
  }

  Group bottom() const {
    const Tail& tail = cut_.above[static_cast<std::size_t>(cut_.points.start)];
    return {1 - tail.p, 1 - tail.q};
  }
  // Returns the deficit exp(l) Q - P of the losses at or below the point `start` there.
  Ball lack_of_bottom() const {
    const Group group = bottom();
    return cut_.ratio[static_cast<std::size_t>(cut_.points.start)] * group.q - group.p;
  }

  // Limits the share that moves up, so that the lower part of the first cell balances the deficit of the bottom.
  double spared_by_bottom(const Ball& offered) const {
    if (cut_.points.atom_at_start) return 1;
    const double needed = (lack_of_bottom() / offered).about() * (1 + 2 * margin);
    return needed >= 0 ? std::max(0.0, 1 - needed) : 0;
  }

  // Merges as much of the bottom as the excess balances. The group itself is already at or above the point.
  void finish_at_bottom() {
    const auto start = static_cast<std::size_t>(cut_.points.start);
    const Group group = bottom();
    mass_at(start) += group_.p;
    if (cut_.points.atom_at_start) {
      mass_at(start) += group.p;
      return;
    }
    const Ball share = share_of(excess_, lack_of_bottom());
    const Ball lacked = cut_.ratio[start] * (group_.q + share * group.q);
    const bool proven = surely_at_most(lacked, group_.p + share * group.p);
    if (proven) mass_at(start) += share * group.p;
    lower(proven ? (1 - share) * group.p : group.p);
  }

  // Lemma L10: the mass moves to a point at or below all losses; if there is none, the P-mass is dropped.
  void lower(const Ball& p) {
    for (std::int64_t j = cut_.points.start - 1; j >= -1; --j) {
      stop_if_asked();
      if (!surely_at_most(cut_.points.at(j), tails_.bottom())) continue;
      mass_[static_cast<std::size_t>(j + 1)] += p;
      return;
    }
  }

  const StepTails& tails_;
  const Cut& cut_;
  std::vector<Ball> mass_;  // index j + 1 belongs to the point j
  Group group_;
  Ball excess_;  // P - exp(l) Q of the group
};

}  // namespace
}  // namespace cells_file

Rounded rounded_down(const StepTails& tails, const Cut& cut) { return cells_file::Merging(tails, cut).result(); }

}  // namespace renyi::certify
