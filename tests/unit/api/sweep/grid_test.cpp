// Grids: which values an axis takes, which places are axes, and which configuration an index is.
#include "api/sweep/grid.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "renyi/error.h"
#include "renyi/extras/select.h"
#include "renyi/mechanism.h"
#include "renyi/sampling.h"

namespace renyi::api::sweep::grid_test {
namespace {

Grid grid_of(const std::string& request) {
  return read_grid(fmt::format(R"({{"renyi-sweep":1,"request":{}}})", request));
}

// Returns a request with `member` in a step, and with `asked` next to the steps.
std::string request_with(const std::string& member, const std::string& asked = R"("delta":1e-5)") {
  return fmt::format(R"({{"op":"epsilon","steps":[{{"mechanism":"laplace",{}}}],{}}})", member, asked);
}

std::string text_of(const std::vector<Document>& values) { return Document::list(values).text(); }

// The values of one axis, as they are written.
std::string values_of(const std::string& key, const std::string& axis) {
  return text_of(grid_of(request_with(fmt::format(R"("{}":{})", key, axis))).axes.at(0).values);
}

std::string refusal(const std::string& request) {
  try {
    grid_of(request);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "none";
}

std::string refusal_of_axis(const std::string& key, const std::string& axis) {
  return refusal(request_with(fmt::format(R"("{}":{})", key, axis)));
}

TEST(SweepAxis, ListsAreTakenAsTheyStand) {
  EXPECT_EQ(values_of("scale", R"({"values":[2,0.5,1e-3]})"), "[2,0.5,0.001]");
  EXPECT_EQ(values_of("scale", R"({"values":["inf",1]})"), R"(["inf",1])");
  EXPECT_EQ(values_of("count", R"({"values":[1e4,7]})"), "[10000,7]");
}

TEST(SweepAxis, RangesHaveTheirEnds) {
  EXPECT_EQ(values_of("scale", R"({"from":1,"to":2,"points":5})"), "[1,1.25,1.5,1.75,2]");
  EXPECT_EQ(values_of("scale", R"({"from":-1,"to":1,"points":3,"scale":"linear"})"), "[-1,0,1]");
  EXPECT_EQ(values_of("scale", R"({"from":1e-3,"to":0.1,"points":3,"scale":"log"})"), "[0.001,0.01,0.1]");
  EXPECT_EQ(values_of("scale", R"({"from":1,"to":10,"points":3,"scale":"log"})"), "[1,3.16227766017,10]");
  EXPECT_EQ(values_of("scale", R"({"from":0.1234567890123456,"to":1e300,"points":2})"), "[0.1234567890123456,1e+300]");
  EXPECT_EQ(values_of("scale", R"({"from":-1.7e308,"to":1.7e308,"points":3})"), "[-1.7e+308,0,1.7e+308]");
}

TEST(SweepAxis, WholePlacesGetWholeNumbersEachOnce) {
  EXPECT_EQ(values_of("count", R"({"from":1,"to":4,"points":7})"), "[1,2,3,4]");
  EXPECT_EQ(values_of("count", R"({"from":1,"to":1e4,"points":5,"scale":"log"})"), "[1,10,100,1000,10000]");
  EXPECT_EQ(values_of("count", R"({"from":1,"to":30,"points":4,"scale":"log"})"), "[1,3,10,30]");
  EXPECT_EQ(values_of("count", R"({"from":9223372036854774000,"to":9223372036854775807,"points":2})"),
            "[9223372036854774000,9223372036854775807]");
  EXPECT_EQ(values_of("scale", R"({"from":1,"to":1.0000000000000002,"points":9})"), "[1,1.0000000000000002]");
  const Grid sampled = grid_of(
      R"({"op":"epsilon","unit":{"from":1,"to":3,"points":4},"delta":0,"steps":[{"mechanism":"randomized-response",
          "truth_probability":0.9,"categories":{"from":2,"to":9,"points":3},
          "sampling":{"scheme":"fixed-size","dataset_size":1000,"batch_size":{"from":1,"to":4,"points":3}}}]})");
  ASSERT_EQ(sampled.axes.size(), 3U);
  EXPECT_EQ(text_of(sampled.axes[0].values), "[1,2,3]");
  EXPECT_EQ(text_of(sampled.axes[1].values), "[2,6,9]");
  EXPECT_EQ(text_of(sampled.axes[2].values), "[1,3,4]");
}

