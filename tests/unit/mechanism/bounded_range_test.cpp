#include "mechanism/bounded_range.h"

#include <gtest/gtest.h>

#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <numbers>

#include "exact/privacy_profile.h"
#include "renyi/error.h"
#include "renyi/exact.h"
#include "renyi/extras/custom.h"
#include "renyi/mechanism.h"

namespace renyi::mechanism::bounded_range_test {
namespace {

const std::vector<double> some_epsilons{1e-3, 0.1, 0.9, 0.999, 1.0, 1.001, 1.5, 4.0, 20.0};
const std::vector<double> some_z{0.01, 0.5, 1.0, 1.2, 3.0, 19.0, 100.0};

LogMoment at(double epsilon, double z) { return BoundedRangeCurve(epsilon).log_moment(z, Direction::remove); }

// ln E[exp(z L)] of the loss with the values t and t - epsilon.
long double two_points(long double epsilon, long double z, long double t) {
  const long double p = std::expm1(epsilon - t) * std::exp(t) / std::expm1(epsilon);
  return z * t + std::log1p((1 - p) * std::expm1(-z * epsilon));
}

TEST(BoundedRangeCurve, IsTheLargestMomentOfTwoPoints) {
  constexpr int places = 4000;
  for (const double epsilon : some_epsilons) {
    for (const double z : some_z) {
      SCOPED_TRACE(testing::Message() << "epsilon " << epsilon << " z " << z);
      const LogMoment k = at(epsilon, z);
      long double most = 0;
      for (int i = 0; i <= places; ++i) most = std::max(most, two_points(epsilon, z, epsilon * i / places));
      EXPECT_GE(k.value + k.error, most * (1 - 1e-13L));
      EXPECT_LE(k.value - k.error, most * (1 + 1e-4L));
    }
  }
}

// (z+1) s((z+1) h) - z s(z h) - s(h) as it stands, where extended precision survives the differences.
TEST(BoundedRangeCurve, IsItsFormula) {
  const auto s = [](long double y) { return y > 5000 ? y - std::log(2 * y) : std::log(std::sinh(y) / y); };
  for (const double epsilon : {0.5, 0.9, 1.0, 1.01, 3.0, 40.0, 2000.0}) {
    for (const double z : some_z) {
      SCOPED_TRACE(testing::Message() << "epsilon " << epsilon << " z " << z);
      const long double h = epsilon / 2.0L, formula = (z + 1) * s((z + 1) * h) - z * s(z * h) - s(h);
      const LogMoment k = at(epsilon, z);
      EXPECT_NEAR(k.value, static_cast<double>(formula), k.error + 1e-13 * k.value);
      EXPECT_LT(k.error, 1e-11 * k.value);
    }
  }
}

// The curve is at most the pure-DP curve of the same epsilon, and at most a epsilon^2/8 (Cesar, Rogers 2021), which it
// attains where epsilon is small.
TEST(BoundedRangeCurve, LiesBelowBothPublishedBounds) {
  for (const double epsilon : {1e-100, 1e-8, 1e-3, 0.1, 1.0, 3.0, 30.0, 1e6, 1e50}) {
    const BoundedRangeCurve curve(epsilon);
    for (const double order : {1.0, 1.001, 1.5, 2.0, 10.0, 1e3, 1e9}) {
      SCOPED_TRACE(testing::Message() << "epsilon " << epsilon << " order " << order);
      const Bounded d = rdp(curve, order);
      EXPECT_GT(d.lower(), 0);
      EXPECT_LE(d.lower(), rdp(*Mechanism(PureDp{epsilon}).curve(), order).upper());
      EXPECT_LE(d.lower(), order * epsilon * epsilon / 8 * (1 + 1e-14));
      if (order * epsilon < 1e-7) {
        EXPECT_NEAR(d.value, order * epsilon * epsilon / 8, 1e-12 * d.value);
      }
    }
  }
}

// epsilon - [(z+1) ln(z+1) - z ln z]/z
TEST(BoundedRangeCurve, ApproachesEpsilonForLargeOnes) {
  const double z = 3, entropy = 4 * std::log(4.0) - 3 * std::log(3.0);
  EXPECT_NEAR(rdp(BoundedRangeCurve(1000), 4).value, 1000 - entropy / z, 1e-11);
  EXPECT_EQ(BoundedRangeCurve(7).max_loss(Direction::add).upper(), 7);
}

TEST(BoundedRangeCurve, HasNoLaw) {
  const BoundedRangeCurve curve(1);
  EXPECT_EQ(curve.knowledge(), Knowledge::orders);
  EXPECT_THROW(curve.log_moment(std::complex<double>(1, 1), Direction::remove), Unsupported);
  EXPECT_EQ(curve.dominating_curve()->knowledge(), Knowledge::profile);
}

using Complex = std::complex<long double>;

// The integral over the loss under P, on pieces short beside the integrand's turns.
template <class F>
auto under_p(long double epsilon, int pieces, const F& f) {
  const long double scale = 4 * std::sinh(epsilon / 2);
  decltype(f(0.0L)) sum{};
  for (int i = 0; i < pieces; ++i) {
    const long double from = -epsilon + 2 * epsilon * i / pieces, half = epsilon / pieces;
    using Rule = boost::math::quadrature::gauss<long double, 20>;
    for (std::size_t k = 0; k < Rule::abscissa().size(); ++k) {
      for (const long double side : {-1.0L, 1.0L}) {
        const long double loss = from + half * (1 + side * Rule::abscissa()[k]);
        sum += Rule::weights()[k] * half * std::exp(loss / 2) / scale * f(loss);
      }
    }
  }
  return sum;
}

TEST(BoundedRangePair, MomentsAreThoseOfItsDensity) {
  for (const double epsilon : {1e-2, 0.6, 0.99, 1.01, 3.0, 12.0}) {
    const BoundedRangePair pair(epsilon);
    for (const double z : {0.02, 0.5, 2.0, 17.0}) {
      SCOPED_TRACE(testing::Message() << "epsilon " << epsilon << " z " << z);
      const long double direct = under_p(epsilon, 64, [&](long double l) { return std::expm1(z * l); });
      const LogMoment k = pair.log_moment(z, Direction::remove);
      const auto truth = static_cast<double>(std::log1p(direct));
      EXPECT_NEAR(k.value, truth, k.error + 1e-12 * truth + 1e-18);
      EXPECT_LT(k.error, 1e-11 * k.value);
      const long double mean = under_p(epsilon, 64, [&](long double l) { return l * std::exp(z * l); });
      EXPECT_NEAR(k.slope, static_cast<double>(mean / (1 + direct)), 1e-11 * k.slope);
      const long double square = under_p(epsilon, 64, [&](long double l) { return l * l * std::exp(z * l); });
      const long double tilted = mean / (1 + direct);
      EXPECT_NEAR(k.curvature, static_cast<double>(square / (1 + direct) - tilted * tilted), 1e-6 * k.curvature);
    }
  }
}

TEST(BoundedRangePair, ComplexPointsAreThoseOfItsDensity) {
  for (const double epsilon : {0.05, 0.9, 4.0}) {
    const BoundedRangePair pair(epsilon);
    for (const double c : {0.1, 1.5, 20.0}) {
      for (const double y : {0.3, 3.0, 40.0, 150.0}) {
        SCOPED_TRACE(testing::Message() << "epsilon " << epsilon << " z " << c << "+" << y << "i");
        const Complex z(c, y);
        const Complex direct = under_p(epsilon, 400, [&](long double l) { return std::exp(z * l); });
        const ComplexLogMoment k = pair.log_moment(std::complex<double>(c, y), Direction::add);
        const Complex ratio = std::exp(Complex(k.value)) / direct;
        EXPECT_LT(std::abs(ratio - 1.0L), k.error + 1e-15) << k.error;
        EXPECT_LT(k.error, 1e-11);
      }
    }
  }
}

// Where a step is that pair: orders below 1, and cumulants, from integrals of exp(L/2), which is uniform.
TEST(BoundedRangePair, OrdersBelowOneAndCumulantsAreThoseOfItsDensity) {
  for (const double epsilon : {1e-9, 0.01, 1.0, 1.99, 2.01, 10.0, 1e4}) {
    const BoundedRangePair pair(epsilon, Knowledge::loss);
    const long double e = epsilon;
    for (const double a : {0.5, 0.501, 0.6, 0.75, 0.9, 1 - 1e-9}) {
      // E exp(-bL) = sinh(u e/2) / (u sinh(e/2)), in terms that do not cancel.
      const long double b = 1 - static_cast<long double>(a), u = 1 - 2 * b;
      long double sum = 0;  // s(h) - s(uh) by the product of sinh: sum of ln((1 + h^2/k^2 pi^2)/(1 + u^2 h^2/k^2 pi^2))
      const long double h = e / 2, pi = std::numbers::pi_v<long double>;
      const auto term = [&](long double k) {
        return std::log1p(4 * (1 - b) * b * h * h / (k * k * pi * pi + u * u * h * h));
      };
      constexpr int last = 20000;
      for (int k = last; k >= 1; --k) sum += term(k);
      if (epsilon > 100) {
        sum = b * e - std::log(e) - (u > 0 ? std::log(-std::expm1(-u * e) / (u * e)) : 0.0L);
      } else {  // the rest as an integral
        sum += 4 * (1 - b) * b * h * h / (pi * pi * (last + 0.5L));
      }
      const Bounded found = pair.chernoff(a, Direction::remove);
      EXPECT_NEAR(found.value, static_cast<double>(sum), found.error + 1e-9 * static_cast<double>(sum))
          << epsilon << " " << a;
      EXPECT_LE(found.error, 1e-11 * found.value);
    }
    const Cumulants found = pair.cumulants(Direction::remove);
    const auto moment = [&](int n) {
      const long double mean = found.mean, low = std::exp(-e), width = -std::expm1(-e);
      constexpr int pieces = 4000;
      long double sum = 0;
      for (int i = 0; i < pieces; ++i) {
        const auto at = [&](long double v) {  // v^2 instead of U, because ln U is steep at 0
          return 2 * v * std::pow(e + 2 * std::log(low + width * v * v) - mean, static_cast<long double>(n));
        };
        sum += boost::math::quadrature::gauss<long double, 10>::integrate(at, static_cast<long double>(i) / pieces,
                                                                          static_cast<long double>(i + 1) / pieces);
      }
      return static_cast<double>(sum);
    };
    if (epsilon > 1e-6) {
      EXPECT_NEAR(found.variance, moment(2), 1e-6 * found.variance) << epsilon;
      EXPECT_NEAR(found.third, moment(3), 1e-5 * std::abs(found.third) + 1e-12 * epsilon) << epsilon;
    }
    EXPECT_LE(found.variance_error, 1e-12 * found.variance);
  }
  EXPECT_THROW(BoundedRangePair(1).chernoff(0.5, Direction::remove), Unsupported);
}

TEST(BoundedRangePair, LinesFallAsTheyPromise) {
  for (const double epsilon : {0.05, 1.0, 6.0}) {
    const BoundedRangePair pair(epsilon);
    for (const double c : {0.2, 3.0}) {
      const auto line = pair.line(c, Direction::remove);
      for (const double y : {0.1, 1.0, 5.0, 30.0, 400.0}) {
        for (double v = y; v <= 2 * y; v += y / 37) {
          EXPECT_LE(line->log_phi(v).value.real() - 1e-12, line->decay(y)) << epsilon << ' ' << c << ' ' << v;
          EXPECT_LE(line->log_phi(v).value.real() - 1e-12, line->decay_beyond(y));
        }
      }
      EXPECT_LT(line->decay_beyond(1e4), line->decay_beyond(1e3));
      EXPECT_LT(line->decay(1.5 / epsilon), 0);
    }
  }
}

// The largest delta of two points, t and t - epsilon.
long double largest_delta(long double range, long double epsilon) {
  long double most = 0;
  for (int i = 0; i <= 20000; ++i) {
    const long double t = range * i / 20000;
    if (t <= epsilon) continue;
    most = std::max(most, std::expm1(range - t) * std::exp(t) / std::expm1(range) * -std::expm1(epsilon - t));
  }
  return most;
}

ExactInterval delta_of(double range, std::int64_t count, double epsilon, std::optional<Engine> engine = {}) {
  Plan plan;
  plan.add(CustomMechanism("bounded range", std::make_shared<BoundedRangePair>(range)), count);
  ExactOptions options;
  options.engine = engine;
  return PrivacyProfile(plan, options).delta(epsilon).worst;
}

TEST(BoundedRangePair, OneStepIsTheLargestDeltaOfTwoPoints) {
  for (const double range : {1e-3, 0.5, 2.0, 30.0}) {
    for (const double share : {0.0, 0.1, 0.5, 0.99}) {
      const ExactInterval figure = delta_of(range, 1, share * range);
      EXPECT_EQ(figure.engine, Engine::closed_form);
      const long double direct = largest_delta(range, share * range);
      EXPECT_GE(figure.upper, direct * (1 - 1e-12L));
      EXPECT_LE(figure.lower, direct * (1 + 1e-3L));
      EXPECT_LE(figure.upper - figure.lower, 1e-15 * figure.upper);
    }
  }
  EXPECT_EQ(delta_of(2, 1, 2).upper, 0);
}

// delta of two steps: the second step's delta at epsilon less the first step's loss.
long double two_steps(long double range, long double epsilon) {
  return under_p(range, 4000, [&](long double l) {
    const long double left = epsilon - l;
    if (left >= range) return 0.0L;
    if (left <= -range) return -std::expm1(left);
    const long double fall = std::expm1((left - range) / 2);
    return fall * fall / -std::expm1(-range);
  });
}

TEST(BoundedRangePair, TwoStepsByEveryEngine) {
  for (const double range : {0.3, 2.0}) {
    for (const double epsilon : {0.1, 0.4, 1.5}) {
      if (epsilon >= 2 * range) continue;
      const auto direct = static_cast<double>(two_steps(range, epsilon));
      const ExactInterval lattice = delta_of(range, 2, epsilon, Engine::lattice);
      EXPECT_LE(lattice.lower, direct * (1 + 1e-7)) << range << ' ' << epsilon;
      EXPECT_GE(lattice.upper, direct * (1 - 1e-7));
      EXPECT_LT(lattice.upper - lattice.lower, 1e-3 * direct);
    }
  }
}

TEST(BoundedRangePair, ManyStepsByContourAndLattice) {
  for (const double epsilon : {0.2, 1.0}) {
    const ExactInterval contour = delta_of(0.1, 100, epsilon, Engine::contour);
    const ExactInterval lattice = delta_of(0.1, 100, epsilon, Engine::lattice);
    EXPECT_LE(contour.lower, lattice.upper);
    EXPECT_LE(lattice.lower, contour.upper);
    EXPECT_LT(contour.upper - contour.lower, 1e-7 * contour.upper);
  }
}

TEST(BoundedRangePair, IsFoundByItsCurve) {
  const Mechanism own = CustomMechanism("any name", std::make_shared<BoundedRangePair>(2.5));
  ASSERT_TRUE(law_of<ExponentialOnInterval>(own));
  EXPECT_EQ(law_of<ExponentialOnInterval>(own)->epsilon, 2.5);
  EXPECT_FALSE(law_of<ExponentialOnInterval>(PureDp{1}));
}

}  // namespace
}  // namespace renyi::mechanism::bounded_range_test
