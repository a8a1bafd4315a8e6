// The lattice engine: the privacy loss distributions of the steps are rounded to a grid, pessimistically and
// optimistically (docs/math/lattice.md), for any plan whose losses are known. Grids are refined until one is fine
// enough.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

#include "conversion/renyi_bound.h"
#include "exact/engine.h"
#include "exact/invert.h"
#include "exact/lattice/grid_law.h"
#include "exact/profile_cache.h"
#include "exact/rare_components.h"
#include "loss/saddle.h"
#include "numerics/extended.h"
#include "numerics/rounding.h"
#include "renyi/error.h"
#include "renyi/limits.h"
#include "renyi/rdp.h"

namespace renyi::exact {

using lattice::DeltaLaw;

namespace lattice_file {
namespace {

using lattice::Grid;
using lattice::LatticeSteps;
using lattice::Precision;
using lattice::TailOrders;

// Brackets the point where a decreasing function crosses a level: returns {a, b} with f(a) > level >= f(b), or a = 0,
// or b = largest, from where on f is known to be 0; {0, 0} if no a was found. b - a is at most `precision` or a few
// units in the last place. f need not decrease far from its crossing, where a bound may be trivial. The search takes
// steps of Newton's method on ln f, whose slope is about -c, that overshoot a little until both sides are known, and
// then uses the Illinois method.
template <class F>
Interval crossing(const F& f, double level, double start, double c, double largest, double precision) {
  const double log_level = std::log(level), nothing = -800;
  const auto above = [&](double x) {
    stop_if_asked();
    return x < largest ? std::max(std::log(f(x)), nothing) - log_level : nothing;
  };
  double low = std::clamp(start, 0.0, largest), at_low = above(low), high = low, at_high = at_low;
  // Returns a step that should cross the level, from the slope, and longer each time it falls short. Where the value is
  // trivial, the step is a few times 1/c: a law tilted for one epsilon gives little information further away.
  const auto stride = [&](double value, int i) {
    const double by_slope = (std::abs(value) < 500 ? std::abs(value) : 8) / c * 1.02;
    return std::max(0.5 * precision, by_slope) * std::exp2(std::max(0, i - 2));
  };
  for (int i = 0; at_high > 0 && high < largest; ++i) {
    low = high, at_low = at_high;
    high = std::min(largest, high + stride(at_high, i));
    at_high = above(high);
  }
  for (int i = 0; !(at_low > 0); ++i) {
    if (low == 0) return {0, 0};
    high = low, at_high = at_low;
    low = std::max(0.0, low - stride(at_low, i));
    at_low = above(low);
  }
  int side = 0;
  for (int i = 0; i < 200 && high - low > std::max(precision, 4 * numerics::unit_roundoff * high); ++i) {
    const double margin = 0.4 * std::min(precision, high - low);
    const double secant = low + (high - low) * (at_low / (at_low - at_high));
    // Bisection is used now and then: where f jumps to a trivial bound, the secant is of little use.
    const double x = i % 4 == 3 ? 0.5 * (low + high) : std::clamp(secant, low + margin, high - margin);
    const double value = above(x);
    if (value > 0) {
      low = x, at_low = value;
      if (side > 0) at_high *= 0.5;
      side = 1;
    } else {
      high = x, at_high = value;
      if (side < 0) at_low *= 0.5;
      side = -1;
    }
  }
  return {low, high};
}

// The answer that a composed law gives to the question. `excess` is its width relative to the requested width: at most
// 1 is narrow enough.
struct Reading {
  Interval ends;
  double excess = 0;
  double tilt = 1;       // the tilt that suits this answer best
  double log_delta = 0;  // the logarithm of the delta that was computed
};
using Read = std::function<std::optional<Reading>(const DeltaLaw&)>;

struct Start {
  double c = 1;
  double log_delta = -20;  // ln of delta, approximately
};

// The narrowest interval found, and the law of the last grid.
struct Refined {
  std::optional<ExactInterval> figure;
  std::shared_ptr<const DeltaLaw> law;
};

constexpr int most_levels = 8;
// How often a grid that turns out to have too many points is made coarser.
constexpr int most_retries = 3;
constexpr double first_points = 4096;
// ln of the weight, relative to delta, of the tails of a step that are given up.
constexpr double log_given_up = -25;
// The numbers of cells, and of points over all transforms, that fit into the time of a call; a list of atoms takes
// longer.
constexpr double most_cells = 1.5e6, most_points_all = 4.2e6, most_cells_direct = 3e5;
// The largest number of atoms in addition to a grid, which reads each of them a dozen times.
constexpr double most_read = 1.5e6;
// The largest work over all grids of a call, as a multiple of those limits.
constexpr double most_work = 1.5;
// The grid that suits the atoms may have this many times as many cells; usually it has no more than 2.5 times as many.
constexpr double most_refined_by_alignment = 4;
constexpr double most_points_extended = 1 << 17;
constexpr double most_points_if_slow = 1 << 13U;  // those of a tenth of a second, or less
// The bytes that a cell and a point of the transform take.
constexpr double bytes_a_cell = 64, bytes_a_point = 160;

struct Limits {
  double cells = most_cells;
  double points = most_points_all;  // a power of two

