#include "exact/lattice/pair_component.h"

#include <array>
#include <cmath>

#include "numerics/rounding.h"
#include "renyi/error.h"
#include "renyi/limits.h"

namespace renyi::exact::lattice {

using monotone::MonotonePair;
using monotone::PairPoint;

namespace pair_component_file {
namespace {

using numerics::unit_roundoff;

// A loss this close to a point, in cells, counts as being there: the shift is included in the slack of every step.
constexpr double at_point = 1e-12;
// A branch that begins further out, in units of the pair's scale, is shortened where nothing is lost: below ln of this
// tilted mass.
constexpr double wide = 100, log_nothing_below = -70;
// A cell of more pieces than this cannot be integrated accurately in reasonable time.
constexpr double most_pieces = 3e5;
// Lighter cells are ignored in the relative error of the masses.
constexpr double light = 1e-20;

// ln(exp(a) + exp(b)), rounded up.
double log_sum_up(double a, double b) {
  const double most = std::max(a, b), least = std::min(a, b);
  if (std::isinf(most)) return most;
  return most + std::log1p(std::exp(least - most)) + 4 * unit_roundoff * (1 + std::abs(most));
}

// Returns the relative error of a mass computed from that point.
double share_of(const PairPoint& point) {
  return gauss_legendre_error + point.log_q_error + point.loss_error +
         4 * unit_roundoff * (8 + std::abs(point.log_q) + std::abs(point.loss));
}

}  // namespace
}  // namespace pair_component_file

PairBranch::PairBranch(std::shared_ptr<const MonotonePair> pair, double log_weight, Course course)
    : pair_(std::move(pair)),
      log_weight_(log_weight),
      course_(course),
      least_(pair_->is_symmetric() ? 0 : -pair_->largest_fall().value) {}

double PairBranch::begin(const Grid& grid, double log_scale) const {
  if (pair_->is_symmetric()) return pair_->zero();
  if (std::isfinite(pair_->first())) return pair_->first();
  double low = pair_->lowest(rises() ? grid.c + 1 : -grid.c), high = std::min(pair_->mode(), pair_->zero());
  if (!(high - low > pair_component_file::wide * pair_->scale())) return low;
  // At large tilts that point is far below everything that counts. The mass below the point which is returned is
  // counted as left out, whatever point that is.
  const auto is_negligible = [&](double x) {
    return log_tilted_below(grid, log_scale, x) <= pair_component_file::log_nothing_below;
  };
  if (!is_negligible(low)) return low;
  for (int i = 0; i < 60 && high - low > pair_->scale(); ++i) {
    const double middle = 0.5 * (low + high);
    (is_negligible(middle) ? low : high) = middle;
  }
  return low;
}

// Returns ln of an upper bound on the tilted mass below x; the tilt is largest at the smallest l where losses fall.
double PairBranch::log_tilted_below(const Grid& grid, double log_scale, double x) const {
  const double log_factor = log_weight_ - log_scale;
  return rises() ? pair_->log_p_below(x) + grid.c * pair_->loss(x) + log_factor
                 : pair_->log_q_below(x) - grid.c * least_ + log_factor;
}

// Returns ln of the tilted mass of losses below -l(x): the tilt decreases further out.
double PairBranch::log_tilted_above(const Grid& grid, double log_scale, double x) const {
  return log_weight_ + pair_->log_q_above(x) - grid.c * pair_->loss(x) - log_scale;
}

double PairBranch::end(const Grid& grid, double log_scale, const TailLevels& levels) const {
  if (rises()) {
    return tail_begins(*pair_, levels.log_infinite, [&](double x) { return log_weight_ + pair_->log_p_above(x); });
  }
  return tail_begins(*pair_, levels.log_dropped, [&](double x) { return log_tilted_above(grid, log_scale, x); });
}

// P - exp(point) Q is exp(log_q + point) (exp(l - point) - 1) or exp(log_q) (1 - exp(point + l)): nothing cancels.
PairSums PairBranch::sums(const Grid& grid, double log_scale, const LocatedPoint& from, const LocatedPoint& to,
                          double point) const {
  const double log_factor = grid.c * point - log_scale + log_weight_;
  PairSums sums;
  if (rises()) {
    integrate_pair(*pair_, from, to, [&](const PairPoint& at, double weight) {
      const double f = weight * std::exp(at.log_q + (point + log_factor)), e = f * std::expm1(at.loss - point);
      sums.p += f + e;
      sums.u += e;
    });
  } else {
    integrate_pair(*pair_, from, to, [&](const PairPoint& at, double weight) {
      const double f = weight * std::exp(at.log_q + log_factor);
      sums.p += f;
      sums.u -= f * std::expm1(at.loss + point);
    });
  }
  return sums;
}

double PairBranch::atom_moment(const Grid& grid, double log_scale, double y) const {
  if (pair_->is_symmetric() || !pair_->has_atom_below()) return 0;
  const double l = least_ + y, log_factor = grid.c * signed_loss(l) - log_scale + log_weight_;
  return std::exp(pair_->log_mass_below() + log_factor + (rises() ? l : 0)) * -std::expm1(-y);
}

// Returns the first cell of the branch in the direction of growing x: the one above its loss, or below if losses fall.
std::int64_t PairBranch::first_cell(const Grid& grid, double offset) const {
  const double cells = (signed_loss(least_) - offset) / grid.h;
  return static_cast<std::int64_t>(rises() ? std::floor(cells + pair_component_file::at_point)
                                           : std::ceil(cells - pair_component_file::at_point) - 1);
}

void PairBranch::leave_out(const Grid& grid, const LocatedPoint& begin, double end, Cells& cells) const {
  if (!pair_->is_symmetric() && std::isinf(pair_->first())) {
    cells.dropped += std::exp(log_tilted_below(grid, cells.log_scale, begin.x));
  }
  if (std::isfinite(pair_->last())) return;
  if (rises()) {
    cells.log_infinite = pair_component_file::log_sum_up(cells.log_infinite, log_weight_ + pair_->log_p_above(end));
  } else {
    cells.dropped += std::exp(log_tilted_above(grid, cells.log_scale, end));
  }
}

void PairBranch::add(const Grid& grid, double end, Cells& cells) const {
  const auto point = [&](std::int64_t j) { return cells.offset + static_cast<double>(j) * grid.h; };
  // Returns l at that end of cell j towards which x grows.
  const auto far_end = [&](std::int64_t j) { return rises() ? point(j + 1) : -point(j); };
  const LocatedPoint begin_place = place_at(*pair_, std::min(begin(grid, cells.log_scale), end)),
                     end_place = place_at(*pair_, end);
  const auto size = static_cast<std::int64_t>(cells.size());
  LocatedPoint from = begin_place;
  double heaviest = 0;
  bool last = false;
  for (std::int64_t j = first_cell(grid, cells.offset); !last; j += rises() ? 1 : -1) {
    stop_if_asked();
    const std::int64_t i = j - cells.first;
    LocatedPoint to = place_of_loss(*pair_, from, far_end(j), 1e-13 * grid.h);
    last = !(to.x < end) || (rises() ? i + 1 >= size : i <= 0);
    if (last) to = end_place;
    if (!(to.x > from.x)) continue;  // no loss is so close to the smallest loss
    if (!last) cells.slack = std::max(cells.slack, std::abs(to.at.loss - far_end(j)) + to.at.loss_error);
    if ((to.x - from.x) * rate_near(from, to, pair_->scale()) > 3 * pair_component_file::most_pieces) {
      throw NotConverged("a cell that spans too much of a pair");
    }
    const PairSums found = sums(grid, cells.log_scale, from, to, point(j));
    cells.p[static_cast<std::size_t>(i)] += found.p;
    cells.u[static_cast<std::size_t>(i)] += found.u;
    heaviest = std::max(heaviest, found.p);
    if (found.p > pair_component_file::light * heaviest)
      cells.relative =
          std::max({cells.relative, pair_component_file::share_of(to.at), pair_component_file::share_of(from.at)});
    from = to;
  }
  leave_out(grid, begin_place, end, cells);
}

namespace pair_component_file {
namespace {

constexpr double log_nothing = -60;
// The error of the quadrature.
constexpr double least_rest_error = 1e-14;

double far_end(const MonotonePair& pair) {
  return tail_begins(pair, log_nothing, [&](double x) { return pair.log_p_above(x); });
}

// P's mass at loss 0 of a symmetric pair, 1 - P(l > 0) - Q(l > 0), with its error. The losses below 0 may be those of
// another pair, which then has no atoms.
Bounded rest_of(const MonotonePair& pair, const MonotonePair& below) {
  double mass = 0, error = least_rest_error;
  const auto add = [&](double log_mass, double log_error) {
    const double here = std::exp(log_mass);
    mass += here;
    error += here * (log_error + 4 * unit_roundoff * std::abs(log_mass));
  };
  if (pair.has_atom_above()) {
    const double log_q = pair.log_mass_above();
    const Bounded loss = pair.largest_loss();
    add(log_q, 0);
    add(log_q + loss.value, loss.error + 4 * unit_roundoff * loss.value);
  }
  integrate_pair(
      pair, place_at(pair, pair.zero()), place_at(pair, far_end(pair)),
      [&](const monotone::PairPoint& at, double weight) { add(at.log_p + std::log(weight), at.log_p_error); });
  integrate_pair(
      below, place_at(below, below.zero()), place_at(below, far_end(below)),
      [&](const monotone::PairPoint& at, double weight) { add(at.log_q + std::log(weight), at.log_q_error); });
  return {std::max(0.0, 1 - mass), error};
}

// Adds Q's mass outside [first, last] in either course; where losses rise, it is multiplied by exp(l) and has the
// rounding errors of both.
void add_atoms(const MonotonePair& pair, double log_weight, Course course, std::vector<PairAtom>& atoms) {
  const auto add = [&](double log_mass, double l, double error) {
    if (!std::isfinite(log_mass)) return;
    const bool rises = course == Course::rising;
    const double rounding = 4 * unit_roundoff * (std::abs(log_mass) + std::abs(l));
    atoms.push_back({rises ? l : -l, error, log_weight + log_mass + (rises ? l : 0), rounding + (rises ? error : 0)});
  };
  add(pair.log_mass_above(), pair.largest_loss().value, pair.largest_loss().error);
  if (!pair.is_symmetric()) add(pair.log_mass_below(), -pair.largest_fall().value, pair.largest_fall().error);
}

}  // namespace
}  // namespace pair_component_file

PairComponent pair_component(const monotone::WeightedPair& component, Direction direction) {
  const MonotonePair& pair = *component.pair;
  const double log_weight = std::log(component.weight);
  PairComponent result{
      .weight = component.weight, .symmetric = pair.is_symmetric(), .halves_differ = component.other != nullptr};
  const bool removes = direction == Direction::remove;
  const auto& other = component.other ? component.other : component.pair;
  const auto &rising = removes ? component.pair : other, &falling = removes ? other : component.pair;
  for (const Course course : {Course::rising, Course::falling}) {
    if (!result.symmetric && (course == Course::rising) != (direction == Direction::remove)) continue;
    const auto& source = course == Course::rising ? rising : falling;
    result.branches.emplace_back(source, log_weight, course);
    pair_component_file::add_atoms(*source, log_weight, course, result.atoms);
  }
  if (pair.has_atom_above()) {
    const double below = result.symmetric ? pair.largest_loss().value : pair.largest_fall().value;
    result.atom_distance = pair.largest_loss().value + below;
  }
  if (!result.symmetric) return result;
  const Bounded rest = pair_component_file::rest_of(*rising, *falling);
  result.rest_error = rest.error;
  if (rest.value > 0) result.atoms.push_back({.log_mass = log_weight + std::log(rest.value)});
  return result;
}

double farthest_loss(const MonotonePair& pair) { return pair.loss(pair_component_file::far_end(pair)); }

namespace pair_component_file {
namespace {

constexpr std::size_t near_cells = 24;

// One branch near its smallest l, relative to a grid.
class NearLeast {
 public:
  NearLeast(const PairBranch& branch, const Grid& grid, double log_scale)
      : branch_(branch), grid_(grid), log_scale_(log_scale) {
    const double end = branch.end(grid, log_scale, {});
    end_ = place_at(branch.pair(), end);
    begin_ = place_at(branch.pair(), std::min(branch.begin(grid, log_scale), end));
  }

