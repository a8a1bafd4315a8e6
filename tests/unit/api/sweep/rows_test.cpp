// Rows: what a line says is what the request by itself is answered with.
#include "api/sweep/rows.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "api/api.h"
#include "json/json.h"
#include "json/write.h"
#include "renyi/error.h"

namespace renyi::api::sweep::rows_test {
namespace {

using json::Json;

using testing::HasSubstr;
using testing::StartsWith;

Grid grid_of(const std::string& request) {
  return read_grid(fmt::format(R"({{"renyi-sweep":1,"request":{}}})", request));
}

// Returns the grid of one laplace step with `axis` as its scale.
Grid laplace(const std::string& axis, const std::string& asked) {
  return grid_of(fmt::format(R"({{"op":"epsilon","steps":[{{"mechanism":"laplace","scale":{}}}],{}}})", axis, asked));
}

std::string row(const Grid& grid, std::uint64_t index, Format format, bool answered = true) {
  Configuration configuration(grid);
  std::string line;
  const Rows rows(grid, format);
  EXPECT_EQ(rows.append(line, index, configuration), answered) << line;
  EXPECT_EQ(rows.is_answered(std::string_view(line).substr(0, line.size() - 1)), answered) << line;
  EXPECT_EQ(line.back(), '\n');
  EXPECT_EQ(line.find('\n'), line.size() - 1) << line;
  return line;
}

Json answer_to(const Document& request) { return Json::parse(answer(request.text())); }

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> result;
  std::istringstream in(line.substr(0, line.size() - 1) + ',');
  for (std::string cell; std::getline(in, cell, ',');) result.push_back(cell);
  return result;
}

TEST(SweepRows, ARowOfJsonLinesIsTheSameRowAgain) {
  const Grid grid = laplace(R"({"values":[2,-1,0.5]})", R"("delta":{"values":[0,1e-3]})");
  for (std::uint64_t i = 0; i < grid.size; ++i) {
    const bool answered = i / 2 != 1;
    std::string line = row(grid, i, Format::jsonl, answered);
    line.pop_back();
    for (const Format format : {Format::csv, Format::jsonl}) {
      Configuration configuration(grid);
      std::string again;
      Rows(grid, format).append_again(again, line, configuration);
      EXPECT_EQ(again, row(grid, i, format, answered));
    }
  }
}

TEST(SweepRows, FiguresAreThoseOfTheRequestToTheLastBit) {
  const Grid grid = laplace(R"({"from":0.3,"to":7,"points":9})", R"("delta":1e-3)");
  const auto titles = cells(Rows(grid, Format::csv).header());
  Configuration configuration(grid);
  for (std::uint64_t i = 0; i < grid.size; ++i) {
    configuration.go_to(i);
    const Json answer = answer_to(configuration.request());
    const auto figures = cells(row(grid, i, Format::csv));
    ASSERT_EQ(figures.size(), titles.size());
    EXPECT_EQ(figures[0], fmt::format("{}", i));
    EXPECT_EQ(std::stod(figures[1]), Json::parse(configuration.value(0).text()).get<double>());
    EXPECT_EQ(titles[2], "renyi_epsilon");
    EXPECT_EQ(std::stod(figures[2]), answer["renyi"]["epsilon"].get<double>());
    EXPECT_EQ(titles[6], "exact_upper");
    EXPECT_EQ(std::stod(figures[6]), answer["exact"]["upper"].get<double>());
    EXPECT_EQ(titles[12], "add_upper");
    EXPECT_EQ(std::stod(figures[12]), answer["exact"]["add"]["upper"].get<double>());
    const Json line = Json::parse(row(grid, i, Format::jsonl));
    EXPECT_EQ(line["index"], i);
    EXPECT_EQ(line["steps[0].scale"], Json::parse(configuration.value(0).text()));
    EXPECT_EQ(line["answer"], answer);
  }
}

TEST(SweepRows, HaveTheColumnsThatAreWanted) {
  const auto header = [](const std::string& asked) {
    return Rows(laplace(R"({"values":[1]})", asked), Format::csv).header();
  };
  const std::string exact =
      "exact_lower,exact_upper,engine,direction,remove_lower,remove_upper,add_lower,add_upper,note,error_kind,error\n";
  const std::string renyi = "index,steps[0].scale,renyi_epsilon,renyi_order,renyi_conversion,";
  EXPECT_EQ(header(R"("delta":0)"), renyi + exact);
  EXPECT_EQ(header(R"("delta":0,"want":["exact"])"), "index,steps[0].scale," + exact);
  EXPECT_EQ(header(R"("delta":0,"want":["renyi"])"), renyi + "note,error_kind,error\n");
  const Grid delta = grid_of(R"({"op":"delta","steps":[],"epsilon":{"values":[0,1]},"want":["renyi"]})");
  EXPECT_EQ(Rows(delta, Format::csv).header(),
            "index,epsilon,renyi_delta,renyi_order,renyi_conversion,note,error_kind,error\n");
  EXPECT_EQ(Rows(delta, Format::jsonl).header(), "");
  EXPECT_THAT(row(delta, 1, Format::csv), StartsWith("1,1,0,"));
}

TEST(SweepRows, SolveToo) {
  const Grid grid = grid_of(
      R"({"op":"calibrate","steps":[{"mechanism":"gaussian","noise_multiplier":null}],"epsilon":{"values":[1,2]},"delta":1e-5})");
  EXPECT_THAT(Rows(grid, Format::csv).header(), StartsWith("index,epsilon,parameter,value,renyi_epsilon"));
  Configuration configuration(grid);
  configuration.go_to(1);
  const Json answer = answer_to(configuration.request());
  EXPECT_THAT(row(grid, 1, Format::csv), StartsWith("1,2,noise_multiplier," + json::write(answer["value"]) + ","));
}

TEST(SweepRows, SayWhyThereIsNoAnswer) {
  const Grid bad = laplace(R"({"values":[1,-1]})", R"("delta":0,"want":["renyi"])");
  row(bad, 0, Format::csv);
  EXPECT_THAT(row(bad, 1, Format::csv, false), StartsWith("1,-1,,,,,invalid_argument,\"steps[0].scale: got -1, "));
  const Json line = Json::parse(row(bad, 1, Format::jsonl, false));
  EXPECT_EQ(line["error"]["kind"], "invalid_argument");
  EXPECT_EQ(line["error"]["path"], "steps[0].scale");
  EXPECT_EQ(line["steps[0].scale"], -1);
  EXPECT_FALSE(line.contains("answer"));
}

// Known by its divergences only: no exact figure.
TEST(SweepRows, AMissingPartIsNotedAndNothingAtAllIsAnError) {
  const std::string zcdp =
      R"({{"op":"epsilon","steps":[{{"mechanism":"zcdp","rho":{{"values":[0.1,0.2]}}}}],"delta":1e-5{}}})";
  const std::string both = row(grid_of(fmt::format(fmt::runtime(zcdp), "")), 0, Format::csv);
  const Json reason = Json::parse(answer(R"({"op":"epsilon","steps":[{"mechanism":"zcdp","rho":0.1}],"delta":1e-5})"));
  std::string note;
  append_cell(note, reason["exact"]["unavailable"].get<std::string>());
  EXPECT_THAT(both, HasSubstr(",,,,,,,," + note + ",,\n"));
  const Grid exact = grid_of(fmt::format(fmt::runtime(zcdp), R"(,"want":["exact"])"));
  EXPECT_THAT(row(exact, 0, Format::csv, false), StartsWith("0,0.1,,,,,,,,,,unavailable,"));
  EXPECT_EQ(Json::parse(row(exact, 0, Format::jsonl, false))["error"]["kind"], "unavailable");
}

TEST(SweepRows, WordsStayInTheirCell) {
  const auto cell = [](const Document& value) {
    std::string out;
    append_cell(out, value);
    return out;
  };
  EXPECT_EQ(cell("inf"), "inf");
  EXPECT_EQ(cell("a, \"b\""), "\"a, \"\"b\"\"\"");
  EXPECT_EQ(cell("two\nlines"), "\"two lines\"");
  EXPECT_EQ(cell(0.1), "0.1");
  EXPECT_EQ(cell(1e-300), "1e-300");
  EXPECT_EQ(cell(std::int64_t{9223372036854775807}), "9223372036854775807");
}

TEST(SweepRequest, WhatIsBadEverywhereIsRefusedAtOnce) {
  const auto refusal = [](const Grid& grid) -> std::string {
    try {
      check_request(grid);
    } catch (const InvalidArgument& error) {
      return error.path();
    }
    return "none";
  };
  EXPECT_EQ(refusal(laplace(R"({"values":[1,2]})", R"("delta":2)")), "delta");
  EXPECT_EQ(refusal(laplace(R"({"values":[1,2]})", R"("delta":[0.1,0.2])")), "delta");
  EXPECT_EQ(refusal(laplace(R"({"values":[1,2]})", R"("delta":0,"detla":1)")), "detla");
  EXPECT_EQ(refusal(laplace(R"({"values":[-1,2]})", R"("delta":0)")), "none");
  EXPECT_EQ(refusal(laplace(R"({"values":[-1,-2]})", R"("delta":0)")), "none");  // rows of their own say so
}

}  // namespace
}  // namespace renyi::api::sweep::rows_test