  Limits(const LatticeSteps& parts, std::size_t memory) {
    const auto bytes = static_cast<double>(memory);
    cells = std::min(is_direct(parts) ? most_cells_direct : most_cells, 0.3 * bytes / bytes_a_cell);
    const double most =
        std::min(most_points_all / static_cast<double>(parts.laws.size() + 1), 0.7 * bytes / bytes_a_point);
    points = static_cast<double>(std::bit_floor(static_cast<std::size_t>(std::max(64.0, most))));
  }

  // Returns how much coarser a grid must be to keep within these limits.
  double coarser(double cells_there, double points_there) const {
    return std::max(cells_there / cells, 1.01 * points_there / points);
  }
};

class Refinement {
 public:
  Refinement(const LatticeSteps& parts, const Start& start, std::size_t memory)
      : parts_(parts),
        limits_(parts, memory),
        grid_{.h = 1, .c = start.c, .log_negligible = negligible(start.log_delta)} {
    // Neither the law nor the kernel changes on a shorter scale.
    const double scale = std::max(parts.variance(start.c), 0.0) + 1 / (start.c * (start.c + 1));
    set_spacing(16 * std::sqrt(scale) / first_points);
  }

  // Reads the next grid; returns false if that was the last one.
  bool next(const Read& read) {
    auto law = grid_law(parts_, grid_, static_cast<std::size_t>(limits_.points), orders_, precision_);
    if (!law) {
      aligned_ = false;  // atoms that are close to each other would ask for the same grid again
      if (figure_) return retries_++ < most_retries && set_spacing(1.3 * grid_.h) && grid_.h < 0.8 * last_spacing_;
      return set_spacing(4 * grid_.h);
    }
    const auto reading = read(law->law);
    if (!reading || has_nan(reading->ends)) return false;
    add(*reading);
    law_ = std::make_shared<const DeltaLaw>(std::move(law->law));
    work_ += work_of(law->points);
    const double finest = grid_.h * limits_.coarser(cells_of(parts_, grid_), law->points);
    // Where finer grids do not help any more, the remaining width is due to rounding.
    const bool helps = reading->excess < 0.7 * last_excess_ || is_direct(parts_);
    if (!figure_->limited) return false;
    if (!helps) return extend(law->points);
    if (finest > 0.8 * grid_.h) return false;
    last_excess_ = reading->excess;
    last_spacing_ = grid_.h;
    grid_.log_negligible = std::min(grid_.log_negligible, negligible(reading->log_delta));
    if (reading->tilt > 0 && std::isfinite(reading->tilt)) grid_.c = reading->tilt;
    if (++level_ < 2) orders_.reset();
    // Errors fall with the square of the spacing.
    const double spacing = std::max(finest, grid_.h / std::clamp(1.2 * std::sqrt(reading->excess), 1.7, 64.0));
    return work_ + work_of(law->points * grid_.h / spacing) <= most_work && set_spacing(spacing);
  }