  // Returns what the mass up to y lacks at y (if losses rise from there), or its excess at y (if they fall).
  double moment(double y) const {
    const double point = branch_.signed_loss(branch_.least() + y);
    return std::abs(branch_.sums(grid_, log_scale_, begin_, place(y), point).u) +
           branch_.atom_moment(grid_, log_scale_, y);
  }

  // Returns the sums between two distances from the smallest l.
  PairSums cell(double near, double far) const {
    const double lower_end = branch_.signed_loss(branch_.least() + (branch_.rises() ? near : far));
    return branch_.sums(grid_, log_scale_, place(near), place(far), lower_end);
  }

 private:
  // Returns the point where l is y above its smallest value, or where the branch begins or ends.
  LocatedPoint place(double y) const {
    const double x = branch_.pair().x_at(branch_.least() + y);
    if (!(x > begin_.x)) return begin_;
    return x < end_.x ? place_at(branch_.pair(), x) : end_;
  }

  const PairBranch& branch_;
  const Grid& grid_;
  double log_scale_;
  LocatedPoint begin_{};
  LocatedPoint end_{};
};

class Balance {
 public:
  Balance(const std::vector<const PairBranch*>& branches, const Grid& grid, double log_scale)
      : grid_(grid), rises_(branches.front()->rises()) {
    for (const PairBranch* branch : branches) parts_.emplace_back(*branch, grid, log_scale);
  }

