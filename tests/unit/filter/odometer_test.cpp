#include "renyi/odometer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "renyi/error.h"
#include "renyi/renyi.h"

namespace renyi::odometer_test {
namespace {

using Spent = std::function<double(double)>;

// The loss at which sum_i weight_i exp((order_i - 1)(loss - spent(order_i))) is 1/delta, by bisection.
double mixture_bound(double delta, const std::vector<double>& orders, const std::vector<double>& weights,
                     const Spent& spent) {
  long double low = 0, high = 1;
  const auto mixture = [&](long double loss) {
    long double sum = 0;
    for (std::size_t i = 0; i < orders.size(); ++i) {
      sum += weights[i] * std::exp((orders[i] - 1) * (loss - static_cast<long double>(spent(orders[i]))));
    }
    return sum;
  };
  while (mixture(high) < 1 / static_cast<long double>(delta)) high *= 2;
  for (int i = 0; i < 200; ++i) {
    const long double middle = (low + high) / 2;
    (mixture(middle) < 1 / static_cast<long double>(delta) ? low : high) = middle;
  }
  return static_cast<double>(high);
}

double equal_bound(double delta, const std::vector<double>& orders, const Spent& spent) {
  const std::vector<double> weights(orders.size(), 1 / static_cast<double>(orders.size()));
  return mixture_bound(delta, orders, weights, spent);
}

// The bound of rho as docs/math/odometers.md states it.
double rho_bound(double delta, double rho) {
  std::vector<double> orders, weights;
  double sum = 0;
  for (int level = -30; level <= 16; ++level) {
    orders.push_back(1 + std::sqrt(std::log(1 / delta) / std::pow(2.0, level)));
    weights.push_back(25.0 / (25 + (level + 3) * (level + 3)));
    sum += weights.back();
  }
  for (double& weight : weights) weight /= sum;
  return mixture_bound(delta, orders, weights, [=](double order) { return order * rho; });
}

void expect_upper_bound(double reading, double formula) {
  EXPECT_GE(reading, formula * (1 - 1e-13));
  EXPECT_LE(reading, formula * (1 + 1e-10));
}

TEST(Odometer, ShowsTheBoundOfTheMixtureOfItsOrders) {
  const std::vector<double> orders{2, 4, 8, 32};
  Odometer odometer = Odometer::renyi(1e-5, {}, orders);
  odometer.charge(Gaussian{.stddev = 4});
  odometer.charge(Gaussian{.stddev = 5}, 30);
  const Spent gaussian = [](double order) { return order / 2 * (1.0 / 16 + 30.0 / 25); };
  expect_upper_bound(odometer.reading().epsilon, equal_bound(1e-5, orders, gaussian));
  EXPECT_EQ(odometer.reading().delta, 1e-5);
  EXPECT_EQ(odometer.reading().order, 4);

  odometer.charge(SampledGaussian{0.1, 2}, 100);
  const Spent with_samples = [&](double order) {
    double moment = 0, binomial = 1;
    for (int k = 0; k <= order; ++k) {
      moment += binomial * std::pow(0.9, order - k) * std::pow(0.1, k) * std::exp((k * k - k) / 8.0);
      binomial *= (order - k) / (k + 1);
    }
    return gaussian(order) + 100 * std::log(moment) / (order - 1);
  };
  expect_upper_bound(odometer.reading().epsilon, equal_bound(1e-5, orders, with_samples));
}

TEST(Odometer, ShowsTheBoundOfRhoAndOfMu) {
  for (const double delta : {1e-5, 0.05}) {
    for (const double stddev : {5e3, 100.0, 4.0, 1.0, 0.05}) {
      const double rho = 0.5 / (stddev * stddev);
      Odometer zcdp = Odometer::zcdp(delta), gdp = Odometer::gdp(delta);
      zcdp.charge(Gaussian{.stddev = stddev});
      gdp.charge(Gaussian{.stddev = stddev});
      expect_upper_bound(zcdp.reading().epsilon, rho_bound(delta, rho));
      expect_upper_bound(gdp.reading().epsilon, rho_bound(delta, rho));
    }
  }
}

// The price of all times at once, as docs/math/odometers.md states it.
TEST(Odometer, PaysLittleForNotKnowingRho) {
  for (double rho = 1e-8; rho < 2e4; rho *= 10) {
    Odometer odometer = Odometer::zcdp(1e-5);
    odometer.charge(Zcdp{rho});
    const double known = rho + 2 * std::sqrt(rho * std::log(1e5));
    EXPECT_GT(odometer.reading().epsilon, known);
    EXPECT_LT(odometer.reading().epsilon, (rho > 5e-3 ? 1.12 : 1.22) * known);
  }
}

TEST(Odometer, IsZeroBeforeTheFirstStepAndNeverFalls) {
  Odometer odometer = Odometer::renyi(1e-5);
  EXPECT_EQ(odometer.reading().epsilon, 0);
  EXPECT_FALSE(odometer.reading().order.has_value());
  double before = 0;
  for (int i = 0; i < 300; ++i) {
    odometer.charge(Gaussian{.stddev = 1e4 + i % 7});
    const double now = odometer.reading().epsilon;
    EXPECT_GE(now, before);
    before = now;
  }
  EXPECT_GT(before, 0);
  for (Odometer none : {Odometer::renyi(1e-5), Odometer::zcdp(1e-5), Odometer::gdp(1e-5)}) {
    none.charge(PureDp{0}, 10);
    EXPECT_EQ(none.reading().epsilon, 0);
  }
}

TEST(Odometer, NeverExceedsTheSumOfBoundedLosses) {
  for (Odometer odometer : {Odometer::renyi(1e-5), Odometer::zcdp(1e-5), Odometer::gdp(1e-5)}) {
    odometer.charge(PureDp{0.25}, 3);
    EXPECT_EQ(odometer.reading().epsilon, 0.75);
    EXPECT_EQ(odometer.reading().order, std::numeric_limits<double>::infinity());
    odometer.charge(PureDp{0.25}, 9997);
    EXPECT_LT(odometer.reading().epsilon, 2500);
    EXPECT_TRUE(std::isfinite(*odometer.reading().order));
  }
}

TEST(Odometer, MergesStepsAndLooksAhead) {
  Odometer one_by_one = Odometer::zcdp(1e-6), at_once = Odometer::zcdp(1e-6);
  Plan both;
  both.add(Gaussian{.stddev = 3}).add(Laplace{.scale = 5});
  for (int i = 0; i < 50; ++i) {
    one_by_one.charge(Gaussian{.stddev = 3});
    one_by_one.charge(Laplace{.scale = 5});
  }
  at_once.charge(both, 49);
  at_once.charge(Laplace{.scale = 5});
  const double ahead = at_once.reading_after(Gaussian{.stddev = 3}).epsilon;
  at_once.charge(Gaussian{.stddev = 3});
  EXPECT_EQ(at_once.reading().epsilon, ahead);
  EXPECT_EQ(at_once.reading().epsilon, one_by_one.reading().epsilon);
  EXPECT_EQ(at_once.history(), one_by_one.history());
  EXPECT_EQ(at_once.history().merged().size(), 2);
  const Odometer copy = at_once;
  at_once.charge(Gaussian{.stddev = 3});
  EXPECT_EQ(copy.reading().epsilon, ahead);
  EXPECT_GT(at_once.reading().epsilon, ahead);
}

// A step that is known at one order, and hence at those below.
Rdp known_at(double order) {
  Rdp step;
  step.points.push_back({order, 0.1});
  return step;
}

TEST(Odometer, ARefusedStepChangesNothing) {
  Odometer odometer = Odometer::renyi(1e-5, {}, {2, 4});
  odometer.charge(known_at(2));
  const std::string before = write_odometer(odometer);
  const double reading = odometer.reading().epsilon;
  EXPECT_THROW(odometer.charge(Gaussian{.stddev = 2}, 0), InvalidArgument);
  EXPECT_THROW(odometer.charge(Gaussian{.stddev = 2}, -1), InvalidArgument);
  EXPECT_THROW(odometer.charge(known_at(1.5)), Unsupported);
  EXPECT_THROW(odometer.charge(ApproxDp{0.1, 1e-9}), Unsupported);
  EXPECT_THROW(odometer.charge(Gaussian{.stddev = 2}, std::numeric_limits<std::int64_t>::max()), InvalidArgument);
  EXPECT_THROW(odometer.charge(Plan(Neighbors::replace_one).add(Gaussian{.stddev = 2})), InvalidArgument);
  EXPECT_THROW((void)odometer.reading_after(NonPrivate{}), Unsupported);
  EXPECT_EQ(write_odometer(odometer), before);
  EXPECT_EQ(odometer.reading().epsilon, reading);
  EXPECT_THROW(Odometer::gdp(1e-5).charge(Zcdp{0.1}), Unsupported);
  EXPECT_THROW(Odometer::zcdp(1e-5).charge(known_at(2)), Unsupported);
}

TEST(Odometer, RefusesWhatItCannotFix) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double delta : {0.0, 1.0, -0.1, 1e-300, nan}) {
    EXPECT_THROW((void)Odometer::renyi(delta), InvalidArgument);
    EXPECT_THROW((void)Odometer::zcdp(delta), InvalidArgument);
    EXPECT_THROW((void)Odometer::gdp(delta), InvalidArgument);
  }
  for (const double mass : {-1e-6, 0.95, 1.0, nan}) {
    EXPECT_THROW((void)Odometer::zcdp(0.1, {}, mass), InvalidArgument);
  }
  for (const std::vector<double>& orders :
       {std::vector<double>{1}, {2, 2}, {nan}, {2, std::numeric_limits<double>::infinity()}}) {
    EXPECT_THROW((void)Odometer::renyi(1e-5, {}, orders), InvalidArgument);
  }
}

