#include <gtest/gtest.h>

#include <cmath>

#include "certify/exact/law.h"
#include "certify/exact/responses.h"
#include "support/discrete_pair.h"
#include "support/expect.h"

namespace renyi::certify::exact_closed_form_test {
namespace {

Ball delta_of(const Steps& steps, double epsilon, Direction direction = Direction::remove) {
  const auto law = closed_form_law(steps, direction, Route::first);
  if (!law) throw std::runtime_error("no closed form");
  return law->delta(epsilon);
}

// Sharp, and at the value.
void expect_near(const Ball& ball, long double truth, long double share) {
  EXPECT_LE(ball.relative_radius(), 1e-15);
  EXPECT_NEAR(static_cast<double>(ball.about() / truth), 1, static_cast<double>(share));
}

// Expects that one number can lie in both balls.
void expect_same(const Ball& a, const Ball& b) { EXPECT_TRUE(overlap(a, b)) << a.about() << " and " << b.about(); }

// The sum over all outcomes of one response with k categories, n times, from the definition.
test::DiscretePair response_pair(double truth, int k, int n) {
  test::DiscretePair one{{}, {}};
  for (int i = 0; i < k; ++i) {
    one.p.push_back(i == 0 ? truth : (1 - static_cast<long double>(truth)) / (k - 1));
    one.q.push_back(i == 1 ? truth : (1 - static_cast<long double>(truth)) / (k - 1));
  }
  test::DiscretePair all = one;
  for (int i = 1; i < n; ++i) all = test::product(all, one);
  return all;
}

long double delta_of(const test::DiscretePair& pair, long double epsilon) {
  long double sum = 0;
  for (std::size_t i = 0; i < pair.size(); ++i) sum += std::max(0.0L, pair.p[i] - std::exp(epsilon) * pair.q[i]);
  return sum;
}

TEST(CertifiedClosedForm, GaussiansAddUpInSquares) {
  // Phi(-1/2) - e Phi(-3/2), by mpmath.
  expect_near(delta_of({{Gaussian{1, 1}, 1}}, 1), 0.12693673750664396846L, 1e-15L);
  expect_same(delta_of({{Gaussian{2, 1}, 4}}, 1), delta_of({{Gaussian{1, 1}, 1}}, 1));
  expect_same(delta_of({{Gaussian{2, 1}, 3}, {Gdp{0.5}, 1}}, 1), delta_of({{SampledGaussian{1, 1}, 1}}, 1));
}

TEST(CertifiedClosedForm, TinyDeltasKeepTheirRelativeWidth) {
  const Ball tiny = delta_of({{Gaussian{1e3, 1}, 1}}, 10);
  EXPECT_LE(tiny.relative_radius(), 1e-15);
  EXPECT_TRUE(surely_less(0, tiny));
  EXPECT_EQ(tiny.about(), 0) << "below the smallest double";
}

TEST(CertifiedClosedForm, BothDirectionsOfOneStepAreOnePair) {
  // delta_add(e) = 1 - exp(e) + exp(e) delta_remove(-e).
  for (const double e : {0.001, 0.04, 0.1, 0.6}) {
    const Steps one{{SampledGaussian{0.5, 1.3}, 1}};
    const Ball other = exp(Ball(e)) * delta_of(one, -e);
    expect_same(delta_of(one, e, Direction::add), -expm1(Ball(e)) + other);
  }
}

TEST(CertifiedClosedForm, NothingBeyondTheLargestLoss) {
  EXPECT_TRUE(arb_is_zero(delta_of({{PureDp{0.5}, 4}}, 2).raw()));
  EXPECT_TRUE(arb_is_zero(delta_of({{Laplace{0.3, 0.6}, 1}}, 2.1).raw()));
  EXPECT_TRUE(arb_is_zero(delta_of({{SampledGaussian{0.25, 1}, 1}}, 0.3, Direction::add).raw()));
  EXPECT_TRUE(surely_less(0, delta_of({{SampledGaussian{0.25, 1}, 1}}, 0.28, Direction::add)));
}

TEST(CertifiedClosedForm, ResponsesAgainstEnumeration) {
  for (const double truth : {0.05, 0.2, 0.5, 0.9}) {
    for (const int k : {2, 3, 5}) {
      for (const double epsilon : {-0.7, 0.0, 0.4, 1.5}) {
        const Ball ball = delta_of({{RandomizedResponse{truth, double(k)}, 5}}, epsilon);
        const long double judge = delta_of(response_pair(truth, k, 5), epsilon);
        if (judge < 1e-15L) continue;
        expect_near(ball, judge, 1e-12L);
      }
    }
  }
}

TEST(CertifiedClosedForm, SeveralKindsOfResponses) {
  const Steps steps{{RandomizedResponse{0.8, 3}, 2}, {RandomizedResponse{0.7, 2}, 3}, {PureDp{0.3}, 1}};
  const auto pair = test::product(test::product(response_pair(0.8, 3, 2), response_pair(0.7, 2, 3)),
                                  test::randomized_response_pair(0.3L));
  for (const double epsilon : {0.0, 0.5, 1.7, 3.0})
    expect_near(delta_of(steps, epsilon), delta_of(pair, epsilon), 1e-12L);
}

// Two ways to the same sum: neighbours from the likeliest on, and all from the ends.
TEST(CertifiedClosedForm, BinomialAndTrinomialSumsAgree) {
  const Precision bits(192);
  const TwoSided response = CountedResponse{PureDp{0.1}, 1}.law();
  for (const double epsilon : {-1.0, 0.0, 0.05, 1.0, 12.0}) {
    expect_same(binomial_delta(response, 2000, epsilon), TrinomialSums(response, 2000).delta(epsilon));
  }
}

TEST(CertifiedClosedForm, ResponsesBesideAGaussian) {
  const Steps both{{Gaussian{2, 1}, 1}, {PureDp{0.5}, 1}};
  const Steps one{{Gaussian{2, 1}, 1}};
  const Ball high = 1 / (1 + exp(Ball(-0.5)));
  expect_same(delta_of(both, 1), high * delta_of(one, 0.5) + (1 - high) * delta_of(one, 1.5));
}

TEST(CertifiedClosedForm, BallsAreAnsweredByTheirEnds) {
  Ball wide = 1;
  wide.widen(Ball(0x1p-10));
  const auto law = closed_form_law({{Gaussian{1, 1}, 1}}, Direction::remove, Route::first);
  const Ball answer = law->delta(wide);
  EXPECT_TRUE(contains(answer, law->delta(1 - 0x1p-10)));
  EXPECT_TRUE(contains(answer, law->delta(1 + 0x1p-10)));
}

TEST(CertifiedClosedForm, ServesNothingElse) {
  const auto serves = [](const Steps& steps) {
    return closed_form_law(steps, Direction::remove, Route::first) != nullptr;
  };
  EXPECT_FALSE(serves({{Laplace{1, 1}, 2}}));
  EXPECT_FALSE(serves({{Zcdp{0.1, 0}, 1}}));
  EXPECT_FALSE(serves({{Laplace{1, 1}, 1}, {Gaussian{1, 1}, 1}}));
  EXPECT_TRUE(serves({{SampledGaussian{0, 1}, 1000}}));
  EXPECT_TRUE(serves({}));
}

}  // namespace
}  // namespace renyi::certify::exact_closed_form_test
