// Laws of every mechanism under every sampling, every relation and several units: what is analysed obeys them, what is
// not is refused with the reason.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "renyi/error.h"
#include "renyi/exact.h"
#include "renyi/extras/custom.h"
#include "renyi/plan.h"
#include "renyi/rdp.h"
#include "support/expect.h"
#include "support/settings.h"

namespace renyi::sampler_laws_test {
namespace {

using test::both_directions;
using test::expect_not_above;
using test::expect_overlap;

constexpr Neighbors relations[] = {Neighbors::add_or_remove_one, Neighbors::replace_one, Neighbors::zero_out};
constexpr std::int64_t units[] = {1, 3};

std::vector<Sampling> samplings() {
  return {Sampling::poisson(0.02),
          Sampling::poisson(0.6),
          Sampling::fixed_size(1000, 30),
          Sampling::fixed_size(7, 6),
          Sampling::padded_fixed_size(40, 3),
          Sampling::with_replacement(500, 3),
          Sampling::truncated_poisson(0.1, 60, 9),
          Sampling::shuffled(12)};
}

std::vector<Mechanism> mechanisms() {
  std::vector<Mechanism> all;
  for (const Mechanism& m : all_mechanisms()) {
    if (m.sampling_obstacle().empty()) all.push_back(m);
  }
  all.push_back(custom_curve("linear", [](double order) { return 0.3 * order; }));
  all.push_back(custom_pair("answers", DistributionPair::discrete({0.5, 0.3, 0.2}, {0.2, 0.3, 0.5})));
  return all;
}

struct Case {
  Mechanism said;
  Adjacency adjacency;
  std::shared_ptr<const Curve> curve;

