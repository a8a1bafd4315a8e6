// A revealed mixture of one-dimensional pairs: the output reveals the component, so the privacy loss distribution is
// the mixture of those of the components (docs/math/lattice.md, "Sampled pairs").
#include <algorithm>
#include <cmath>
#include <numeric>

#include "exact/lattice/pair_component.h"
#include "exact/lattice/step_law.h"
#include "numerics/rounding.h"
#include "renyi/limits.h"

namespace renyi::exact::lattice {

namespace pairs_law_file {
namespace {

using numerics::unit_roundoff;

// An atom this close to a point, in cells, is put there, and the shift is included in the error bound.
constexpr double at_point = 1e-9;
// ln of the tilted mass of a step that is omitted where losses are low.
constexpr double log_dropped = -55;
// Even with the largest supported number of steps, the total mass at this level is below the smallest double.
constexpr double log_least = -780;
// Components with losses above the first value are too large for cells; losses that are all below the second value are
// negligible.
constexpr double most_loss = 1e4, least_loss = 1e-12;

// The points at which the branches of all components end, and the range of the losses of branches and atoms.
struct Layout {
  double log_scale = 0;
  std::vector<double> ends{};
  double low = HUGE_VAL;
  double high = -HUGE_VAL;
  double reach = 0;  // the total length of all branches

  void include(double loss) {
    low = std::min(low, loss);
    high = std::max(high, loss);
  }
};

// The weight of components whose losses count as infinite, and the weight of outcomes without any loss.
struct Weights {
  double infinite = 0;
  double nothing = 0;
};

class PairsLaw final : public StepLaw {
 public:
  PairsLaw(const std::shared_ptr<const Curve>& curve, std::vector<PairComponent> components, const Weights& others,
           std::int64_t count, Direction direction)
      : StepLaw(count, direction, curve),
        components_(std::move(components)),
        leading_(*std::max_element(components_.begin(), components_.end(),
                                   [](const auto& a, const auto& b) { return a.weight < b.weight; })),
        others_(others),
        rounding_(4 * unit_roundoff * static_cast<double>(components_.size())) {}

  // Each component is integrated over each cell, which is most of the work, so the number of cells is multiplied
  // accordingly.
  double cells(const Grid& grid) const override {
    const Layout layout = layout_on(grid);
    const double share = std::max(1.0, static_cast<double>(components_.size()) / 16);
    return share * (std::max(layout.reach, layout.high - layout.low) / grid.h + 2);
  }
  bool sides_agree() const override { return hangs_on_zero(); }
  // Returns the distance between the outermost atoms of the leading component, or from the far atom to the point where
  // the half-line at the other one is balanced, if that loses less. The two are compared on a coarser grid, which is
  // cheaper.
  double atom_distance(const Grid& grid) const override {
    const double distance = leading_.atom_distance;
    if (distance == 0 || hangs_on_zero()) return distance;
    const Grid coarse{.h = 4 * grid.h, .c = grid.c, .log_negligible = grid.log_negligible};
    const double scale = log_scale(grid), by_balance = distance - balanced(coarse, scale);
    const bool by_atoms = kept_below(fitting(coarse, distance)) >= kept_below(fitting(coarse, by_balance));
    return by_atoms ? distance : distance - balanced(grid, scale);
  }
  double misplaced(const Grid& grid) const override {
    if (!hangs_on_zero()) return 0;  // finding the offset of the grid would take too long
    const double scale = log_scale(grid), offset = 0;
    double lost = 0;
    for (const PairComponent& component : components_) {
      for (const PairAtom& atom : component.atoms) {
        const double over = place(atom, grid, offset).over;
        if (over > at_point * grid.h) lost -= std::exp(atom.log_mass + grid.c * atom.loss - scale) * std::expm1(-over);
      }
    }
    return lost;
  }

  Cells cut(const Grid& grid, bool upper) const override {
    const Layout layout = layout_on(grid);
    Cells cells = empty_cells(grid, layout, hang(grid, layout.log_scale, upper));
    auto end = layout.ends.begin();
    for (const PairComponent& component : components_) {
      stop_if_asked();
      cells.drops = cells.drops || component.halves_differ;
      for (const PairBranch& branch : component.branches) branch.add(grid, *end++, cells);
      for (const PairAtom& atom : component.atoms) put(atom, grid, cells);
      cells.dropped += component.weight * component.rest_error * std::exp(-layout.log_scale);
    }
    if (others_.nothing > rounding_) put({.loss = 0, .log_mass = std::log(others_.nothing)}, grid, cells);
    cells.dropped += rounding_ * std::exp(-layout.log_scale);
    // A cell's masses are sums over all components and branches, whose weights may sum to a little more than 1.
    cells.relative += rounding_ + std::max(0.0, -others_.nothing);
    return cells;
  }

 private:
  bool hangs_on_zero() const { return leading_.symmetric || others_.nothing > leading_.weight; }

  struct AtomPlace {
    std::int64_t index = 0;
    double over = 0;  // the distance above that point
  };

  // Each component may count its share of the negligible mass as infinite loss.
  Layout layout_on(const Grid& grid) const {
    Layout layout{.log_scale = log_scale(grid)};
    const double shares = std::log(static_cast<double>(components_.size()));
    const TailLevels levels{.log_infinite = std::max(grid.log_negligible, log_least) - shares,
                            .log_dropped = log_dropped - shares};
    for (const PairComponent& component : components_) {
      for (const PairBranch& branch : component.branches) {
        layout.ends.push_back(branch.end(grid, layout.log_scale, levels));
        const double farthest = branch.pair().loss(layout.ends.back());
        layout.include(branch.signed_loss(branch.least()));
        layout.include(branch.signed_loss(farthest));
        layout.reach += farthest - branch.least();
      }
      for (const PairAtom& atom : component.atoms) layout.include(atom.loss);
    }
    if (others_.nothing > rounding_) layout.include(0);
    return layout;
  }

