// Random records against plans written by hand, and the joint noise against long double.
#include <gtest/gtest.h>

#include <string>

#include "renyi/extras/convert.h"
#include "renyi/rdp.h"
#include "support/random_inputs.h"

namespace renyi::convert_property_test {
namespace {

using test::RandomInputs;

std::string tuple(const std::string& name, const std::string& fields) {
  return R"(["dp_accounting.dp_event",")" + name + "DpEvent\"," + fields + "]";
}

// An event and the same as steps of a plan.
struct Both {
  std::string event;
  Step step;
};

Both leaf(RandomInputs& random) {
  const double noise = random.noise_multiplier(), rate = random.log_uniform(1e-6, 0.9);
  const std::string gaussian = tuple("Gaussian", fmt::format("{}", noise));
  switch (random.below(4)) {
    case 0: return {gaussian, {Gaussian{noise}}};
    case 1: return {tuple("Laplace", fmt::format("{}", noise)), {Laplace{noise}}};
    case 2: return {tuple("ZC", fmt::format("{},{}", rate, noise)), {Zcdp{rate, noise}}};
    default: return {tuple("PoissonSampled", fmt::format("{},{}", rate, gaussian)), {SampledGaussian{rate, noise}}};
  }
}

Both tree(RandomInputs& random, int depth) {
  if (depth == 0 || random.chance(0.3)) return leaf(random);
  if (random.chance(0.5)) {
    const Both inner = tree(random, depth - 1);
    const auto count = static_cast<std::int64_t>(1 + random.below(50));
    return {tuple("SelfComposed", fmt::format("{},{}", inner.event, count)), {Steps{inner.step}, count}};
  }
  std::string events;
  Steps steps;
  for (std::size_t n = 1 + random.below(4); n > 0; --n) {
    const Both inner = tree(random, depth - 1);
    events += (events.empty() ? "" : ",") + inner.event;
    steps.push_back(inner.step);
  }
  return {tuple("Composed", "[" + events + "]"), {steps}};
}

TEST(ConvertProperty, TreesOfEventsAreTreesOfSteps) {
  test::for_random_cases(0.3, [](RandomInputs& random) {
    const Both both = tree(random, 5);
    Plan expected;
    std::visit([&](const auto& what) { expected.add(what, both.step.count); }, both.step.what);
    const auto wanted = expected.merged(), got = convert_dp_events(both.event).merged();
    ASSERT_EQ(got.size(), wanted.size()) << both.event;
    for (std::size_t i = 0; i < got.size(); ++i) {
      EXPECT_EQ(got[i].mechanism, wanted[i].mechanism) << both.event;
      EXPECT_EQ(got[i].count, wanted[i].count) << both.event;
    }
  });
}

TEST(ConvertProperty, JointNoiseIsNeverOverstatedAndLosesAFewUnits) {
  test::for_random_cases(0.3, [](RandomInputs& random) {
    std::string events;
    long double squares = 0;
    for (std::size_t n = 1 + random.below(6); n > 0; --n) {
      const double noise = random.log_uniform(0.3, 100);
      const std::size_t count = 1 + random.below(20);
      squares += static_cast<long double>(count) / (static_cast<long double>(noise) * noise);
      events += (events.empty() ? "" : ",") +
                tuple("SelfComposed", fmt::format("{},{}", tuple("Gaussian", fmt::format("{}", noise)), count));
    }
    const std::string record = tuple("PoissonSampled", "0.1," + tuple("Composed", "[" + events + "]"));
    const auto steps = convert_dp_events(record).merged();
    ASSERT_EQ(steps.size(), 1U);
    const long double joint = steps[0].mechanism.get_if<SampledGaussian>()->noise_multiplier;
    const long double exact = 1 / sqrtl(squares);
    EXPECT_LE(joint, exact * (1 + 1e-18L)) << record;
    EXPECT_GE(joint, exact * (1 - 3e-15L)) << record;
  });
}

TEST(ConvertProperty, HistoriesAreTheirSteps) {
  test::for_random_cases(0.3, [](RandomInputs& random) {
    std::string rows;
    Plan expected;
    for (std::size_t n = random.below(6); n > 0; --n) {
      const double noise = random.noise_multiplier(), rate = random.sampling_rate();
      const auto steps = static_cast<std::int64_t>(random.below(1000));
      rows += fmt::format("{}[{},{},{}]", rows.empty() ? "" : ",", noise, rate, steps);
      if (steps > 0 && rate > 0 && rate < 1) expected.add(SampledGaussian{rate, noise}, steps);
      if (steps > 0 && rate == 1) expected.add(Gaussian{noise}, steps);
    }
    const auto wanted = expected.merged(), got = convert_opacus("[" + rows + "]").merged();
    ASSERT_EQ(got.size(), wanted.size()) << rows;
    for (std::size_t i = 0; i < got.size(); ++i) {
      EXPECT_EQ(got[i].mechanism, wanted[i].mechanism) << rows;
      EXPECT_EQ(got[i].count, wanted[i].count) << rows;
    }
  });
}

}  // namespace
}  // namespace renyi::convert_property_test
