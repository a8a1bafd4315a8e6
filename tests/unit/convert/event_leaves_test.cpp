// Tree aggregation in records of dp_accounting.
#include <gtest/gtest.h>

#include <string>

#include "renyi/error.h"
#include "renyi/extras/convert.h"
#include "renyi/plan.h"

namespace renyi::event_leaves_test {
namespace {

std::string tree(const std::string& fields) {
  return R"(["dp_accounting.dp_event","SingleEpochTreeAggregationDpEvent",)" + fields + "]";
}

std::string plan_of(const std::string& record, Neighbors neighbors) {
  return write_plan(convert_dp_events(record, neighbors));
}

std::string expected(const std::string& neighbors, const std::string& steps) {
  return R"({"renyi":1,"neighbors":")" + neighbors + R"(","steps":[)" + steps + "]}";
}

TEST(TreeEvents, BecomeTreesWithTheirLargestNumberOfSteps) {
  const std::string step = R"({"mechanism":"tree-aggregation","noise_multiplier":8.83,"rounds":1600})";
  for (const std::string counts : {"1600", "[1600]", "[5,1600,0,800]"}) {
    EXPECT_EQ(plan_of(tree("8.83," + counts), Neighbors::zero_out), expected("zero-out", step)) << counts;
  }
  EXPECT_EQ(plan_of(R"({"module_name":"dp_accounting.dp_event","class_name":"SingleEpochTreeAggregationDpEvent",)"
                    R"("noise_multiplier":8.83,"step_counts":[3,1600]})",
                    Neighbors::zero_out),
            expected("zero-out", step));
}

// Their restarts at every epoch: one tree each, composed.
TEST(TreeEvents, ComposeLikeOtherSteps) {
  const std::string restarted = R"(["dp_accounting.dp_event","SelfComposedDpEvent",)" + tree("2,100") + ",6]";
  EXPECT_EQ(plan_of(restarted, Neighbors::zero_out),
            expected("zero-out", R"({"mechanism":"tree-aggregation","noise_multiplier":2,"rounds":100,"count":6})"));
}

TEST(TreeEvents, ReplacedRecordsMoveALeafTwiceAsFar) {
  EXPECT_EQ(plan_of(tree("3,8"), Neighbors::replace_one),
            expected("replace-one", R"({"mechanism":"tree-aggregation","noise_multiplier":1.5,"rounds":8})"));
}

// One rule for records and for plans: the answer says what it assumes (docs/guide/trees.md).
TEST(TreeEvents, AddedAndRemovedRecordsLeaveTheOthersWhereTheyAre) {
  EXPECT_EQ(plan_of(tree("3,8"), Neighbors::add_or_remove_one),
            expected("add-or-remove-one", R"({"mechanism":"tree-aggregation","noise_multiplier":3,"rounds":8})"));
}

TEST(TreeEvents, NothingAndNoPrivacy) {
  EXPECT_EQ(plan_of(tree("1,0"), Neighbors::zero_out), expected("zero-out", ""));
  EXPECT_EQ(plan_of(tree("0,0"), Neighbors::zero_out), expected("zero-out", ""));
  EXPECT_EQ(plan_of(tree("0,7"), Neighbors::zero_out), expected("zero-out", R"({"mechanism":"non-private"})"));
}

TEST(TreeEvents, RefusalsNameTheirPath) {
  const auto refusal = [](const std::string& record, Neighbors neighbors = Neighbors::zero_out) -> std::string {
    try {
      convert_dp_events(record, neighbors);
    } catch (const Error& error) {
      return std::string(to_string(error.kind())) + " " + error.path();
    }
    return "not refused";
  };
  EXPECT_EQ(refusal(tree("-1,8")), "invalid_argument [2]");
  EXPECT_EQ(refusal(tree("1,-8")), "invalid_argument [3]");
  EXPECT_EQ(refusal(tree("1,[]")), "invalid_argument [3]");
  EXPECT_EQ(refusal(tree("1,[4,2.5]")), "invalid_argument [3][1]");
  EXPECT_EQ(refusal(tree("1,1000000001")), "invalid_argument [3]");
  EXPECT_EQ(refusal(R"(["dp_accounting.dp_event","PoissonSampledDpEvent",0.1,)" + tree("1,8") + "]"),
            "unsupported [3]");
}

}  // namespace
}  // namespace renyi::event_leaves_test
