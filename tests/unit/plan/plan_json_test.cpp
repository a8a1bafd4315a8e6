#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "conversion/renyi_bound.h"
#include "renyi/error.h"
#include "renyi/plan.h"

namespace renyi::plan_json_test {
namespace {

std::string plan_of(const std::string& steps) { return R"({"renyi":1,"steps":)" + steps + "}"; }

// Path of the refusal of a plan with these steps.
std::string refused_at(const std::string& document) {
  try {
    read_plan(document);
  } catch (const Error& error) {
    return error.path();
  }
  return "not refused";
}

// A table as a plan file has it.
std::string text_of(const Mechanism& mechanism, std::size_t table) {
  const TableParameter& shape = mechanism.tables()[table];
  const bool is_list = shape.columns.size() == 1 && !shape.any_width;
  std::string text;
  const Rows rows = mechanism.rows().at(table);
  for (const auto& row : rows) {
    std::string numbers;
    for (const double number : row) {
      numbers += (numbers.empty() ? "" : ",") + (std::isinf(number) ? R"("inf")" : fmt::format("{}", number));
    }
    text += (text.empty() ? "" : ",") + (is_list ? numbers : "[" + numbers + "]");
  }
  return "[" + text + "]";
}

TEST(ReadPlan, ReadsEveryMechanismWithItsDefaultsAndRequiredParameters) {
  for (const Mechanism& mechanism : all_mechanisms()) {
    if (!mechanism.replacement_only().empty()) continue;  // the plans here are for the default relation
    std::string step = R"([{"mechanism":")" + std::string(mechanism.kind()) + '"';
    const auto values = mechanism.values();
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Parameter& parameter = mechanism.parameters()[i];
      if (parameter.fallback == values[i]) continue;
      step += ",\"" + std::string(parameter.name) + "\":" + fmt::format("{}", values[i]);
    }
    const auto rows = mechanism.rows();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (!rows[i].empty()) step += ",\"" + std::string(mechanism.tables()[i].name) + "\":" + text_of(mechanism, i);
    }
    const Plan plan = read_plan(plan_of(step + "}]"));
    ASSERT_EQ(plan.steps().size(), 1U);
    EXPECT_EQ(std::get<Mechanism>(plan.steps()[0].what), mechanism);
  }
}

TEST(ReadPlan, ReadsCountsNestingAndRelation) {
  const Plan plan = read_plan(
      R"({"steps":[{"plan":[{"mechanism":"laplace","scale":2,"count":3}],"count":4}],"neighbors":"zero-out","renyi":1})");
  EXPECT_EQ(plan.neighbors(), Neighbors::zero_out);
  const auto merged = plan.merged();
  ASSERT_EQ(merged.size(), 1U);
  EXPECT_EQ(merged[0].count, 12);
  EXPECT_EQ(merged[0].mechanism, Mechanism(Laplace{.scale = 2}));
}

TEST(ReadPlan, AnAliasSetsItsParameter) {
  const Plan plan = read_plan(plan_of(R"([{"mechanism":"gaussian","noise_multiplier":2}])"));
  EXPECT_EQ(std::get<Mechanism>(plan.steps()[0].what), Mechanism(Gaussian{.stddev = 2, .l2_sensitivity = 1}));
}