TEST(SweepAxis, RefusesWithPathValueAndWhatIsAllowed) {
  EXPECT_EQ(refusal_of_axis("scale", R"({"from":2,"to":1,"points":3})"),
            "steps[0].scale.to: got 1, allowed: a number above from, 2");
  EXPECT_EQ(refusal_of_axis("scale", R"({"from":0,"to":1,"points":3,"scale":"log"})"),
            "steps[0].scale.from: got 0, allowed: a number above 0, where the scale is log");
  EXPECT_EQ(refusal_of_axis("scale", R"({"from":1,"to":2,"points":1})"),
            "steps[0].scale.points: got 1, allowed: an integer literal from 2 to 1000000");
  EXPECT_EQ(refusal_of_axis("scale", R"({"from":1,"to":2})"), "steps[0].scale.points: got nothing, allowed: how many");
  EXPECT_EQ(refusal_of_axis("scale", R"({"from":1,"to":2,"points":3,"scale":"cubic"})"),
            R"(steps[0].scale.scale: got "cubic", allowed: one of linear, log)");
  EXPECT_EQ(refusal_of_axis("scale", R"({"from":"a","to":2,"points":3})"),
            R"(steps[0].scale.from: got "a", allowed: a number)");
  EXPECT_EQ(refusal_of_axis("count", R"({"values":[1,2.5]})"),
            "steps[0].count.values[1]: got 2.5, allowed: a whole number");
  EXPECT_EQ(refusal_of_axis("count", R"({"from":1.5,"to":2,"points":3})"),
            "steps[0].count.from: got 1.5, allowed: a whole number");
  EXPECT_EQ(refusal_of_axis("scale", R"({"values":[]})"),
            "steps[0].scale.values: got an array of 0, allowed: an array of 1 to 1000000 values");
  EXPECT_EQ(refusal_of_axis("scale", R"({"values":[1,2,1.0]})"),
            "steps[0].scale.values: got 1 more than once, allowed: each value once");
  EXPECT_EQ(refusal_of_axis("scale", R"({"values":[null]})"),
            R"(steps[0].scale.values[0]: got null, allowed: a number, or a word such as "inf")");
  EXPECT_EQ(refusal_of_axis("scale", R"({"values":["a\nb"]})").substr(0, 24), "steps[0].scale.values[0]");
  EXPECT_EQ(refusal_of_axis("scale", R"({"values":[1],"points":3})"),
            "steps[0].scale.points: got an unknown key, allowed: only values");
}

TEST(SweepGrid, IndicesRunThroughTheLastAxisFirst) {
  const Grid grid = grid_of(
      request_with(R"("scale":{"values":[1,2]},"count":{"values":[3,4,5]})", R"("delta":{"values":[0.1,0.2]})"));
  ASSERT_EQ(grid.size, 12U);
  ASSERT_EQ(grid.axes.size(), 3U);
  EXPECT_EQ(grid.axes[0].path, "steps[0].scale");
  EXPECT_EQ(grid.axes[2].path, "delta");
  Configuration configuration(grid);
  std::string seen;
  for (std::uint64_t i = 0; i < grid.size; ++i) {
    configuration.go_to(i);
    for (std::size_t axis = 0; axis < 3; ++axis) seen += configuration.value(axis).text();
    seen += ' ';
  }
  EXPECT_EQ(seen, "130.1 130.2 140.1 140.2 150.1 150.2 230.1 230.2 240.1 240.2 250.1 250.2 ");
  configuration.go_to(7);
  EXPECT_EQ(configuration.request().text(),
            R"({"op":"epsilon","steps":[{"mechanism":"laplace","scale":2,"count":3}],"delta":0.2})");
}

TEST(SweepGrid, ArraysAreWhatTheyAre) {
  const Grid grid =
      grid_of(request_with(R"("scale":1)", R"("delta":0,"orders":[2,{"values":[3,4]}],"want":["renyi"])"));
  ASSERT_EQ(grid.axes.size(), 1U);
  EXPECT_EQ(grid.axes[0].path, "orders[1]");
  const Grid nested = grid_of(
      R"({"op":"delta","epsilon":1,"steps":[{"plan":[{"mechanism":"laplace","scale":{"values":[1]}}],"count":2}]})");
  EXPECT_EQ(nested.axes.at(0).path, "steps[0].plan[0].scale");
}

TEST(SweepGrid, RefusesWhatIsNoGrid) {
  EXPECT_EQ(refusal(request_with(R"("scale":1)")).substr(0, 32), "request: got no axis, allowed: {");
  EXPECT_EQ(refusal(R"({"op":"rdp","orders":[2],"steps":[]})"),
            R"(op: got "rdp", allowed: one of epsilon, delta, calibrate: other answers are no row of figures)");
  EXPECT_EQ(refusal(R"({"id":1,"op":"epsilon","steps":[],"delta":{"values":[1]}})"),
            "id: got 1, allowed: no id: rows have their index");
  EXPECT_EQ(refusal("[]"), "request: got an array of 0, allowed: a request, an object");
  EXPECT_THROW(read_grid(R"({"renyi-sweep":2,"request":{}})"), InvalidArgument);
  EXPECT_THROW(read_grid(R"({"renyi-sweep":1,"request":{},"more":1})"), InvalidArgument);
  EXPECT_THROW(read_grid("[1"), InvalidArgument);
}

