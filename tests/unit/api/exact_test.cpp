// The exact part of "epsilon" and "delta", and "calibrate" by it.
#include "renyi/exact.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "api/api.h"
#include "api/json/answers.h"
#include "cost/questions.h"
#include "exact/engine.h"
#include "exact/privacy_profile.h"
#include "json/json.h"
#include "renyi/calibrate.h"

namespace renyi::api::exact_test {
namespace {

using json::Json;

const std::string sampled =
    R"("steps":[{"mechanism":"sampled-gaussian","sampling_rate":0.01,"noise_multiplier":1.1,"count":10000}])";
const std::string gaussian = R"("steps":[{"mechanism":"gaussian","noise_multiplier":2,"count":10}])";
const std::string zcdp = R"("steps":[{"mechanism":"zcdp","rho":0.1}])";

Json ask(const std::string& request) { return Json::parse(answer(request)); }

std::string error_path(const std::string& request) {
  const Json got = ask(request);
  return got.contains("error") ? got["error"]["path"].get<std::string>() : "no error";
}

void expect_figure(const Json& got, const ExactInterval& expected) {
  EXPECT_EQ(got["lower"].get<double>(), expected.lower) << got;
  EXPECT_EQ(got["upper"].get<double>(), expected.upper) << got;
  EXPECT_EQ(got["engine"], to_string(expected.engine)) << got;
}

void expect_answer(const Json& got, const ExactAnswer& expected) {
  expect_figure(got, expected.worst);
  expect_figure(got["remove"], expected.remove);
  expect_figure(got["add"], expected.add);
  EXPECT_EQ(got["direction"], expected.direction == Direction::remove ? "remove" : "add");
}

const PrivacyProfile library(Plan().add(SampledGaussian{0.01, 1.1}, 10'000));

TEST(ExactPart, StandsBesideTheRenyiBoundAndIsTheLibrarys) {
  const Json epsilon = ask(R"({"op":"epsilon",)" + sampled + R"(,"delta":1e-5})");
  expect_answer(epsilon["exact"], library.epsilon(1e-5));
  EXPECT_LT(epsilon["exact"]["upper"].get<double>(), 0.95 * epsilon["renyi"]["epsilon"].get<double>());
  const Json delta = ask(R"({"op":"delta",)" + sampled + R"(,"epsilon":5})");
  expect_answer(delta["exact"], library.delta(5));
  EXPECT_LT(delta["exact"]["upper"].get<double>(), delta["renyi"]["delta"].get<double>());
}

TEST(ExactPart, IsThereOnlyWhereItIsWanted) {
  const std::string base = R"({"op":"epsilon",)" + sampled + R"(,"delta":1e-5,"want":)";
  const Json renyi = ask(base + R"(["renyi"]})"), exact = ask(base + R"(["exact"]})");
  EXPECT_TRUE(renyi.contains("renyi") && !renyi.contains("exact")) << renyi;
  EXPECT_TRUE(exact.contains("exact") && !exact.contains("renyi")) << exact;
  EXPECT_EQ(ask(base + R"(["exact","renyi"]})"), ask(R"({"op":"epsilon",)" + sampled + R"(,"delta":1e-5})"));
}

TEST(ExactPart, SaysWhyItIsNotThere) {
  for (const char* want : {"", R"(,"want":["exact"])"}) {
    const Json got = ask(R"({"op":"epsilon",)" + zcdp + R"(,"delta":1e-5)" + want + "}");
    EXPECT_FALSE(got["exact"]["unavailable"].get<std::string>().empty()) << got;
    EXPECT_FALSE(got["exact"].contains("upper")) << got;
    EXPECT_EQ(got.contains("renyi"), *want == 0) << got;
    // Advice to ask for what is already there would be idle.
    const bool advised = got["exact"]["unavailable"].get<std::string>().find("ask for") != std::string::npos;
    EXPECT_EQ(advised, *want != 0) << got;
  }
}

TEST(ExactPart, BothDirectionsAreThereAlsoWhereTheyAreTheSame) {
  const Json got = ask(R"({"op":"epsilon",)" + gaussian + R"(,"delta":1e-5})");
  EXPECT_EQ(got["exact"]["remove"], got["exact"]["add"]);
  EXPECT_EQ(got["exact"]["remove"]["upper"], got["exact"]["upper"]);
}

TEST(ExactPart, OrdersAndConversionConcernTheRenyiPartOnly) {
  const Json plain = ask(R"({"op":"epsilon",)" + gaussian + R"(,"delta":1e-5})");
  const Json coarse = ask(R"({"op":"epsilon",)" + gaussian + R"(,"delta":1e-5,"orders":[2],"conversion":"classical"})");
  EXPECT_EQ(plain["exact"], coarse["exact"]);
  EXPECT_LT(plain["renyi"]["epsilon"].get<double>(), coarse["renyi"]["epsilon"].get<double>());
}

TEST(ExactPart, AnIntervalWiderThanTheToleranceSaysSo) {
  const std::string base = R"({"op":"delta",)" + sampled + R"(,"epsilon":5)";
  EXPECT_FALSE(ask(base + "}")["exact"].contains("note"));
  EXPECT_FALSE(ask(base + R"(,"tolerance":1e-3})")["exact"].contains("note"));
  const Json got = ask(base + R"(,"tolerance":1e-17})");
  EXPECT_NE(got["exact"]["note"].get<std::string>().find("wider than the tolerance 1e-17"), std::string::npos) << got;
}

TEST(ExactPart, StepsKnownByAPromiseAreNoted) {
  const std::string worst = "exact for the worst step with that promise; what was run may cost less";
  const std::string pure = R"("steps":[{"mechanism":"pure-dp","epsilon":0.5}])";
  const std::string gdp = R"("steps":[{"plan":[{"mechanism":"gdp","mu":0.5}],"count":2}])";
  EXPECT_EQ(ask(R"({"op":"epsilon",)" + pure + R"(,"delta":1e-5})").value("note", ""), worst);
  EXPECT_EQ(ask(R"({"op":"delta",)" + gdp + R"(,"epsilon":1})").value("note", ""), worst);
  EXPECT_EQ(ask(R"({"op":"profile",)" + pure + R"(,"deltas":[1e-5]})").value("note", ""), worst);
  EXPECT_FALSE(ask(R"({"op":"epsilon",)" + pure + R"(,"delta":1e-5,"want":["renyi"]})").contains("note"));
  EXPECT_FALSE(ask(R"({"op":"epsilon",)" + gaussian + R"(,"delta":1e-5})").contains("note"));
  EXPECT_FALSE(ask(R"({"op":"profile",)" + gaussian + R"(,"deltas":[1e-5]})").contains("note"));
}

TEST(ExactPart, InfinityIsAString) {
  const Json got = ask(R"({"op":"epsilon",)" + gaussian + R"(,"delta":0})");
  EXPECT_EQ(got["exact"]["lower"], "inf");
  EXPECT_EQ(got["exact"]["upper"], "inf");
}

TEST(ExactPart, RefusalsNameTheirPath) {
  const std::string base = R"({"op":"epsilon",)" + gaussian + R"(,"delta":1e-5)";
  EXPECT_EQ(error_path(base + R"(,"want":["best"]})"), "want[0]");
  EXPECT_EQ(error_path(base + R"(,"want":[]})"), "want");
  EXPECT_EQ(error_path(base + R"(,"want":"exact"})"), "want");
  EXPECT_EQ(error_path(base + R"(,"tolerance":0})"), "tolerance");
  EXPECT_EQ(error_path(base + R"(,"tolerance":"inf"})"), "tolerance");
  EXPECT_EQ(error_path(base + R"(,"memory":0})"), "memory");
  EXPECT_EQ(error_path(base + R"(,"memory":1.5})"), "memory");
  EXPECT_EQ(error_path(base + R"(,"memory":64,"tolerance":1e-3})"), "no error");
  EXPECT_EQ(error_path(base + R"(,"want":["renyi"],"tolerance":1e-3})"), "tolerance");
  EXPECT_EQ(error_path(base + R"(,"want":["renyi"],"memory":64})"), "memory");
}

const std::string open =
    R"({"op":"calibrate","steps":[{"mechanism":"sampled-gaussian","sampling_rate":0.01,"noise_multiplier":null,"count":10000}],"epsilon":3,"delta":1e-5)";

TEST(CalibrateRequest, ByExactIsTheDefault) {
  const Json got = ask(open + "}");
  const Calibration expected =
      calibrate(Plan().add(SampledGaussian{0.01, 1}, 10'000), {{0}, "noise_multiplier"}, {3, 1e-5});
  EXPECT_EQ(got["by"], "exact");
  EXPECT_EQ(got["value"].get<double>(), expected.value);
  EXPECT_EQ(got["renyi"]["epsilon"].get<double>(), expected.cost.renyi->upper);
  expect_answer(got["exact"], *expected.cost.exact);
  EXPECT_FALSE(got.contains("note"));
  EXPECT_EQ(got, ask(open + R"(,"by":"exact"})"));
}

TEST(CalibrateRequest, ByRenyiTakesMoreNoiseAndShowsBoth) {
  const Json exact = ask(open + "}"), renyi = ask(open + R"(,"by":"renyi"})");
  EXPECT_EQ(renyi["by"], "renyi");
  EXPECT_GT(renyi["value"].get<double>(), exact["value"].get<double>());
  EXPECT_LE(renyi["renyi"]["epsilon"].get<double>(), 3);
  EXPECT_LT(renyi["exact"]["upper"].get<double>(), 2.9);
}

TEST(CalibrateRequest, FallsBackWithANoteUnlessExactIsAskedForByName) {
  const std::string base = R"({"op":"calibrate","steps":[{"mechanism":"zcdp","rho":null}],"epsilon":1,"delta":1e-5)";
  const Json got = ask(base + "}");
  EXPECT_EQ(got["by"], "renyi");
  EXPECT_NE(got["note"].get<std::string>().find("by the Renyi bound"), std::string::npos);
  EXPECT_TRUE(got["exact"].contains("unavailable"));
  EXPECT_FALSE(ask(base + R"(,"by":"renyi"})").contains("note"));
  EXPECT_EQ(ask(base + R"(,"by":"exact"})")["error"]["kind"], "unsupported");
  EXPECT_EQ(error_path(base + R"(,"by":"best"})"), "by");
}

TEST(CalibrateRequest, NotesIntervalsTooWideToTellTheBoundary) {
  const Json got =
      ask(R"({"op":"calibrate","steps":[{"mechanism":"laplace","scale":null,"count":30}],"epsilon":1,"delta":1e-4})");
  EXPECT_EQ(got["exact"]["engine"], "lattice");
  EXPECT_NE(got["note"].get<std::string>().find("width of the exact interval"), std::string::npos);
}

TEST(ExactAnswer, AContradictionIsAMember) {
  const ExactInterval wrong = exact::intersection_or_hull(ExactInterval{{1, 2}, Engine::contour}, {3, 4}, "another");
  Cost cost{.exact = ExactAnswer{.worst = wrong, .remove = wrong, .add = wrong}};
  cost.contradiction = contradiction_of(*cost.exact);
  const Json json = write_exact(cost);
  EXPECT_EQ(json["contradiction"], cost.contradiction);
  EXPECT_EQ(json["lower"], 0);
  EXPECT_EQ(json["upper"], 4);
  cost.contradiction.clear();
  EXPECT_FALSE(write_exact(cost).contains("contradiction"));
}

}  // namespace
}  // namespace renyi::api::exact_test
