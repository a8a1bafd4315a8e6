#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "renyi/error.h"
#include "renyi/extras/convert.h"
#include "renyi/extras/select.h"
#include "renyi/plan.h"

namespace renyi::event_test {
namespace {

// ["dp_accounting.dp_event", "<name>DpEvent", fields...]
std::string tuple(const std::string& name, const std::string& fields = "") {
  return R"(["dp_accounting.dp_event",")" + name + "DpEvent\"" + (fields.empty() ? "" : "," + fields) + "]";
}

// {"module_name":..., "class_name":..., members...}
std::string object(const std::string& name, const std::string& members = "") {
  return R"({"module_name":"dp_accounting.dp_event","class_name":")" + name + "DpEvent\"" +
         (members.empty() ? "" : "," + members) + "}";
}

const std::string gauss = tuple("Gaussian", "1.5");

std::string steps_of(const std::string& record, Neighbors neighbors = Neighbors::add_or_remove_one) {
  const std::string text = write_plan(convert_dp_events(record, neighbors));
  return text.substr(text.find("\"steps\":") + 8, text.size() - text.find("\"steps\":") - 9);
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

TEST(DpEvents, BothSpellingsMeanTheSame) {
  const std::string sampled =
      R"([{"mechanism":"sampled-gaussian","sampling_rate":0.01,"noise_multiplier":1.1,"count":5}])";
  EXPECT_EQ(steps_of(tuple("SelfComposed", tuple("PoissonSampled", "0.01," + tuple("Gaussian", "1.1")) + ",5")),
            sampled);
  const std::string inner = object("Gaussian", R"("noise_multiplier":1.1)");
  const std::string poisson = object("PoissonSampled", R"("sampling_probability":0.01,"event":)" + inner);
  EXPECT_EQ(steps_of(object("SelfComposed", R"("event":)" + poisson + R"(,"count":5)")), sampled);
  EXPECT_EQ(steps_of(R"({"count":5,"event":)" + poisson +
                     R"(,"class_name":"SelfComposedDpEvent","module_name":"dp_accounting.dp_event"})"),
            sampled);
}

TEST(DpEvents, NothingCostsNothing) {
  EXPECT_EQ(steps_of(tuple("NoOp")), "[]");
  EXPECT_EQ(steps_of(object("NoOp")), "[]");
  EXPECT_EQ(steps_of(tuple("Composed", "[]")), "[]");
}

TEST(DpEvents, NoiseIsRelativeToOneRecordsContribution) {
  EXPECT_EQ(steps_of(gauss), R"([{"mechanism":"gaussian","noise_multiplier":1.5}])");
  EXPECT_EQ(steps_of(gauss, Neighbors::zero_out), R"([{"mechanism":"gaussian","noise_multiplier":1.5}])");
  EXPECT_EQ(steps_of(gauss, Neighbors::replace_one), R"([{"mechanism":"gaussian","stddev":1.5,"l2_sensitivity":2}])");
  EXPECT_EQ(steps_of(tuple("Laplace", "3")), R"([{"mechanism":"laplace","scale":3}])");
  EXPECT_EQ(steps_of(tuple("Laplace", "3"), Neighbors::replace_one),
            R"([{"mechanism":"laplace","scale":3,"l1_sensitivity":2}])");
}

TEST(DpEvents, NoNoiseIsNoPrivacy) {
  const std::string shown = R"([{"mechanism":"non-private"}])";
  EXPECT_EQ(steps_of(tuple("NonPrivate")), shown);
  EXPECT_EQ(steps_of(tuple("Gaussian", "0")), shown);
  EXPECT_EQ(steps_of(tuple("Laplace", "0.0")), shown);
  EXPECT_EQ(steps_of(tuple("DiscreteLaplace", "0,1")), shown);
  EXPECT_EQ(steps_of(tuple("Composed", "[" + gauss + "," + tuple("SelfComposed", tuple("NonPrivate") + ",3") + "]")),
            R"([{"mechanism":"gaussian","noise_multiplier":1.5},{"mechanism":"non-private","count":3}])");
  EXPECT_EQ(steps_of(object("Composed", R"("events":[)" + object("NonPrivate") + "]")), shown);
  EXPECT_EQ(steps_of(tuple("SelfComposed", tuple("NonPrivate") + ",0")), "[]");
  EXPECT_EQ(steps_of(tuple("RandomizedResponse", "0,2"), Neighbors::replace_one), shown);
}

TEST(DpEvents, RandomizedResponseMayTellTheTruthByChance) {
  // 1 - 0.5 + 0.5/4
  EXPECT_EQ(steps_of(tuple("RandomizedResponse", "0.5,4"), Neighbors::replace_one),
            R"([{"mechanism":"randomized-response","truth_probability":0.625,"categories":4}])");
  EXPECT_EQ(steps_of(tuple("RandomizedResponse", "0.5,2"), Neighbors::replace_one),
            R"([{"mechanism":"randomized-response","truth_probability":0.75}])");
  EXPECT_EQ(steps_of(tuple("RandomizedResponse", "1,3"), Neighbors::replace_one), "[]");
  EXPECT_EQ(steps_of(tuple("RandomizedResponse", "0,1"), Neighbors::replace_one), "[]");
}

TEST(DpEvents, TruthIsRoundedUp) {
  for (const double p : {0.1, 0.3, 0.7, 1e-6, 1e-12, 1 - 1e-12}) {
    for (const int k : {2, 3, 7, 1000}) {
      const std::string record = tuple("RandomizedResponse", fmt::format("{},{}", p, k));
      const auto steps = convert_dp_events(record, Neighbors::replace_one).merged();
      const double truth = steps.at(0).mechanism.get_if<RandomizedResponse>()->truth_probability;
      const long double exact = 1 - static_cast<long double>(p) * (k - 1) / k;
      EXPECT_GE(truth, exact - 1e-19L) << record;
      EXPECT_LE(truth, exact + 5e-16L) << record;
    }
  }
}

TEST(DpEvents, RandomizedResponseIsAboutReplacement) {
  EXPECT_EQ(refusal(tuple("Composed", "[" + tuple("RandomizedResponse", "0.5,4") + "]")), "unsupported [2][0]");
  EXPECT_EQ(refusal(tuple("RandomizedResponse", "0.5,4"), Neighbors::zero_out), "unsupported ");
  EXPECT_EQ(refusal(tuple("RandomizedResponse", "1e-17,4"), Neighbors::replace_one), "unsupported ");
  EXPECT_EQ(refusal(tuple("RandomizedResponse", "1.5,4"), Neighbors::replace_one), "invalid [2]");
  EXPECT_EQ(refusal(tuple("RandomizedResponse", "0.5,0"), Neighbors::replace_one), "invalid [3]");
  EXPECT_EQ(refusal(tuple("RandomizedResponse", "0.5,4.0"), Neighbors::replace_one), "invalid [3]");
}

TEST(DpEvents, ConcentratedSteps) {
  EXPECT_EQ(steps_of(tuple("ZC", "0.25,0.5")), R"([{"mechanism":"zcdp","rho":0.25,"xi":0.5}])");
  EXPECT_EQ(steps_of(tuple("ZC", "0.25,0.0")), R"([{"mechanism":"zcdp","rho":0.25}])");
  EXPECT_EQ(steps_of(tuple("ZC", "0.25")), R"([{"mechanism":"zcdp","rho":0.25}])");
  EXPECT_EQ(steps_of(object("ZC", R"("rho":0)")), R"([{"mechanism":"zcdp","rho":0}])");
  EXPECT_EQ(refusal(tuple("ZC", "-1,0")), "invalid [2]");
  EXPECT_EQ(refusal(object("ZC", R"("rho":1,"xi":-1)")), "invalid xi");
}

TEST(DpEvents, StepsKnownByEpsilonAndDelta) {
  EXPECT_EQ(steps_of(tuple("EpsilonDelta", "0.5,0")), R"([{"mechanism":"pure-dp","epsilon":0.5}])");
  EXPECT_EQ(steps_of(tuple("EpsilonDelta", "0.5,1e-9")), R"([{"mechanism":"approx-dp","epsilon":0.5,"delta":1e-09}])");
  EXPECT_EQ(refusal(tuple("EpsilonDelta", "0.5,-1e-9")), "invalid [3]");
  EXPECT_EQ(refusal(tuple("EpsilonDelta", "-0.5,0")), "invalid [2]");
}

// DLap(a) has masses in proportion to exp(-a|x|); the sensitivity is that of one record's contribution.
TEST(DpEvents, DiscreteNoise) {
  EXPECT_EQ(steps_of(tuple("DiscreteLaplace", "0.25,3")),
            R"([{"mechanism":"discrete-laplace","scale":4,"sensitivity":3}])");
  EXPECT_EQ(steps_of(object("DiscreteLaplace", R"("noise_parameter":0.25,"sensitivity":3)"), Neighbors::replace_one),
            R"([{"mechanism":"discrete-laplace","scale":4,"sensitivity":6}])");
  EXPECT_EQ(refusal(tuple("DiscreteLaplace", "-1,3")), "invalid [2]");
  EXPECT_EQ(refusal(tuple("DiscreteLaplace", "1e-10,3")), "invalid [2]");
  EXPECT_EQ(refusal(tuple("DiscreteLaplace", "0.25,0")), "invalid [3]");
  EXPECT_EQ(refusal(tuple("DiscreteLaplace", "0.25,1.5")), "invalid [3]");
  EXPECT_EQ(steps_of(tuple("DiscreteGaussian", "4,3,1")),
            R"([{"mechanism":"discrete-gaussian","stddev":4,"sensitivity":3}])");
  EXPECT_EQ(steps_of(tuple("DiscreteGaussian", "4,2.5,1"), Neighbors::replace_one),
            R"([{"mechanism":"discrete-gaussian","stddev":4,"sensitivity":4}])");
  // A vector, or noise without a given dimension, becomes its zCDP, 3^2/(2 4^2).
  for (const std::string fields : {"4,3", "4,3,null", "4,3,7"}) {
    EXPECT_EQ(steps_of(tuple("DiscreteGaussian", fields)), R"([{"mechanism":"zcdp","rho":0.28125}])") << fields;
  }
  EXPECT_EQ(steps_of(tuple("DiscreteGaussian", "4")), R"([{"mechanism":"zcdp","rho":0.03125}])");
  EXPECT_EQ(refusal(tuple("DiscreteGaussian", "4,3,0")), "invalid [4]");
  EXPECT_EQ(refusal(tuple("DiscreteGaussian", "4,-3,1")), "invalid [3]");
}

TEST(DpEvents, ScalesAreRoundedDown) {
  for (const double a : {0.1, 0.3, 0.7, 3.0, 1e-9, 999.0}) {
    const Mechanism step = convert_dp_events(tuple("DiscreteLaplace", fmt::format("{},1", a))).merged().at(0).mechanism;
    EXPECT_LE(static_cast<long double>(step.values()[0]) * static_cast<long double>(a), 1.0L) << a;
    EXPECT_GE(static_cast<long double>(step.values()[0]) * static_cast<long double>(a), 1 - 4e-16L) << a;
  }
}

TEST(DpEvents, Choices) {
  EXPECT_EQ(steps_of(tuple("ExponentialMechanism", "0.5")), R"([{"mechanism":"exponential","epsilon":0.5}])");
  EXPECT_EQ(steps_of(tuple("PermuteAndFlip", "0.5")), R"([{"mechanism":"permute-and-flip","epsilon":0.5}])");
  EXPECT_EQ(refusal(tuple("ExponentialMechanism", "-1")), "invalid [2]");
}

std::string best_of(const std::string& event, const std::string& mean, const std::string& shape) {
  return tuple("RepeatAndSelect", event + "," + mean + "," + shape);
}

TEST(DpEvents, TheBestOfSeveralRuns) {
  const auto selected = [](const std::string& runs) {
    return R"([{"select":[{"mechanism":"gaussian","noise_multiplier":1.5}],"runs":{)" + runs + "}}]";
  };
  EXPECT_EQ(steps_of(best_of(gauss, "20", "1")), selected(R"("law":"geometric","mean":20)"));
  EXPECT_EQ(steps_of(best_of(gauss, "20", "1.0")), selected(R"("law":"geometric","mean":20)"));
  EXPECT_EQ(steps_of(best_of(gauss, "0.5", "\"inf\"")), selected(R"("law":"poisson","mean":0.5)"));
  EXPECT_EQ(steps_of(best_of(gauss, "1", "0")), selected(R"("law":"logarithmic","gamma":1)"));
  EXPECT_EQ(steps_of(tuple("SelfComposed", best_of(gauss, "1", "3.5") + ",4")),
            R"([{"select":[{"mechanism":"gaussian","noise_multiplier":1.5}],)"
            R"("runs":{"law":"negative-binomial","eta":3.5,"gamma":1},"count":4}])");
  // A run may be composed and sampled, and hold selections.
  const std::string sampled = tuple("PoissonSampled", "0.5," + tuple("Laplace", "2"));
  EXPECT_EQ(
      steps_of(best_of(tuple("Composed", "[" + best_of(gauss, "2", "1") + "," + sampled + "]"), "3", "1")),
      R"([{"select":[{"select":[{"mechanism":"gaussian","noise_multiplier":1.5}],"runs":{"law":"geometric","mean":2}},)"
      R"({"mechanism":"laplace","scale":2,"sampling":{"scheme":"poisson","rate":0.5}}],)"
      R"("runs":{"law":"geometric","mean":3}}])");
  EXPECT_EQ(steps_of(best_of(tuple("NoOp"), "20", "1")), "[]");
}

// The law with this mean, or one with a few more runs.
TEST(DpEvents, MeansAreNeverRoundedDown) {
  for (const double shape : {0.0, 0.5, 2.0, 100.0, 1e6}) {
    for (const double mean : {1 + 1e-9, 1.3, 20.0, 12345.678, 1e12}) {
      const std::string record = best_of(gauss, fmt::format("{}", mean), fmt::format("{}", shape));
      const Mechanism step = convert_dp_events(record).merged().at(0).mechanism;
      const Runs runs = step.get_if<Select>()->runs();
      const long double g = runs.gamma, eta = shape;
      const long double exact =
          shape == 0 ? (1 / g - 1) / std::log(1 / g) : eta * (1 - g) / (g * -std::expm1(eta * std::log(g)));
      EXPECT_GE(exact, mean * (1 - 1e-17L)) << record;
      EXPECT_LE(exact, mean * (1 + 1e-9L)) << record;  // gamma is a double, and next to 1 a coarse one
    }
  }
}

TEST(DpEvents, RefusalsOfSelections) {
  EXPECT_EQ(refusal(best_of(gauss, "0.5", "1")), "invalid [3]");
  EXPECT_EQ(refusal(best_of(gauss, "1e15", "1e-3")), "invalid [3]");
  for (const std::string shape : {"-1", "-0.5", "1e7", "\"infinity\"", "null"}) {
    EXPECT_EQ(refusal(best_of(gauss, "5", shape)), "invalid [4]") << shape;
  }
  EXPECT_EQ(refusal(best_of(tuple("Unsupported"), "5", "1")), "unsupported [2][1]");
  EXPECT_EQ(refusal(best_of(tuple("RandomizedResponse", "0.5,4"), "5", "1")), "unsupported [2]");
  std::string deep = gauss;
  for (int i = 0; i < 5; ++i) deep = best_of(deep, "2", "1");
  EXPECT_EQ(refusal(deep), "unsupported ");
}

TEST(DpEvents, NestedCountsMultiplyAndEqualStepsMerge) {
  const std::string twice = tuple("SelfComposed", tuple("Composed", "[" + gauss + "," + tuple("ZC", "1") + "]") + ",2");
  EXPECT_EQ(steps_of(tuple("Composed", "[" + tuple("SelfComposed", twice + ",3") + "," + gauss + "]")),
            R"([{"mechanism":"gaussian","noise_multiplier":1.5,"count":7},{"mechanism":"zcdp","rho":1,"count":6}])");
  EXPECT_EQ(steps_of(tuple("SelfComposed", twice + ",0")), "[]");
}

TEST(DpEvents, CountsThatOverflowAreRefused) {
  const std::string most = tuple("SelfComposed", gauss + ",9223372036854775807");
  EXPECT_EQ(steps_of(most), R"([{"mechanism":"gaussian","noise_multiplier":1.5,"count":9223372036854775807}])");
  EXPECT_EQ(refusal(tuple("SelfComposed", most + ",2")), "invalid [3]");
  EXPECT_EQ(refusal(tuple("Composed", "[" + most + "," + gauss + "]")), "invalid document");
  EXPECT_EQ(refusal(tuple("SelfComposed", gauss + ",-1")), "invalid [3]");
  EXPECT_EQ(refusal(tuple("SelfComposed", gauss + ",1.0")), "invalid [3]");
}

TEST(DpEvents, UnknownAndRefusedClassesSayWhatIsKnown) {
  for (const std::string name : {"", "Unsupported", "RandomAllocation", "MixtureOfGaussians", "Novel"}) {
    EXPECT_EQ(refusal(tuple("Composed", "[" + tuple(name, "1,2") + "]")), "unsupported [2][0][1]") << name;
    EXPECT_EQ(refusal(tuple("SelfComposed", object(name) + ",0")), "unsupported [2].class_name") << name;
  }
  try {
    convert_dp_events(tuple("Novel"));
    FAIL();
  } catch (const Unsupported& error) {
    EXPECT_NE(std::string(error.what()).find("\"NovelDpEvent\" is no event class known here; use one of NoOpDpEvent"),
              std::string::npos);
  }
}

TEST(DpEvents, OnlyNamesOfTheTableAreLookedAt) {
  EXPECT_EQ(refusal(R"(["os","system","true"])"), "invalid [0]");
  EXPECT_EQ(refusal(R"({"module_name":"os","class_name":"GaussianDpEvent","noise_multiplier":1})"),
            "invalid module_name");
  EXPECT_EQ(refusal(R"(["dp_accounting.dp_event","__import__"])"), "unsupported [1]");
}

TEST(DpEvents, RefusalsNameTheirPath) {
  EXPECT_EQ(refusal("[]"), "invalid document");
  EXPECT_EQ(refusal("3"), "invalid document");
  EXPECT_EQ(refusal(R"(["dp_accounting.dp_event"])"), "invalid document");
  EXPECT_EQ(refusal(R"(["dp_accounting.dp_event",7])"), "invalid [1]");
  EXPECT_EQ(refusal(R"([7,"NoOpDpEvent"])"), "invalid [0]");
  EXPECT_EQ(refusal(R"({"class_name":"NoOpDpEvent"})"), "invalid module_name");
  EXPECT_EQ(refusal(R"({"module_name":"dp_accounting.dp_event"})"), "invalid class_name");
  EXPECT_EQ(refusal(tuple("Gaussian")), "invalid document");
  EXPECT_EQ(refusal(tuple("Gaussian", "1,2")), "invalid document");
  EXPECT_EQ(refusal(tuple("Composed", "[" + tuple("NoOp", "1") + "]")), "invalid [2][0]");
  EXPECT_EQ(refusal(object("Gaussian")), "invalid noise_multiplier");
  EXPECT_EQ(refusal(object("Gaussian", R"("noise_multiplier":1,"count":2)")), "invalid count");
  EXPECT_EQ(refusal(object("Gaussian", R"("noise_multiplier":1,"noise_multiplier":2)")), "invalid noise_multiplier");
  EXPECT_EQ(refusal(object("Gaussian", R"("noise_multiplier":"1")")), "invalid noise_multiplier");
  EXPECT_EQ(refusal(tuple("Gaussian", "-1")), "invalid [2]");
  EXPECT_EQ(refusal(tuple("Laplace", "null")), "invalid [2]");
  EXPECT_EQ(refusal(tuple("Composed", gauss)), "invalid [2][0]");
  EXPECT_EQ(refusal(tuple("Composed", "{}")), "invalid [2]");
  EXPECT_EQ(refusal(tuple("Gaussian", "NaN")).substr(0, 12), "invalid byte");
  EXPECT_EQ(refusal(tuple("Gaussian", "Infinity")).substr(0, 12), "invalid byte");
}

TEST(DpEvents, DeepNestingIsRefused) {
  std::string record = gauss;
  for (int i = 0; i < 62; ++i) record = tuple("SelfComposed", record + ",1");
  EXPECT_EQ(refusal(record), "not refused");
  for (int i = 0; i < 2; ++i) record = tuple("SelfComposed", record + ",1");
  EXPECT_EQ(refusal(record).substr(0, 7), "invalid");
}

}  // namespace
}  // namespace renyi::event_test
