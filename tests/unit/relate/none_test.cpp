// "None exists" is said where that is proved, "none is known" where too little is known.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "renyi/extras/custom.h"
#include "renyi/extras/relate.h"
#include "renyi/extras/select.h"

namespace renyi::none_test {
namespace {

const std::string exists = "none exists, because ", unknown = "none is known, because ";

void expect_none(const std::string& none, const std::string& how, const std::string& why) {
  EXPECT_EQ(none.substr(0, how.size()), how) << none;
  EXPECT_NE(none.find(why), std::string::npos) << none;
}

Plan of(const Mechanism& mechanism) { return Plan().add(mechanism); }

const Mechanism approx = make_mechanism("approx-dp", {{"epsilon", 0.5}, {"delta", 1e-7}});
const Mechanism shown = make_mechanism("non-private");

TEST(NoPureEpsilon, ExistsForALossThatIsUnbounded) {
  const Mechanism tree = make_mechanism("tree-aggregation", {{"noise_multiplier", 2}, {"rounds", 8}});
  for (const Mechanism& m : {Mechanism(Gaussian{2}), Mechanism(SampledGaussian{0.1, 2}), tree,
                             make_mechanism("discrete-gaussian", {{"stddev", 2}, {"sensitivity", 1}})}) {
    expect_none(to_pure(of(m)).none, exists, "is unbounded");
    expect_none(to_pure(of(Zcdp{0.1}).add(m)).none, exists, "is unbounded");
    expect_none(to_pure(of(approx).add(m)).none, exists, "is unbounded");
  }
}

// A step that keeps such a promise may be pure.
TEST(NoPureEpsilon, IsKnownForPromises) {
  for (const Mechanism& m :
       {Mechanism(Zcdp{0.1}), Mechanism(Gdp{0.5}), Mechanism(Moments{8, 1}), Mechanism(Tcdp{0.1, 10}),
        Mechanism(Cdp{0.1, 1}), custom_curve("own", [](double order) { return order; }),
        Mechanism(Select({Step{Gaussian{2}}}, Runs::geometric(3)))}) {
    expect_none(to_pure(of(m)).none, unknown, "not known to be bounded");
  }
}

TEST(NoNotion, ExistsForALossThatIsInfinite) {
  const Mechanism pairs = custom_pair("pairs", DistributionPair::discrete({0.5, 0.5, 0}, {0, 0.5, 0.5}));
  for (const Mechanism& m : {shown, pairs}) {
    for (const Plan& plan : {of(m), of(approx).add(m)}) {
      for (const std::string& none : {to_pure(plan).none, to_zcdp(plan).none, to_tcdp(plan, 4).none, to_cdp(plan).none,
                                      to_gdp(plan).none, to_moments(plan, 8).none}) {
        expect_none(none, exists, "is infinite with probability");
      }
    }
  }
}

TEST(NoNotion, IsKnownWhereTheLossMayBeInfinite) {
  for (const Mechanism& m :
       {approx, approx.sampled_by(Sampling::poisson(0.1)), shown.sampled_by(Sampling::poisson(0.1)),
        Mechanism(Select({Step{approx}}, Runs::geometric(3)))}) {
    const Plan plan = of(m);
    for (const std::string& none : {to_pure(plan).none, to_zcdp(plan).none, to_tcdp(plan, 4).none, to_cdp(plan).none,
                                    to_gdp(plan).none, to_moments(plan, 8).none}) {
      expect_none(none, unknown, "may be infinite with probability up to");
    }
  }
}

TEST(NoNotion, IsKnownWhereOrdersEnd) {
  for (const Mechanism& m : {Mechanism(Tcdp{0.1, 10}), Mechanism(Moments{9, 1})}) {
    expect_none(to_zcdp(of(m)).none, unknown, "at orders above 10");
    expect_none(to_tcdp(of(m), 16).none, unknown, "at orders above 10");
    expect_none(to_moments(of(m), 16).none, unknown, "at orders above 10");
    expect_none(to_gdp(of(m)).none, unknown, "nothing is known");
    expect_none(to_cdp(of(m)).none, unknown, "law of the loss");
  }
}

TEST(NoXiBesideRho, ExistsBelowTheLimitOfKnownLosses) {
  expect_none(to_zcdp(of(Gaussian{2}), 0.1).none, exists, "D_a / a tends to 0.125");
  expect_none(to_zcdp(of(Gaussian{2}).add(Zcdp{1}), 0.1).none, exists, "D_a - 0.1 a is unbounded");
  expect_none(to_zcdp(of(Zcdp{0.125}), 0.1).none, unknown, "D_a / a may tend to 0.125");
  expect_none(to_zcdp(of(Gaussian{2}).add(Zcdp{1}), 0.5).none, unknown, "may tend to 1.125");
  expect_none(to_zcdp(of(Gdp{0.5}), 0.1).none, unknown, "may tend to 0.125");
}

// The batch that contains a record is not revealed, so the shuffled run may be better than the step that replaces it in
// the analysis.
TEST(NoXiBesideRho, IsKnownWhereBatchesAreHidden) {
  Plan shuffled(Neighbors::replace_one);
  shuffled.add(Mechanism(Gaussian{2}).sampled_by(Sampling::shuffled(10)));
  expect_none(to_zcdp(shuffled, 0.1).none, unknown, "may tend to");
  expect_none(to_pure(shuffled).none, unknown, "not known to be bounded");
}

TEST(NoSmallerRho, ExistsWhereTheSamplesAreAllThereIs) {
  EXPECT_NE(to_zcdp(of(SampledGaussian{0.01, 1.1})).note.find("no smaller rho exists"), std::string::npos);
  const std::string note = to_zcdp(of(SampledGaussian{0.01, 1.1}).add(Zcdp{0.1})).note;
  EXPECT_NE(note.find("no smaller rho is known"), std::string::npos) << note;
}

}  // namespace
}  // namespace renyi::none_test
