// One record, one way: the Sampled Gaussian Mechanism, which has a curve of its own by other means.
#include <gtest/gtest.h>

#include <complex>

#include "mechanism/monotone/pairs_curve.h"
#include "mechanism/sampled_gaussian/curve.h"
#include "renyi/error.h"
#include "sampling/pairs/gaussian_pair.h"
#include "support/expect.h"

namespace renyi::test::gaussian_curve_test {
namespace {

using monotone::PairsCurve;
using monotone::Reading;
using sampling::gaussian_pair;

PairsCurve sampled(double q, double s, Reading reading = Reading::one_sided) {
  return PairsCurve({{1, gaussian_pair({q, s, 1}, reading)}}, Knowledge::loss);
}

TEST(PairsOfOneRecord, AgreeWithTheSampledGaussian) {
  for (const double q : {1e-100, 1e-10, 1e-4, 0.01, 0.3, 0.9, 0.999999}) {
    for (const double s : {0.05, 0.3, 0.55, 1.0, 4.0, 100.0, 1e6}) {
      const PairsCurve curve = sampled(q, s);
      const sampled_gaussian::SampledGaussianCurve other(q, s);
      for (const Direction d : both_directions) {
        for (const double z : {0.0, 1e-12, 0.25, 1.0, 6.5, 99.0, 999.0}) {
          SCOPED_TRACE(testing::Message() << q << ' ' << s << ' ' << z << ' ' << name_of(d));
          const LogMoment a = curve.log_moment(z, d), b = other.log_moment(z, d);
          EXPECT_LE(std::abs(a.value - b.value), a.error + b.error);
          EXPECT_LE(std::abs(a.value - b.value), 1e-12 * b.value);
          EXPECT_LE(a.error, 1e-11 * a.value);
          EXPECT_LE(std::abs(a.slope - b.slope), a.slope_error + b.slope_error);
          EXPECT_LE(std::abs(a.slope - b.slope), 1e-11 * b.slope);
          EXPECT_LE(std::abs(a.curvature - b.curvature), 1e-6 * b.curvature + 1e-7 * a.slope * a.slope);
        }
      }
    }
  }
}

TEST(PairsOfOneRecord, AgreeWithTheSampledGaussianAtHighOrders) {
  for (const double q : {1e-100, 1e-3, 0.5}) {
    for (const double s : {0.01, 0.3, 1.0, 20.0}) {
      const PairsCurve curve = sampled(q, s);
      const sampled_gaussian::SampledGaussianCurve other(q, s);
      for (const double z : {9999.0, 1e5 - 1}) {
        SCOPED_TRACE(testing::Message() << q << ' ' << s << ' ' << z);
        const LogMoment a = curve.log_moment(z, Direction::remove), b = other.log_moment(z, Direction::remove);
        EXPECT_LE(std::abs(a.value - b.value), a.error + b.error);
        EXPECT_LE(std::abs(a.value - b.value), 1e-10 * b.value);
      }
    }
  }
}

TEST(PairsOfOneRecord, AgreeAtComplexPoints) {
  for (const double q : {1e-6, 0.01, 0.5}) {
    for (const double s : {0.5, 1.0, 5.0}) {
      const PairsCurve curve = sampled(q, s);
      const sampled_gaussian::SampledGaussianCurve other(q, s);
      for (const Direction d : both_directions) {
        for (const std::complex<double> z : {std::complex{0.5, 0.1}, {2.0, 1.0}, {7.0, 3.0}, {3.0, 25.0}}) {
          SCOPED_TRACE(testing::Message() << q << ' ' << s << ' ' << z << ' ' << name_of(d));
          const ComplexLogMoment a = curve.log_moment(z, d), b = other.log_moment(z, d);
          EXPECT_LE(std::abs(a.value - b.value), a.error + b.error);
          EXPECT_LE(a.error, 100 * b.error + 1e-12);
          // On the axis it is the real value.
          const ComplexLogMoment on_axis = curve.log_moment(std::complex<double>{z.real(), 0}, d);
          const LogMoment real = curve.log_moment(z.real(), d);
          EXPECT_LE(std::abs(on_axis.value - real.value), on_axis.error + real.error);
        }
      }
    }
  }
}

TEST(PairsOfOneRecord, KnowTheLawOfTheLoss) {
  for (const double q : {1e-6, 0.01, 0.5, 0.99}) {
    for (const double s : {0.4, 1.0, 5.0}) {
      const PairsCurve curve = sampled(q, s);
      const sampled_gaussian::SampledGaussianCurve other(q, s);
      for (const Direction d : both_directions) {
        SCOPED_TRACE(testing::Message() << q << ' ' << s << ' ' << name_of(d));
        for (const double a : {0.5, 0.75, 0.99}) {
          expect_overlap(curve.chernoff(a, d), other.chernoff(a, d));
          EXPECT_NEAR(curve.chernoff(a, d).value / other.chernoff(a, d).value, 1, 1e-11);
        }
        const Cumulants mine = curve.cumulants(d), theirs = other.cumulants(d);
        EXPECT_LE(std::abs(mine.mean - theirs.mean), mine.mean_error + theirs.mean_error);
        EXPECT_LE(std::abs(mine.variance - theirs.variance), mine.variance_error + theirs.variance_error);
        EXPECT_LE(std::abs(mine.third - theirs.third), mine.third_error + theirs.third_error);
        EXPECT_NEAR(mine.variance / theirs.variance, 1, 1e-10);
        if (d == Direction::add) expect_overlap(curve.max_loss(d), other.max_loss(d));
        EXPECT_EQ(curve.max_loss(Direction::remove).value, infinity);
      }
    }
  }
}

TEST(PairsOfOneRecord, ServeEveryOrder) {
  for (const double q : {1e-100, 1e-3, 0.999}) {
    for (const double s : {1e-4, 1e-3, 0.01, 1.0, 1e6}) {
      for (const Reading reading : {Reading::one_sided, Reading::symmetric}) {
        const PairsCurve curve = sampled(q, s, reading);
        for (const Direction d : both_directions) {
          double before = 0;
          for (const double z : {1e-15, 0.5, 3.0, 1e3, 1e5, 1e7, 1e9, 1e12, 1e15, 1e20, 1e50, 1e100}) {
            SCOPED_TRACE(testing::Message() << q << ' ' << s << ' ' << z << ' ' << name_of(d));
            const LogMoment k = curve.log_moment(z, d);
            expect_sane(value_of(k));
            EXPECT_GT(k.value, 0);
            EXPECT_TRUE(std::isfinite(k.slope) && k.slope > 0 && std::isfinite(k.slope_error));
            // D = K/z rises with the order, and stays below a/(2 s^2).
            EXPECT_GE((k.value + k.error) / z, before);
            EXPECT_LE((k.value - k.error) / z, 0.5 * (z + 1) / s / s * (1 + 1e-12));
            before = (k.value - k.error) / z;
          }
        }
      }
    }
  }
}

// Values by mpmath, 40 digits, from the integral itself.
TEST(PairsOfOneRecord, AreRightWhereDigitsAreScarce) {
  // Losses of 5000 beside a rate of a half.
  expect_bounds(value_of(sampled(0.5, 0.01).log_moment(0.001, Direction::remove)), 4.31784163945821849L, 1e-11L,
                1e-14L);
  // Almost always sampled: exp(t) beside 1 - q.
  const PairsCurve nearly_all = sampled(1 - 9.9999997171806854e-10, 17.377725847971682);
  expect_bounds(value_of(nearly_all.log_moment(99999, Direction::add)), 1983016.5940338358579L, 1e-11L, 1e-14L);
  // A loss of 400 under a mass of 1e-300: never more than the largest loss.
  const PairsCurve rare = sampled(1e-100, 0.0276738);
  const LogMoment k = rare.log_moment(3e-13, Direction::add);
  EXPECT_LE((k.value - k.error) / 3e-13, rare.max_loss(Direction::add).upper());
  EXPECT_LE(k.error, 1e-12 * k.value);
  // Beyond every rate: the slope is E[L] tilted, 7.92986961331629e-101 at z = 1e20.
  const LogMoment far = sampled(1e-100, 0.05).log_moment(1e20, Direction::add);
  expect_bounds(slope_of(far), 7.92986961331629e-101L, 1e-11L, 1e-12L);
}

TEST(PairsOfOneRecord, RefuseWhatIsNoPair) {
  EXPECT_THROW(gaussian_pair({0, 1, 1}, Reading::one_sided), InvalidArgument);
  EXPECT_THROW(gaussian_pair({1, 1, 1}, Reading::one_sided), InvalidArgument);
  EXPECT_THROW(gaussian_pair({std::nan(""), 1, 1}, Reading::one_sided), InvalidArgument);
  EXPECT_THROW(gaussian_pair({0.5, 0, 1}, Reading::one_sided), InvalidArgument);
  EXPECT_THROW(gaussian_pair({0.5, 2e6, 1}, Reading::one_sided), InvalidArgument);
  EXPECT_THROW(gaussian_pair({0.5, 1, 0}, Reading::one_sided), InvalidArgument);
  EXPECT_THROW(gaussian_pair({0.5, 1, 10001}, Reading::one_sided), InvalidArgument);
  EXPECT_THROW(gaussian_pair({0.5, 1, 2}, Reading::symmetric), Unsupported);
  const auto pair = gaussian_pair({0.5, 1, 1}, Reading::one_sided);
  EXPECT_THROW(PairsCurve({}, Knowledge::loss), InvalidArgument);
  EXPECT_THROW(PairsCurve({{0.6, pair}, {0.6, pair}}, Knowledge::loss), InvalidArgument);
  EXPECT_THROW(PairsCurve({{0, pair}}, Knowledge::loss), InvalidArgument);
  EXPECT_THROW(PairsCurve({{1, nullptr}}, Knowledge::loss), InvalidArgument);
  EXPECT_THROW(PairsCurve({{1, pair}}, Knowledge::profile).cumulants(Direction::remove), Unsupported);
  EXPECT_THROW(PairsCurve({{1, pair}}, Knowledge::profile).chernoff(0.5, Direction::remove), Unsupported);
}

}  // namespace
}  // namespace renyi::test::gaussian_curve_test
