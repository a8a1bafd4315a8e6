// Quadrature of user densities against closed forms, and mixtures against an independent long sum: agreement to
// 1e-10 of max(divergence, 1e-4), and no true error above the reported one.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "renyi/extras/divergence.h"
#include "support/expect.h"
#include "support/random_inputs.h"

namespace renyi::test::density_property_test {
namespace {

constexpr double half_log_two_pi = 0.91893853320467274178;

void expect_agreement(const Bounded& got, long double truth, long double truth_error) {
  if (std::isinf(truth)) {
    EXPECT_EQ(got.lower(), infinity);
    return;
  }
  expect_sane(got);
  const long double off = std::abs(got.value - truth);
  EXPECT_LE(off, got.error + truth_error) << "the error estimate is not honest";
  EXPECT_LE(off, 1e-10L * std::max(truth, 1e-4L));
  EXPECT_LE(got.error, 1e-6L * std::max(truth, 1e-4L)) << "the error estimate is useless";
}

void expect_agreement(const Bounded& got, const Bounded& closed) {
  if (std::isinf(closed.error)) return;
  expect_agreement(got, std::isinf(closed.value) ? std::numeric_limits<long double>::infinity() : closed.value,
                   closed.error);
}

struct Law {
  double at = 0, wide = 1;
};

std::function<double(double)> log_normal_density(Law law) {
  return [law](double x) {
    const double t = (x - law.at) / law.wide;
    return -t * t / 2 - std::log(law.wide) - half_log_two_pi;
  };
}
std::function<double(double)> log_laplace_density(Law law) {
  return [law](double x) { return -std::abs(x - law.at) / law.wide - std::log(2 * law.wide); };
}

struct Laws {
  Law p, q;
};

// Returns two distributions of any scale, equal or unequal, up to 10,000 widths from the origin.
Laws random_laws(RandomInputs& random) {
  Laws laws;
  const double reach = random.one_of({0, 1, 100, 1e4});
  laws.p.wide = random.log_uniform(1e-6, 1e6);
  laws.q.wide = random.chance(0.4) ? laws.p.wide : laws.p.wide * random.log_uniform(0.1, 10);
  laws.p.at = random.uniform(-1, 1) * reach * laws.p.wide;
  laws.q.at = laws.p.at + (random.chance(0.5) ? 1 : -1) * random.log_uniform(1e-3, 10) * laws.p.wide;
  return laws;
}

double random_order(RandomInputs& random) { return random.chance(0.1) ? 1 : random.log_uniform(0.05, 50); }
double random_epsilon(RandomInputs& random) { return random.chance(0.5) ? 0 : random.log_uniform(1e-3, 5); }

void compare(RandomInputs& random, const DistributionPair& densities, const DistributionPair& closed) {
  const double order = random_order(random), epsilon = random_epsilon(random);
  SCOPED_TRACE(fmt::format("order {}, epsilon {}", order, epsilon));
  expect_agreement(renyi_divergence(densities, order), renyi_divergence(closed, order));
  expect_agreement(hockey_stick(densities, epsilon), hockey_stick(closed, epsilon));
}

TEST(DensityQuadrature, AgreesWithClosedForms) {
  for_random_cases(0.25, [](RandomInputs& random) {
    const auto [p, q] = random_laws(random);
    SCOPED_TRACE(fmt::format("p {} {}, q {} {}", p.at, p.wide, q.at, q.wide));
    if (random.chance(0.5)) {
      compare(random, DistributionPair::densities({.log_p = log_normal_density(p), .log_q = log_normal_density(q)}),
              DistributionPair::normal({p.at, p.wide}, {q.at, q.wide}));
    } else {
      compare(random, DistributionPair::densities({.log_p = log_laplace_density(p), .log_q = log_laplace_density(q)}),
              DistributionPair::laplace({p.at, p.wide}, {q.at, q.wide}));
    }
  });
}

// Two normal components of one width.
struct Mixture {
  double wide = 1;
  std::array<double, 2> at{}, weight{};

