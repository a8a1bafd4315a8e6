// Normal and Laplace pairs against direct integration of the definitions with 40 digits.
#include <gtest/gtest.h>

#include <cmath>

#include "renyi/error.h"
#include "renyi/extras/divergence.h"
#include "support/expect.h"

namespace renyi::divergence_closed_forms_test {
namespace {

using test::infinity;

void expect_close(const Bounded& got, long double truth) {
  test::expect_sane(got);
  // The reference has 20 digits.
  EXPECT_LE(got.lower(), truth * (1 + 1e-19L));
  EXPECT_GE(got.upper(), truth * (1 - 1e-19L));
  EXPECT_LE(got.error, 1e-15L * truth);
}

struct Row {
  double order;
  long double forward, backward;
};

TEST(NormalPair, AgreesWithDirectIntegration) {
  const auto pair = DistributionPair::normal({0, 1}, {1, 2});
  for (const Row& row : {Row{0.25, 0.21345670319887144961L, 0.1310843554626905636L},
                         Row{0.5, 0.32314355131420975577L, 0.32314355131420975577L},
                         Row{1, 0.44314718055994530942L, 1.3068528194400546906L}}) {
    SCOPED_TRACE(row.order);
    expect_close(renyi_divergence(pair, row.order), row.forward);
    expect_close(renyi_divergence(pair.swapped(), row.order), row.backward);
  }
  expect_close(renyi_divergence(pair, 1.5), 0.51105708580504705724L);
  expect_close(renyi_divergence(pair, 3), 0.61407449759140654312L);
  // sup of the loss: ln 2 + 1/(2 * 3)
  expect_close(renyi_divergence(pair, infinity), 0.69314718055994530942L + 1 / 6.0L);
}

TEST(NormalPair, IsInfiniteFromTheOrderWhereTheTailsGiveOut) {
  // a s2^2 + (1-a) s1^2 = a - 4(a-1) vanishes at a = 4/3.
  const auto wide_first = DistributionPair::normal({1, 2}, {0, 1});
  EXPECT_TRUE(std::isfinite(renyi_divergence(wide_first, 1.3333).upper()));
  EXPECT_EQ(renyi_divergence(wide_first, 1.3334).lower(), infinity);
  EXPECT_EQ(renyi_divergence(wide_first, infinity).lower(), infinity);
  EXPECT_EQ(renyi_divergence(DistributionPair::normal({0, 1}, {1, 1}), infinity).lower(), infinity);
  EXPECT_EQ(renyi_divergence(DistributionPair::normal({3, 2}, {3, 2}), infinity).upper(), 0);
}

TEST(NormalPair, EqualSpreadIsExactToRoundingHoweverSmall) {
  for (const double shift : {1e-150, 1e-20, 1e-3, 1.0, 1e20}) {
    const auto pair = DistributionPair::normal({0, 1}, {shift, 1});
    const long double squared = static_cast<long double>(shift) * shift;
    expect_close(renyi_divergence(pair, 2), squared);
    expect_close(renyi_divergence(pair, 0.25), squared / 8);
  }
}

TEST(NormalPair, StaysAccurateAsTheSpreadsApproachEachOther) {
  // With k = 1 + h: D_1 = (w - ln(1+w))/2, w = 2h + h^2, which is h^2 - h^3/3 + h^4/4 to fourth order.
  const double h = 0x1p-20;
  const auto pair = DistributionPair::normal({0, 1 + h}, {0, 1});
  const long double t = h;
  expect_close(kl_divergence(pair), t * t - t * t * t / 3 + t * t * t * t / 4 - t * t * t * t * t / 5);
}

TEST(NormalPair, HockeyStickAgreesWithDirectIntegration) {
  const auto pair = DistributionPair::normal({0, 1}, {1, 2});
  expect_close(total_variation(pair), 0.39006566012105566105L);
  expect_close(hockey_stick(pair, 0.25), 0.26924302943141480299L);
  expect_close(hockey_stick(pair.swapped(), 0.25), 0.35478359719860272573L);
  expect_close(hockey_stick(pair, 0.5), 0.14173402153767893161L);
  expect_close(hockey_stick(pair.swapped(), 0.5), 0.32378654414300756764L);
  EXPECT_EQ(hockey_stick(pair, 1).upper(), 0);  // above the supremum of the loss
  EXPECT_EQ(hockey_stick(pair.swapped(), infinity).upper(), 0);
}

TEST(NormalPair, HockeyStickOfEqualSpreadsIsTheAnalyticGaussian) {
  const auto pair = DistributionPair::normal({0, 1}, {1, 1});
  const auto phi = [](long double x) { return std::erfc(-x / std::sqrt(2.0L)) / 2; };
  for (const double epsilon : {0.0, 0.1, 1.0, 3.0}) {
    const long double truth = phi(0.5L - epsilon) - std::exp(static_cast<long double>(epsilon)) * phi(-0.5L - epsilon);
    const Bounded got = hockey_stick(pair, epsilon);
    EXPECT_NEAR(got.value, static_cast<double>(truth), 1e-15 * got.value);
    EXPECT_LE(got.error, 1e-14 * got.value);
  }
  // A value outside the range of every format is not zero.
  EXPECT_GT(hockey_stick(DistributionPair::normal({0, 1}, {1e-3, 1}), 10).upper(), 0);
}

TEST(LaplacePair, AgreesWithDirectIntegration) {
  const auto pair = DistributionPair::laplace({0, 1}, {1, 2});
  for (const Row& row : {Row{0.25, 0.11837436006603722913L, 0.10116937511967214053L},
                         Row{0.5, 0.2181163543617995088L, 0.2181163543617995088L},
                         Row{1, 0.37708690114566647021L, 0.51991413886532153779L},
                         Row{1.5, 0.49566040208510883162L, 1.0210878838876403781L}}) {
    SCOPED_TRACE(row.order);
    expect_close(renyi_divergence(pair, row.order), row.forward);
    expect_close(renyi_divergence(pair.swapped(), row.order), row.backward);
  }
  expect_close(renyi_divergence(pair, infinity), 0.69314718055994530942L + 0.5L);
  EXPECT_EQ(renyi_divergence(pair.swapped(), 2.001).lower(), infinity);
  expect_close(hockey_stick(pair, 0.25), 0.27594122480832492208L);
  expect_close(hockey_stick(pair.swapped(), 0.25), 0.29989247440781842381L);
  expect_close(total_variation(pair), 0.36890526932092180081L);
}

TEST(LaplacePair, RoundingThatHidesFinitenessSaysSo) {
  // Finite exactly for orders below 2.
  const Bounded at_the_border = renyi_divergence(DistributionPair::laplace({1, 2}, {0, 1}), 2);
  EXPECT_EQ(at_the_border.upper(), infinity);
  EXPECT_EQ(at_the_border.lower(), 0);
}

TEST(LaplacePair, EqualScalesAreThePublishedFormula) {
  const auto pair = DistributionPair::laplace({0, 2}, {1, 2});
  for (const long double a : {1.25L, 2.0L, 40.0L}) {
    const long double sum = a / (2 * a - 1) * std::exp((a - 1) / 2) + (a - 1) / (2 * a - 1) * std::exp(-a / 2);
    const Bounded got = renyi_divergence(pair, static_cast<double>(a));
    EXPECT_NEAR(got.value, static_cast<double>(std::log(sum) / (a - 1)), 1e-15);
  }
  // Tiny shifts e: D_a = a e^2/2 to leading order.
  for (const double e : {1e-6, 1e-12, 1e-50}) {
    for (const double a : {0.25, 0.5, 1.0, 1.0 + 1e-9, 8.0}) {
      const Bounded got = renyi_divergence(DistributionPair::laplace({0, 1}, {e, 1}), a);
      EXPECT_NEAR(got.value / (a * e * e / 2), 1, 2 * a * e + 1e-14) << a << ' ' << e;
      EXPECT_LE(got.error, 1e-14 * got.value);
    }
  }
}

TEST(Pairs, RefuseWhatTheyCannotMean) {
  const auto path = [](const auto& act) {
    try {
      act();
    } catch (const InvalidArgument& error) {
      return error.path();
    }
    return std::string("nothing thrown");
  };
  EXPECT_EQ(path([] { DistributionPair::normal({0, 0}, {0, 1}); }), "p.stddev");
  EXPECT_EQ(path([] { DistributionPair::normal({0, 1}, {NAN, 1}); }), "q.mean");
  EXPECT_EQ(path([] { DistributionPair::laplace({0, 1}, {0, -1}); }), "q.scale");
  EXPECT_EQ(path([] { DistributionPair::laplace({infinity, 1}, {0, 1}); }), "p.location");
  EXPECT_EQ(path([] { DistributionPair::bernoulli(1.5, 0.5); }), "p");
  EXPECT_EQ(path([] { DistributionPair::bernoulli(0.5, NAN); }), "q");
  const auto pair = DistributionPair::bernoulli(0.5, 0.25);
  for (const double order : {0.0, -1.0, 1e101, std::nan("")}) {
    EXPECT_EQ(path([&] { renyi_divergence(pair, order); }), "order") << order;
  }
  for (const double epsilon : {-0.1, std::nan("")}) EXPECT_EQ(path([&] { hockey_stick(pair, epsilon); }), "epsilon");
}

TEST(Pairs, KeepTheirDigitsAtTheEndsOfTheirRange) {
  // ln(1e100) - 1 + 2, and 2e100/e^2 + ... - ln(1e100) - 1 the other way round.
  const auto laplace = DistributionPair::laplace({-1e50, 1e-50}, {1e50, 1e50});
  EXPECT_NEAR(kl_divergence(laplace).value, 100 * std::log(10.0) + 1, 1e-13);
  EXPECT_NEAR(kl_divergence(laplace.swapped()).value / (2e100 + 1e100 * std::exp(-2.0)), 1, 1e-15);
  EXPECT_NEAR(renyi_divergence(laplace, 1e100).value, 100 * std::log(10.0) + 2, 1e-13);
  // Q is a needle anywhere under P: nothing in common, though its place in P's units cancels to nothing.
  for (const double place : {0.0, 1e12, -1e47}) {
    const auto needle = DistributionPair::normal({0, 1e47}, {place, 1e-20});
    for (const Bounded& got : {total_variation(needle), total_variation(needle.swapped())}) {
      EXPECT_LE(got.lower(), 1);
      EXPECT_GE(got.upper(), 1);
      EXPECT_LE(got.error, 1e-15);
    }
  }
}

// From 2^53 on order - 1 is no double. D of N(0,1) and N(1,1) is half the order.
TEST(Pairs, ChargeTheRoundingOfHugeOrders) {
  const auto pair = DistributionPair::normal({0, 1}, {1, 1});
  for (const double order : {0x1p53, 9007199254740994.0, 0x1p54 + 4, 0x1p60, 1e30, 1e100}) {
    const Bounded got = renyi_divergence(pair, order);
    EXPECT_LE(std::abs(got.value - order / 2), got.error) << order;
    EXPECT_LE(got.error, 1e-15 * order) << order;
  }
}

TEST(Pairs, ServeTheWholeRangeOfOrders) {
  for (const auto& pair :
       {DistributionPair::normal({0, 1e-50}, {1e50, 1e50}), DistributionPair::normal({0, 1}, {1, 1}),
        DistributionPair::laplace({0, 1e-50}, {1e50, 1e50}), DistributionPair::bernoulli(1e-300, 0.5)}) {
    for (const double order : {1e-100, 1e-9, 0.5, 1 - 0x1p-53, 1.0, 1 + 0x1p-52, 1e9, 1e100}) {
      test::expect_sane(renyi_divergence(pair, order));
      test::expect_sane(renyi_divergence(pair.swapped(), order));
    }
  }
}

}  // namespace
}  // namespace renyi::divergence_closed_forms_test