  bool has_answer() const { return figure_.has_value(); }
  Refined result() { return {figure_, std::move(law_)}; }

 private:
  // Returns the fraction of the time of a call that such a grid takes.
  double work_of(double points) const {
    const double n = std::exp2(std::ceil(std::log2(std::max(points, 64.0))));
    return n * static_cast<double>(parts_.laws.size() + 1) / most_points_all + cells_of(parts_, grid_) / most_cells +
           parts_.listed() / most_read;
  }

  // Uses the same grid again in extended precision, if that is not too slow.
  bool extend(double points) {
    if (precision_ == Precision::extended || work_ > 0.5) return false;
    if (numerics::extended_is_slow && points > most_points_if_slow) return false;
    precision_ = Precision::extended;
    limits_.points = std::min(limits_.points, most_points_extended);
    last_excess_ = HUGE_VAL;
    return set_spacing(grid_.h * std::max(1.0, limits_.coarser(0, points)));
  }

  double negligible(double log_delta) const {
    return std::min(log_delta, 0.0) - std::log(parts_.count()) + log_given_up;
  }

  bool set_spacing(double h) {
    grid_.h = h;
    grid_.h *= std::max(1.0, limits_.coarser(cells_of(parts_, grid_), 0));
    if (aligned_) align();
    return grid_.h > 0 && grid_.c * grid_.h < 50;
  }

  // Chooses a spacing that suits the atoms, unless they are so close to each other that the grid would have too many
  // cells.
  void align() {
    const Grid asked = grid_;
    grid_.h = aligned_spacing(parts_, asked);
    if (limits_.coarser(cells_of(parts_, grid_), 0) > most_refined_by_alignment) grid_ = asked;
  }

  void add(const Reading& reading) {
    figure_ = figure_ ? intersection_or_hull(*std::move(figure_), reading.ends, "a finer grid")
                      : with_ordered_ends({{reading.ends.lower, reading.ends.upper}, Engine::lattice});
    figure_->limited = reading.excess > 1;
  }

