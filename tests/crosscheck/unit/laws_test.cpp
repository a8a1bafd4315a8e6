#include "crosscheck/laws.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace renyi::crosscheck::laws_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr double infinity = std::numeric_limits<double>::infinity();
const Enclosure one{{"1", 0}, {"1", 0}};
// [1 + 2^-60, 1 + 3 2^-60]: between two doubles.
const Enclosure above_one{{"1152921504606846977", -60}, {"1152921504606846979", -60}};
const Enclosure tiny{{"1", -2000}, {"1", -2000}};
const Enclosure infinite{{"inf", 0}, {"inf", 0}};

Fast interval(double lower, double upper) { return {lower, upper}; }
Fast estimate(double value, double error) {
  const Bounded bounded{value, error};
  return {bounded.lower(), bounded.upper(), false, bounded};
}
auto broken(const Fast& fast, const Enclosure& truth) { return broken_laws({}, fast, Truth(truth)); }

TEST(CrosscheckLaws, HoldForTheTruth) {
  EXPECT_THAT(broken(interval(1, 1), one), IsEmpty());
  EXPECT_THAT(broken(estimate(1, 1e-15), one), IsEmpty());
  EXPECT_THAT(broken(interval(infinity, infinity), infinite), IsEmpty());
  EXPECT_THAT(broken(estimate(infinity, 0), infinite), IsEmpty());
}

TEST(CrosscheckLaws, CompareDoublesWithEnclosuresExactly) {
  const double next = std::nextafter(1.0, 2.0);
  EXPECT_THAT(broken(interval(1, next), above_one), IsEmpty());
  EXPECT_THAT(broken(interval(1, 1), above_one), ElementsAre("upper bound below the truth"));
  EXPECT_THAT(broken(interval(next, next), above_one), ElementsAre("lower bound above the truth"));
}

TEST(CrosscheckLaws, ZeroIsNoUpperBoundOfWhatUnderflows) {
  EXPECT_THAT(broken(interval(0, 0), tiny), ElementsAre("upper bound below the truth"));
  EXPECT_THAT(broken(interval(0, 5e-324), tiny), IsEmpty());
}

TEST(CrosscheckLaws, FiniteIsNoUpperBoundOfInfinity) {
  EXPECT_THAT(broken(interval(0, 1e308), infinite), ElementsAre("upper bound below the truth"));
}

TEST(CrosscheckLaws, JudgeTheErrorEstimate) {
  EXPECT_THAT(broken(estimate(1 + 1e-12, 2e-12), one), IsEmpty());
  EXPECT_THAT(broken(estimate(1 + 1e-12, 0.5e-12), one),
              ElementsAre("lower bound above the truth", "error estimate too small"));
}

TEST(CrosscheckLaws, JudgeAccuracyAndLooseness) {
  EXPECT_THAT(broken(estimate(1 + 2e-10, 3e-10), one), ElementsAre("value further than 1e-10 from the truth"));
  EXPECT_THAT(broken(estimate(1, 2e-9), one), ElementsAre("upper bound looser than 1e-9"));
  EXPECT_THAT(broken(interval(0, 2), one), IsEmpty()) << "intervals may be wide";
}

TEST(CrosscheckLaws, RefuseNan) {
  const double nan = std::nan("");
  EXPECT_THAT(broken(interval(nan, 1), one), ElementsAre("not a number"));
  EXPECT_THAT(broken(interval(0, nan), one), ElementsAre("not a number"));
  EXPECT_THAT(broken({0, 2, false, Bounded{1, nan}}, one), ElementsAre("not a number"));
}

TEST(CrosscheckLaws, PromisesAreKept) {
  Question question;
  question.limit = 1;
  EXPECT_THAT(broken_laws(question, interval(0, 2), Truth(one)), IsEmpty());
  EXPECT_THAT(broken_laws(question, interval(0, 2), Truth(above_one)), ElementsAre("truth above what was promised"));
}

}  // namespace
}  // namespace renyi::crosscheck::laws_test
