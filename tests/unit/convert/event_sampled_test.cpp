#include <gtest/gtest.h>

#include <string>

#include "renyi/error.h"
#include "renyi/extras/convert.h"

namespace renyi::event_sampled_test {
namespace {

std::string tuple(const std::string& name, const std::string& fields = "") {
  return R"(["dp_accounting.dp_event",")" + name + "DpEvent\"" + (fields.empty() ? "" : "," + fields) + "]";
}

std::string gaussian(const std::string& noise) { return tuple("Gaussian", noise); }
std::string repeated(const std::string& event, int count) {
  return tuple("SelfComposed", event + "," + std::to_string(count));
}
std::string sampled(const std::string& rate, const std::string& event) {
  return tuple("PoissonSampled", rate + "," + event);
}

std::vector<CountedMechanism> steps_of(const std::string& record, Neighbors neighbors = Neighbors::add_or_remove_one) {
  return convert_dp_events(record, neighbors).merged();
}

void expect_one(const std::string& record, const Mechanism& mechanism, std::int64_t count = 1) {
  const auto steps = steps_of(record);
  ASSERT_EQ(steps.size(), 1U) << record;
  EXPECT_EQ(steps[0].mechanism, mechanism) << record;
  EXPECT_EQ(steps[0].count, count) << record;
}

std::string refusal(const std::string& record, Neighbors neighbors = Neighbors::add_or_remove_one) {
  try {
    convert_dp_events(record, neighbors);
  } catch (const InvalidArgument& error) {
    return "invalid " + error.path();
  } catch (const Unsupported& error) {
    return "unsupported " + error.path();
  }
  return "not refused";
}

TEST(SampledEvents, OneGaussianKeepsItsNoise) {
  expect_one(sampled("0.01", gaussian("1.1")), SampledGaussian{0.01, 1.1});
  expect_one(repeated(sampled("0.01", gaussian("1.1")), 40), SampledGaussian{0.01, 1.1}, 40);
}

// Sums of squares that are exact in binary.
TEST(SampledEvents, GaussiansOnOneSampleAreOneGaussian) {
  expect_one(sampled("0.1", repeated(gaussian("2"), 4)), SampledGaussian{0.1, 1});
  expect_one(sampled("0.1", tuple("Composed", "[" + gaussian("2") + "," + repeated(gaussian("4"), 12) + "]")),
             SampledGaussian{0.1, 1});
  expect_one(sampled("0.1", repeated(tuple("Composed", "[" + gaussian("1") + "," + tuple("NoOp") + "]"), 16)),
             SampledGaussian{0.1, 0.25});
}

TEST(SampledEvents, ASampleOfAllIsTheEventItself) {
  expect_one(sampled("1", gaussian("0.001")), Gaussian{0.001});
  expect_one(sampled("1.0", repeated(tuple("Laplace", "2"), 3)), Laplace{2}, 3);
  EXPECT_EQ(steps_of(sampled("1", gaussian("2")), Neighbors::replace_one)[0].mechanism, Mechanism(Gaussian{2, 2}));
  expect_one(sampled("1", tuple("NonPrivate")), make_mechanism("non-private"));
}

TEST(SampledEvents, AnEmptySampleCostsNothing) {
  for (const std::string& event : {gaussian("1"), gaussian("0"), tuple("Laplace", "1"), tuple("NonPrivate")}) {
    EXPECT_TRUE(steps_of(sampled("0", event)).empty());
  }
  EXPECT_TRUE(steps_of(sampled("0", gaussian("1")), Neighbors::replace_one).empty());
  EXPECT_TRUE(steps_of(sampled("0.5", tuple("NoOp"))).empty());
}

// Those who are drawn are shown, and what else is made of them with it.
TEST(SampledEvents, ShowingASampleShowsThoseWhoAreDrawn) {
  const std::string both = tuple("Composed", "[" + tuple("Laplace", "1") + "," + tuple("NonPrivate") + "]");
  for (const std::string& event : {gaussian("0"), tuple("NonPrivate"), tuple("Laplace", "0"), both}) {
    for (const Neighbors neighbors : {Neighbors::add_or_remove_one, Neighbors::zero_out, Neighbors::replace_one}) {
      const auto steps = steps_of(sampled("0.25", event), neighbors);
      ASSERT_EQ(steps.size(), 1U);
      EXPECT_EQ(steps[0].mechanism, make_mechanism("non-private").sampled_by(Sampling::poisson(0.25)));
    }
  }
}

TEST(SampledEvents, WhatIsNeverSampledIsRefusedWithTheReason) {
  const std::string best = tuple("RepeatAndSelect", gaussian("1") + ",3,1");
  EXPECT_EQ(refusal(sampled("0.5", best)), "unsupported [3]");
  EXPECT_EQ(refusal(sampled("0.5", tuple("SingleEpochTreeAggregation", "1,8"))), "unsupported [3]");
}

TEST(SampledEvents, OneStepOfAnyKindIsSampled) {
  const auto poisson = Sampling::poisson(0.5);
  expect_one(sampled("0.5", tuple("Laplace", "2")), Mechanism(Laplace{2}).sampled_by(poisson));
  expect_one(sampled("0.5", tuple("EpsilonDelta", "0.3,0")), Mechanism(PureDp{0.3}).sampled_by(poisson));
  expect_one(sampled("0.5", tuple("EpsilonDelta", "0.3,1e-6")),
             make_mechanism("approx-dp", {{"epsilon", 0.3}, {"delta", 1e-6}}).sampled_by(poisson));
  expect_one(sampled("0.5", tuple("ExponentialMechanism", "0.3")),
             make_mechanism("exponential", {{"epsilon", 0.3}}).sampled_by(poisson));
  const Mechanism discrete = make_mechanism("discrete-laplace", {{"scale", 2}, {"sensitivity", 3}});
  expect_one(sampled("0.5", tuple("DiscreteLaplace", "0.5,3")), discrete.sampled_by(poisson));
  EXPECT_EQ(steps_of(sampled("0.5", tuple("DiscreteLaplace", "0.5,3")), Neighbors::replace_one).at(0).mechanism,
            discrete.sampled_by(poisson));
  expect_one(repeated(sampled("0.5", repeated(tuple("Laplace", "2"), 1)), 7), Mechanism(Laplace{2}).sampled_by(poisson),
             7);
}

// zCDP is a bound on divergences: its sample has the general bound, never the curve of a sampled Gaussian of that rho.
TEST(SampledEvents, ZcdpIsNeverTakenForGaussianNoise) {
  for (const Neighbors neighbors : {Neighbors::add_or_remove_one, Neighbors::zero_out}) {
    const auto steps = steps_of(sampled("0.01", tuple("ZC", "0.5")), neighbors);
    ASSERT_EQ(steps.size(), 1U);
    EXPECT_EQ(steps[0].mechanism, Mechanism(Zcdp{0.5}).sampled_by(Sampling::poisson(0.01)));
    EXPECT_EQ(steps[0].mechanism.kind(), "zcdp");
  }
  // Also beside a Gaussian: the two on one sample are one mechanism, of which no bound is known.
  EXPECT_EQ(refusal(sampled("0.01", tuple("Composed", "[" + gaussian("1") + "," + tuple("ZC", "0.5") + "]"))),
            "unsupported [3][2][1]");
}

TEST(SampledEvents, SeveralStepsOnOneSampleAreOneMechanism) {
  EXPECT_EQ(refusal(sampled("0.5", repeated(tuple("Laplace", "1"), 2))), "unsupported [3][2]");
  EXPECT_EQ(refusal(sampled("0.5", tuple("Composed", "[" + gaussian("1") + "," + tuple("Laplace", "1") + "]"))),
            "unsupported [3][2][1]");
  EXPECT_EQ(refusal(sampled("0.5", sampled("0.5", gaussian("1")))), "unsupported [3]");
  EXPECT_EQ(refusal(sampled("0.5", sampled("0.5", tuple("Laplace", "1")))), "unsupported [3]");
}

std::string drawn(const std::string& how, const std::string& sizes, const std::string& event) {
  return tuple("Sampled" + how, sizes + "," + event);
}

TEST(SampledEvents, SamplesOfFixedSize) {
  expect_one(drawn("WithoutReplacement", "600,30", gaussian("1.5")),
             Mechanism(Gaussian{1.5}).sampled_by(Sampling::fixed_size(600, 30)));
  expect_one(drawn("WithReplacement", "600,30", gaussian("1.5")),
             Mechanism(Gaussian{1.5}).sampled_by(Sampling::with_replacement(600, 30)));
  expect_one(drawn("WithoutReplacement", "600,30", tuple("Laplace", "2")),
             Mechanism(Laplace{2}).sampled_by(Sampling::fixed_size(600, 30)));
  expect_one(drawn("WithoutReplacement", "600,30", repeated(gaussian("2"), 4)),
             Mechanism(Gaussian{1}).sampled_by(Sampling::fixed_size(600, 30)));
  for (const std::string how : {"WithoutReplacement", "WithReplacement"}) {
    EXPECT_TRUE(steps_of(drawn(how, "600,0", tuple("NonPrivate"))).empty());
    EXPECT_TRUE(steps_of(drawn(how, "600,5", tuple("NoOp"))).empty());
    EXPECT_EQ(steps_of(drawn(how, "600,5", gaussian("0"))).at(0).mechanism.kind(), "non-private");
    EXPECT_EQ(refusal(drawn(how, "0,5", gaussian("1"))), "invalid [2]");
    EXPECT_EQ(refusal(drawn(how, "600,-1", gaussian("1"))), "invalid [3]");
    EXPECT_EQ(refusal(drawn(how, "600,5.5", gaussian("1"))), "invalid [3]");
    EXPECT_EQ(refusal(drawn(how, "600,5", gaussian("0.001"))), "invalid [4]");
  }
  EXPECT_EQ(refusal(drawn("WithoutReplacement", "600,601", gaussian("1"))), "invalid [3]");
}

// With a record more, the sample of all leaves one out: it is a sample. With a record replaced, it is all.
TEST(SampledEvents, ASampleOfFixedSizeOfAllRecords) {
  const std::string all = drawn("WithoutReplacement", "50,50", gaussian("2"));
  expect_one(all, Mechanism(Gaussian{2}).sampled_by(Sampling::fixed_size(50, 50)));
  EXPECT_EQ(steps_of(all, Neighbors::replace_one)[0].mechanism, Mechanism(Gaussian{2, 2}));
  EXPECT_EQ(steps_of(all, Neighbors::zero_out)[0].mechanism, Mechanism(Gaussian{2}));
}

// noise_multiplier is the noise over one record's contribution C: sampled steps state it so under every relation, and
// count an exchange as 2C by themselves. Unsampled ones have the sensitivity of the relation.
TEST(SampledEvents, ReplacementMovesTheSumTwiceAsFar) {
  const auto one = [](const std::string& record) { return steps_of(record, Neighbors::replace_one).at(0).mechanism; };
  EXPECT_EQ(one(sampled("0.5", gaussian("1.5"))), Mechanism(SampledGaussian{0.5, 1.5}));
  EXPECT_EQ(one(sampled("0.5", tuple("Laplace", "3"))), Mechanism(Laplace{3}).sampled_by(Sampling::poisson(0.5)));
  EXPECT_EQ(one(drawn("WithoutReplacement", "60,6", gaussian("1.5"))),
            Mechanism(Gaussian{1.5}).sampled_by(Sampling::fixed_size(60, 6)));
  EXPECT_EQ(one(gaussian("1.5")), Mechanism(Gaussian{1.5, 2}));
}

TEST(SampledEvents, TruncatedPoissonSamples) {
  expect_one(tuple("TruncatedSubsampledGaussian", "1000,0.01,25,1.5"),
             Mechanism(Gaussian{1.5}).sampled_by(Sampling::truncated_poisson(0.01, 1000, 25)));
  EXPECT_TRUE(steps_of(tuple("TruncatedSubsampledGaussian", "1000,0,25,0")).empty());
  expect_one(tuple("TruncatedSubsampledGaussian", "1000,0.1,25,0"),
             make_mechanism("non-private").sampled_by(Sampling::truncated_poisson(0.1, 1000, 25)));
  EXPECT_EQ(refusal(tuple("TruncatedSubsampledGaussian", "1000,0.01,25,-1")), "invalid [5]");
}

// A response that is missing, or there twice, shows who was sampled.
TEST(SampledEvents, ResponsesAreSampledByFixedSizeOnly) {
  const std::string response = tuple("RandomizedResponse", "0.5,4");
  EXPECT_EQ(steps_of(drawn("WithoutReplacement", "60,6", response), Neighbors::replace_one).at(0).mechanism,
            Mechanism(RandomizedResponse{0.625, 4}).sampled_by(Sampling::fixed_size(60, 6)));
  EXPECT_EQ(refusal(drawn("WithReplacement", "60,6", response), Neighbors::replace_one), "unsupported [4]");
  EXPECT_EQ(refusal(sampled("0.5", response), Neighbors::replace_one), "unsupported [3]");
}

TEST(SampledEvents, WhatIsNotAnalysedIsRefusedWhereTheSampleIs) {
  const auto beside = [](const std::string& event) {
    return tuple("Composed", "[" + gaussian("1") + "," + event + "]");
  };
  EXPECT_EQ(refusal(beside(sampled("0.5", tuple("ZC", "1"))), Neighbors::replace_one), "unsupported [2][1]");
  EXPECT_EQ(refusal(beside(drawn("WithoutReplacement", "60,6", tuple("ZC", "1")))), "unsupported [2][1]");
  EXPECT_EQ(steps_of(drawn("WithoutReplacement", "60,6", tuple("ZC", "1")), Neighbors::replace_one).size(), 1U);
}

TEST(SampledEvents, RatesAndNoiseOutOfRangeAreRefused) {
  EXPECT_EQ(refusal(sampled("1.5", gaussian("1"))), "invalid [2]");
  EXPECT_EQ(refusal(sampled("-0.5", gaussian("1"))), "invalid [2]");
  EXPECT_EQ(refusal(sampled("\"inf\"", gaussian("1"))), "invalid [2]");
  EXPECT_EQ(refusal(sampled("0.5", gaussian("0.001"))), "invalid [3]");
  EXPECT_EQ(refusal(sampled("0.5", repeated(gaussian("0.1"), 1000))), "invalid [3]");
}

}  // namespace
}  // namespace renyi::event_sampled_test