  double moment(double y) const {
    double sum = 0;
    for (const NearLeast& part : parts_) sum += part.moment(y);
    return sum;
  }

  // Returns the excess (rising) or the lack (falling) at y of the part of the cell [y, y+h] that goes to y, as
  // `optimistic` divides it: starting a few cells further out, where two neighbouring cells of ratio r share their
  // masses 1 : r, and moving towards y.
  double answer(double y) const {
    const double h = grid_.h, one_minus = -std::expm1(-h), rise = std::exp((1 + grid_.c) * h);
    std::array<double, near_cells> offers{}, lacks{};
    for (std::size_t j = 0; j < near_cells; ++j) {
      const double near = y + static_cast<double>(j) * h;
      for (const NearLeast& part : parts_) {
        const PairSums sums = part.cell(near, near + h);
        offers[j] += sums.u;
        lacks[j] += rise * std::max(0.0, one_minus * sums.p - sums.u);
      }
    }
    const auto share = [](double part, double whole) { return part < whole ? part / whole : 1.0; };
    double up = 0.5;
    for (std::size_t j = near_cells - 1; j-- > 0;) {
      // Between neighbours, the part of the lower cell that goes up lacks as much as the other part of the upper cell
      // has in excess.
      up = rises_ ? share((1 - up) * offers[j + 1], lacks[j]) : 1 - share(up * lacks[j + 1], offers[j]);
    }
    return rises_ ? (1 - up) * offers[0] : up * lacks[0];
  }

 private:
  const Grid& grid_;
  bool rises_;
  std::vector<NearLeast> parts_;
};

}  // namespace
}  // namespace pair_component_file

double balanced_start(const std::vector<const PairBranch*>& branches, const Grid& grid, double log_scale) {
  const pair_component_file::Balance balance(branches, grid, log_scale);
  if (balance.moment(grid.h) < balance.answer(grid.h)) return grid.h;
  double low = std::log(1e-12 * std::min(1.0, grid.h)), high = std::log(grid.h);
  for (int i = 0; i < 60 && high - low > 1e-6; ++i) {
    const double middle = 0.5 * (low + high), y = std::exp(middle);
    (balance.moment(y) < balance.answer(y) ? low : high) = middle;
  }
  return std::exp(low);
}

}  // namespace renyi::exact::lattice
