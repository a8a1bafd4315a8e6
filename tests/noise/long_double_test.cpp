// Long doubles after a draw: registers of MMX, which compilers may use for integers of 128 bits, are those of the
// floating-point stack, and what is left in them makes every long double NaN.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "noise/exact/double_double.h"
#include "renyi/noise.h"

namespace renyi::noise {
namespace long_double_test {

// As deep as the stack: eight numbers are there at once.
bool is_stack_empty() {
  volatile long double x = 1.5L;
  const long double a = x, b = a + x, c = b + x, d = c + x, e = d + x, f = e + x, g = f + x;
  const long double product = a * b * c * d * e * f * g, sum = g + f + e + d + c + b + a;
  return !std::isnan(product) && !std::isnan(sum) && std::log2(static_cast<long double>(x) * 2) > 1;
}

TEST(LongDoubles, AreThereAfterADraw) {
  ASSERT_TRUE(is_stack_empty());
  const Fraction fraction = exp_minus_fraction(DoubleDouble(0.75), 0x1p-90);
  EXPECT_LT(fraction.lower, fraction.upper);
  EXPECT_TRUE(is_stack_empty());
  std::vector<double> values(5000, 1.0);
  gaussian(values, values, 3);
  laplace(values, values, 3);
  EXPECT_TRUE(is_stack_empty());
}

}  // namespace long_double_test
}  // namespace renyi::noise
