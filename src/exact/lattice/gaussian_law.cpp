// Gaussian noise on a grid, with and without sampling.
#include <algorithm>
#include <array>
#include <cmath>

#include "exact/lattice/quadrature.h"
#include "exact/lattice/step_law.h"
#include "mechanism/gaussian.h"

namespace renyi::exact::lattice {

namespace gaussian_law_file {
namespace {

// The number of standard deviations of the tilted law that are cut into cells; less than 4e-22 lies beyond.
constexpr double reach_in_deviations = 9.6;

// The loss is normal with mean m = 1/(2 s^2) and variance 2m; tilted by exp(c l) it is normal with mean m (1 + 2c), the
// same variance and total mass exp(c (c+1) m).
class GaussianLaw final : public StepLaw {
 public:
  explicit GaussianLaw(double s)
      : StepLaw(1, Direction::remove, std::make_shared<mechanism::GaussianCurve>(mechanism::NormalShift{1, s})),
        mean_(0.5 / (s * s)),
        deviation_(1 / s) {}

  double cells(const Grid& grid) const override { return 2 * reach_in_deviations * deviation_ / grid.h + 2; }

  Cells cut(const Grid& grid, bool) const override {
    const double c = grid.c, h = grid.h, middle = mean_ * (1 + 2 * c);
    Cells cells;
    cells.relative = gauss_legendre_error;
    cells.offset = middle;
    const auto half = static_cast<std::int64_t>(std::ceil(reach_in_deviations * deviation_ / h));
    cells.first = -half;
    cells.log_scale = c * (c + 1) * mean_;
    cells.p.resize(static_cast<std::size_t>(2 * half));
    cells.u.resize(cells.p.size());
    const double root = 1 / std::sqrt(2 * M_PI), rate = 1 + reach_in_deviations + (c + 1) * deviation_;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const double low = static_cast<double>(cells.first + static_cast<std::int64_t>(i)) * h;
      double p = 0, u = 0;
      integrate(low / deviation_, (low + h) / deviation_, rate, [&](double z, double weight) {
        const double l = deviation_ * z - low;
        const double f = weight * root * std::exp(-0.5 * z * z - c * l);
        p += f;
        u += f * -std::expm1(-l);
      });
      cells.p[i] = p;
      cells.u[i] = u;
    }
    const double top = middle + static_cast<double>(half) * h;
    const double log_tail = -0.5 * reach_in_deviations * reach_in_deviations;  // the Chernoff bound on the normal tail
    cells.dropped = std::exp(log_tail);
    // P[L > top] <= exp(K - c top) times the tilted mass there.
    cells.log_infinite = cells.log_scale - c * top + log_tail;
    return cells;
  }

 private:
  double mean_;
  double deviation_;
};

constexpr std::size_t near_cells = 24;
// The number of standard deviations beyond which a normal distribution has less than exp(-800).
constexpr double farthest = 40;

struct Sums {
  double p = 0;
  double u = 0;
};

// Uses the coordinate y = ln(1 + v) >= 0 with v(x) = q/(1-q) exp((2x-1)/(2s^2)): the loss is ln(1-q) + y under
// P = (1-q) N(0,s^2) + q N(1,s^2) (remove), and -ln(1-q) - y under P = N(0,s^2) (add).
// A whole half-line of x, often nearly all the mass, lies close to y = 0.
class SampledGaussianLaw final : public StepLaw {
 public:
  SampledGaussianLaw(const mechanism::SampledNormal& law, std::shared_ptr<const Curve> curve, std::int64_t count,
                     Direction direction)
      : StepLaw(count, direction, std::move(curve)),
        s_(law.noise_multiplier),
        precision_(1 / (s_ * s_)),
        log_odds_(std::log(law.rate) - std::log1p(-law.rate)),
        log_rest_(std::log1p(-law.rate)) {}

  double cells(const Grid& grid) const override { return y_at(top(grid)) / grid.h + 2; }
  bool sides_agree() const override { return false; }

  Cells cut(const Grid& grid, bool upper) const override {
    const double scale = log_scale(grid), x_top = top(grid);
    const double start = upper ? 0 : balanced_start(grid, scale, x_top);
    const double reach = y_at(x_top) - start;
    const auto n = static_cast<std::size_t>(std::max(1.0, std::ceil(reach / grid.h)));
    Cells cells;
    cells.relative = gauss_legendre_error;
    cells.log_scale = scale;
    cells.p.resize(n);
    cells.u.resize(n);
    cells.offset = removes() ? log_rest_ + start : -log_rest_ - start;
    cells.first = removes() ? 0 : -static_cast<std::int64_t>(n);
    double from = upper ? lowest(x_at(grid.h)) : x_at(start);
    for (std::size_t j = 0; j < n; ++j) {
      const double y = start + static_cast<double>(j) * grid.h, to = x_at(y + grid.h);
      const Sums sums = cell(grid, scale, from, to, removes() ? y : y + grid.h);
      const std::size_t i = removes() ? j : n - 1 - j;
      cells.p[i] = sums.p;
      cells.u[i] = sums.u;
      from = to;
    }
    if (!upper) (removes() ? cells.below : cells.above) = bulk(grid, scale, start);
    beyond(grid, scale, from, start + static_cast<double>(n) * grid.h, cells);
    return cells;
  }