TEST(Odometer, InfiniteLossesNeedAMassThatIsPartOfDelta) {
  Odometer odometer = Odometer::zcdp(1e-6, {}, 1e-5);
  odometer.charge(ApproxDp{0.1, 1e-6}, 10);
  EXPECT_GE(odometer.reading().epsilon, 1);
  EXPECT_LT(odometer.reading().epsilon, 1 + 1e-14);
  EXPECT_NEAR(odometer.reading().delta, 1.1e-5, 1e-18);
  const std::string before = write_odometer(odometer);
  EXPECT_THROW(odometer.charge(ApproxDp{0.1, 1e-6}), InvalidArgument);
  EXPECT_EQ(write_odometer(odometer), before);
  odometer.charge(Gaussian{.stddev = 3});
  EXPECT_EQ(read_odometer(write_odometer(odometer)).reading().delta, odometer.reading().delta);
}

TEST(Odometer, FilesReadBackToTheSameReading) {
  const Adjacency relation{Neighbors::replace_one, 2};
  for (Odometer odometer : {Odometer::renyi(1e-5, relation, {1.5, 3, 10}), Odometer::zcdp(1e-7, relation, 1e-9),
                            Odometer::gdp(0.05, relation)}) {
    EXPECT_EQ(write_odometer(read_odometer(write_odometer(odometer))), write_odometer(odometer));
    odometer.charge(Gaussian{.stddev = 7}, 11);
    odometer.charge(Laplace{.scale = 9});
    odometer.charge(Gaussian{.stddev = 7}, 3);
    const std::string file = write_odometer(odometer);
    Odometer again = read_odometer(file);
    EXPECT_EQ(write_odometer(again), file);
    EXPECT_EQ(again.kind(), odometer.kind());
    EXPECT_EQ(again.adjacency(), relation);
    EXPECT_EQ(again.orders(), odometer.orders());
    again.charge(Laplace{.scale = 9});
    odometer.charge(Laplace{.scale = 9});
    EXPECT_EQ(again.reading().epsilon, odometer.reading().epsilon);
    EXPECT_EQ(again.reading().order, odometer.reading().order);
  }
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const auto at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what << " in " << text;
  return text.replace(at, what.size(), with);
}

TEST(Odometer, FilesThatWereEditedAreRefused) {
  Odometer odometer = Odometer::renyi(1e-5, {}, {2, 8});
  odometer.charge(Gaussian{.stddev = 7}, 11);
  const std::string file = write_odometer(odometer);
  EXPECT_EQ(write_odometer(read_odometer(file)), file);
  for (const auto& [what, with] : {std::pair{"\"count\":11", "\"count\":10"},
                                   {"\"delta\":1e-05", "\"delta\":1e-02"},
                                   {"[2,8]", "[2,9]"},
                                   {"crc64:", "crc64:0"},
                                   {"\"kind\":\"renyi\"", "\"kind\":\"zcdp\""}}) {
    EXPECT_THROW((void)read_odometer(replaced(file, what, with)), InvalidArgument) << what;
  }
  EXPECT_THROW((void)read_odometer(replaced(file, "renyi-odometer", "renyi-filter")), InvalidArgument);
  EXPECT_THROW((void)read_odometer(write_filter(Filter(Budget::zcdp(1)))), InvalidArgument);
  EXPECT_THROW((void)read_odometer("{}"), InvalidArgument);
}

}  // namespace
}  // namespace renyi::odometer_test