  const LatticeSteps& parts_;
  Limits limits_;
  Grid grid_;
  bool aligned_ = true;
  std::optional<TailOrders> orders_;
  std::optional<ExactInterval> figure_;
  std::shared_ptr<const DeltaLaw> law_;  // the last law that was read
  double last_excess_ = HUGE_VAL;
  double last_spacing_ = 0;  // spacing of the last grid that was read
  int retries_ = 0;
  Precision precision_ = Precision::plain;
  int level_ = 0;
  double work_ = 0;
};

// A plan without a grid: only the tilt can be refined.
Refined without_grid(const LatticeSteps& parts, double c, const Read& read) {
  Refined result;
  for (int i = 0; i < 3; ++i) {
    auto law = response_law(parts, c);
    const auto reading = law ? read(*law) : std::nullopt;
    if (!reading || has_nan(reading->ends)) return result;
    result.figure = ExactInterval{{reading->ends.lower, reading->ends.upper}, Engine::lattice, reading->excess > 1};
    result.law = std::make_shared<const DeltaLaw>(std::move(*law));
    if (!result.figure->limited || std::abs(std::log(reading->tilt / c)) < 0.1) break;
    c = reading->tilt;
  }
  return result;
}

// Reads the laws of finer and finer grids until one is narrow enough or the work would be too much. The interval is
// std::nullopt if no grid gives an answer.
Refined refine(const LatticeSteps& parts, const Start& start, std::size_t memory, const Read& read) {
  if (parts.laws.empty()) return without_grid(parts, start.c, read);
  Refinement refinement(parts, start, memory);
  try {
    for (int i = 0; i < most_levels && refinement.next(read); ++i) {
    }
  } catch (const LimitReached&) {
    if (!refinement.has_answer()) throw;
  }
  return refinement.result();
}

constexpr double smallest_c = 1e-9, largest_c = 1e7;

// Returns the tilt for epsilon, and the approximate ln delta there: exp(K - c epsilon)/(c (c+1)).
Start start_at(const EngineQuestion& question, double epsilon) {
  const loss::Saddle saddle = loss::saddle_point(question.curve, question.direction, epsilon, {1, 1});
  const double c = std::clamp(saddle.c, smallest_c, largest_c);
  const double k = question.curve.log_moment(c, question.direction).value;
  return {c, k - c * epsilon - std::log(c + 1) - std::max(0.0, std::log(c)) - 5};
}

// A plan for which the refinement does not converge is treated as not supported.
Refined refined(const LatticeSteps& parts, const Start& start, const EngineQuestion& question, const Read& read) {
  try {
    return refine(parts, start, std::min(question.options.memory, memory_limit()), read);
  } catch (const NotConverged&) {
    return {};
  }
}

// Only the law of the whole plan is kept for the next question.
EngineAnswer delta_of(const EngineQuestion& question, double epsilon, bool is_whole) {
  const auto parts = lattice::lattice_steps_of(question);
  if (!parts) return std::nullopt;
  const auto start = start_at(question, epsilon);
  const auto read = [&](const DeltaLaw& law) -> std::optional<Reading> {
    const Interval ends = law.at(epsilon);
    const double relative = ends.lower > 0 ? std::log(ends.upper / ends.lower) : 1e6;
    // If only the upper bound is known, ln delta is set far below it: the tails of the law are then cut further out.
    const double log_delta = ends.lower > 0 ? std::log(ends.lower) : std::log(ends.upper) - 60;
    return Reading{ends, relative / question.options.tolerance, start.c, log_delta};
  };
  auto found = refined(*parts, start, question, read);
  if (found.law && is_whole) {
    const Interval ends = found.law->at(epsilon);
    const double width = ends.lower > 0 ? std::log(ends.upper / ends.lower) : 0;
    question.memory.keep(question.direction, std::move(found.law), width);
  }
  return found.figure;
}

// The upper bound is that at delta minus `lost`.
EngineAnswer epsilon_of(const EngineQuestion& question, double delta, double lost) {
  const auto parts = lattice::lattice_steps_of(question);
  if (!parts) return std::nullopt;
  const double largest = question.curve.max_loss(question.direction).upper(), log_delta = std::log(delta);
  const double less = lost > 0 ? numerics::next_down(delta - lost) : delta;
  const loss::SaddleOfValue expected = loss::saddle_of_value(question.curve, question.direction, log_delta, {1, 1});
  const double c = std::clamp(expected.saddle.c, smallest_c, largest_c);
  double from = std::clamp(expected.t, 0.0, renyi_epsilon(question.curve, delta).upper);
  const auto read = [&](const DeltaLaw& law) -> std::optional<Reading> {
    const double precision = 1e-3 * question.options.tolerance;
    const auto high = crossing([&](double x) { return law.above.upper(x); }, less, from, c, largest, precision);
    const auto low = crossing([&](double x) { return law.below.lower(x); }, delta, high.upper, c, largest, precision);
    const Interval found{low.lower, high.upper};
    from = 0.5 * (found.lower + found.upper);
    const double better = start_at(question, from).c;
    return Reading{found, (found.upper - found.lower) / question.options.tolerance, better, log_delta};
  };
  return refined(*parts, {c, log_delta}, question, read).figure;
}

}  // namespace
}  // namespace lattice_file

EngineAnswer lattice_delta(const EngineQuestion& question, double epsilon) {
  if (auto known = question.memory.delta(question.direction, epsilon, question.options.tolerance)) return known;
  return delta_without_rare(
      question, [&](const EngineQuestion& kept) { return lattice_file::delta_of(kept, epsilon, &kept == &question); });
}

EngineAnswer lattice_epsilon(const EngineQuestion& question, double delta) {
  if (const auto kept = without_rare(question.steps, rare_share * delta))
    return lattice_file::epsilon_of(question_without(question, *kept), delta, kept->lost);
  return lattice_file::epsilon_of(question, delta, 0);
}

}  // namespace renyi::exact
