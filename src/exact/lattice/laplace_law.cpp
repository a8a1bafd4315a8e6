// Losses with the density rate exp((l-e)/2) on [-e, e], perhaps with atoms at both endpoints, where the atom at -e is
// exp(-e) times the other. Laplace noise, e = shift/scale, has atoms 1/2 and exp(-e)/2, and rate 1/4. The dominating
// pair for steps of bounded range has no atoms, and rate 1/(2 (1 - exp(-e))).
#include <cmath>

#include "exact/lattice/step_law.h"

namespace renyi::exact::lattice {

namespace laplace_law_file {
namespace {

class ExponentialDensityLaw final : public StepLaw {
 public:
  ExponentialDensityLaw(std::int64_t count, std::shared_ptr<const Curve> curve, double e, double rate, double atom)
      : StepLaw(count, Direction::remove, std::move(curve)), e_(e), rate_(rate), atom_(atom) {}

  double cells(const Grid& grid) const override { return 2 * e_ / grid.h + 1; }
  double atom_distance(const Grid&) const override { return atom_ > 0 ? 2 * e_ : 0; }
  double misplaced(const Grid& grid) const override {
    const double above = over(grid, number(grid));
    return atom_ * std::exp(-e_ - grid.c * e_ - log_scale(grid)) * -std::expm1(-above);
  }

  // The grid is anchored at the atom at e, which is point 0.
  Cells cut(const Grid& grid, bool) const override {
    const std::int64_t m = number(grid);
    const double h = grid.h, scale = log_scale(grid);
    Cells cells;
    cells.offset = e_;
    cells.first = -m;
    cells.log_scale = scale;
    cells.p.resize(static_cast<std::size_t>(m));
    cells.u.resize(static_cast<std::size_t>(m));
    // Over [l, l+h], exp(x/2) has the integral 2 expm1(h/2), and (1 - exp(-x)) exp(x/2) has 8 sinh(h/4)^2.
    const double quarter = std::sinh(0.25 * h);
    const double mass = rate_ * 2 * std::expm1(0.5 * h), moment = rate_ * 8 * quarter * quarter;
    for (std::int64_t i = 0; i < m; ++i) {
      const double l = static_cast<double>(i - m) * h;  // relative to e
      const double weight = std::exp((0.5 + grid.c) * l + (grid.c * e_ - scale));
      cells.p[static_cast<std::size_t>(i)] = weight * mass;
      cells.u[static_cast<std::size_t>(i)] = weight * moment;
    }
    if (atom_ > 0) cells.atoms.push_back({0, atom_ * std::exp(grid.c * e_ - scale)});
    lowest(grid, m, scale, cells);
    return cells;
  }

 private:
  // Returns the number of cells down to -e; a remainder below rounding is ignored.
  std::int64_t number(const Grid& grid) const {
    return static_cast<std::int64_t>(std::max(1.0, std::ceil(2 * e_ / grid.h * (1 - 1e-14) - 1e-9)));
  }
  // Returns how far -e lies above the lowest point.
  double over(const Grid& grid, std::int64_t m) const {
    const double above = static_cast<double>(m) * grid.h - 2 * e_;
    return above > 1e-8 * grid.h + 4e-15 * e_ ? above : 0;
  }

  // The lowest cell is filled from -e only, where the other atom is.
  void lowest(const Grid& grid, std::int64_t m, double scale, Cells& cells) const {
    const double above = over(grid, m), h = grid.h, l = e_ - static_cast<double>(m) * h;
    const double tilt = std::exp(grid.c * l - scale), atom = atom_ * std::exp(-e_) * tilt;
    if (above == 0) {
      if (atom_ > 0) cells.atoms.push_back({-m, atom});
      return;
    }
    const double weight = rate_ * std::exp(0.5 * (l - e_)) * tilt;
    cells.p[0] = weight * 2 * std::exp(0.5 * above) * std::expm1(0.5 * (h - above)) + atom;
    cells.u[0] =
        weight * 8 * std::sinh(0.25 * (h + above)) * std::sinh(0.25 * (h - above)) + atom * -std::expm1(-above);
  }

  double e_;
  double rate_;
  double atom_;  // the mass of the atom at e
};

}  // namespace
}  // namespace laplace_law_file

std::unique_ptr<StepLaw> laplace_law(const mechanism::DoubleExponential& law, std::shared_ptr<const Curve> curve,
                                     std::int64_t count) {
  return std::make_unique<laplace_law_file::ExponentialDensityLaw>(count, std::move(curve), law.largest_loss(), 0.25,
                                                                   0.5);
}

std::unique_ptr<StepLaw> bounded_range_law(const mechanism::ExponentialOnInterval& law,
                                           std::shared_ptr<const Curve> curve, std::int64_t count) {
  const double e = law.epsilon;
  return std::make_unique<laplace_law_file::ExponentialDensityLaw>(count, std::move(curve), e, -0.5 / std::expm1(-e),
                                                                   0);
}

}  // namespace renyi::exact::lattice
