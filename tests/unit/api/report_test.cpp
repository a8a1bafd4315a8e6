// The operation "report": its figures are those of the other operations, and its text has no others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "api/api.h"
#include "api/number_text.h"
#include "json/json.h"
#include "renyi/version.h"
#include "support/balanced_tags.h"

namespace renyi::api::report_test {
namespace {

using json::Json;

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string sgd =
    R"("steps":[{"mechanism":"sampled-gaussian","sampling_rate":0.01,"noise_multiplier":1.1,"count":1000}])";

Json ask(const std::string& op, const std::string& members) {
  return Json::parse(answer(R"({"op":")" + op + R"(",)" + members + "}"));
}

std::string statement(const std::string& members) {
  const Json got = ask("report", members + R"(,"formats":["markdown"])");
  return got.contains("markdown") ? got["markdown"].get<std::string>() : got.dump();
}

std::string error_path(const std::string& members) {
  const Json got = ask("report", sgd + members);
  return got.contains("error") ? got["error"]["path"].get<std::string>() : "no error";
}

TEST(ReportRequest, FactsAreTheAnswersOfTheOtherOperations) {
  const Json facts = ask("report", sgd + R"(,"delta":1e-5)");
  EXPECT_EQ(facts["epsilon"], ask("epsilon", sgd + R"(,"delta":1e-5)"));
  EXPECT_EQ(facts["tradeoff"], ask("tradeoff", sgd + R"(,"type_1_errors":[0.001,0.01,0.1])"));
  EXPECT_EQ(facts["promises"],
            ask("explain", sgd + R"(,"baseline":[0.01],"orders":[2,4,8,16,32,64],"factors":[10,100])"));
  for (const char* notion : {"pure", "zcdp", "gdp"}) {
    EXPECT_EQ(facts["relatives"][notion], ask("relate", sgd + R"(,"to":")" + notion + '"')[notion]) << notion;
  }
  EXPECT_EQ(facts["renyi"], std::string(version));
  EXPECT_EQ(facts["plan"]["steps"][0]["count"], 1000);
  EXPECT_EQ(facts["sampling"], Json::parse(R"({"schemes":["poisson"],"on_all_records":false})"));
  EXPECT_FALSE(facts.contains("markdown"));
  EXPECT_FALSE(facts.contains("dataset_size"));
}

const std::string three_steps =
    R"("steps":[{"mechanism":"gaussian","noise_multiplier":2,"count":3,"name":"a|<b>","comment":"two\nlines"},)"
    R"({"plan":[{"mechanism":"gaussian","noise_multiplier":4,"count":2}],"count":2,"name":"rest"}])";

TEST(ReportRequest, SharesAreThoseOfExplain) {
  const Json facts = ask("report", three_steps + R"(,"delta":1e-5)");
  EXPECT_EQ(facts["shares"], ask("explain", three_steps + R"(,"delta":1e-5)")["shares"]);
  EXPECT_FALSE(ask("explain", three_steps).contains("shares"));
  const Json& steps = facts["shares"]["steps"];
  ASSERT_EQ(steps.size(), 3U);
  EXPECT_NEAR(steps[0]["share"].get<double>(), 0.75, 1e-12);
  EXPECT_NEAR(steps[1]["share"].get<double>(), 0.25, 1e-12);
  EXPECT_EQ(steps[2]["path"], "steps[1].plan[0]");
  EXPECT_EQ(steps[0]["name"], "a|<b>");
  EXPECT_EQ(steps[0]["comment"], "two\nlines");
  EXPECT_FALSE(steps[2].contains("name"));
  EXPECT_EQ(facts["shares"]["order"], facts["epsilon"]["renyi"]["order"]);
}

TEST(ReportRequest, TextsShowNamesCommentsAndShares) {
  const Json got = ask("report", three_steps + R"(,"delta":1e-5,"formats":["markdown","html"])");
  const auto markdown = got["markdown"].get<std::string>(), html = got["html"].get<std::string>();
  EXPECT_THAT(markdown, HasSubstr("| a\\|\\<b\\> | `gaussian, noise_multiplier=2` | 3 | 75 % |\n"));
  EXPECT_THAT(markdown, HasSubstr("| \\> step 2.1 | `gaussian, noise_multiplier=4` | 2 | 25 % |\n"));
  EXPECT_THAT(markdown, HasSubstr("- a\\|\\<b\\>: two lines\n"));
  EXPECT_THAT(markdown, HasSubstr("`\"rest\": 2 x the group:`"));
  EXPECT_THAT(html, AllOf(HasSubstr("<th scope=\"row\">a|&lt;b&gt;</th>"), Not(HasSubstr("<b>: two"))));
  EXPECT_THAT(statement(sgd + R"(,"delta":1e-5)"), HasSubstr("The plan has one step, which has the whole cost."));
  EXPECT_THAT(statement(three_steps + R"(,"delta":0)"),
              HasSubstr("No step has a share of the cost: no order gives a finite R\u00e9nyi bound."));
}

TEST(ReportRequest, WidthAndMemoryReachTheExactPart) {
  const std::string width = R"(,"delta":1e-5,"tolerance":0.01,"memory":64)";
  const std::string laplace = R"("steps":[{"mechanism":"laplace","scale":5,"count":20}])";
  EXPECT_EQ(ask("report", laplace + width)["epsilon"], ask("epsilon", laplace + width));
}

TEST(ReportText, HasTheFiguresRoundedOutwards) {
  const Json exact = ask("epsilon", sgd + R"(,"delta":1e-5)")["exact"];
  const Json renyi = ask("epsilon", sgd + R"(,"delta":1e-5)")["renyi"];
  const std::string upper = rounded_up(exact["upper"].get<double>());
  const std::string text = statement(sgd + R"(,"delta":1e-5)");
  EXPECT_THAT(text, HasSubstr("satisfies **(" + upper + ", 1e-5)-differential privacy**: epsilon = " + upper +
                              " at delta = 1e-5, under adding or removing any one record."));
  EXPECT_THAT(text, HasSubstr("epsilon from " + rounded_down(exact["lower"].get<double>()) + " to " + upper));
  EXPECT_THAT(text, HasSubstr("epsilon at most " + rounded_up(renyi["epsilon"].get<double>()) + ", read off order "));
}

TEST(ReportText, SaysWhetherAUsualLoaderDoesIt) {
  const std::string poisson = statement(sgd + R"(,"delta":1e-5)");
  EXPECT_THAT(
      poisson,
      HasSubstr("> **Caution:** this holds only under Poisson sampling: each record enters each step by itself"));
  EXPECT_THAT(poisson, HasSubstr("**A usual data loader does not do this.**"));
  const std::string shuffled =
      statement(R"("neighbors":"zero-out","steps":[{"mechanism":"gaussian","noise_multiplier":4,)"
                R"("sampling":{"scheme":"shuffled","batches":10},"count":3}],"delta":1e-5)");
  EXPECT_THAT(shuffled, Not(HasSubstr("Caution")));
  EXPECT_THAT(shuffled, HasSubstr("This is what a usual data loader does"));
  EXPECT_THAT(shuffled, HasSubstr("an estimate for another way to draw, and no bound for this run"));
  const std::string all = statement(R"("steps":[{"mechanism":"laplace","scale":2}],"delta":1e-5)");
  EXPECT_THAT(all, HasSubstr("No step is sampled"));
  EXPECT_THAT(all, Not(HasSubstr("loader does not")));
}

TEST(ReportText, SaysHowOftenARecordMayContribute) {
  // tests/cli/fixtures/tree.json: the defaults are assumptions too.
  const std::string tree =
      statement(R"("neighbors":"zero-out","delta":1e-5,)"
                R"("steps":[{"mechanism":"tree-aggregation","noise_multiplier":8.83,"rounds":1600}])");
  const std::string once = "each record contributes to at most 1 round of each run of tree-aggregation. A data loader ";
  EXPECT_THAT(tree, HasSubstr("> **Caution:** this holds only if " + once + "that passes over the records several"));
  EXPECT_THAT(tree, HasSubstr("The figures assume that " + once));
  EXPECT_THAT(tree, HasSubstr("| Sampling | none; each record in at most 1 round of tree-aggregation |"));
  EXPECT_THAT(tree, Not(HasSubstr("or assumed, from how records are drawn")));
  // tests/cli/fixtures/banded.json
  const std::string banded =
      statement(R"("neighbors":"zero-out","delta":1e-5,"steps":[{"mechanism":"toeplitz-matrix","noise_multiplier":4,)"
                R"("rounds":2000,"participations":10,"min_separation":200,"coefficients":[1,0.5,0.375,0.3125]}])");
  const std::string ten =
      "each record contributes to at most 10 rounds of each run of toeplitz-matrix, at least 200 rounds apart. ";
  EXPECT_THAT(banded, HasSubstr("> **Caution:** this holds only if " + ten));
  EXPECT_THAT(banded, HasSubstr("The figures assume that " + ten));
  EXPECT_THAT(banded, HasSubstr("each record in at most 10 rounds of toeplitz-matrix, at least 200 rounds apart |"));
}

TEST(ReportRequest, FactsHaveTheContributionsOnce) {
  const std::string tree = R"({"mechanism":"tree-aggregation","noise_multiplier":20,"rounds":100})";
  const Json facts = ask("report", R"("neighbors":"zero-out","delta":1e-5,"steps":[)" + tree + "," + tree + "]");
  EXPECT_EQ(
      facts["contributions"],
      Json::parse(R"([{"mechanism":"tree-aggregation","participations":1,"min_separation":1,"fixed_order":false}])"));
  EXPECT_FALSE(ask("report", sgd + R"(,"delta":1e-5)").contains("contributions"));
}

TEST(ReportText, HasAVerdictForEachScheme) {
  const std::string text =
      statement(R"("neighbors":"zero-out","delta":1e-5,"steps":[)"
                R"({"mechanism":"gaussian","noise_multiplier":4,"sampling":{"scheme":"shuffled","batches":10}},)"
                R"({"mechanism":"gaussian","noise_multiplier":4,"sampling":{"scheme":"poisson","rate":0.1}}])");
  EXPECT_THAT(text, HasSubstr("| Sampling | shuffled epochs: as usual data loaders do; Poisson sampling: not what "
                              "usual data loaders do |"));
}

TEST(ReportText, ProposesOnlyWhatHelps) {
  const std::string nothing = "At this delta the run promises nothing.";
  EXPECT_THAT(statement(R"("steps":[{"mechanism":"gaussian","noise_multiplier":4}],"delta":0)"),
              HasSubstr(nothing + " A delta above 0 would.\n"));
  EXPECT_THAT(statement(R"("steps":[{"mechanism":"gaussian","noise_multiplier":0.01}],"delta":1e-5)"),
              HasSubstr(nothing + " More noise, fewer steps or a larger delta would.\n"));
  EXPECT_THAT(statement(R"("steps":[{"mechanism":"non-private"}],"delta":1e-5)"), HasSubstr(nothing + "\n"));
  EXPECT_THAT(
      statement(R"("steps":[{"mechanism":"non-private","sampling":{"scheme":"poisson","rate":0.25}}],"delta":1e-5)"),
      AllOf(HasSubstr(nothing + " Losses are infinite with"), HasSubstr("a delta above 0.25")));
}

TEST(ReportText, DoesNotDenyWhatIsUnknown) {
  EXPECT_THAT(
      statement(R"("steps":[{"mechanism":"zcdp","rho":0.1}],"delta":1e-5)"),
      HasSubstr("| pure DP | none is known, because the loss of zcdp (rho 0.1, xi 0) is not known to be bounded |"));
  EXPECT_THAT(statement(R"("steps":[{"mechanism":"gaussian","noise_multiplier":4}],"delta":1e-5)"),
              HasSubstr("| pure DP | none exists, because"));
}

TEST(ReportText, BoundsAreNotCalledExact) {
  const std::string text = statement(R"("steps":[{"mechanism":"exponential","epsilon":0.5,"count":4}],"delta":1e-5)");
  EXPECT_THAT(text, HasSubstr(", by bounds |"));
  EXPECT_THAT(text, Not(HasSubstr("exact for")));
}

TEST(ReportText, SaysPlainlyWhereThereIsNoGuarantee) {
  const std::string gaussian = R"("steps":[{"mechanism":"gaussian","noise_multiplier":4}])";
  EXPECT_THAT(statement(gaussian + R"(,"delta":0)"),
              HasSubstr("**No guarantee** at delta = 0: no finite epsilon holds for this run."));
  EXPECT_THAT(statement(gaussian + R"(,"delta":1)"), HasSubstr("delta = 1 never promises anything."));
  EXPECT_THAT(statement(R"("steps":[{"mechanism":"zcdp","rho":0.1}],"delta":0)"),
              HasSubstr("no finite epsilon was found for this run."));
  EXPECT_THAT(statement(R"("steps":[{"mechanism":"gaussian","noise_multiplier":0.01}],"delta":1e-5)"),
              HasSubstr(" promises nothing."));
  for (const char* delta : {"0", "1"}) {
    const std::string text = statement(gaussian + R"(,"delta":)" + delta);
    EXPECT_THAT(text, HasSubstr("| Guarantee | **none** |"));
    EXPECT_THAT(text, Not(HasSubstr("satisfies"))) << delta;
  }
}

TEST(ReportText, DoesNotCallExactWhatIsExactForSomethingElse) {
  const std::string text = statement(R"("steps":[{"mechanism":"pure-dp","epsilon":0.5,"count":4}],"delta":1e-5)");
  EXPECT_THAT(text,
              HasSubstr("The interval is exact for the worst step with that promise; what was run may cost less."));
  EXPECT_THAT(text, Not(HasSubstr("smallest epsilon that is true of the plan")));
}

TEST(ReportText, SaysWhyThereIsNoExactFigure) {
  const std::string text = statement(R"("steps":[{"mechanism":"zcdp","rho":0.1}],"delta":1e-5)");
  EXPECT_THAT(text, HasSubstr("| Exact | not available: a step enters by bounds on its divergences only"));
  EXPECT_THAT(text, HasSubstr("There is no exact figure: a step enters by bounds"));
  EXPECT_THAT(text, HasSubstr("an upper bound, rounded up"));
}

TEST(ReportText, HoldsDeltaAgainstTheSizeOfTheData) {
  EXPECT_THAT(statement(sgd + R"(,"delta":1e-5,"dataset_size":60000)"), HasSubstr("1/N = 1.66667e-5 for N = 60000"));
  EXPECT_THAT(statement(sgd + R"(,"delta":1e-5,"dataset_size":60000)"), Not(HasSubstr("is not below 1/N")));
  EXPECT_THAT(statement(sgd + R"(,"delta":1e-5,"dataset_size":100000)"), HasSubstr("is not below 1/N = 1e-5"));
  // The samplings know it too, if they agree.
  const auto fixed = [](const std::string& records) {
    return R"({"mechanism":"laplace","scale":9,"sampling":{"scheme":"fixed-size","dataset_size":)" + records +
           R"(,"batch_size":10}})";
  };
  const std::string start = R"("neighbors":"replace-one","delta":1e-5,"steps":[)";
  EXPECT_EQ(ask("report", start + fixed("1000") + "]")["dataset_size"], 1000);
  EXPECT_FALSE(ask("report", start + fixed("1000") + "," + fixed("2000") + "]").contains("dataset_size"));
  // The request may repeat it, but must not contradict it.
  EXPECT_EQ(ask("report", start + fixed("1000") + R"(],"dataset_size":1000)")["dataset_size"], 1000);
  const Json refused = ask("report", start + fixed("1000") + R"(],"dataset_size":5000000000)");
  EXPECT_EQ(refused["error"]["path"], "dataset_size");
  EXPECT_THAT(refused.dump(), HasSubstr("1000, as the sampling of the plan says"));
}

TEST(ReportText, NamesPartsAndSelections) {
  const std::string text = statement(
      R"("steps":[{"select":[{"mechanism":"laplace","scale":50}],"runs":{"law":"geometric","mean":3}},)"
      R"({"parallel":[[{"mechanism":"gaussian","noise_multiplier":20}],[{"mechanism":"laplace","scale":9}]]}],"delta":1e-5)");
  EXPECT_THAT(text, HasSubstr("only that run's result is published"));
  EXPECT_THAT(text, HasSubstr("Disjoint parts of the records"));
  EXPECT_THAT(text, HasSubstr("beyond the selection stated above"));
  EXPECT_THAT(text, HasSubstr("- `gaussian`: "));
  EXPECT_THAT(text, HasSubstr("- `laplace`: "));
}

TEST(ReportText, ThePlanInItIsThePlan) {
  const Json got =
      ask("report", R"("steps":[{"mechanism":"gaussian","noise_multiplier":20,"count":3},)"
                    R"({"mechanism":"gaussian","noise_multiplier":30}],"unit":2,"delta":1e-5,"formats":["markdown"])");
  const auto text = got["markdown"].get<std::string>();
  const std::string fence = "```json\n";
  const std::size_t from = text.find(fence) + fence.size();
  EXPECT_EQ(Json::parse(text.substr(from, text.find("\n```", from) - from)), got["plan"]);
  EXPECT_EQ(got["plan"]["unit"], 2);
}

TEST(ReportText, BothFormatsAtOnceAndHtmlIsBalanced) {
  const Json got =
      ask("report", sgd + R"(,"delta":1e-5,"title":"<i>&","remarks":["a < b"],"formats":["html","markdown"])");
  const auto page = got["html"].get<std::string>();
  EXPECT_EQ(test::unbalanced_tag(page), "");
  EXPECT_THAT(page, HasSubstr("<h1>&lt;i&gt;&amp;</h1>"));
  EXPECT_THAT(page, HasSubstr("<li>a &lt; b</li>"));
  EXPECT_THAT(got["markdown"].get<std::string>(), HasSubstr("# \\<i\\>\\&"));
}

TEST(ReportRequest, RefusesWhatItCannotUse) {
  EXPECT_EQ(error_path(""), "delta");
  EXPECT_EQ(error_path(R"(,"delta":2)"), "delta");
  EXPECT_EQ(error_path(R"(,"delta":1e-5,"dataset_size":0)"), "dataset_size");
  EXPECT_EQ(error_path(R"(,"delta":1e-5,"title":"")"), "title");
  EXPECT_EQ(error_path(R"(,"delta":1e-5,"title":"a\nb")"), "title");
  EXPECT_EQ(error_path(R"(,"delta":1e-5,"remarks":"a")"), "remarks");
  EXPECT_EQ(error_path(R"(,"delta":1e-5,"remarks":["a",1])"), "remarks[1]");
  EXPECT_EQ(error_path(R"(,"delta":1e-5,"formats":["pdf"])"), "formats[0]");
  EXPECT_EQ(error_path(R"(,"delta":1e-5,"formats":"html")"), "formats");
  EXPECT_EQ(error_path(R"(,"delta":1e-5,"tolerance":-1)"), "tolerance");
  EXPECT_EQ(error_path(R"(,"delta":1e-5,"epsilon":1)"), "epsilon");
}

}  // namespace
}  // namespace renyi::api::report_test
