#include "plan/select/select_curve.h"

#include <gtest/gtest.h>

#include <cmath>

#include "renyi/account.h"
#include "renyi/error.h"
#include "renyi/own.h"
#include "renyi/select.h"
#include "support/best_of_runs.h"

namespace renyi {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::shared_ptr<const Curve> best_of(const Mechanism& run, const Runs& runs) {
  return compose(Plan().add(Select({Step{run}}, runs)));
}

const std::vector<Runs> some_runs{Runs::geometric(10), Runs::logarithmic(0.1), Runs::negative_binomial(-0.5, 0.1),
                                  Runs::negative_binomial(2, 0.01), Runs::poisson(10)};
const std::vector<Mechanism> some_steps{Gaussian{5},
                                        Gaussian{0.5},
                                        Laplace{4},
                                        PureDp{0.3},
                                        SampledGaussian{0.01, 1.1},
                                        TruncatedConcentrated{0.1, 20},
                                        ZeroConcentrated{0.05}};

// The laws of every curve, which the table of mechanisms does not run over selections.
TEST(SelectCurve, ObeysTheLawsOfCurves) {
  const std::vector<double> orders{1, 1.0001, 1.3, 2, 3, 5, 9, 20, 33, 100, 1000};
  for (const Runs& runs : some_runs) {
    for (const Mechanism& step : some_steps) {
      SCOPED_TRACE(testing::Message() << to_string(runs.law) << ' ' << step.kind());
      const auto curve = best_of(step, runs);
      const double last = curve->last_order();
      EXPECT_EQ(curve->log_moment(0, Direction::remove).value, 0);
      double before = 0;
      for (const double order : orders) {
        if (order > last) continue;
        const Bounded d = rdp(*curve, order);
        EXPECT_TRUE(std::isfinite(d.upper()));
        EXPECT_GE(d.upper(), before);
        EXPECT_GE(d.upper(), rdp(*step.curve(), order).lower());
        EXPECT_LE(d.lower(), curve->growth().xi + curve->growth().rho * order);
        EXPECT_FALSE(std::isnan(curve->log_moment(order - 1, Direction::add).curvature));
        before = d.lower();
      }
      EXPECT_GE(rdp(*curve, infinity).upper(), before);
      if (last < infinity) {
        EXPECT_TRUE(std::isinf(rdp(*curve, last + 1).lower()));
      }
    }
  }
}

// The whole bound may be taken at any order above: none of a fine grid is better by more than the search leaves.
TEST(SelectCurve, IsTheLeastBoundAtOrAboveTheOrder) {
  const double rho = 0.02, mean = 12;  // K(z) = rho z (z+1)
  const auto curve = best_of(ZeroConcentrated{rho}, Runs::geometric(mean));
  double hatted = infinity;
  for (double b = 1; b < 1e4; b *= 1.0005) hatted = std::min(hatted, (rho * (b - 1) * b + std::log(mean)) / b);
  for (const double order : {1.0, 2.0, 8.0, 15.0, 60.0}) {
    double least = infinity;
    for (double a = std::max(order, 1.0001); a < 1e5; a *= 1.0005) {
      least = std::min(least, rho * a + 2 * hatted + std::log(mean) / (a - 1));
    }
    EXPECT_NEAR(rdp(*curve, order).upper(), least, 1e-6 * least) << order;
  }
}

// Corollary 3 of Papernot, Steinke 2022: epsilon-DP runs cost (2 + eta) epsilon, however many there are.
TEST(SelectCurve, PureRunsStayPure) {
  for (const double eta : {-0.5, 0.0, 1.0, 3.0}) {
    const auto curve = best_of(PureDp{0.4}, Runs::negative_binomial(eta, 1e-12));
    EXPECT_NEAR(rdp(*curve, infinity).upper(), (2 + eta) * 0.4, 1e-12);
    EXPECT_LE(renyi_epsilon(*curve, 0).epsilon, (2 + eta) * 0.4 * (1 + 1e-12));
    // and below, no more than any step of that epsilon
    EXPECT_LE(rdp(*curve, 2).upper(), rdp(*PureDp{(2 + eta) * 0.4}.curve(), 2).upper() * (1 + 1e-12));
  }
}

TEST(SelectCurve, OneRunCostsWhatItCosts) {
  for (const Mechanism& step : some_steps) {
    const auto curve = best_of(step, Runs::geometric(1));
    for (const double order : {1.0, 2.0, 15.0}) {
      EXPECT_NEAR(rdp(*curve, order).value, rdp(*step.curve(), order).value, 1e-12 * rdp(*step.curve(), order).value);
    }
  }
}

TEST(SelectCurve, NothingStaysNothing) {
  for (const Runs& runs : some_runs) EXPECT_EQ(rdp(*best_of(PureDp{0}, runs), infinity).upper(), 0);
  EXPECT_EQ(rdp(*compose(Plan().add(Select({}, Runs::geometric(5)))), 2).upper(), 0);
}

// Infinite at every order, or above some: infinite it stays, and never becomes a number.
TEST(SelectCurve, EverythingStaysEverything) {
  const Mechanism all = own_curve("everything", [](double) { return infinity; });
  const Mechanism above = own_curve("above 4", [](double order) { return order > 4 ? infinity : 0.1; });
  for (const Runs& runs : some_runs) {
    for (const double order : {1.0, 1.5, 30.0, infinity}) {
      EXPECT_EQ(rdp(*best_of(all, runs), order).lower(), infinity) << to_string(runs.law) << order;
    }
    EXPECT_EQ(rdp(*best_of(above, runs), 5).lower(), infinity);
    EXPECT_TRUE(std::isfinite(rdp(*best_of(above, runs), 3).upper()));
    EXPECT_GT(renyi_epsilon(*best_of(above, runs), 1e-5).epsilon, 0.1);
  }
}

TEST(SelectCurve, MoreRunsCostMore) {
  for (const Mechanism& step : some_steps) {
    for (const double order : {1.5, 4.0, 15.0}) {
      for (double mean = 1; mean < 1e6; mean *= 3) {
        EXPECT_LE(rdp(*best_of(step, Runs::geometric(mean)), order).lower(),
                  rdp(*best_of(step, Runs::geometric(3 * mean)), order).upper());
      }
    }
  }
}

// Poisson: K + mean z delta(ln(1 + 1/z)) + ln(mean + exp(-mean)) with the exact delta of Gaussian noise.
TEST(SelectCurve, PoissonUsesTheExactDelta) {
  const double s = 3, mean = 5;
  const auto delta = [&](double epsilon) {
    const auto above = [](double x) { return 0.5 * std::erfc(x / std::sqrt(2.0)); };
    return above(epsilon * s - 0.5 / s) - std::exp(epsilon) * above(epsilon * s + 0.5 / s);
  };
  const auto bound = [&](double z) {
    return (z + 1) / (2 * s * s) + mean * delta(std::log1p(1 / z)) + std::log(mean + std::exp(-mean)) / z;
  };
  const auto curve = best_of(Gaussian{s}, Runs::poisson(mean));
  for (const double order : {1.2, 4.0, 20.0}) {
    double least = infinity;
    for (double z = order - 1; z < 1e3; z *= 1.001) least = std::min(least, bound(z));
    EXPECT_NEAR(rdp(*curve, order).upper(), least, 1e-6 * least) << order;
  }
}

// Where the bounds are nearly attained: a middling result that is epsilon likelier, above it results that are as much
// less likely, many runs.
TEST(SelectCurve, IsNearlyAttained) {
  const long double e = 1, r = 0.02L, p = 1e-7L, up = std::exp(e);
  const test::DiscretePair run{{1 - up * p - r, up * p, r}, {1 - p - up * r, p, up * r}};
  for (const auto& [runs, cost] : {std::pair{Runs::geometric(2e3), 3.0L}, {Runs::logarithmic(5e-4), 2.0L}}) {
    const long double found = test::direct_max_loss(test::best_of(run, runs));
    EXPECT_GT(found, 0.96L * cost * e) << to_string(runs.law);
    EXPECT_GE(rdp(*best_of(PureDp{1}, runs), infinity).upper(), static_cast<double>(found));
    EXPECT_LE(rdp(*best_of(PureDp{1}, runs), infinity).upper(), static_cast<double>(cost * e) * (1 + 1e-12));
  }
}

TEST(SelectCurve, HasNoComplexPoints) {
  EXPECT_THROW(best_of(Gaussian{2}, Runs::geometric(3))->log_moment(std::complex<double>(1, 1), Direction::add),
               Unsupported);
}

}  // namespace
}  // namespace renyi