TEST(ReadPlan, RefusalsNameTheirPath) {
  EXPECT_EQ(refused_at("[]"), "document");
  EXPECT_EQ(refused_at(R"({"steps":[]})"), "renyi");
  EXPECT_EQ(refused_at(R"({"renyi":2,"steps":[]})"), "renyi");
  EXPECT_EQ(refused_at(R"({"renyi":1.0,"steps":[]})"), "renyi");
  EXPECT_EQ(refused_at(R"({"renyi":1})"), "steps");
  EXPECT_EQ(refused_at(R"({"renyi":1,"steps":[],"comment":"x"})"), "comment");
  EXPECT_EQ(refused_at(R"({"renyi":1,"steps":[],"neighbors":"one"})"), "neighbors");
  EXPECT_EQ(refused_at(plan_of("{}")), "steps");
  EXPECT_EQ(refused_at(plan_of("[1]")), "steps[0]");
  EXPECT_EQ(refused_at(plan_of("[{}]")), "steps[0].mechanism");
  EXPECT_EQ(refused_at(plan_of(R"([{"mechanism":"magic"}])")), "steps[0].mechanism");
  EXPECT_EQ(refused_at(plan_of(R"([{"mechanism":"laplace"}])")), "steps[0].scale");
  EXPECT_EQ(refused_at(plan_of(R"([{"mechanism":"laplace","scale":0}])")), "steps[0].scale");
  EXPECT_EQ(refused_at(plan_of(R"([{"mechanism":"laplace","scale":"1"}])")), "steps[0].scale");
  EXPECT_EQ(refused_at(plan_of(R"([{"mechanism":"laplace","scale":null}])")), "steps[0].scale");
  EXPECT_EQ(refused_at(plan_of(R"([{"mechanism":"laplace","scale":1,"sigma":2}])")), "steps[0].sigma");
  EXPECT_EQ(refused_at(plan_of(R"([{"plan":[],"scale":1}])")), "steps[0].scale");
  EXPECT_EQ(refused_at(plan_of(R"([{"plan":[{"mechanism":"x"}]}])")), "steps[0].plan[0].mechanism");
}

TEST(ReadPlan, RefusesCountsThatAreNoIntegerLiteralsInRange) {
  for (const std::string count : {"0", "-1", "1.0", "1e4", "9223372036854775808", "\"5\"", "null", "true"}) {
    EXPECT_EQ(refused_at(plan_of(R"([{"mechanism":"laplace","scale":1,"count":)" + count + "}]")), "steps[0].count")
        << count;
  }
  EXPECT_EQ(refused_at(plan_of(R"([{"mechanism":"laplace","scale":1,"count":9223372036854775807}])")), "not refused");
  EXPECT_EQ(
      refused_at(plan_of(R"([{"plan":[{"mechanism":"laplace","scale":1,"count":4611686018427387904}],"count":2}])")),
      "steps[0].count");
}

TEST(ReadPlan, RefusesAnAliasBesideWhatItExcludes) {
  EXPECT_EQ(refused_at(plan_of(R"([{"mechanism":"gaussian","noise_multiplier":2,"stddev":2}])")), "steps[0].stddev");
  EXPECT_EQ(refused_at(plan_of(R"([{"mechanism":"gaussian","noise_multiplier":2,"l2_sensitivity":2}])")),
            "steps[0].l2_sensitivity");
}

TEST(ReadPlan, RefusesARelationTheMechanismIsNotAnalysedUnder) {
  const std::string steps = R"([{"mechanism":"laplace","scale":1,"sampling":{"scheme":"shuffled","batches":10}}])";
  EXPECT_THROW(read_plan(plan_of(steps)), Unsupported);
  EXPECT_NO_THROW(read_plan(R"({"renyi":1,"neighbors":"zero-out","steps":)" + steps + "}"));
}

TEST(ReadPlan, ReadsSamplingUnitAndParallelParts) {
  const Plan plan = read_plan(
      R"({"renyi":1,"unit":4,"neighbors":"replace-one","steps":[)"
      R"({"mechanism":"gaussian","stddev":2,"sampling":{"scheme":"fixed-size","dataset_size":100,"batch_size":5},"count":3}]})");
  EXPECT_EQ(plan.adjacency(), (Adjacency{Neighbors::replace_one, 4}));
  EXPECT_EQ(plan.merged()[0].mechanism, Mechanism(Gaussian{2}).sampled_by(Sampling::fixed_size(100, 5)));
  EXPECT_EQ(plan.merged()[0].count, 3);
  const Plan parts = read_plan(plan_of(
      R"([{"parallel":[[{"mechanism":"laplace","scale":2}],[{"mechanism":"laplace","scale":3,"count":2}]],"count":5}])"));
  const auto* parallel = std::get<Mechanism>(parts.steps()[0].what).get_if<Parallel>();
  ASSERT_NE(parallel, nullptr);
  ASSERT_EQ(parallel->parts().size(), 2U);
  EXPECT_EQ(std::get<Mechanism>(parallel->parts()[1][0].what), Mechanism(Laplace{3}));
  EXPECT_EQ(parallel->parts()[1][0].count, 2);
  EXPECT_EQ(parts.steps()[0].count, 5);
}