 private:
  bool removes() const { return direction() == Direction::remove; }
  double x_at(double y) const { return 0.5 + s_ * s_ * (y + std::log(-std::expm1(-y)) - log_odds_); }
  double y_at(double x) const {
    const double log_v = (x - 0.5) * precision_ + log_odds_;
    return log_v > 40 ? log_v : std::log1p(std::exp(log_v));
  }
  // Below this point the law has less than exp(-72) of the mass between it and x.
  double lowest(double x) const { return std::min(x, 0.0) - 12 * s_; }

  // Returns where the law is cut off: for remove, where P[X > x] <= exp(-(x-1)^2/(2s^2)) is negligible; for add, where
  // the loss is far below the largest one and its tilted mass is negligible.
  double top(const Grid& grid) const {
    if (removes()) return 1 + s_ * std::sqrt(-2 * grid.log_negligible);
    const double far = x_at(std::min(60 / grid.c + 1e-3 * grid.h, 700.0));
    return std::max(x_at(grid.h), std::min(9.6 * s_, far));
  }

  // Integrals over [from, to] relative to the point of the grid at y. With r = exp(l(x) - l(y)) = b + e the density of
  // P is f r (remove) or f (add), and 1 - exp(lower end - L) is 1 - 1/r or 1 - r.
  Sums cell(const Grid& grid, double scale, double from, double to, double y) const {
    const double root = -std::log(s_ * std::sqrt(2 * M_PI)), half = 0.5 * precision_, b = std::exp(-y);
    const double log_f =
        root + (removes() ? grid.c * (log_rest_ + y) - scale + y + log_rest_ : grid.c * (-log_rest_ - y) - scale);
    const double reach = std::min(std::max(std::abs(from), std::abs(to)), 1 + farthest * s_);
    const double rate = (reach + 1) * precision_ + 1 / s_;
    Sums sums;
    integrate(std::max(from, -farthest * s_), std::min(to, 1 + farthest * s_), rate, [&](double x, double weight) {
      const double f = weight * std::exp(log_f - x * x * half);
      const double r = b + std::exp((x - 0.5) * precision_ + (log_odds_ - y));
      sums.p += removes() ? f * r : f;
      sums.u += removes() ? f * (r - 1) : f * (1 - r);
    });
    return sums;
  }

  // Returns the half-line below x_at(y), which is merged into the point at y.
  Bulk bulk(const Grid& grid, double scale, double y) const {
    const double to = x_at(y);
    const Sums sums = cell(grid, scale, lowest(to), to, y);
    return {sums.p, std::abs(sums.u), y};
  }

  // Returns the y at which the bulk balances half of the cell next to it, so that merging loses nothing.
  double balanced_start(const Grid& grid, double scale, double x_top) const {
    double low = std::log(1e-12 * std::min(1.0, grid.h)), high = std::log(y_at(x_top));
    for (int i = 0; i < 60 && high - low > 1e-7; ++i) {
      const double middle = 0.5 * (low + high), y = std::exp(middle);
      (bulk(grid, scale, y).moment < offered(grid, scale, y) ? low : high) = middle;
    }
    return std::exp(low);
  }

  // Returns the excess (remove) or the lack (add) at y of the part of the cell [y, y+h] that goes to y, as `optimistic`
  // divides it: starting a few cells further out, where two neighbouring cells of ratio r share their masses 1 : r, and
  // moving towards y.
  double offered(const Grid& grid, double scale, double y) const {
    const double h = grid.h, one_minus = -std::expm1(-h), rise = std::exp((1 + grid.c) * h);
    std::array<double, near_cells> offers{}, lacks{};
    double from = x_at(y);
    for (std::size_t j = 0; j < near_cells; ++j) {
      const double end = y + static_cast<double>(j + 1) * h, to = x_at(end);
      const Sums sums = cell(grid, scale, from, to, removes() ? end - h : end);
      offers[j] = sums.u;
      lacks[j] = rise * std::max(0.0, one_minus * sums.p - sums.u);
      from = to;
    }
    const auto share = [](double part, double whole) { return part < whole ? part / whole : 1.0; };
    double up = 0.5;
    for (std::size_t j = near_cells - 1; j-- > 0;) {
      // Between neighbours, the part of the lower cell that goes up lacks as much as the other part of the upper cell
      // has in excess.
      up = removes() ? share((1 - up) * offers[j + 1], lacks[j]) : 1 - share(up * lacks[j + 1], offers[j]);
    }
    return removes() ? (1 - up) * offers[0] : up * lacks[0];
  }

  // Adds the mass above x, where the last cell ends, at y.
  void beyond(const Grid& grid, double scale, double x, double y, Cells& cells) const {
    if (removes()) {
      cells.log_infinite = -0.5 * (x - 1) * (x - 1) * precision_;
    } else {
      const double log_tail = x > 0 ? -0.5 * x * x * precision_ : 0.0;
      cells.cut_below = std::exp(grid.c * (-log_rest_ - y) - scale + log_tail);
    }
  }

  double s_;
  double precision_;
  double log_odds_;
  double log_rest_;
};

}  // namespace
}  // namespace gaussian_law_file

std::unique_ptr<StepLaw> gaussian_law(double noise_multiplier) {
  return std::make_unique<gaussian_law_file::GaussianLaw>(noise_multiplier);
}

std::unique_ptr<StepLaw> sampled_gaussian_law(const mechanism::SampledNormal& law, std::shared_ptr<const Curve> curve,
                                              std::int64_t count, Direction direction) {
  return std::make_unique<gaussian_law_file::SampledGaussianLaw>(law, std::move(curve), count, direction);
}

}  // namespace renyi::exact::lattice
