// Readers of releases: what is read, what is refused, and that no number of a value is.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "release/values.h"
#include "renyi/error.h"
#include "renyi/release.h"

namespace renyi::read_test {
namespace {

using noise::ExactNumber;
using release::read_csv;
using release::read_json;
using release::Request;
using release::Statistic;

// Values as they were read: "-15e-1" for -1.5, "1e0/3" for a third.
std::vector<std::string> written(const release::Values& values) {
  std::vector<std::string> all;
  for (const ExactNumber& one : std::get<std::vector<ExactNumber>>(values)) {
    all.push_back((one.is_negative() ? "-" : "") + one.numerator() + "e" + one.exponent() +
                  (one.denominator() == "1" ? "" : "/" + one.denominator()));
  }
  return all;
}
using Texts = std::vector<std::string>;

std::string around(const std::string& statistic) { return R"({"renyi-release":1,"statistics":[)" + statistic + "]}"; }

TEST(ReadRelease, ReadsJson) {
  const Request request = read_json(R"({
    "renyi-release": 1, "neighbors": "replace-one", "unit": 2, "budget": {"epsilon": 1, "delta": 1e-6},
    "divide": "min-variance", "noise": "gaussian",
    "statistics": [
      {"name": "visits", "value": 1017, "integer": true, "max_records": 3, "max_per_record": 1, "weight": 2,
       "lowest": 0, "round_to": 10},
      {"name": "age", "bins": ["young", "old"], "values": [1.5, 2], "l2_sensitivity": 1.5, "nonnegative": true,
       "mechanism": "laplace", "scale": 20}]})");
  const release::Terms& terms = request.terms;
  EXPECT_EQ(terms.neighbors, Neighbors::replace_one);
  EXPECT_EQ(terms.unit, 2);
  EXPECT_EQ(terms.budget.epsilon, 1);
  EXPECT_EQ(terms.budget.delta, 1e-6);
  EXPECT_EQ(terms.division, release::Division::min_variance);
  EXPECT_EQ(terms.family, release::NoiseFamily::gaussian);
  ASSERT_EQ(terms.statistics.size(), 2U);
  EXPECT_TRUE(terms.statistics[0].is_integer);
  EXPECT_EQ(terms.statistics[0].bounds.max_records, 3);
  EXPECT_EQ(terms.statistics[0].weight, 2);
  EXPECT_EQ(terms.statistics[0].round_to, 10);
  EXPECT_EQ(terms.statistics[1].bins, (std::vector<std::string>{"young", "old"}));
  EXPECT_EQ(terms.statistics[1].noise->mechanism, "laplace");
  EXPECT_TRUE(terms.statistics[1].bounds.is_nonnegative);
  EXPECT_EQ(written(request.values[0]), Texts{"1017e0"});
  EXPECT_EQ(written(request.values[1]), (Texts{"15e-1", "2e0"}));
}

TEST(ReadRelease, ReadsCsv) {
  const Request request = read_csv(
      "\xEF\xBB\xBFname,value,histogram,integer,max_bins,max_per_bin,l2_sensitivity,comment\r\n"
      "\"visits, all\",1017,,true,,,1,hello\r\n"
      "\"0-17 \"\"young\"\"\",12,age,true,2,1,,\n"
      "\n"
      "income,17.5,,,,,100,\n"
      "65+,3,age,,,,,\n");
  ASSERT_EQ(request.terms.statistics.size(), 3U);
  const auto& age = request.terms.statistics[1];
  EXPECT_EQ(request.terms.statistics[0].name, "visits, all");
  EXPECT_EQ(age.bins, (std::vector<std::string>{"0-17 \"young\"", "65+"}));
  EXPECT_EQ(age.bounds.max_bins, 2);
  EXPECT_TRUE(age.is_integer);
  EXPECT_EQ(written(request.values[1]), (Texts{"12e0", "3e0"}));
  EXPECT_EQ(written(request.values[2]), Texts{"175e-1"});
}

TEST(ReadRelease, ValuesAreReadAsTheyAreWritten) {
  const std::vector<std::pair<std::string, std::string>> values{
      {"0", "0e0"},
      {"-17", "-17e0"},
      {"-2.50", "-25e-1"},
      {"0.49999999999999994", "49999999999999994e-17"},
      {"1e3", "1e3"},
      {"9223372036854775808", "9223372036854775808e0"},
      {"4611686018427388404.5", "46116860184273884045e-1"},
      {"0.1000000000000000055511151231257827", "1000000000000000055511151231257827e-34"},
      {"1e-999", "1e-999"},
      {"-0.01e-99999999999999999999", "-1e-100000000000000000001"}};
  for (const auto& [text, kept] : values) {
    for (const char* rest : {"", R"("integer":true,)"}) {
      const Request request = read_json(around(std::string(R"({"name":"a",)") + rest + R"("value":)" + text + "}"));
      EXPECT_EQ(written(request.values[0]), Texts{kept}) << text;
    }
    EXPECT_EQ(written(read_csv("name,value,integer\na," + text + ",true\n").values[0]), Texts{kept}) << text;
  }
  EXPECT_EQ(written(read_json(around(R"({"name":"a","value":"-10/3"})")).values[0]), Texts{"-1e1/3"});
  EXPECT_EQ(written(read_csv("name,value\na,10/3\n").values[0]), Texts{"1e1/3"});
}

TEST(ReadRelease, NoNumberIsRefused) {
  for (const std::string text : {"1e999", "-1e999", "99999999999999999999999999", "1e-999", "NaN", "Infinity",
                                 "-Infinity", R"("1/0")", R"("0/0")", R"("0/3")"}) {
    EXPECT_NO_THROW(read_json(around(R"({"name":"a","value":)" + text + "}"))) << text;
  }
  for (const std::string text : {"nan", "inf", "-inf", "Infinity", " +3 ", "1e999", "1e-999", "1/0", ".5", "5."}) {
    EXPECT_NO_THROW(read_csv("name,value,integer\na," + text + ",true\n")) << text;
  }
  // Strings stay as they are.
  EXPECT_EQ(release::with_readable_numbers(R"({"1e999":"\"NaN 1e999","a":[1e999,NaN,-Infinity]})"),
            R"({"1e999":"\"NaN 1e999","a":[1.7976931348623157e308,0,-1.7976931348623157e308]})");
}