TEST(SweepGrid, ProductsStayBelow2To63) {
  std::string orders;
  for (int i = 0; i < 4; ++i) orders += R"(,{"from":2,"to":3,"points":10000})";
  const auto with_orders = [&](const std::string& more) {
    return request_with(R"("scale":1)", fmt::format(R"("delta":0,"orders":[2{}])", orders + more));
  };
  EXPECT_EQ(grid_of(with_orders("")).size, 10'000'000'000'000'000U);
  EXPECT_EQ(
      refusal(with_orders(R"(,{"from":2,"to":3,"points":1000})")),
      "orders[5]: got 1000 values more to each configuration, allowed: at most 9223372036854775807 configurations "
      "in all");
  EXPECT_EQ(refusal(request_with(R"("scale":{"from":1,"to":2,"points":999000})",
                                 R"("delta":{"from":0,"to":1,"points":1001})")),
            "delta.points: got 1001, allowed: an integer literal from 2 to 1000");
  std::string many;
  for (int i = 0; i < 33; ++i) many += fmt::format(R"({}{{"values":[{}]}})", i == 0 ? "" : ",", i + 2);
  EXPECT_EQ(refusal(request_with(R"("scale":1)", fmt::format(R"("delta":0,"orders":[{}])", many))),
            "orders[32]: got an object, allowed: a number: there are 32 axes already");
}

// Axes are recognized by their keys, which no other member uses.
TEST(SweepGrid, NoObjectOfARequestLooksLikeAnAxis) {
  const auto is_taken = [](std::string_view name) { return name == "values" || name == "from"; };
  for (const Mechanism& mechanism : all_mechanisms()) {
    for (const Parameter& parameter : mechanism.parameters()) EXPECT_FALSE(is_taken(parameter.name));
    for (const Alias& alias : mechanism.aliases()) EXPECT_FALSE(is_taken(alias.name));
    for (const TableParameter& table : mechanism.tables()) EXPECT_FALSE(is_taken(table.name));
  }
  for (const Scheme scheme : all_schemes) {
    for (const Parameter& parameter : parameters(scheme)) EXPECT_FALSE(is_taken(parameter.name));
  }
  for (const RunsLaw law : all_runs_laws) {
    for (const Parameter& parameter : parameters(law)) EXPECT_FALSE(is_taken(parameter.name));
  }
}

TEST(Grid, WarnsOnceOfADeltaThatIsTooLargeAtSomePoint) {
  const auto warnings = [](const std::string& delta, const std::string& size) {
    return warnings_of(grid_of(fmt::format(
        R"({{"op":"epsilon","run":{{"noise_multiplier":{{"values":[1,2]}},"dataset_size":{}}},"delta":{}}})", size,
        delta)));
  };
  EXPECT_TRUE(warnings("1e-5", "1000").empty());
  ASSERT_EQ(warnings("0.001", "1000").size(), 1);
  EXPECT_EQ(warnings("0.001", "1000").front().kind, RunWarningKind::large_delta);
  EXPECT_EQ(warnings(R"({"values":[1e-9,0.001]})", R"({"values":[1000,10]})").size(), 1);
  EXPECT_TRUE(warnings(R"({"values":[1e-9,0.001]})", R"({"values":[999,10]})").empty());
}

TEST(Grid, SaysThatTheNumberOfRecordsCountsAsPublicWhereBatchesAreGiven) {
  const auto rule = [](const std::string& sizes) {
    return size_rule_of(grid_of(fmt::format(
        R"({{"op":"epsilon","run":{{"noise_multiplier":{{"values":[1,2]}},{},"epochs":1}},"delta":1e-5}})", sizes)));
  };
  EXPECT_NE(rule(R"("dataset_size":1000,"batch_size":10)").find("N counts as public"), std::string::npos);
  EXPECT_NE(rule(R"("dataset_size":1000,"batch_size":{"values":[10,20]})").find("public-size.md"), std::string::npos);
  EXPECT_EQ(rule(R"("sampling_rate":0.01)"), "");
  EXPECT_EQ(rule(R"("dataset_size":1000,"sampling_rate":0.01)"), "");
}

}  // namespace
}  // namespace renyi::api::sweep::grid_test