std::string sampled(const std::string& sampling) {
  return R"({"renyi":1,"neighbors":"zero-out","steps":[{"mechanism":"laplace","scale":1,"sampling":)" + sampling +
         "}]}";
}

TEST(ReadPlan, RefusalsOfSamplingNameTheirPath) {
  EXPECT_EQ(refused_at(sampled(R"({"scheme":"poisson","rate":0.1})")), "not refused");
  EXPECT_EQ(refused_at(sampled(R"("poisson")")), "steps[0].sampling");
  EXPECT_EQ(refused_at(sampled("null")), "steps[0].sampling");
  EXPECT_EQ(refused_at(sampled("{}")), "steps[0].sampling.scheme");
  EXPECT_EQ(refused_at(sampled(R"({"scheme":"cyclic"})")), "steps[0].sampling.scheme");
  EXPECT_EQ(refused_at(sampled(R"({"scheme":"poisson"})")), "steps[0].sampling.rate");
  EXPECT_EQ(refused_at(sampled(R"({"scheme":"poisson","rate":1.5})")), "steps[0].sampling.rate");
  EXPECT_EQ(refused_at(sampled(R"({"scheme":"poisson","rate":"0.1"})")), "steps[0].sampling.rate");
  EXPECT_EQ(refused_at(sampled(R"({"scheme":"poisson","rate":null})")), "steps[0].sampling.rate");
  EXPECT_EQ(refused_at(sampled(R"({"scheme":"poisson","rate":0.1,"batches":3})")), "steps[0].sampling.batches");
  EXPECT_EQ(refused_at(sampled(R"({"scheme":"fixed-size","dataset_size":10})")), "steps[0].sampling.batch_size");
  EXPECT_EQ(refused_at(sampled(R"({"scheme":"fixed-size","dataset_size":10,"batch_size":11})")),
            "steps[0].sampling.batch_size");
  const std::string fixed = R"({"scheme":"fixed-size","dataset_size":10,"batch_size":1,"padded":)";
  EXPECT_EQ(refused_at(sampled(fixed + "true}")), "not refused");
  EXPECT_EQ(refused_at(sampled(fixed + "false}")), "steps[0].sampling.padded");
  EXPECT_EQ(refused_at(sampled(fixed + "1}")), "steps[0].sampling.padded");
  EXPECT_EQ(refused_at(sampled(R"({"scheme":"poisson","rate":0.1,"padded":true})")), "steps[0].sampling.padded");
  EXPECT_EQ(refused_at(sampled(R"({"scheme":"with-replacement","dataset_size":2.5,"batch_size":1})")),
            "steps[0].sampling.dataset_size");
  EXPECT_EQ(refused_at(sampled(R"({"scheme":"truncated-poisson","rate":0.1,"dataset_size":10,"batch_limit":0})")),
            "steps[0].sampling.batch_limit");
  EXPECT_EQ(refused_at(sampled(R"({"scheme":"shuffled","batches":0})")), "steps[0].sampling.batches");
  EXPECT_EQ(refused_at(plan_of(R"([{"mechanism":"sampled-gaussian","sampling_rate":0.1,"noise_multiplier":1,)"
                               R"("sampling":{"scheme":"poisson","rate":0.1}}])")),
            "steps[0].sampling");
  EXPECT_EQ(refused_at(plan_of(R"([{"plan":[],"sampling":{"scheme":"poisson","rate":0.1}}])")), "steps[0].sampling");
}

