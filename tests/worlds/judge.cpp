#include "worlds/judge.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

namespace renyi::worlds {
namespace judge_file {
namespace {

// Sums of a few thousand rounded terms in long double, and the probabilities of the plan as doubles.
constexpr long double rounding = 1e-12L, tiny = 1e-17L;

void expect_within(const Law& p, const Law& q, const Claim& claim, Nearness& nearness) {
  const Losses between = losses(p, q);
  for (std::size_t i = 0; i < orders.size(); ++i) {
    const long double truth = renyi_divergence(between, orders.at(i)), bound = claim.rdp.at(i);
    EXPECT_FALSE(std::isnan(truth));
    EXPECT_LE(truth, bound * (1 + rounding) + tiny) << "order " << orders.at(i);
    nearness.rdp.at(i) = std::max(nearness.rdp.at(i), truth / bound);
  }
  for (std::size_t i = 0; i < epsilons.size(); ++i) {
    const long double truth = hockey_stick(p, q, epsilons.at(i)), bound = claim.delta.at(i);
    EXPECT_FALSE(std::isnan(truth));
    EXPECT_LE(truth, bound * (1 + rounding) + tiny) << "epsilon " << epsilons.at(i);
    if (truth > tiny) nearness.delta.at(i) = std::max(nearness.delta.at(i), truth / bound);
  }
}

std::string describe(const Dataset& data) { return fmt::format("[{}]", fmt::join(data, " ")); }

}  // namespace
}  // namespace judge_file

Nearness expect_dominated(const std::vector<Pair>& pairs, Neighbors relation, const World& world,
                          const std::string& plan) {
  SCOPED_TRACE(plan);
  Nearness nearness;
  try {
    const Claims claimed = claims(plan);
    const bool directed = relation != Neighbors::replace_one;
    std::map<Dataset, Law> laws;
    const auto law_of = [&](const Dataset& data) -> const Law& {
      const auto [place, is_new] = laws.try_emplace(data);
      if (is_new) place->second = world(data);
      return place->second;
    };
    for (const Pair& pair : pairs) {
      SCOPED_TRACE(judge_file::describe(pair.with) + " and " + judge_file::describe(pair.without));
      const Law &with = law_of(pair.with), &without = law_of(pair.without);
      judge_file::expect_within(with, without, directed ? claimed.remove : claimed.worst, nearness);
      judge_file::expect_within(without, with, directed ? claimed.add : claimed.worst, nearness);
    }
    for (std::size_t i = 0; i < orders.size(); ++i) {
      EXPECT_GE(claimed.worst.rdp.at(i),
                std::max(claimed.remove.rdp.at(i), claimed.add.rdp.at(i)) * (1 - judge_file::rounding));
    }
  } catch (const std::exception& error) {
    ADD_FAILURE() << "threw: " << error.what();
  }
  return nearness;
}

}  // namespace renyi::worlds
