#include "plan/select/runs.h"

#include <gtest/gtest.h>

#include <cmath>

#include "renyi/error.h"
#include "renyi/plan.h"
#include "support/best_of_runs.h"

namespace renyi::runs_test {
namespace {

const std::vector<Runs> some_runs{Runs::geometric(1),
                                  Runs::geometric(7.5),
                                  Runs::logarithmic(0.03),
                                  Runs::logarithmic(0.999),
                                  Runs::negative_binomial(-0.7, 0.1),
                                  Runs::negative_binomial(0.5, 0.01),
                                  Runs::negative_binomial(3, 0.2),
                                  Runs::poisson(0.3),
                                  Runs::poisson(25)};

// Term by term: all is there, and the mean is that of the law, rounded up.
TEST(Runs, ExpectedIsTheMeanOfTheLaw) {
  for (const Runs& runs : some_runs) {
    SCOPED_TRACE(testing::Message() << to_string(runs.law) << ' ' << runs.values()[0]);
    long double sum = 0, mean = 0;
    const auto law = test::law_of_runs(runs);
    for (std::size_t k = 0; k < law.size(); ++k) {
      sum += law[k];
      mean += static_cast<long double>(k) * law[k];
    }
    EXPECT_NEAR(static_cast<double>(sum), 1, 1e-14);
    EXPECT_GE(runs.expected(), static_cast<double>(mean) * (1 - 1e-15));
    EXPECT_LE(runs.expected(), static_cast<double>(mean) * (1 + 1e-12));
  }
}

TEST(Runs, GeometricAndLogarithmicAreNegativeBinomial) {
  const auto geometric = plan::truncated_binomial(Runs::geometric(8)),
             same = plan::truncated_binomial(Runs::negative_binomial(1, 0.125));
  EXPECT_NEAR(geometric.log_mean, same.log_mean, 1e-14);
  EXPECT_NEAR(geometric.log_inverse_gamma, std::log(8), 1e-14);
  EXPECT_EQ(plan::truncated_binomial(Runs::logarithmic(0.2)).log_mean,
            plan::truncated_binomial(Runs::negative_binomial(0, 0.2)).log_mean);
}

TEST(Runs, CornersHaveFiniteTerms) {
  for (const double eta : {std::nextafter(-1.0, 0.0), -0.5, 0.0, 1e-300, 1.0, 1e6}) {
    for (const double gamma : {1e-15, 0.5, 1 - 1e-15, 1.0}) {
      const auto terms = plan::truncated_binomial(Runs::negative_binomial(eta, gamma));
      EXPECT_TRUE(std::isfinite(terms.log_mean) && terms.log_mean >= 0) << eta << ' ' << gamma;
      EXPECT_TRUE(std::isfinite(terms.log_inverse_gamma) && terms.log_inverse_gamma >= 0);
    }
  }
}

TEST(Runs, NumbersOutOfRangeAreRefusedByName) {
  const auto refused = [](const Runs& runs, std::string_view name) {
    try {
      runs.check();
      ADD_FAILURE() << "accepted";
    } catch (const InvalidArgument& error) {
      EXPECT_EQ(error.path(), name);
    }
  };
  refused(Runs::geometric(0.5), "mean");
  refused(Runs::poisson(0), "mean");
  refused(Runs::poisson(std::nan("")), "mean");
  refused(Runs::logarithmic(0), "gamma");
  refused(Runs::negative_binomial(-1, 0.5), "eta");
  refused(Runs::negative_binomial(1, 1.5), "gamma");
  EXPECT_THROW(Runs::poisson(3).with("gamma", 0.1), InvalidArgument);
  EXPECT_THROW(Select({}, Runs::geometric(0)), InvalidArgument);
}

std::string plan_of(const std::string& runs, const std::string& more = "") {
  return R"({"renyi":1,"neighbors":"add-or-remove-one","steps":[{"select":[{"mechanism":"pure-dp","epsilon":1}],"runs":)" +
         runs + more + "}]}";
}

TEST(SelectJson, ReadsBackWhatItWrites) {
  for (const std::string runs :
       {R"({"law":"geometric","mean":10.0})", R"({"law":"logarithmic","gamma":0.1})",
        R"({"law":"negative-binomial","eta":-0.5,"gamma":0.01})", R"({"law":"poisson","mean":2.5})"}) {
    for (const std::string more : {"", R"(,"count":3)"}) {
      const Plan plan = read_plan(plan_of(runs, more));
      const std::string text = write_plan(plan);
      EXPECT_EQ(write_plan(read_plan(text)), text);
      const auto steps = plan.merged();
      ASSERT_EQ(steps.size(), 1U);
      EXPECT_EQ(steps[0].count, more.empty() ? 1 : 3);
      EXPECT_EQ(*steps[0].mechanism.get_if<Select>(), *read_plan(text).merged()[0].mechanism.get_if<Select>());
    }
  }
}

// 1/0.3 is rounded up: more runs, never fewer.
TEST(SelectJson, AGeometricLawMayBeGivenByGamma) {
  const Plan plan = read_plan(plan_of(R"({"law":"geometric","gamma":0.3})"));
  const double mean = plan.merged()[0].mechanism.get_if<Select>()->runs().mean;
  EXPECT_GE(static_cast<long double>(mean) * 0.3, 1.0L);
  EXPECT_NEAR(mean, 1 / 0.3, 1e-15);
}

TEST(SelectJson, RefusesWithThePath) {
  const auto path_of = [](const std::string& text) -> std::string {
    try {
      read_plan(text);
    } catch (const Error& error) {
      return error.path();
    }
    return "accepted";
  };
  EXPECT_EQ(path_of(plan_of(R"({"law":"uniform"})")), "steps[0].runs.law");
  EXPECT_EQ(path_of(plan_of(R"({"law":"geometric"})")), "steps[0].runs.mean");
  EXPECT_EQ(path_of(plan_of(R"({"law":"geometric","mean":0.5})")), "steps[0].runs.mean");
  EXPECT_EQ(path_of(plan_of(R"({"law":"geometric","mean":5,"gamma":0.2})")), "steps[0].runs.mean");
  EXPECT_EQ(path_of(plan_of(R"({"law":"geometric","gamma":0})")), "steps[0].runs.gamma");
  EXPECT_EQ(path_of(plan_of(R"({"law":"poisson","mean":"inf"})")), "steps[0].runs.mean");
  EXPECT_EQ(path_of(plan_of(R"({"law":"poisson","mean":5,"eta":1})")), "steps[0].runs.eta");
  EXPECT_EQ(path_of(plan_of(R"({"law":"negative-binomial","eta":-1,"gamma":0.1})")), "steps[0].runs.eta");
  EXPECT_EQ(path_of(plan_of(R"({"law":"poisson","mean":5})", R"(,"sampling":{})")), "steps[0].sampling");
  EXPECT_EQ(path_of(R"({"renyi":1,"steps":[{"select":[]}]})"), "steps[0].runs");
  EXPECT_EQ(path_of(R"({"renyi":1,"steps":[{"select":[{"mechanism":"pure-dp"}],"runs":{"law":"poisson","mean":5}}]})"),
            "steps[0].select[0].epsilon");
}

}  // namespace
}  // namespace renyi::runs_test
