#include "relate/divergence_growth.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "renyi/error.h"

namespace renyi::relate::divergence_growth_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// A loss of `large` with probability p, else 0 (or so little below that it does not count):
// D_a nears `large` at orders so close to 1 that no grid has them.
class RareLoss final : public Curve {
 public:
  static constexpr double p = 1e-3, large = 1e12;
  Growth growth() const override { return {large, 0}; }
  static double log_moment_of(double z) { return std::log1p(p * std::expm1(std::min(z * large, 700.0))); }

 private:
  LogMoment real_at(double z, Direction) const override {
    const double y = z * large, k = y < 700 ? log_moment_of(z) : y + std::log(p);
    return {.value = k, .error = 1e-14 * k, .slope = z == 0 ? p * large : large, .slope_error = 1e-14 * large};
  }
  ComplexLogMoment complex_at(std::complex<double>, Direction) const override {
    throw Unsupported("z", "real orders only", "use those");
  }
  Bounded max_loss_at(Direction) const override { return {large, 0}; }
};

double rate(double z) {
  const double y = z * RareLoss::large;
  return (y < 700 ? RareLoss::log_moment_of(z) : y + std::log(RareLoss::p)) / z / (z + 1);
}

TEST(SmallestRho, IsFoundHoweverNearToOrderOne) {
  double most = 0, best = 0;
  for (double z = 1e-12; z < 1; z *= 1.0005) {
    if (rate(z) > most) {
      most = rate(z);
      best = z;
    }
  }
  EXPECT_LT(best, 1e-5);
  const Interval rho = smallest_rho(RareLoss(), infinity);
  EXPECT_GE(rho.upper, most);
  EXPECT_LE(rho.upper, most * (1 + 1e-8));
  EXPECT_LE(rho.lower, rho.upper);
  // Up to an order below the peak, the end of the range decides.
  const double omega = 1 + 0x1p-30;
  EXPECT_NEAR(smallest_rho(RareLoss(), omega).upper / rate(omega - 1), 1, 1e-8);
}

TEST(SmallestXi, NeedsNoneForAnEnoughOfRho) {
  EXPECT_LE(smallest_xi(RareLoss(), smallest_rho(RareLoss(), infinity).upper).upper, 1e-9 * RareLoss::large);
  EXPECT_NEAR(smallest_xi(RareLoss(), 0).upper / RareLoss::large, 1, 1e-9);
}

}  // namespace
}  // namespace renyi::relate::divergence_growth_test