// A bound of 1 and a little lets a rounded value move by 2, and a double of 1 would hide it.
TEST(ReadRelease, BoundsAreNoSmallerThanWritten) {
  const auto bound = [](const std::string& text) {
    const auto json = read_json(around(R"({"name":"a","value":1,"l2_sensitivity":)" + text + "}"));
    const auto csv = read_csv("name,value,l2_sensitivity\na,1," + text + "\n");
    EXPECT_EQ(json.terms.statistics[0].bounds.l2_sensitivity, csv.terms.statistics[0].bounds.l2_sensitivity);
    return *json.terms.statistics[0].bounds.l2_sensitivity;
  };
  EXPECT_EQ(bound("1"), 1);
  EXPECT_EQ(bound("0.3"), 0.3);
  EXPECT_EQ(bound("2.50e1"), 25);
  EXPECT_GT(bound("1.00000000000000001"), 1);
  EXPECT_GT(bound("0.30000000000000000001"), 0.3);
  Statistic bounded{.name = "a", .is_integer = true, .bounds = {.l2_sensitivity = bound("1.00000000000000001")}};
  EXPECT_EQ(release::sensitivity(bounded, {}).each, 2);
}

void expect_refused(Request (*read)(std::string_view), const std::string& text, const std::string& path) {
  try {
    (void)read(text);
    ADD_FAILURE() << text;
  } catch (const InvalidArgument& error) {
    EXPECT_EQ(error.path(), path) << error.what();
    EXPECT_EQ(std::string(error.what()).find("31337"), std::string::npos) << error.what();
  }
}

