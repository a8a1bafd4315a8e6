// Numbers of two doubles: errors against ball arithmetic, constants, and enclosures by fractions.
#include "noise/exact/double_double.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <random>

#include "certify/ball/ball.h"
#include "noise/exact/double_double_constants.h"

namespace renyi::noise {
namespace double_double_test {

using certify::Ball;

Ball ball(const DoubleDouble& x) { return Ball(x.high) + Ball(x.low); }

// |value - exact| / |exact|; zero only if both are.
double relative_error(const DoubleDouble& value, const Ball& exact) {
  const Ball difference = abs(ball(value) - exact);
  if (arb_is_zero(difference.raw()) != 0) return 0;
  return (difference / abs(exact)).upper().about();
}

// Numbers of two doubles whose low part is random, as large as it may be, tiny, or zero.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : random_(seed) {}
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  int one_of(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
  DoubleDouble with_low(double high) {
    const double half_unit = std::ldexp(1.0, std::ilogb(high) - 53);
    switch (one_of(4)) {
      case 0: return {high};
      case 1: return two_sum(high, std::ldexp(uniform(-1, 1), std::ilogb(high) - 54 - one_of(50)));
      case 2: return two_sum(high, uniform(0, 1) < 0.5 ? half_unit : -half_unit / 2);
      default: return two_sum(high, half_unit * uniform(-1, 1));
    }
  }
  DoubleDouble in(double low, double high) { return with_low(uniform(low, high)); }
  // Numbers of all sizes and signs, powers of two and their neighbours among them.
  DoubleDouble any(int exponent) {
    double value = std::ldexp(uniform(1, 2), one_of(2 * exponent + 1) - exponent);
    if (one_of(4) == 0) value = std::ldexp(1.0, std::ilogb(value));
    if (one_of(4) == 0) value = std::nextafter(std::ldexp(1.0, std::ilogb(value)), 0);
    return with_low(uniform(0, 1) < 0.5 ? value : -value);
  }

 private:
  std::mt19937_64 random_;
};

// The largest error stays below the stated one, and the stated one says something: it is at most 64 times as large.
struct Errors {
  double largest = 0;
  void add(double error) { largest = std::max(largest, error); }
  void expect(double stated) const {
    EXPECT_LE(largest, stated);
    EXPECT_GE(64 * largest, stated);
    std::cout << "largest error " << largest / dd_u2 << " u^2, stated " << stated / dd_u2 << " u^2\n";
  }
};

constexpr int cases = 20'000;

TEST(DoubleDouble, SumsAndProductsOfTwoDoublesAreExact) {
  const certify::Precision bits(4000);
  Numbers numbers(1);
  for (int i = 0; i < cases; ++i) {
    const double a = numbers.any(400).high;
    const double b = i % 2 == 0 ? numbers.any(400).high : -a * numbers.uniform(0.4, 2.1);
    EXPECT_EQ(relative_error(two_sum(a, b), Ball(a) + Ball(b)), 0) << a << " " << b;
    EXPECT_EQ(relative_error(two_product(a, b), Ball(a) * Ball(b)), 0) << a << " " << b;
  }
}

TEST(DoubleDouble, OperationsKeepTheirErrors) {
  const certify::Precision bits(400);
  Numbers numbers(2);
  Errors add_double, add, multiply, divide, inverse;
  for (int i = 0; i < 3 * cases; ++i) {
    const DoubleDouble x = numbers.any(i % 2 == 0 ? 3 : 100);
    // Half of the sums cancel, to some bits or to nearly all.
    DoubleDouble y = numbers.any(i % 2 == 0 ? 3 : 100);
    add_double.add(relative_error(x + y.high, ball(x) + Ball(y.high)));
    add_double.add(relative_error(y.high - x, Ball(y.high) - ball(x)));
    multiply.add(relative_error(x * y, ball(x) * ball(y)));
    divide.add(relative_error(x / y, ball(x) / ball(y)));
    inverse.add(relative_error(reciprocal(y), Ball(1) / ball(y)));
    if (i % 2 == 0) y = two_sum(-x.high * (1 + std::ldexp(numbers.uniform(-1, 1), -numbers.one_of(54))), x.low / 3);
    add.add(relative_error(x + y, ball(x) + ball(y)));
    add.add(relative_error(x - y, ball(x) - ball(y)));
    add_double.add(relative_error(x + y.high, ball(x) + Ball(y.high)));
    EXPECT_LE(std::abs((x * y).low), std::ldexp(std::abs((x * y).high), -53));
  }
  add_double.expect(dd_add_double_error);
  add.expect(dd_add_error);
  multiply.expect(dd_multiply_error);
  divide.expect(dd_divide_error);
  inverse.expect(1.001 * 0x1p-53);
}

TEST(DoubleDouble, ConstantsAreThoseOfArb) {
  using namespace double_double_constants;  // NOLINT(google-build-using-namespace): the subject of this test
  const certify::Precision bits(400);
  const Ball log2 = log(Ball(2));
  EXPECT_LE(abs(Ball(ln2[0]) + Ball(ln2[1]) + Ball(ln2[2]) - log2).about(), 0x1p-139);
  EXPECT_LE(relative_error(inverse_ln2, Ball(1) / log2), 0x1p-53);
  // Products with whole numbers below 2^11 are exact.
  for (const double part : {ln2[0], ln2[1]}) EXPECT_EQ(std::fma(part, 2047, -(part * 2047)), 0);
  for (int k = 1; k < 2048; ++k) EXPECT_EQ(two_product(ln2[0], k).low + two_product(ln2[1], k).low, 0) << k;
  Ball factorial(1);
  for (std::size_t j = 1; j <= 14; ++j) {
    factorial *= Ball(static_cast<int>(j));
    const Ball exact = Ball(1) / factorial;
    const bool late = j > 8;
    const DoubleDouble value = late ? late_inverse_factorials[j - 9] : inverse_factorials[j - 1];
    EXPECT_LE(relative_error(value, exact), late ? 0x1p-53 : dd_u2) << j;
  }
  for (std::size_t j = 0; j <= 20; ++j) {
    const Ball exact = Ball(1) / Ball(static_cast<int>(2 * j + 3));
    const bool late = j > 10;
    const DoubleDouble value = late ? late_odd_reciprocals[j - 11] : odd_reciprocals[j];
    EXPECT_LE(relative_error(value, exact), late ? 0x1p-53 : dd_u2) << j;
  }
}

TEST(DoubleDouble, ExponentialsKeepTheirErrors) {
  const certify::Precision bits(300);
  Numbers numbers(3);
  Errors exponential, minus_one;
  for (int i = 0; i < cases; ++i) {
    DoubleDouble x = numbers.in(-600, 700);
    // Arguments in the middle between multiples of ln 2 are reduced the worst; tiny ones show relative errors.
    if (i % 4 == 1) x = numbers.with_low((numbers.one_of(1700) - 800 + 0.5 + numbers.uniform(-1, 1) * 0x1p-20) * M_LN2);
    if (i % 4 == 2) x = numbers.in(-2, 2);
    exponential.add(relative_error(exp(x), exp(ball(x))));
    DoubleDouble small = numbers.in(-0.3466, 0.3466);
    if (i % 4 == 3) small = numbers.with_low(std::ldexp(numbers.uniform(-1, 1), -1 - numbers.one_of(300)));
    if (std::abs(small.high) < 0.3466) minus_one.add(relative_error(expm1(small), expm1(ball(small))));
  }
  exponential.expect(dd_exp_error);
  minus_one.expect(dd_expm1_error);
  EXPECT_EQ(exp(0.0).high, 1);
  EXPECT_EQ(exp(0.0).low, 0);
  for (int i = 0; i < 2000; ++i) {
    const DoubleDouble x = numbers.in(-700, -600);
    const Ball exact = exp(ball(x));
    EXPECT_TRUE(surely_less(abs(ball(exp(x)) - exact), exact * Ball(dd_exp_error) + Ball(0x1p-1073)));
  }
}

TEST(DoubleDouble, LogarithmsKeepTheirErrors) {
  const certify::Precision bits(400);
  Numbers numbers(4);
  Errors logarithm, ratio, near_one, minus;
  for (int i = 0; i < cases; ++i) {
    DoubleDouble x = numbers.any(400);
    if (i % 4 == 1) x = numbers.in(0.5, 2);
    if (i % 4 == 2) x = numbers.with_low(1 + std::ldexp(numbers.uniform(-1, 1), -numbers.one_of(53)));
    if (i % 4 == 3)
      x = numbers.with_low(std::ldexp(M_SQRT1_2, numbers.one_of(7) - 3) * (1 + numbers.uniform(-1, 1) * 1e-9));
    if (x.high < 0) x = -x;
    if (x.high > 0) logarithm.add(relative_error(log(x), log(ball(x))));
    const double b = std::abs(numbers.any(300).high);
    const double a =
        i % 2 == 0 ? std::abs(numbers.any(90).high) : b * (1 + std::ldexp(numbers.uniform(-1, 1), -numbers.one_of(53)));
    if (a > 0) ratio.add(relative_error(log_ratio(a, b), log(Ball(a) / Ball(b))));
    DoubleDouble small = numbers.in(-0.2928, 0.4142);
    if (i % 4 == 3) small = numbers.with_low(std::ldexp(numbers.uniform(-1, 1), -2 - numbers.one_of(180)));
    near_one.add(relative_error(log1p(small), log1p(ball(small))));
    const certify::Precision more(1000);
    minus.add(relative_error(log1p_minus(small), log1p(ball(small)) - ball(small)));
  }
  logarithm.expect(dd_log_error);
  ratio.expect(dd_log_ratio_error);
  near_one.expect(dd_log1p_error);
  minus.expect(dd_log1p_minus_error);
  // The ends of the doubles.
  for (const double x : {0x1p-1022, 0x1.8p-1022, 0x1p-1000, 0x1.fffffffffffffp1023, 0x1p1023, 0x1p970}) {
    EXPECT_LE(relative_error(log(x), log(Ball(x))), dd_log_error) << x;
  }
  EXPECT_EQ(log(1.0).high, 0);
  EXPECT_EQ(log1p(0.0).high, 0);
  EXPECT_EQ(log1p_minus(0.0).high, 0);
}

Ball ball(Wide value) {
  Ball result(static_cast<std::int64_t>(high_word(value) >> 1U));
  const certify::Precision exact(200);
  result = (result * Ball(2) + Ball(static_cast<int>(high_word(value) & 1U))) * Ball(0x1p64);
  result +=
      Ball(static_cast<std::int64_t>(low_word(value) >> 1U)) * Ball(2) + Ball(static_cast<int>(low_word(value) & 1U));
  return result * Ball(0x1p-128);
}

TEST(DoubleDouble, FractionsOf128BitsBecomePairs) {
  const certify::Precision bits(400);
  std::mt19937_64 random(5);
  Errors errors;
  for (int i = 0; i < cases; ++i) {
    Wide value = wide(random(), random());
    if (i % 2 == 0) value >>= random() % 128;
    if (i % 5 == 0) value = ~value;
    if (value != 0) errors.add(relative_error(double_double_of(value), ball(value)));
  }
  errors.expect(dd_from_wide_error);
  EXPECT_EQ(double_double_of(0).high, 0);
  EXPECT_EQ(double_double_of(~Wide{0}).high, 1);
}

bool encloses(const Fraction& fraction, const Ball& exact) {
  return surely_at_most(ball(fraction.lower), exact) && surely_at_most(exact, ball(fraction.upper) + Ball(0x1p-128));
}
double width(const Fraction& fraction) { return (ball(fraction.upper) - ball(fraction.lower)).about(); }

TEST(DoubleDouble, FractionsEncloseNumbersWithErrors) {
  const certify::Precision bits(400);
  Numbers numbers(6);
  for (int i = 0; i < cases; ++i) {
    // Numbers near 0, near 1, in between, and exactly at the ends; errors of all sizes.
    const double tiny = std::ldexp(numbers.uniform(0, 1), -numbers.one_of(140));
    const DoubleDouble value = i % 5 == 0   ? numbers.in(0, 1)
                               : i % 5 == 1 ? DoubleDouble(tiny)
                               : i % 5 == 2 ? 1.0 - DoubleDouble(tiny)
                                            : i % 2;
    const double error = i % 3 == 0 ? 0 : std::ldexp(numbers.uniform(0, 1), -numbers.one_of(140));
    const Fraction fraction = enclose(value, error);
    EXPECT_LE(fraction.lower, fraction.upper);
    for (const double side : {-1.0, -0.5, 0.0, 1.0}) {
      const Ball exact = ball(value) + Ball(side) * Ball(error);
      if (surely_less(exact, Ball(0)) || surely_less(Ball(1), exact)) continue;
      EXPECT_TRUE(encloses(fraction, exact)) << value.high << " " << error << " " << side;
    }
    EXPECT_LE(width(fraction), 2 * error + 0x1p-121);
  }
  EXPECT_TRUE(enclose(1.25, 0x1p-100).lower == ~Wide{0});
  EXPECT_TRUE(enclose(-1.25, 0x1p-100).upper == 0);
  EXPECT_TRUE(enclose(0.5, 1e300).lower == 0 && enclose(0.5, 1e300).upper == ~Wide{0});
}

TEST(DoubleDouble, FractionsEncloseExponentials) {
  const certify::Precision bits(400);
  Numbers numbers(7);
  for (int i = 0; i < cases; ++i) {
    DoubleDouble gamma = numbers.in(0, 110);
    if (i % 4 == 1) gamma = numbers.with_low(std::ldexp(numbers.uniform(1, 2), -numbers.one_of(200)));
    if (i % 4 == 2) gamma = numbers.with_low(std::ldexp(numbers.uniform(1, 2), numbers.one_of(1000)));
    const double error = i % 3 == 0 ? 0 : std::ldexp(numbers.uniform(0, 1), -numbers.one_of(130));
    const Fraction fraction = exp_minus_fraction(gamma, error);
    for (const double side : {-1.0, -0.5, 0.0, 1.0}) {
      const Ball t = ball(gamma) + Ball(side) * Ball(error);
      if (surely_less(t, Ball(0))) continue;
      EXPECT_TRUE(encloses(fraction, exp(-min(t, Ball(1000))))) << gamma.high << " " << error << " " << side;
    }
    if (error <= 0x1p-10) {
      EXPECT_LE(width(fraction), 2 * std::exp(-gamma.high) * (1.01 * error + 20.01 * dd_u2) + 0x1p-121) << gamma.high;
    }
  }
  EXPECT_TRUE(encloses(exp_minus_fraction(0.0, 0.0), Ball(1)));
  EXPECT_TRUE(encloses(exp_minus_fraction(-0x1p-100, 0x1p-99), Ball(1)));
  EXPECT_TRUE(exp_minus_fraction(1e300, 1e290).lower == 0);
  EXPECT_TRUE(exp_minus_fraction(1e308, 2.0).upper == ~Wide{0});
}

}  // namespace double_double_test
}  // namespace renyi::noise
