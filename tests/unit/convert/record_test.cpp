#include <gtest/gtest.h>

#include <string>

#include "renyi/error.h"
#include "renyi/extras/convert.h"
#include "renyi/plan.h"

namespace renyi::record_test {
namespace {

std::string steps_of(const std::string& record, Neighbors neighbors = Neighbors::add_or_remove_one) {
  const std::string text = write_plan(convert_opacus(record, neighbors));
  return text.substr(text.find("\"steps\":") + 8, text.size() - text.find("\"steps\":") - 9);
}

std::string refusal(const std::string& record, Neighbors neighbors = Neighbors::add_or_remove_one) {
  try {
    convert_opacus(record, neighbors);
  } catch (const InvalidArgument& error) {
    return "invalid " + error.path();
  } catch (const Unsupported& error) {
    return "unsupported " + error.path();
  }
  return "not refused";
}

TEST(Opacus, RowsBecomeSampledGaussians) {
  EXPECT_EQ(steps_of("[[1.1, 0.01, 10000], [2, 0.02, 1]]"),
            R"([{"mechanism":"sampled-gaussian","sampling_rate":0.01,"noise_multiplier":1.1,"count":10000},)"
            R"({"mechanism":"sampled-gaussian","sampling_rate":0.02,"noise_multiplier":2}])");
}

TEST(Opacus, TheStateOfAnAccountantHoldsItsHistory) {
  const std::string rows = "[[1.1,0.01,10]]";
  for (const std::string accountant : {"rdp", "gdp", "prv", "renyi"}) {
    EXPECT_EQ(steps_of(R"({"history":)" + rows + R"(,"mechanism":")" + accountant + "\"}"), steps_of(rows));
  }
  EXPECT_EQ(steps_of(R"({"history":[]})"), "[]");
}

TEST(Opacus, EqualRowsAreMerged) {
  EXPECT_EQ(steps_of("[[1.1,0.01,10],[2,0.01,1],[1.1,0.01,5]]"),
            R"([{"mechanism":"sampled-gaussian","sampling_rate":0.01,"noise_multiplier":1.1,"count":15},)"
            R"({"mechanism":"sampled-gaussian","sampling_rate":0.01,"noise_multiplier":2}])");
}

TEST(Opacus, WhatIsNeverTakenOrNeverRunCostsNothing) {
  EXPECT_EQ(steps_of("[[1.1,0,10],[1.1,0.5,0],[0,0,10],[0,0.5,0]]"), "[]");
}

TEST(Opacus, AFullSampleIsAPlainGaussian) {
  EXPECT_EQ(steps_of("[[1.5,1,10]]"), R"([{"mechanism":"gaussian","noise_multiplier":1.5,"count":10}])");
  EXPECT_EQ(steps_of("[[1e-3,1.0,1]]"), R"([{"mechanism":"gaussian","noise_multiplier":0.001}])");
}

// Gradients are clipped to norm C: replacing one moves their sum by 2C.
TEST(Opacus, ReplacingARecordMovesTheSumTwiceAsFar) {
  EXPECT_EQ(steps_of("[[1.5,1,10]]", Neighbors::replace_one),
            R"([{"mechanism":"gaussian","stddev":1.5,"l2_sensitivity":2,"count":10}])");
  EXPECT_EQ(steps_of("[[1.5,0.5,10]]", Neighbors::replace_one),
            R"([{"mechanism":"sampled-gaussian","sampling_rate":0.5,"noise_multiplier":1.5,"count":10}])");
  EXPECT_EQ(convert_opacus("[[1,0.5,1]]", Neighbors::zero_out).neighbors(), Neighbors::zero_out);
}

TEST(Opacus, NoNoiseIsNoPrivacy) {
  EXPECT_EQ(steps_of(R"({"history":[[-0.0,1,1]],"mechanism":"rdp"})"), R"([{"mechanism":"non-private"}])");
  EXPECT_EQ(steps_of("[[0,0.5,3],[0.0,1,2]]"),
            R"([{"mechanism":"non-private","sampling":{"scheme":"poisson","rate":0.5},"count":3},)"
            R"({"mechanism":"non-private","count":2}])");
}

TEST(Opacus, RefusalsNameTheirPath) {
  EXPECT_EQ(refusal("7"), "invalid document");
  EXPECT_EQ(refusal("[1.1,0.01,10]"), "invalid [0]");
  EXPECT_EQ(refusal("[[1.1,0.01]]"), "invalid [0]");
  EXPECT_EQ(refusal("[[1.1,0.01,10,1]]"), "invalid [0]");
  EXPECT_EQ(refusal("[[-1,0.01,10]]"), "invalid [0][0]");
  EXPECT_EQ(refusal("[[null,0.01,10]]"), "invalid [0][0]");
  EXPECT_EQ(refusal("[[\"1\",0.01,10]]"), "invalid [0][0]");
  EXPECT_EQ(refusal("[[0.001,0.01,10]]"), "invalid [0][0]");  // too little noise for a sampled step
  EXPECT_EQ(refusal("[[1e7,0.01,10]]"), "invalid [0][0]");
  EXPECT_EQ(refusal("[[1,1.01,10]]"), "invalid [0][1]");
  EXPECT_EQ(refusal("[[1,-0.01,10]]"), "invalid [0][1]");
  EXPECT_EQ(refusal("[[1,1e-200,10]]"), "invalid [0][1]");
  EXPECT_EQ(refusal("[[1,true,10]]"), "invalid [0][1]");
  EXPECT_EQ(refusal("[[1,0.01,-1]]"), "invalid [0][2]");
  EXPECT_EQ(refusal("[[1,0.01,10.0]]"), "invalid [0][2]");
  EXPECT_EQ(refusal("[[1,0.01,9223372036854775808]]"), "invalid [0][2]");
  EXPECT_EQ(refusal("[[1,0.01,9223372036854775807],[1,0.01,1]]"), "invalid document");
  EXPECT_EQ(refusal("[[NaN,0.01,10]]").substr(0, 12), "invalid byte");
  EXPECT_EQ(refusal("[[1,1e-400,10]]"), "invalid [0][1]");
  EXPECT_EQ(refusal(R"({"mechanism":"rdp"})"), "invalid history");
  EXPECT_EQ(refusal(R"({"history":[],"mechanism":"own"})"), "invalid mechanism");
  EXPECT_EQ(refusal(R"({"history":[],"mechanism":1})"), "invalid mechanism");
  EXPECT_EQ(refusal(R"({"history":[],"steps":[]})"), "invalid steps");
  EXPECT_EQ(refusal(R"({"history":[],"history":[]})"), "invalid history");
}

TEST(Opacus, ErrorsInArraysNameTheField) {
  try {
    convert_opacus("[[-1,0.01,10]]");
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_STREQ(error.what(), "[0][0]: got -1, allowed: as noise_multiplier: 0, or a number in [1e-50, 1e+50]");
  }
}

}  // namespace
}  // namespace renyi::record_test
