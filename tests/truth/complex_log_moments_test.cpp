// K at complex z for every mechanism, in both directions.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "renyi/extras/curve.h"
#include "support/expect.h"
#include "support/settings.h"
#include "support/truth_table.h"

namespace renyi::complex_log_moments_test {
namespace {

using test::both_directions;
using test::decimal;
using test::name_of;
using test::Row;
using Complex = std::complex<long double>;

std::vector<Row> table() { return test::read_table("complex_log_moments.jsonl"); }

std::complex<double> z_of(const Row& row) { return {row.at("z_re"), row.at("z_im")}; }

Complex truth_of(const Row& row, Direction direction) {
  return direction == Direction::remove ? Complex{decimal(row, "remove_re"), decimal(row, "remove_im")}
                                        : Complex{decimal(row, "add_re"), decimal(row, "add_im")};
}

// K is known up to whole turns of its imaginary part.
long double distance(std::complex<double> value, Complex truth) {
  const Complex off = Complex(value) - truth;
  return std::abs(Complex(off.real(), std::remainder(off.imag(), 2 * std::numbers::pi_v<long double>)));
}

// ln(|A(z) - 1| + A(Re z) - 1), with A = exp(K): what a sum of centred terms is
// accurate relative to, or A(Re z) itself where the phases of the loss spread over
// a radian and more. The error in K is that over |A(z)|.
long double log_scale(const Curve& curve, const Row& row, Direction direction) {
  const Complex k = truth_of(row, direction);
  const LogMoment real = curve.log_moment(z_of(row).real(), direction);
  const long double c = real.value, least = z_of(row).imag() * std::sqrt(real.curvature) > 1 ? 0 : 1;
  const long double top = std::max<long double>({c, k.real(), 0});
  const long double at_z = std::abs(std::exp(k - top) - std::exp(-top));
  const long double at_c = std::exp(c - top) - least * std::exp(-top);
  return top + std::log(at_z + at_c);
}

// Calls law(row, direction), an exception being the failure of that row.
template <class Law>
void for_each_row(const Law& law) {
  for (const Row& row : table()) {
    for (const Direction direction : both_directions) {
      SCOPED_TRACE(row.dump() + name_of(direction));
      test::expect_no_throw([&] { law(row, direction); });
    }
  }
}

TEST(ComplexLogMomentsTruth, HasItsRows) { ASSERT_EQ(table().size(), 152U); }

TEST(ComplexLogMomentsTruth, TheTruthLiesWithinTheStatedError) {
  for_each_row([](const Row& row, Direction direction) {
    const ComplexLogMoment k = test::mechanism_of(row).curve()->log_moment(z_of(row), direction);
    EXPECT_LE(distance(k.value, truth_of(row, direction)), static_cast<long double>(k.error)) << k.value;
  });
}

TEST(ComplexLogMomentsTruth, TheStatedErrorIsSmall) {
  for_each_row([](const Row& row, Direction direction) {
    const auto curve = test::mechanism_of(row).curve();
    const ComplexLogMoment k = curve->log_moment(z_of(row), direction);
    const long double modulus = truth_of(row, direction).real();  // ln |A(z)|
    EXPECT_LE(std::log(static_cast<long double>(k.error)),
              std::log(1e-10L) + log_scale(*curve, row, direction) - modulus);
  });
}

TEST(ComplexLogMomentsTruth, RealRowsAreTheRealCurve) {
  int seen = 0;
  for (const Row& row : table()) {
    if (row.at("z_im") != 0) continue;
    ++seen;
    for (const Direction direction : both_directions) {
      SCOPED_TRACE(row.dump() + name_of(direction));
      const LogMoment k = test::mechanism_of(row).curve()->log_moment(z_of(row).real(), direction);
      test::expect_bounds(test::value_of(k), truth_of(row, direction).real(), 1e-9L, 1e-10L);
    }
  }
  EXPECT_GE(seen, 1);
}

}  // namespace
}  // namespace renyi::complex_log_moments_test
