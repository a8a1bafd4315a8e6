#include "exact/lattice/grid_law.h"

#include <algorithm>
#include <cmath>

namespace renyi::exact::lattice {

namespace {

constexpr double most_steps_direct = 2;
// Sums of responses, and cells of one of two steps, that weigh less than this share of all are not listed.
constexpr double light_response = 1e-18, light_cell = 1e-24;

std::vector<CountedMasses> masses_of(const Parts& parts, const Grid& grid) {
  std::vector<CountedMasses> all;
  for (const auto& law : parts.laws) {
    const Cells cells = law->cut(grid, true);
    all.push_back({.upper = pessimistic(cells, grid),
                   .lower = optimistic(law->sides_agree() ? cells : law->cut(grid, false), grid),
                   .count = static_cast<double>(law->count())});
  }
  return all;
}

// All responses but one, and the lists, as one list of atoms.
std::optional<Atoms> atoms_of(const Parts& parts, double c, const ResponsePart* but) {
  std::optional<Atoms> atoms = Atoms{};
  for (const ResponsePart& part : parts.responses) {
    if (&part == but) continue;
    const auto law = composed_response(part.response, *part.curve, c);
    if (!law) return std::nullopt;
    atoms = convolved(*atoms, *law, light_response);
    if (!atoms) return std::nullopt;
  }
  for (const Listed& part : parts.lists) atoms = convolved(*atoms, part, c, light_response);
  return atoms;
}

// The rounding of a transform would drown the smallest deltas of one or two steps: the second step's masses
// are atoms of a list instead, and every sum is one of positive terms.
std::optional<DeltaEnd> direct_end(const std::vector<CountedMasses>& steps, bool upper, const Grid& grid) {
  const Composed law = alone(steps.front(), upper, grid);
  if (steps.size() == 1 && steps.front().count == 1) return DeltaEnd(law, Atoms{});
  const auto atoms = convolved(Atoms{}, steps.size() == 1 ? law : alone(steps.back(), upper, grid), light_cell);
  if (!atoms) return std::nullopt;
  return DeltaEnd(law, *atoms);
}

}  // namespace

double cells_of(const Parts& parts, const Grid& grid) {
  double sum = 0;
  for (const auto& law : parts.laws) sum += law->cells(grid) * (law->sides_agree() ? 1 : 2);
  return sum;
}

bool is_direct(const Parts& parts) {
  return parts.count() <= most_steps_direct && parts.responses.empty() && parts.lists.empty();
}

// The law with the farthest atoms sets the grid; among some hundred grids that suit it the one is taken on
// which the atoms of the others lose least (a search for a simultaneous approximation).
double aligned_spacing(const Parts& parts, Grid grid) {
  const StepLaw* first = nullptr;
  double most = 0, distance = 0;
  for (const auto& law : parts.laws) {
    const double its = law->atom_distance(grid), weight = static_cast<double>(law->count()) * its;
    if (weight > most) most = weight, first = law.get(), distance = its;
  }
  if (first == nullptr) return grid.h;
  // An even number of cells merges in pairs without a rest.
  const double start = 2 * std::ceil(0.5 * distance / grid.h);
  const double candidates = parts.laws.size() > 1 ? std::min(400.0, start / 4 + 1) : 1;
  double best = distance / start, least = HUGE_VAL;
  for (double m = start; m < start + candidates; m += 2) {
    grid.h = distance / m;
    double lost = 0;
    for (const auto& law : parts.laws) lost += static_cast<double>(law->count()) * law->misplaced(grid);
    if (lost < least) least = lost, best = grid.h;
  }
  return best;
}

std::optional<GridLaw> grid_law(const Parts& parts, const Grid& grid, std::size_t most_points,
                                std::optional<TailOrders>& orders, Precision precision) {
  const auto atoms = atoms_of(parts, grid.c, nullptr);
  if (!atoms) return std::nullopt;
  const auto steps = masses_of(parts, grid);
  if (is_direct(parts)) {
    const auto above = direct_end(steps, true, grid), below = direct_end(steps, false, grid);
    if (!above || !below) return std::nullopt;
    return GridLaw{{*above, *below}, 0};
  }
  if (!orders) orders = tail_orders(steps, grid.h);
  const auto composed = compose(steps, grid, *orders, most_points, precision);
  if (!composed) return std::nullopt;
  return GridLaw{{DeltaEnd(composed->upper, *atoms), DeltaEnd(composed->lower, *atoms)}, composed->needed};
}

// The response with most points is the lattice, the others are atoms; without one, a lattice of one point.
std::optional<DeltaLaw> response_law(const Parts& parts, double c) {
  if (parts.responses.empty()) {
    const DeltaEnd end(Composed{.c = c, .w = {1.0}}, *atoms_of(parts, c, nullptr));
    return DeltaLaw{end, end};
  }
  const auto most = std::max_element(parts.responses.begin(), parts.responses.end(),
                                     [](const auto& a, const auto& b) { return a.response.count < b.response.count; });
  const auto law = composed_response(most->response, *most->curve, c);
  const auto atoms = atoms_of(parts, c, &*most);
  if (!law || !atoms) return std::nullopt;
  const DeltaEnd end(*law, *atoms);
  return DeltaLaw{end, end};
}

}  // namespace renyi::exact::lattice