TEST(ReadRelease, RefusesBadJson) {
  expect_refused(read_json, "{", "document");
  expect_refused(read_json, "{}7", "document");
  expect_refused(read_json, "{}", "renyi-release");
  expect_refused(read_json, R"({"renyi-release":2,"statistics":[]})", "renyi-release");
  expect_refused(read_json, R"({"renyi-release":1})", "statistics");
  expect_refused(read_json, R"({"renyi-release":1,"statistics":[]})", "statistics");
  expect_refused(read_json, R"({"renyi-release":1,"budget":{"eps":1},"statistics":[]})", "budget");
  expect_refused(read_json, R"({"renyi-release":1,"divide":"fair","statistics":[]})", "divide");
  const auto refuse = [](const std::string& statistic, const std::string& path) {
    expect_refused(read_json, around(statistic), "statistics[0]." + path);
  };
  refuse(R"({"value":1})", "name");
  refuse(R"({"name":"","value":1})", "name");
  refuse(R"({"name":"a"})", "value");
  refuse(R"({"name":"a","value":"31337"})", "value");
  refuse(R"({"name":"a","value":[31337]})", "value");
  refuse(R"({"name":"a","bins":["x"],"values":[31337,1]})", "values");
  refuse(R"({"name":"a","bins":["x"],"values":31337})", "values");
  refuse(R"({"name":"a","bins":["x","y"],"values":[1,"31337"]})", "values[1]");
  refuse(R"({"name":"a","bins":["x","x"],"values":[1,2]})", "bins");
  refuse(R"({"name":"a","bins":[],"values":[]})", "bins");
  refuse(R"({"name":"a","value":1,"integer":1})", "integer");
  expect_refused(read_json, around(R"({"name":"a","value":1,"sensitivity":1})"), "statistics[0]");
  refuse(R"({"name":"a","value":1,"max_records":1.5})", "max_records");
  refuse(R"({"name":"a","value":1,"weight":0})", "weight");
  refuse(R"({"name":"a","value":1,"stddev":1})", "mechanism");
  refuse(R"({"name":"a","value":1,"mechanism":"skellam","stddev":1})", "mechanism");
  refuse(R"({"name":"a","value":1,"mechanism":"gaussian","scale":1})", "scale");
  refuse(R"({"name":"a","value":1,"mechanism":"gaussian"})", "stddev");
  refuse(R"({"name":"a","value":1,"mechanism":"gaussian","stddev":0})", "stddev");
  refuse(R"({"name":"a","value":1,"mechanism":"gaussian","stddev":1,"weight":1})", "weight");
  refuse(R"({"name":"a","value":1,"mechanism":"discrete-gaussian","stddev":1})", "mechanism");
  refuse(R"({"name":"a","value":1,"lowest":2,"highest":1})", "lowest");
  refuse(R"({"name":"a","value":1,"integer":true,"lowest":0.5})", "lowest");
  refuse(R"({"name":"a","value":1,"round_to":0})", "round_to");
  expect_refused(read_json, around(R"({"name":"a","value":1},{"name":"a","value":2})"), "statistics[1].name");
}

TEST(ReadRelease, RefusesBadCsv) {
  const auto refuse = [](const std::string& text, const std::string& path) { expect_refused(read_csv, text, path); };
  refuse("", "statistics");
  refuse("name\n", "line 1");
  refuse("name,value,31337\n", "line 1, column 3");
  refuse("name,value,name\n", "line 1");
  refuse("name,value\n", "statistics");
  refuse("name,value\na,31337,3\n", "line 2");
  refuse("name,value\n,31337\n", "line 2");
  for (const char* value : {"31337x", "", "+-31337", "31337/", "/31337", "3133.7/3", "31337e", "3/-31337", "0x31337"}) {
    refuse(std::string("name,value\na,") + value + "\n", "line 2, column value");
  }
  refuse("name,value\n\"a,31337\n", "line 2");
  refuse("name,value\n\"a\"b,31337\n", "line 2");
  refuse("name,value,integer\na,31337,yes\n", "line 2, column integer");
  refuse("name,value,weight\na,31337,many\n", "line 2, column weight");
  refuse("name,value,weight\na,31337,0\n", "line 2, column weight");
  refuse("name,value,max_records\na,31337,1.5\n", "line 2, column max_records");
  refuse("name,value,histogram,weight\na,31337,h,1\nb,31337,h,2\n", "line 3, column weight");
  refuse("name,value,histogram\na,31337,h\na,31337,h\n", "line 2, column bins");
  refuse("name,value,histogram\nh,31337,\na,31337,h\n", "statistics[1].name");
}

}  // namespace
}  // namespace renyi::read_test
