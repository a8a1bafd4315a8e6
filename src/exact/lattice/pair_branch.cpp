#include "exact/lattice/pair_branch.h"

#include "numerics/rounding.h"

namespace renyi::exact::lattice {

namespace {

using numerics::unit_roundoff;
using sampling::MonotonePair;
using sampling::PairPoint;

// A loss this close to a point, in cells, is there: charged with every step's slack.
constexpr double at_point = 1e-12;
// Lighter cells do not count for the share by which masses are off.
constexpr double light = 1e-20;

// ln(exp(a) + exp(b)), rounded up.
double log_sum_up(double a, double b) {
  const double most = std::max(a, b), least = std::min(a, b);
  if (std::isinf(most)) return most;
  return most + std::log1p(std::exp(least - most)) + 4 * unit_roundoff * (1 + std::abs(most));
}

// By which a mass formed from that point is off.
double share_of(const PairPoint& point) {
  return gauss_legendre_error + point.log_q_error + point.loss_error +
         4 * unit_roundoff * (8 + std::abs(point.log_q) + std::abs(point.loss));
}

}  // namespace

PairBranch::PairBranch(std::shared_ptr<const MonotonePair> pair, double log_weight, Course course)
    : pair_(std::move(pair)),
      log_weight_(log_weight),
      course_(course),
      least_(pair_->is_symmetric() ? 0 : -pair_->largest_fall().value) {}

double PairBranch::begin(const Grid& grid) const {
  if (pair_->is_symmetric()) return pair_->zero();
  return std::isfinite(pair_->first()) ? pair_->first() : pair_->lowest(rises() ? grid.c + 1 : -grid.c);
}

// Tilted mass of losses below -l(x): the tilt falls further out.
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
PairSums PairBranch::sums(const Grid& grid, double log_scale, const Place& from, const Place& to, double point) const {
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

// The cell that the branch enters first, going up with x: the one above its loss, or below if losses fall.
std::int64_t PairBranch::first_cell(const Grid& grid, double offset) const {
  const double cells = (signed_loss(least_) - offset) / grid.h;
  return static_cast<std::int64_t>(rises() ? std::floor(cells + at_point) : std::ceil(cells - at_point) - 1);
}

void PairBranch::leave_out(const Grid& grid, const Place& begin, double end, Cells& cells) const {
  const double log_factor = log_weight_ - cells.log_scale;
  if (!pair_->is_symmetric() && std::isinf(pair_->first())) {
    cells.dropped += rises() ? std::exp(pair_->log_p_below(begin.x) + grid.c * begin.at.loss + log_factor)
                             : std::exp(pair_->log_q_below(begin.x) - grid.c * least_ + log_factor);
  }
  if (std::isfinite(pair_->last())) return;
  if (rises()) {
    cells.log_infinite = log_sum_up(cells.log_infinite, log_weight_ + pair_->log_p_above(end));
  } else {
    cells.dropped += std::exp(log_tilted_above(grid, cells.log_scale, end));
  }
}

void PairBranch::add(const Grid& grid, double end, Cells& cells) const {
  const auto point = [&](std::int64_t j) { return cells.offset + static_cast<double>(j) * grid.h; };
  // l at the end of cell j that larger x lead to.
  const auto far_end = [&](std::int64_t j) { return rises() ? point(j + 1) : -point(j); };
  const Place begin_place = place_at(*pair_, std::min(begin(grid), end)), end_place = place_at(*pair_, end);
  const auto size = static_cast<std::int64_t>(cells.size());
  Place from = begin_place;
  double heaviest = 0;
  bool last = false;
  for (std::int64_t j = first_cell(grid, cells.offset); !last; j += rises() ? 1 : -1) {
    const std::int64_t i = j - cells.first;
    Place to = place_of_loss(*pair_, from, far_end(j), 1e-13 * grid.h);
    last = !(to.x < end) || (rises() ? i + 1 >= size : i <= 0);
    if (last) to = end_place;
    if (!(to.x > from.x)) continue;  // nothing is so close to the least loss
    if (!last) cells.slack = std::max(cells.slack, std::abs(to.at.loss - far_end(j)) + to.at.loss_error);
    const PairSums found = sums(grid, cells.log_scale, from, to, point(j));
    cells.p[static_cast<std::size_t>(i)] += found.p;
    cells.u[static_cast<std::size_t>(i)] += found.u;
    heaviest = std::max(heaviest, found.p);
    if (found.p > light * heaviest) cells.relative = std::max({cells.relative, share_of(to.at), share_of(from.at)});
    from = to;
  }
  leave_out(grid, begin_place, end, cells);
}

}  // namespace renyi::exact::lattice
