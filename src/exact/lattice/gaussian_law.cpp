// Gaussian noise: the loss is normal with mean m = 1/(2 s^2) and variance 2m; tilted by exp(c l) it is
// normal with mean m (1 + 2c), the same variance and total mass exp(c (c+1) m).
#include <cmath>

#include "exact/lattice/quadrature.h"
#include "exact/lattice/step_law.h"

namespace renyi::exact::lattice {

namespace {

// Deviations of the tilted law that are cut into cells; beyond lies less than 4e-22.
constexpr double reach = 9.6;

class GaussianLaw final : public StepLaw {
 public:
  explicit GaussianLaw(double s)
      : StepLaw(1, Direction::remove, Gaussian{s, 1}.curve()), mean_(0.5 / (s * s)), deviation_(1 / s) {}

  double cells(const Grid& grid) const override { return 2 * reach * deviation_ / grid.h + 2; }

  Cells cut(const Grid& grid, bool) const override {
    const double c = grid.c, h = grid.h, middle = mean_ * (1 + 2 * c);
    Cells cells;
    cells.relative = gauss_legendre_error;
    cells.offset = middle;
    const auto half = static_cast<std::int64_t>(std::ceil(reach * deviation_ / h));
    cells.first = -half;
    cells.log_scale = c * (c + 1) * mean_;
    cells.p.resize(static_cast<std::size_t>(2 * half));
    cells.u.resize(cells.p.size());
    const double root = 1 / std::sqrt(2 * M_PI), rate = 1 + reach + (c + 1) * deviation_;
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
    const double log_tail = -0.5 * reach * reach;  // of the normal law, Chernoff
    cells.dropped = std::exp(log_tail);
    // P[L > top] <= exp(K - c top) times the tilted mass there.
    cells.log_infinite = cells.log_scale - c * top + log_tail;
    return cells;
  }

 private:
  double mean_;
  double deviation_;
};

}  // namespace

std::unique_ptr<StepLaw> gaussian_law(double noise_multiplier) {
  return std::make_unique<GaussianLaw>(noise_multiplier);
}

}  // namespace renyi::exact::lattice
