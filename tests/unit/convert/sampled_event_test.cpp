#include <gtest/gtest.h>

#include <string>

#include "renyi/convert.h"
#include "renyi/error.h"

namespace renyi {
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
  const Converted converted = convert_dp_events(record, neighbors);
  EXPECT_FALSE(converted.non_private) << record;
  return converted.plan.merged();
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
  EXPECT_TRUE(convert_dp_events(sampled("1", tuple("NonPrivate"))).non_private);
}

TEST(SampledEvents, AnEmptySampleCostsNothing) {
  for (const std::string& event : {gaussian("1"), gaussian("0"), tuple("Laplace", "1"), tuple("NonPrivate")}) {
    EXPECT_TRUE(steps_of(sampled("0", event)).empty());
  }
  EXPECT_TRUE(steps_of(sampled("0", gaussian("1")), Neighbors::replace_one).empty());
  EXPECT_TRUE(steps_of(sampled("0.5", tuple("NoOp"))).empty());
}

TEST(SampledEvents, ShowingASampleIsNoPrivacy) {
  const std::string both = tuple("Composed", "[" + gaussian("1") + "," + tuple("NonPrivate") + "]");
  for (const std::string& event : {gaussian("0"), tuple("NonPrivate"), tuple("Laplace", "0")}) {
    EXPECT_EQ(convert_dp_events(sampled("1e-9", event)).non_private_at, "[3]");
  }
  EXPECT_EQ(convert_dp_events(sampled("0.5", both)).non_private_at, "[3][2][1]");
}

TEST(SampledEvents, OnlyGaussiansAreSampled) {
  EXPECT_EQ(refusal(sampled("0.5", tuple("Laplace", "1"))), "unsupported [3]");
  EXPECT_EQ(refusal(sampled("0.5", tuple("ZC", "1"))), "unsupported [3]");
  EXPECT_EQ(refusal(sampled("0.5", sampled("0.5", gaussian("1")))), "unsupported [3]");
  EXPECT_EQ(refusal(sampled("0.5", tuple("Composed", "[" + gaussian("1") + "," + tuple("Laplace", "1") + "]"))),
            "unsupported [3][2][1]");
}

TEST(SampledEvents, ReplacementIsRefusedWhereTheSampleIs) {
  EXPECT_EQ(refusal(tuple("Composed", "[" + gaussian("1") + "," + sampled("0.5", gaussian("1")) + "]"),
                    Neighbors::replace_one),
            "unsupported [2][1]");
  EXPECT_EQ(steps_of(sampled("0.5", gaussian("1")), Neighbors::zero_out).size(), 1U);
}

TEST(SampledEvents, RatesAndNoiseOutOfRangeAreRefused) {
  EXPECT_EQ(refusal(sampled("1.5", gaussian("1"))), "invalid [2]");
  EXPECT_EQ(refusal(sampled("-0.5", gaussian("1"))), "invalid [2]");
  EXPECT_EQ(refusal(sampled("\"inf\"", gaussian("1"))), "invalid [2]");
  EXPECT_EQ(refusal(sampled("0.5", gaussian("0.001"))), "invalid [3]");
  EXPECT_EQ(refusal(sampled("0.5", repeated(gaussian("0.1"), 1000))), "invalid [3]");
}

}  // namespace
}  // namespace renyi
