// Discrete Gaussian noise beside its definition, summed in long double.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "exact/privacy_profile.h"
#include "mechanism/curve.h"
#include "mechanism/lattice_pair.h"
#include "renyi/exact.h"
#include "renyi/mechanism.h"
#include "support/discrete_pair.h"
#include "support/expect.h"

namespace renyi::discrete_gaussian_test {
namespace {

using test::both_directions;
using Complex = std::complex<long double>;

Mechanism noise(double stddev, double sensitivity = 1) {
  return make_mechanism("discrete-gaussian", {{"stddev", stddev}, {"sensitivity", sensitivity}});
}

// Masses of N_Z(mean, s^2) at -reach to reach.
std::vector<long double> masses(long double s, int mean, int reach) {
  std::vector<long double> p;
  long double total = 0;
  for (int x = -reach; x <= reach; ++x) total += std::exp(-0.5L * x * x / (s * s));
  for (int x = -reach; x <= reach; ++x) p.push_back(std::exp(-0.5L * (x - mean) * (x - mean) / (s * s)) / total);
  return p;
}

// ln sum p^(1+z) q^-z, by the exponents themselves.
Complex by_definition(long double s, int d, Complex z) {
  const int reach = static_cast<int>(40 * s + 3 * d * (std::abs(z) + 2)) + 10;
  Complex sum = 0;
  long double total = 0;
  for (int x = -reach; x <= reach; ++x) {
    const long double p = -0.5L * (x - d) * (x - d), q = -0.5L * x * x;
    sum += std::exp(((1.0L + z) * p - z * q) / (s * s));
    total += std::exp(q / (s * s));
  }
  return std::log(sum / total);
}

TEST(DiscreteGaussian, CurveIsTheSumOfItsDefinition) {
  for (const double s : {0.12, 0.3, 0.55, 0.6, 0.6000001, 0.75, 1.0, 2.5, 7.0}) {
    for (const int d : {1, 2, 5}) {
      const auto curve = noise(s, d).curve();
      for (const double z : {0.01, 0.25, 0.5, 0.8, 1.0, 2.3, 4.5}) {
        const long double truth = by_definition(s, d, z).real();
        if (std::isinf(truth)) continue;  // the judge's range ends at exp(11356)
        const LogMoment k = curve->log_moment(z, Direction::remove);
        EXPECT_NEAR(k.value, static_cast<double>(truth), k.error + 1e-16 * k.value) << s << " " << d << " " << z;
        EXPECT_LE(k.error, 1e-14 * k.value);
      }
    }
  }
}

TEST(DiscreteGaussian, ComplexPointsAreTheSumOfItsDefinition) {
  for (const double s : {0.3, 0.55, 0.7, 1.3}) {
    for (const int d : {1, 3}) {
      for (const double y : {0.01, 0.9, 4.0, 31.0}) {
        for (const double c : {0.03, 0.4, 1.5, 3.0}) {
          const Complex truth = by_definition(s, d, {c, y});
          const ComplexLogMoment k = noise(s, d).curve()->log_moment(std::complex<double>(c, y), Direction::add);
          const long double turn = std::remainder(k.value.imag() - truth.imag(), 2 * 3.14159265358979323846264L);
          EXPECT_LE(std::abs(k.value.real() - truth.real()), k.error + 1e-15) << s << " " << d << " " << c << " " << y;
          EXPECT_LE(std::abs(turn), k.error + 1e-15L * y) << s << " " << d << " " << c << " " << y;
          EXPECT_LE(k.error, 1e-11);
        }
      }
    }
  }
}

// Theta is periodic: at whole z D nothing tells the two apart. Between, the discrete one costs less.
// Where the place on the line is not known to within a period of the modulus, nothing is known of it but its largest.
TEST(DiscreteGaussian, SaysNothingFarUpTheLineAndDoesNotLookForIt) {
  const auto curve = noise(1.5, 1).curve();
  const double real = curve->log_moment(2.0, Direction::remove).value;
  for (const double v : {1e18, 1e30, 1e200}) {
    const ComplexLogMoment far = curve->log_moment(std::complex<double>(2, v), Direction::remove);
    EXPECT_EQ(far.error, std::numeric_limits<double>::infinity()) << v;
    EXPECT_GE(far.value.real(), real * (1 - 1e-12)) << v;
  }
}

TEST(DiscreteGaussian, NeverCostsMoreThanTheGaussian) {
  for (const double s : {0.2, 0.5, 0.62, 1.0, 3.0}) {
    const auto discrete = noise(s, 3).curve(), smooth = Mechanism(Gaussian{s, 3}).curve();
    for (int n = 1; n < 8; ++n) {
      test::expect_overlap(rdp(*discrete, 1 + n / 3.0), rdp(*smooth, 1 + n / 3.0));
      const Bounded between = rdp(*discrete, 1 + (n + 0.5) / 3), above = rdp(*smooth, 1 + (n + 0.5) / 3);
      test::expect_not_above(between, above);
      if (s < 1) {
        EXPECT_LT(between.upper(), above.lower());
      }
    }
  }
}

TEST(DiscreteGaussian, OrdersBelowOneAndCumulants) {
  for (const double s : {0.4, 0.7, 2.0}) {
    const auto curve = noise(s, 2).curve();
    for (const double a : {0.5, 0.6, 0.9, 0.999}) {
      const Bounded c = curve->chernoff(a, Direction::remove);
      EXPECT_NEAR(c.value, static_cast<double>(-by_definition(s, 2, a - 1.0L).real()), c.error + 1e-18)
          << s << " " << a;
    }
    const test::DiscretePair pair{masses(s, 2, 60), masses(s, 0, 60)};
    long double mean = 0, variance = 0;
    for (std::size_t i = 0; i < pair.p.size(); ++i) {
      if (pair.p[i] < 1e-4000L || pair.q[i] < 1e-4000L) continue;
      mean += pair.p[i] * std::log(pair.p[i] / pair.q[i]);
    }
    for (std::size_t i = 0; i < pair.p.size(); ++i) {
      if (pair.p[i] < 1e-4000L || pair.q[i] < 1e-4000L) continue;
      const long double off = std::log(pair.p[i] / pair.q[i]) - mean;
      variance += pair.p[i] * off * off;
    }
    const Cumulants c = curve->cumulants(Direction::remove);
    EXPECT_NEAR(c.mean, static_cast<double>(mean), 1e-13 * c.mean);
    EXPECT_NEAR(c.variance, static_cast<double>(variance), 1e-12 * c.variance);
    EXPECT_EQ(c.third, 0);
  }
}

TEST(DiscreteGaussian, AtomsAreTheLaw) {
  const auto curve = mechanism::atomic_curve_of(noise(1.5, 2));
  ASSERT_NE(curve, nullptr);
  EXPECT_FALSE(curve->is_complete());
  EXPECT_TRUE(curve->is_listed());
  long double total = 0, other = 0;
  for (const auto& atom : curve->atoms(Direction::remove)) {
    total += atom.p.value;
    other += std::exp(static_cast<long double>(atom.p.log) - atom.loss);
  }
  EXPECT_NEAR(static_cast<double>(total), 1, 1e-15);
  EXPECT_NEAR(static_cast<double>(other), 1, 1e-15);
  EXPECT_LT(curve->left_out(Direction::remove).log_above, -770);
  EXPECT_FALSE(mechanism::atomic_curve_of(noise(1e5))->is_listed());
  EXPECT_FALSE(mechanism::atomic_curve_of(noise(1, 1000))->is_listed());
}

// P(x >= t) - exp(epsilon) Q(x >= t), t the first integer whose loss is above epsilon.
TEST(DiscreteGaussian, OneStepIsItsTails) {
  for (const double s : {0.5, 1.0, 4.0}) {
    const auto p = masses(s, 1, 200), q = masses(s, 0, 200);
    const PrivacyProfile one(Plan().add(noise(s)));
    for (const double epsilon : {0.0, 0.3, 1.0, 2.5}) {
      long double truth = 0;
      for (std::size_t i = 0; i < p.size(); ++i) {
        truth += std::max(0.0L, p[i] - std::exp(static_cast<long double>(epsilon)) * q[i]);
      }
      const ExactInterval delta = one.delta(epsilon).worst;
      EXPECT_EQ(delta.engine, Engine::closed_form);
      EXPECT_LE(delta.lower, truth);
      EXPECT_GE(delta.upper, truth);
      EXPECT_LE(delta.upper - delta.lower, 1e-12 * delta.upper);
    }
  }
}

// Ten thousand steps on their own lattice; beside a Gaussian; beyond what is listed by the Renyi bound.
TEST(DiscreteGaussian, ManySteps) {
  const ExactInterval many = PrivacyProfile(Plan().add(noise(30), 10'000)).epsilon(1e-6).worst;
  EXPECT_EQ(many.engine, Engine::lattice);
  EXPECT_LE(many.upper - many.lower, 1e-5);
  const double smooth = PrivacyProfile(Plan().add(Gaussian{30}, 10'000)).epsilon(1e-6).worst.upper;
  EXPECT_NEAR(many.upper, smooth, 1e-4);
  const ExactInterval mixed = PrivacyProfile(Plan().add(noise(5), 20).add(Gaussian{3})).epsilon(1e-6).worst;
  const double both = PrivacyProfile(Plan().add(Gaussian{5}, 20).add(Gaussian{3})).epsilon(1e-6).worst.upper;
  EXPECT_LE(mixed.upper - mixed.lower, 1e-4);
  EXPECT_NEAR(mixed.upper, both, 1e-3);
  EXPECT_EQ(PrivacyProfile(Plan().add(noise(1e5), 10)).epsilon(1e-6).worst.engine, Engine::bounds);
}

// Every m-th integer for m of them gives the same moments as all of them do.
TEST(DiscreteGaussian, NodesMayBeThinned) {
  for (const double s : {20.0, 60.0, 400.0}) {
    for (const double d : {1.0, 4.0, 9.0}) {
      const auto curve = noise(s, d).curve();
      const auto& pair = dynamic_cast<const mechanism::LatticePair&>(*curve);
      for (const double rate : {0.001, 0.3, 0.97}) {
        for (const double z : {0.5, 3.0, 50.0, 1000.0}) {
          const auto sum = [&](bool thinned, double power) {
            long double total = 0;
            for (const auto& o : pair.nodes(z, rate, thinned)) {
              const long double w =
                  std::log1p(static_cast<long double>(rate) * std::expm1(static_cast<long double>(o.loss)));
              total += std::exp(o.log_q + power * w);
            }
            return total;
          };
          ASSERT_LT(pair.nodes(z, rate, true).size(), pair.nodes(z, rate, false).size());
          for (const double power : {z + 1, -z}) {
            const long double all = sum(false, power), some = sum(true, power);
            if (std::isinf(all)) continue;
            EXPECT_NEAR(static_cast<double>(some / all), 1, 1e-12) << s << " " << d << " " << rate << " " << power;
          }
        }
      }
    }
  }
}

TEST(DiscreteGaussian, GroupsMoveFurther) {
  EXPECT_EQ(*noise(2, 3).for_group(4), noise(2, 12));
  EXPECT_FALSE(noise(2, 1e6).for_group(2).has_value());
}

}  // namespace
}  // namespace renyi::discrete_gaussian_test