  // Returns the loss at which the grid is anchored: 0, where the heaviest component has an atom, or the loss close to
  // which a whole half-line of it lies; for the lower bound, a little further, so that this half-line is balanced.
  double hang(const Grid& grid, double log_scale, bool upper) const {
    if (hangs_on_zero()) return 0;
    const PairBranch& branch = leading_.branches.front();
    return branch.signed_loss(branch.least() + (upper ? 0 : aligned(grid, balanced(grid, log_scale))));
  }

  // Returns the distance from the smallest l that puts the far atom on the grid, if that is close to y: 0 if both atoms
  // are then on it.
  double aligned(const Grid& grid, double y) const {
    const double distance = leading_.atom_distance, rest = distance / grid.h - std::round(distance / grid.h);
    if (distance == 0) return y;
    if (std::abs(rest) < at_point) return 0;
    const double there = distance - std::round((distance - y) / grid.h) * grid.h;
    return there > 0 && std::abs(there - y) < 0.1 * grid.h ? there : y;
  }

  // Returns a grid of about that spacing on which the distance is an even number of cells.
  static Grid fitting(Grid grid, double distance) {
    grid.h = distance / (2 * std::ceil(0.5 * distance / grid.h));
    return grid;
  }
  // Returns E[exp(cL)] of the lower side relative to that of the law itself: it is never larger.
  double kept_below(const Grid& grid) const {
    const Masses masses = optimistic(cut(grid, false), grid);
    return std::accumulate(masses.w.begin(), masses.w.end(), 0.0);
  }

  // Returns the balanced start of all branches that have their half-line at the same loss.
  double balanced(const Grid& grid, double log_scale) const {
    const PairBranch& leader = leading_.branches.front();
    std::vector<const PairBranch*> together;
    for (const PairComponent& component : components_) {
      const PairBranch& branch = component.branches.front();
      const bool alike = std::abs(branch.least() - leader.least()) <= 1e-12 * std::abs(leader.least());
      if (!component.symmetric && alike) together.push_back(&branch);
    }
    return balanced_start(together, grid, log_scale);
  }

  Cells empty_cells(const Grid& grid, const Layout& layout, double offset) const {
    Cells cells;
    cells.offset = offset;
    cells.log_scale = layout.log_scale;
    if (others_.infinite > 0) cells.log_infinite = std::log(others_.infinite) + 64 * unit_roundoff;
    cells.first = static_cast<std::int64_t>(std::floor((layout.low - offset) / grid.h - at_point));
    const auto last = static_cast<std::int64_t>(std::ceil((layout.high - offset) / grid.h + at_point));
    cells.p.resize(static_cast<std::size_t>(std::max<std::int64_t>(1, last - cells.first)));
    cells.u.resize(cells.p.size());
    return cells;
  }

  static AtomPlace place(const PairAtom& atom, const Grid& grid, double offset) {
    const double above = atom.loss - offset, nearest = std::round(above / grid.h), off = above - nearest * grid.h;
    const bool there = std::abs(off) <= at_point * grid.h;
    const double index = there || off > 0 ? nearest : nearest - 1;
    return {static_cast<std::int64_t>(index), there ? off : above - index * grid.h};
  }

  static void put(const PairAtom& atom, const Grid& grid, Cells& cells) {
    const AtomPlace at = place(atom, grid, cells.offset);
    const double point = cells.offset + static_cast<double>(at.index) * grid.h;
    const double exponent = atom.log_mass + grid.c * point - cells.log_scale, mass = std::exp(exponent);
    const bool there = std::abs(at.over) <= at_point * grid.h;
    cells.relative = std::max(cells.relative, 8 * unit_roundoff * (8 + std::abs(atom.log_mass)) + atom.log_mass_error);
    cells.slack = std::max(cells.slack, atom.loss_error + (there ? std::abs(at.over) : 0));
    if (there) {
      cells.atoms.push_back({at.index, mass});
      return;
    }
    const auto i = static_cast<std::size_t>(at.index - cells.first);
    cells.p[i] += mass;
    cells.u[i] += mass * -std::expm1(-at.over);
  }

  std::vector<PairComponent> components_;
  const PairComponent& leading_;  // the heaviest one of them
  Weights others_;
  double rounding_;  // the rounding error of the weights
};

}  // namespace
}  // namespace pairs_law_file

std::unique_ptr<StepLaw> pairs_law(const std::shared_ptr<const monotone::PairsCurve>& curve, std::int64_t count,
                                   Direction direction) {
  std::vector<PairComponent> components;
  std::vector<monotone::WeightedPair> kept;
  double infinite = 0, most = 0, rest = 1;
  for (const monotone::WeightedPair& component : curve->components()) {
    const double farthest = farthest_loss(*component.pair);
    rest -= component.weight;
    if (!(farthest <= pairs_law_file::most_loss)) {
      infinite += component.weight;
    } else {
      components.push_back(pair_component(component, direction));
      kept.push_back(component);
      most = std::max(most, farthest);
    }
  }
  if (components.empty() || !(most >= pairs_law_file::least_loss)) return nullptr;
  // The moments of the omitted components would dominate those of the others.
  const auto on_grid =
      infinite > 0 ? std::make_shared<const monotone::PairsCurve>(std::move(kept), curve->knowledge()) : curve;
  return std::make_unique<pairs_law_file::PairsLaw>(on_grid, std::move(components),
                                                    pairs_law_file::Weights{infinite, rest}, count, direction);
}

}  // namespace renyi::exact::lattice
