#include "exact/lattice/cells.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace renyi::exact::lattice {

namespace cells_file {
namespace {

Masses empty_masses(const Cells& cells) {
  Masses masses{.offset = cells.offset,
                .first = cells.first,
                .w = std::vector<double>(cells.size() + 1),
                .log_scale = cells.log_scale,
                .log_infinite = cells.log_infinite,
                .relative = cells.relative,
                .slack = cells.slack,
                .dropped = cells.dropped};
  for (const Cells::Atom& atom : cells.atoms) masses.w[static_cast<std::size_t>(atom.index - cells.first)] += atom.mass;
  return masses;
}

// Masses at either end that are smaller than this, close to underflow, are cut off.
constexpr double tiny = 1e-280;

struct Kept {
  std::size_t from = 0;
  std::size_t to = 0;
};
Kept kept(const std::vector<double>& w) {
  Kept range{0, w.size()};
  while (range.to > 1 && w[range.to - 1] < tiny) --range.to;
  while (range.from + 1 < range.to && w[range.from] < tiny) ++range.from;
  return range;
}

// Cuts off tiny masses at both ends. Their total is bounded by `tiny` per mass and added to `dropped`.
void trim(Masses& masses) {
  const Kept range = kept(masses.w);
  masses.dropped += static_cast<double>(masses.w.size()) * tiny;
  masses.w.erase(masses.w.begin() + static_cast<std::ptrdiff_t>(range.to), masses.w.end());
  masses.w.erase(masses.w.begin(), masses.w.begin() + static_cast<std::ptrdiff_t>(range.from));
  masses.first += static_cast<std::int64_t>(range.from);
}

// Adds the bulk below the first point, which lacks its moment there. The part for which no excess makes up is rounded
// down, below all of its losses, and keeps its P-mass.
void add_bulk_below(const Cells& cells, const Grid& grid, double excess, Masses& masses) {
  const Bulk& bulk = cells.below;
  const double share = bulk.moment > excess ? excess / bulk.moment : 1;
  masses.w.front() += share * (bulk.mass + bulk.moment);
  const double points = std::ceil(bulk.depth / grid.h * (1 + 1e-9));
  if (share == 1 || !(points < 1e6)) return;
  masses.w.insert(masses.w.begin(), static_cast<std::size_t>(points), 0.0);
  masses.first -= static_cast<std::int64_t>(points);
  masses.w.front() += (1 - share) * bulk.mass * std::exp(-grid.c * grid.h * points);
}

}  // namespace
}  // namespace cells_file

// Connect the dots (Doroshenko, Ghazi, Kamath, Kumar, Manurangsi, PoPETs 2022(4), section 4): the mass of a cell goes
// to its two endpoints so that its masses under P and under Q are both kept.
Masses pessimistic(const Cells& cells, const Grid& grid) {
  Masses masses = cells_file::empty_masses(cells);
  const double one_minus = -std::expm1(-grid.h), tilt = std::exp(grid.c * grid.h);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const double up = std::clamp(cells.u[i] / one_minus, 0.0, cells.p[i]);
    masses.w[i] += cells.p[i] - up;
    masses.w[i + 1] += up * tilt;
  }
  masses.w.front() += cells.cut_below;
  cells_file::trim(masses);
  return masses;
}

namespace cells_file {
namespace {

// Excess is taken to cells no further below than this many, and no further than this distance times the tilt.
constexpr double most_cells_below = 1 << 14, farthest_below = 0.25;

// The excess that is left at a point because the cell below it lacks less: the density of the loss drops there. Cells
// further below make up for it.
class Spare {
 public:
  explicit Spare(const Grid& grid)
      : grid_(grid), farthest_(std::min(most_cells_below, farthest_below / (grid.h * std::max(1.0, grid.c)))) {}

  void leave(double excess, std::size_t point) { excess_ = excess, point_ = point; }
  void drop() { excess_ = 0; }

  // Moves as large a part of cell i up to the point as the excess makes up for, and takes it off p and u.
  void take(std::size_t i, double& p, double& u, std::vector<double>& masses) {
    if (excess_ == 0) return;
    const auto cells = static_cast<double>(point_ - i);
    if (cells > farthest_) return drop();
    const double up = cells * grid_.h, tilt = std::exp(grid_.c * up);
    const double lack = std::max(0.0, p * std::expm1(up) - u * std::exp(up)) * tilt;
    const double share = lack <= excess_ ? 1 : excess_ / lack;
    masses[point_] += share * std::exp(up) * (p - u) * tilt;
    excess_ = share == 1 ? excess_ - lack : 0;
    p *= 1 - share;
    u *= 1 - share;
  }

 private:
  const Grid& grid_;
  double farthest_;
  double excess_ = 0;
  std::size_t point_ = 0;
};

// Parts of neighbouring cells are merged at the point between them. From the top down, as large a part of each cell
// goes up as the excess above it makes up for (that excess is at least what the part lacks). Lowering P to exp(l) Q
// there then lowers the divergence, and very little of it is left to do.
// With `takes`, cells further below make up for what is left.
Masses merged(const Cells& cells, const Grid& grid, bool takes) {
  Masses masses = empty_masses(cells);
  const double one_minus = -std::expm1(-grid.h), rise = std::exp(grid.h), tilt = std::exp(grid.c * grid.h);
  double excess = cells.above.moment;  // the excess above the cell, at its upper endpoint
  Spare spare(grid);
  masses.w.back() += std::max(0.0, cells.above.mass - cells.above.moment);
  for (std::size_t i = cells.size(); i-- > 0;) {
    double p = cells.p[i], u = std::clamp(cells.u[i], 0.0, one_minus * p);
    const bool balances_bulk = i == 0 && cells.below.moment > 0;
    if (balances_bulk) spare.drop();
    spare.take(i, p, u, masses.w);
    const double lack = rise * std::max(0.0, one_minus * p - u) * tilt;  // what the cell lacks at its upper endpoint
    double up = lack <= excess ? 1 : excess / lack;
    if (balances_bulk) up = std::min(up, std::max(0.0, 1 - cells.below.moment / u));
    if (takes && excess > lack) spare.leave(excess - lack, i + 1);
    masses.w[i + 1] += up * rise * (p - u) * tilt;
    masses.w[i] += (1 - up) * (p - u);
    excess = (1 - up) * u;
  }
  add_bulk_below(cells, grid, excess, masses);
  trim(masses);
  return masses;
}

}  // namespace
}  // namespace cells_file

// A part that went far up no longer makes up for what lies below it: of both ways, the one is taken that keeps more of
// E[exp(cL)], which is never more than that of the law itself.
Masses optimistic(const Cells& cells, const Grid& grid) {
  Masses near = cells_file::merged(cells, grid, false);
  if (!cells.drops) return near;
  Masses far = cells_file::merged(cells, grid, true);
  const auto kept = [](const Masses& masses) { return std::accumulate(masses.w.begin(), masses.w.end(), 0.0); };
  return kept(far) > kept(near) ? far : near;
}

}  // namespace renyi::exact::lattice