  std::string name() const {
    std::string text = test::describe(said.unsampled()) + " " + std::string(to_string(said.sampling()->scheme));
    for (const double value : said.sampling()->values()) text += " " + std::to_string(value);
    return text + " " + std::string(to_string(adjacency.neighbors)) + " unit " + std::to_string(adjacency.unit);
  }
};

std::shared_ptr<const Curve> curve_of(const Mechanism& said, const Adjacency& adjacency) {
  return analysed(said, adjacency).curve();
}

// Every combination that is analysed; the others must say why.
const std::vector<Case>& all_cases() {
  static const std::vector<Case> cases = [] {
    std::vector<Case> result;
    for (const Mechanism& m : mechanisms()) {
      for (const Sampling& sampling : samplings()) {
        for (const Neighbors neighbors : relations) {
          for (const std::int64_t unit : units) {
            const Adjacency adjacency{neighbors, unit};
            try {
              const Mechanism said = m.sampled_by(sampling);
              result.push_back({said, adjacency, curve_of(said, adjacency)});
            } catch (const Unsupported& error) {
              EXPECT_FALSE(error.why().empty());
              EXPECT_FALSE(error.instead().empty());
              EXPECT_TRUE(error.path() == "neighbors" || error.path() == "unit" || error.path() == "sampling")
                  << error.what();
            }
          }
        }
      }
    }
    return result;
  }();
  return cases;
}

template <class Check>
void for_all(const Check& check) {
  ASSERT_GT(all_cases().size(), 250U);
  for (const Case& each : all_cases()) {
    SCOPED_TRACE(each.name());
    check(each);
  }
}

constexpr double orders[] = {1.05, 1.5, 2, 2.5, 4, 9.75, 32};

// Noise and responses are analysed everywhere but where the reason is in the mathematics.
TEST(SamplerLaws, WhatIsRefused) {
  for (const Mechanism& m : {Mechanism(Gaussian{2}), Mechanism(Laplace{2}), Mechanism(RandomizedResponse{0.75})}) {
    for (const Sampling& sampling : samplings()) {
      for (const Neighbors neighbors : relations) {
        for (const std::int64_t unit : units) {
          const bool adds = neighbors == Neighbors::add_or_remove_one;
          const bool shuffled = sampling.scheme == Scheme::shuffled;
          const bool alone = sampling.scheme == Scheme::poisson;
          const bool refused = adds && (shuffled || (unit > 1 && !alone));
          const auto ask = [&] { return analysed(m.sampled_by(sampling), {neighbors, unit}); };
          if (refused) {
            EXPECT_THROW(ask(), Unsupported) << m.kind() << to_string(sampling.scheme) << unit;
          } else {
            EXPECT_NO_THROW(ask()) << m.kind() << to_string(sampling.scheme) << to_string(neighbors) << unit;
          }
        }
      }
    }
  }
  // A guarantee for replaced records says nothing of a record more or less.
  EXPECT_THROW(analysed(Mechanism(PureDp{1}).sampled_by(Sampling::poisson(0.1)), {Neighbors::replace_one}),
               Unsupported);
  EXPECT_THROW(analysed(Mechanism(Gdp{1}).sampled_by(Sampling::poisson(0.1)), {Neighbors::replace_one}), Unsupported);
  EXPECT_NO_THROW(analysed(Mechanism(PureDp{1}).sampled_by(Sampling::fixed_size(10, 1)), {Neighbors::replace_one}));
}

TEST(SamplerLaws, DivergencesAreSaneAndGrowWithTheOrder) {
  for_all([](const Case& each) {
    for (const Direction direction : both_directions) {
      Bounded before{0, 0};
      for (const double order : orders) {
        if (order > each.curve->last_order()) return;
        const Bounded here = divergence(*each.curve, order, direction);
        test::expect_sane(here);
        expect_not_above(before, here);
        before = here;
      }
      expect_not_above(before, each.curve->max_loss(direction));
    }
  });
}

// Bounds on divergences have any shape.
TEST(SamplerLaws, LogMomentsAreConvex) {
  for_all([](const Case& each) {
    if (each.curve->knowledge() == Knowledge::orders) return;
    for (const Direction direction : both_directions) {
      for (const double z : {0.5, 1.0, 3.0, 10.0}) {
        const LogMoment low = each.curve->log_moment(z, direction), high = each.curve->log_moment(2 * z, direction);
        const LogMoment middle = each.curve->log_moment(1.5 * z, direction);
        if (std::isinf(high.value)) continue;
        EXPECT_LE(middle.value - middle.error, 0.5 * (low.value + low.error + high.value + high.error) * (1 + 1e-14))
            << z;
      }
    }
  });
}

// (epsilon, delta) of three runs: the exact interval is one, and lies within the Renyi bound.
TEST(SamplerLaws, ExactFiguresLieWithinTheRenyiBound) {
  for_all([](const Case& each) {
    Plan plan(each.adjacency.neighbors, each.adjacency.unit);
    plan.add(each.said, 3);
    const double bound = renyi_delta(plan, 0.4).upper;
    EXPECT_LE(bound, 1);
    if (each.curve->knowledge() == Knowledge::orders) {
      // Exact values of a dominating pair may lie on either side of the bound.
      if (each.curve->dominating_curve() == nullptr) {
        EXPECT_THROW(PrivacyProfile{plan}, Unsupported);
      }
      return;
    }
    const ExactAnswer answer = PrivacyProfile(plan, {.tolerance = 1e-3}).delta(0.4);
    EXPECT_LE(answer.worst.lower, answer.worst.upper);
    EXPECT_LE(answer.worst.lower, bound);
    EXPECT_LE(answer.worst.upper, bound * (1 + 1e-12));
    EXPECT_NE(answer.worst.engine, Engine::bounds);
  });
}

Mechanism resampled(const Case& each, const Sampling& sampling) { return each.said.unsampled().sampled_by(sampling); }

// The cheaper sampling first.
void expect_cheaper(const Case& each, const Sampling& cheap, const Sampling& dear) {
  const auto low = curve_of(resampled(each, cheap), each.adjacency),
             high = curve_of(resampled(each, dear), each.adjacency);
  for (const double order : orders) expect_not_above(rdp(*low, order), rdp(*high, order));
}

bool is_gaussian(const Mechanism& said) { return said.unsampled().get_if<Gaussian>().has_value(); }

TEST(SamplerLaws, SeeingMoreNeverCostsLess) {
  for_all([](const Case& each) {
    const Sampling s = *each.said.sampling();
    switch (s.scheme) {
      case Scheme::poisson:
        expect_cheaper(each, s, Sampling::poisson(1.5 * s.rate));
        expect_cheaper(each, s, Sampling::poisson(1));
        break;
      case Scheme::fixed_size:
        // An emptied record is nearer than another record in its place, by which noise that is not Gaussian is bounded
        // on a sample that is not everybody.
        for (const double size : {s.batch_size + 1, s.dataset_size}) {
          const bool nearer = size == s.dataset_size && each.adjacency.neighbors == Neighbors::zero_out;
          if (!nearer || is_gaussian(each.said)) expect_cheaper(each, s, s.with("batch_size", size));
        }
        // Empty places cost something, and only where a record may be added.
        if (s.padded) expect_cheaper(each, Sampling::fixed_size(s.dataset_size, s.batch_size), s);
        break;
      case Scheme::with_replacement:
        expect_cheaper(each, s, Sampling::with_replacement(s.dataset_size, s.batch_size + 1));
        expect_cheaper(each, s, Sampling::with_replacement(s.dataset_size - 1, s.batch_size));
        break;
      case Scheme::truncated_poisson:
        expect_cheaper(each, s, Sampling::truncated_poisson(s.rate, s.dataset_size, s.batch_limit - 1));
        // For several records the two are analysed differently: one directly, the other along a chain of neighbours.
        if (each.adjacency.unit == 1) expect_cheaper(each, Sampling::poisson(s.rate), s);
        break;
      case Scheme::shuffled: break;
      case Scheme::random_allocation:
        expect_cheaper(each, Sampling::random_allocation(2 * s.batches), s);
        expect_cheaper(each, s, Sampling::random_allocation(1));
        break;
    }
  });
}

TEST(SamplerLaws, WithoutASampleNothingIsSpent) {
  std::set<std::string_view> kinds;
  for (const Mechanism& m : mechanisms()) {
    const auto curve = curve_of(m.sampled_by(Sampling::poisson(0)), {});
    for (const double order : orders) EXPECT_EQ(rdp(*curve, order).upper(), 0) << m.kind();
    kinds.insert(m.kind());
  }
  EXPECT_GE(kinds.size(), 10U);
}

TEST(SamplerLaws, MoreNoiseNeverCostsMore) {
  for_all([](const Case& each) {
    const auto table = each.said.parameters();
    const auto values = each.said.values();
    for (std::size_t i = 0; i < table.size(); ++i) {
      if (table[i].effect == Effect::not_monotone || !table[i].allows(1.5 * values[i])) continue;
      if (!test::with_value(each.said.unsampled(), table[i], 1.5 * values[i])) continue;
      const auto larger = curve_of(each.said.with(table[i].name, 1.5 * values[i]), each.adjacency);
      const bool dearer = table[i].effect == Effect::raises_cost;
      for (const double order : orders) {
        const Bounded before = rdp(*each.curve, order), after = rdp(*larger, order);
        dearer ? expect_not_above(before, after) : expect_not_above(after, before);
      }
    }
  });
}

TEST(SamplerLaws, SeveralRecordsCostAtLeastOne) {
  for_all([](const Case& each) {
    if (each.adjacency.unit == 1) return;
    const auto one = curve_of(each.said, {each.adjacency.neighbors, 1});
    for (const double order : orders) expect_not_above(rdp(*one, order), rdp(*each.curve, order));
  });
}

TEST(SamplerLaws, RunningNTimesCostsNTimesAsMuch) {
  for_all([](const Case& each) {
    const auto many = compose(Plan(each.adjacency.neighbors, each.adjacency.unit).add(each.said, 1000));
    for (const double order : {1.5, 4.0}) {
      const Bounded one = rdp(*each.curve, order);
      if (std::isinf(one.value)) continue;
      expect_overlap({1000 * one.value, 1000 * one.error + 1e-12 * one.value}, rdp(*many, order));
    }
  });
}

TEST(SamplerLaws, PlansKeepTheirMeaningInFiles) {
  for_all([](const Case& each) {
    if (each.said.identity() != nullptr) return;
    const Plan plan = Plan(each.adjacency.neighbors, each.adjacency.unit).add(each.said, 5);
    const Plan back = read_plan(write_plan(plan));
    EXPECT_EQ(back.adjacency(), plan.adjacency());
    ASSERT_EQ(back.merged().size(), 1U);
    EXPECT_EQ(back.merged()[0].mechanism, each.said);
    EXPECT_EQ(write_plan(back), write_plan(plan));
  });
}

}  // namespace
}  // namespace renyi::sampler_laws_test