TEST(ReadPlan, RefusalsOfUnitsAndParallelPartsNameTheirPath) {
  for (const std::string unit : {"0", "-1", "1.0", "1073741825", "null", "\"2\""}) {
    EXPECT_EQ(refused_at(R"({"renyi":1,"unit":)" + unit + R"(,"steps":[]})"), "unit") << unit;
  }
  EXPECT_EQ(refused_at(R"({"renyi":1,"unit":1073741824,"steps":[]})"), "not refused");
  EXPECT_EQ(refused_at(plan_of(R"([{"parallel":[]}])")), "steps[0].parallel");
  EXPECT_EQ(refused_at(plan_of(R"([{"parallel":{}}])")), "steps[0].parallel");
  EXPECT_EQ(refused_at(plan_of(R"([{"parallel":[{}]}])")), "steps[0].parallel[0]");
  EXPECT_EQ(refused_at(plan_of(R"([{"parallel":[[]],"scale":1}])")), "steps[0].scale");
  EXPECT_EQ(refused_at(plan_of(R"([{"parallel":[[],[{"mechanism":"laplace","scale":0}]]}])")),
            "steps[0].parallel[1][0].scale");
  const std::string parts = R"("steps":[{"parallel":[[{"mechanism":"laplace","scale":1}]]}]})";
  EXPECT_THROW(read_plan(R"({"renyi":1,"neighbors":"replace-one",)" + parts), Unsupported);
  EXPECT_THROW(read_plan(R"({"renyi":1,"unit":2,)" + parts), Unsupported);
}

TEST(WritePlan, IsCanonical) {
  Plan plan;
  plan.add(Gaussian{.stddev = 1.5}, 3);
  plan.add(Gaussian{.stddev = 1.5, .l2_sensitivity = 2});
  plan.add(Steps{Step{Laplace{.scale = 0.1}, 2}, Step{RandomizedResponse{.truth_probability = 0.9, .categories = 3}}},
           7);
  EXPECT_EQ(
      write_plan(plan),
      R"({"renyi":1,"neighbors":"add-or-remove-one","steps":[{"mechanism":"gaussian","noise_multiplier":1.5,"count":3},)"
      R"({"mechanism":"gaussian","stddev":1.5,"l2_sensitivity":2},)"
      R"({"plan":[{"mechanism":"laplace","scale":0.1,"count":2},)"
      R"({"mechanism":"randomized-response","truth_probability":0.9,"categories":3}],"count":7}]})");
}

TEST(WritePlan, WritesSamplingUnitAndParallelParts) {
  Plan plan(Neighbors::zero_out, 3);
  plan.add(Mechanism(Laplace{2}).sampled_by(Sampling::truncated_poisson(0.25, 1000, 400)), 7);
  EXPECT_EQ(
      write_plan(plan),
      R"({"renyi":1,"neighbors":"zero-out","unit":3,"steps":[{"mechanism":"laplace","scale":2,)"
      R"("sampling":{"scheme":"truncated-poisson","rate":0.25,"dataset_size":1000,"batch_limit":400},"count":7}]})");
  Plan parts;
  parts.add(Parallel({{Step{Laplace{2}}}, {Step{Gaussian{3}, 2}}}), 4);
  EXPECT_EQ(write_plan(parts),
            R"({"renyi":1,"neighbors":"add-or-remove-one","steps":[{"parallel":[[{"mechanism":"laplace","scale":2}],)"
            R"([{"mechanism":"gaussian","noise_multiplier":3,"count":2}]],"count":4}]})");
}

TEST(WritePlan, EverySchemeReadsBackToTheSameStep) {
  for (const Sampling& sampling :
       {Sampling::poisson(0.1), Sampling::poisson(1e-100), Sampling::fixed_size(1e15, 1), Sampling::fixed_size(7, 7),
        Sampling::padded_fixed_size(10, 3), Sampling::with_replacement(3, 10),
        Sampling::truncated_poisson(0.1, 12345, 99), Sampling::shuffled(235)}) {
    const Mechanism step = Mechanism(RandomizedResponse{0.6}).sampled_by(sampling);
    const Plan plan = Plan(Neighbors::zero_out, 2).add(step, 9);
    const std::string text = write_plan(plan);
    const Plan again = read_plan(text);
    EXPECT_EQ(std::get<Mechanism>(again.steps()[0].what), step) << text;
    EXPECT_EQ(again.adjacency(), plan.adjacency());
    EXPECT_EQ(write_plan(again), text);
  }
}

