#include "numerics/mixed_loss.h"

#include <gtest/gtest.h>

namespace renyi::numerics {
namespace {

long double in_long_double(long double rate, long double l) {
  const long double moved = rate * std::expm1(l);
  return moved < -0.5L ? std::log((1 - rate) + rate * std::exp(l)) : std::log1p(moved);
}

// Next to rate 1 a very negative loss leaves (1-g) + g exp(l) small: no digits may be lost on the way.
TEST(MixedLoss, KeepsItsAccuracyAtRatesNextToOne) {
  for (const double rate : {1e-12, 0.3, 0.999, 1 - 1e-9, 1 - 0x1p-46, 0.9999999999999805}) {
    for (const double l : {-40.0, -32.0, -20.0, -3.0, -0.7, -1e-8, 1e-8, 2.0, 600.0}) {
      const auto truth = static_cast<double>(in_long_double(rate, l));
      EXPECT_NEAR(mixed_loss(rate, l), truth, 8e-16 * std::abs(truth)) << rate << " " << l;
    }
  }
}

}  // namespace
}  // namespace renyi::numerics