  template <class Real>
  Real log_density(Real x) const {
    std::array<Real, 2> logs{};
    for (std::size_t i = 0; i < 2; ++i) {
      const Real t = (x - at[i]) / wide;
      logs[i] = std::log(static_cast<Real>(weight[i])) - t * t / 2;
    }
    return std::max(logs[0], logs[1]) + std::log1p(std::exp(-std::abs(logs[0] - logs[1]))) -
           std::log(static_cast<Real>(wide)) - static_cast<Real>(0.918938533204672741780329736405617639L);
  }
};

// Weights that add up to exactly 1 in double.
Mixture random_mixture(RandomInputs& random, double centre, double wide) {
  const double share = std::round(random.uniform(0.05, 0.95) * 64) / 64;
  const double first = centre + random.uniform(-3, 3) * wide, second = centre + random.uniform(-3, 3) * wide;
  return {wide, {first, second}, {share, 1 - share}};
}

// The trapezoidal rule in extended precision. Mixtures are analytic, and zero only at a distance from the real line of
// pi wide^2 / (distance of the components): a step of 1/25 of the width
// converges to rounding.
class TrapezoidJudge {
 public:
  TrapezoidJudge(const Mixture& p, const Mixture& q, double centre, double reach) {
    const long double step = std::min(p.wide, q.wide) / 25.0L;
    for (long double x = centre - reach; x < centre + reach; x += step) {
      points_.push_back({p.log_density(x), q.log_density(x)});
    }
    step_ = step;
  }

  long double renyi(long double a) const {
    long double sum = 0, largest = -1e30L;
    if (a == 1) {
      for (const auto& [p, q] : points_) sum += std::exp(p) * (p - q);
      return sum * step_;
    }
    for (const auto& [p, q] : points_) largest = std::max(largest, a * p + (1 - a) * q);
    for (const auto& [p, q] : points_) sum += std::exp(a * p + (1 - a) * q - largest);
    return (largest + std::log(sum * step_)) / (a - 1);
  }

 private:
  struct Logs {
    long double p, q;
  };
  std::vector<Logs> points_;
  long double step_ = 1;
};

TEST(DensityQuadrature, AgreesWithALongSumOnMixtures) {
  for_random_cases(0.085, [](RandomInputs& random) {
    const double wide = random.log_uniform(1e-3, 1e3), centre = random.uniform(-100, 100) * wide;
    const Mixture p = random_mixture(random, centre, wide);
    const Mixture q = random_mixture(random, centre, wide * random.uniform(1, 2));
    double order = random.chance(0.1) ? 1 : random.log_uniform(0.05, 12);
    if (std::abs(order - 1) < 0.05) order = 1;
    SCOPED_TRACE(fmt::format("width {}, centre {}, order {}", wide, centre, order));
    const auto pair = DistributionPair::densities(
        {.log_p = [p](double x) { return p.log_density(x); }, .log_q = [q](double x) { return q.log_density(x); }});
    const TrapezoidJudge judge(p, q, centre, wide * (40 + 12 * order));
    // The sum is good to rounding of the moment; divided by a - 1, that is some 1e-16 here.
    expect_agreement(renyi_divergence(pair, order), judge.renyi(order), 2e-16L);
  });
}

// Far from the origin the points themselves are rounded: less accurate, and the error says so.
TEST(DensityQuadrature, IsHonestFarFromTheOrigin) {
  for_random_cases(0.02, [](RandomInputs& random) {
    Law p{random.log_uniform(1e5, 1e9), 1}, q{0, 1};
    q.at = p.at + random.uniform(-3, 3);
    const auto pair = DistributionPair::densities({.log_p = log_normal_density(p), .log_q = log_normal_density(q)});
    const auto closed = DistributionPair::normal({p.at, 1}, {q.at, 1});
    const double order = random_order(random);
    const Bounded got = renyi_divergence(pair, order), truth = renyi_divergence(closed, order);
    EXPECT_LE(std::abs(got.value - truth.value), got.error + truth.error) << p.at << ' ' << q.at << ' ' << order;
    EXPECT_LE(got.error, 1e-3 * truth.value + 1e-6);
  });
}

}  // namespace
}  // namespace renyi::test::density_property_test
