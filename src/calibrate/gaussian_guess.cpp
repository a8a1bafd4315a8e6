#include "calibrate/gaussian_guess.h"

#include <cmath>

namespace renyi::calibrate_detail {

namespace {

double normal_cdf(double x) { return 0.5 * std::erfc(-x * std::sqrt(0.5)); }

// delta = Phi(mu/2 - epsilon/mu) - exp(epsilon) Phi(-mu/2 - epsilon/mu): Balle, Wang 2018, Theorem 8.
double gaussian_delta(double mu, double epsilon) {
  return normal_cdf(mu / 2 - epsilon / mu) - std::exp(epsilon) * normal_cdf(-mu / 2 - epsilon / mu);
}

double gaussian_mu(const Target& target) {
  double low = std::log(1e-6), high = std::log(100.0);
  for (int i = 0; i < 40; ++i) {
    const double middle = 0.5 * (low + high);
    (gaussian_delta(std::exp(middle), target.epsilon) > target.delta ? high : low) = middle;
  }
  return std::exp(low);
}

}  // namespace

double estimated_renyi_bound(const Target& target) {
  constexpr double largest = 300;  // exp(epsilon) is a number
  const bool is_usual = target.epsilon > 0 && target.epsilon < largest && target.delta > 1e-15 && target.delta < 0.1;
  if (!is_usual) return target.epsilon;
  const double bound = renyi_epsilon(*GaussianDp{gaussian_mu(target)}.curve(), target.delta).epsilon;
  return bound > target.epsilon && bound < 3 * target.epsilon ? bound : target.epsilon;
}

}  // namespace renyi::calibrate_detail
