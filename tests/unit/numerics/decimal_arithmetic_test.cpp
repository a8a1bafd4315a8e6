#include "numerics/decimal_arithmetic.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace renyi::numerics::decimal_arithmetic_test {
namespace {

double sum_of(double value, std::int64_t count) {
  const CountedQuotient terms{{value, 1}, count};
  return decimal_sum({&terms, 1}).value_or(-1);
}

TEST(Written, ATenthTenTimesIsOne) {
  EXPECT_EQ(sum_of(0.1, 10), 1);
  EXPECT_EQ(sum_of(0.1, 3), 0.3);  // and not 0.30000000000000004
  EXPECT_EQ(sum_of(0.07, 100), 7);
  for (int i = 1; i <= 2000; ++i) EXPECT_EQ(sum_of(0.1, i), i / 10.0) << i;
  for (int i = 1; i <= 2000; ++i) EXPECT_EQ(sum_of(0.003, i), 3 * i / 1000.0) << i;
  EXPECT_EQ(sum_of(1e-50, 10), 1e-49);
  EXPECT_EQ(sum_of(2.5e20, 4), 1e21);
}

TEST(Written, QuotientsAddExactly) {
  const std::array<CountedQuotient, 3> thirds{{{{1, 3}, 1}, {{0.5, 1.5}, 1}, {{2, 6}, 1}}};
  EXPECT_EQ(decimal_sum(thirds), 1);
  const std::array<CountedQuotient, 2> parts{{{{1, 3}, 1}, {{1, 6}, 3}}};
  EXPECT_FALSE(decimal_sum(parts).has_value());
}

TEST(Written, ASumThatIsNoShortDecimalHasAnInterval) {
  const Bounded third = decimal_quotient({1, 3});
  EXPECT_GT(third.error, 0);
  EXPECT_LT(third.lower(), 1.0 / 3);
  EXPECT_GT(third.upper(), std::nextafter(1.0 / 3, 1));
  EXPECT_LT(third.upper() - third.lower(), 1e-15);
  EXPECT_EQ(decimal_quotient({0.12345678901234568, 1}).error, 0);  // a double as it was given
  EXPECT_GT(decimal_quotient({0.12345678901234568, 7}).error, 0);
}

// The next double is another decimal: no tolerance, however small, makes them equal.
TEST(Written, NeighboursOfADecimalAreNotIt) {
  const std::array<CountedQuotient, 2> off{{{{0.9, 1}, 1}, {{std::nextafter(0.1, 1), 1}, 1}}};
  EXPECT_FALSE(decimal_sum(off).has_value());
  EXPECT_GT(decimal_sum_interval(off).upper(), 1);
}

TEST(Written, SumsOfNothingAndBeyondDoubles) {
  EXPECT_EQ(decimal_sum_interval({}).upper(), 0);
  EXPECT_EQ(decimal_quotient({0, 5}).upper(), 0);
  EXPECT_GT(decimal_quotient({1e-50, 3e270}).upper(), 1e-50 / 3e270);  // below the normal range no share is left
  const CountedQuotient huge{{1e308, 1}, 1'000'000};
  EXPECT_EQ(decimal_sum_interval({&huge, 1}).upper(), std::numeric_limits<double>::infinity());
}

// Denominators without a common factor: the fraction is given up, the interval holds.
TEST(Written, ManyDifferentQuotientsAreRounded) {
  std::vector<CountedQuotient> terms;
  long double about = 0;
  for (int i = 0; i < 2000; ++i) {
    const double denominator = 1e15 + 2 * i + 1;
    terms.push_back({{1, denominator}, 1});
    about += 1 / static_cast<long double>(denominator);
  }
  const Bounded sum = decimal_sum_interval(terms);
  EXPECT_LE(sum.lower(), static_cast<double>(about));
  EXPECT_GE(sum.upper(), static_cast<double>(about));
  EXPECT_LT(sum.error, 1e-14 * sum.value);
}

TEST(Written, ProductsWithTheSizeOfAGroup) {
  EXPECT_EQ(decimal_product_up(0.1, 3), 0.3);
  EXPECT_EQ(decimal_product_up(0.1, 10), 1);
  EXPECT_GE(decimal_product_up(0.1, 2.5), 0.25);
  EXPECT_TRUE(is_decimal_product(0.3, 0.1, 3));
  EXPECT_FALSE(is_decimal_product(0.30000000000000004, 0.1, 3));
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(is_decimal_product(infinity, infinity, 3));
  EXPECT_FALSE(is_decimal_product(1, infinity, 3));
}

}  // namespace
}  // namespace renyi::numerics::decimal_arithmetic_test