TEST(WritePlan, ParallelPartsReadBackToTheSameText) {
  const Steps sampled{Step{Mechanism(Laplace{2}).sampled_by(Sampling::poisson(0.5)), 3}};
  const Plan plan = Plan().add(Steps{Step{Parallel({sampled, {Step{Steps{Step{Gaussian{3}}}, 2}}}), 5}}, 2);
  EXPECT_EQ(write_plan(read_plan(write_plan(plan))), write_plan(plan));
}

TEST(WritePlan, ReadsBackToTheSameSteps) {
  for (const Mechanism& mechanism : all_mechanisms()) {
    Plan plan(mechanism.replacement_only().empty() ? Neighbors::add_or_remove_one : Neighbors::replace_one);
    plan.add(mechanism, std::numeric_limits<std::int64_t>::max());
    const Plan again = read_plan(write_plan(plan));
    ASSERT_EQ(again.steps().size(), 1U);
    EXPECT_EQ(std::get<Mechanism>(again.steps()[0].what), mechanism);
    EXPECT_EQ(again.steps()[0].count, plan.steps()[0].count);
    EXPECT_EQ(write_plan(again), write_plan(plan));
  }
}

TEST(PlanJson, ReadsBackToAnEqualPlan) {
  const std::string parallel =
      R"({"renyi":1,"neighbors":"zero-out","steps":[{"plan":[{"mechanism":"laplace","scale":3}],"count":2},)"
      R"({"parallel":[[{"mechanism":"gaussian","noise_multiplier":2}],[{"mechanism":"laplace","scale":4}]]}]})";
  const Plan plan = read_plan(parallel);
  EXPECT_EQ(read_plan(write_plan(plan)), plan);
  EXPECT_EQ(Plan(plan), plan);
  EXPECT_EQ(read_plan(write_plan(Plan(Neighbors::zero_out, 3).add(Laplace{3}))),
            Plan(Neighbors::zero_out, 3).add(Laplace{3}));
  EXPECT_NE(Plan(plan).add(Laplace{3}), plan);
  EXPECT_NE(Plan(), Plan(Neighbors::zero_out));
  EXPECT_NE(Plan(), Plan(Neighbors::add_or_remove_one, 2));
  EXPECT_NE(Plan().add(Laplace{3}), Plan().add(Laplace{4}));
  EXPECT_NE(Plan().add(Laplace{3}), Plan().add(Laplace{3}, 2));
  EXPECT_NE(Plan().add(Laplace{3}), Plan().add(Steps{Step{Laplace{3}}}));
}

TEST(PlanJson, ParticipationsOfRandomAllocationMayBeLeftOut) {
  const auto text = [](std::string_view more) {
    return fmt::format(R"({{"renyi":1,"steps":[{{"mechanism":"gaussian","noise_multiplier":2,"sampling":)"
                       R"({{"scheme":"random-allocation","batches":12{}}}}}]}})",
                       more);
  };
  const Plan once = read_plan(text(""));
  EXPECT_EQ(once, read_plan(text(R"(,"participations":1)")));
  EXPECT_EQ(write_plan(once).find("participations"), std::string::npos);
  const Plan thrice = read_plan(text(R"(,"participations":3)"));
  EXPECT_EQ(read_plan(write_plan(thrice)), thrice);
  EXPECT_GT(renyi_epsilon(thrice, 1e-5).upper, renyi_epsilon(once, 1e-5).upper);
  EXPECT_THROW(static_cast<void>(read_plan(text(R"(,"participations":13)"))), InvalidArgument);
}

}  // namespace
}  // namespace renyi::plan_json_test
