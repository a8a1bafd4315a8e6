#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "mechanism/participation/sensitivity.h"

namespace renyi::mechanism::tree_sensitivity_test {
namespace {

using Leaves = std::vector<std::int64_t>;
using Nodes = std::vector<std::pair<std::int64_t, std::int64_t>>;

// Every complete node of every tree, by its first leaf and its size.
Nodes nodes_of(const TreeRun& run) {
  Nodes nodes;
  const std::int64_t every = run.restart_every == 0 ? run.steps : run.restart_every;
  for (std::int64_t start = 0; start < run.steps; start += every) {
    const std::int64_t end = std::min(run.steps, start + every);
    for (std::int64_t size = 1; size <= end - start; size *= 2) {
      for (std::int64_t first = start; first + size <= end; first += size) nodes.emplace_back(first, size);
    }
  }
  return nodes;
}

std::int64_t squares(const Nodes& nodes, const Leaves& leaves) {
  std::int64_t total = 0;
  for (const auto& [first, size] : nodes) {
    const auto below = std::count_if(leaves.begin(), leaves.end(),
                                     [&](std::int64_t leaf) { return first <= leaf && leaf < first + size; });
    total += below * below;
  }
  return total;
}

std::int64_t by_trying_all(const TreeRun& run) {
  std::int64_t largest = 0;
  const Nodes nodes = nodes_of(run);
  Leaves leaves;
  const std::function<void(std::int64_t)> place = [&](std::int64_t from) {
    largest = std::max(largest, squares(nodes, leaves));
    if (static_cast<std::int64_t>(leaves.size()) == run.participation.most) return;
    for (std::int64_t leaf = from; leaf < run.steps; ++leaf) {
      leaves.push_back(leaf);
      place(leaf + run.participation.separation);
      leaves.pop_back();
    }
  };
  place(0);
  return largest;
}

TEST(TreeSensitivity, IsTheLargestOverAllPlacements) {
  for (std::int64_t steps = 1; steps <= 13; ++steps) {
    for (std::int64_t most = 1; most <= 6; ++most) {
      for (std::int64_t separation = 1; separation <= steps + 1; ++separation) {
        for (const std::int64_t restart : {0, 1, 2, 3, 4, 5, 8, 20}) {
          const TreeRun run{steps, restart, {most, separation}};
          const auto truth = static_cast<double>(by_trying_all(run));
          EXPECT_EQ(squared_sensitivity(run), truth)
              << steps << " steps, " << most << " at " << separation << ", restart " << restart;
          EXPECT_GE(level_bound(run), truth);
        }
      }
    }
  }
}

TEST(TreeSensitivity, LongerRunsWithWideSeparation) {
  for (const std::int64_t steps : {24, 31, 37}) {
    for (const std::int64_t separation : {6, 8, 9, 11}) {
      for (const std::int64_t restart : {0, 7, 12}) {
        const TreeRun run{steps, restart, {8, separation}};
        EXPECT_EQ(squared_sensitivity(run), static_cast<double>(by_trying_all(run)))
            << steps << " steps, " << separation << " apart, restart " << restart;
      }
    }
  }
}

// One participation: the nodes above a leaf, floor(log2 n) + 1 of them.
TEST(TreeSensitivity, OfOneParticipationIsTheHeight) {
  for (std::int64_t steps = 1, height = 1; steps <= 1'000'000'000; ++height) {
    EXPECT_EQ(squared_sensitivity({steps, 0, {1, 1}}), static_cast<double>(height));
    EXPECT_EQ(squared_sensitivity({2 * steps - 1, 0, {1, 1}}), static_cast<double>(height));
    EXPECT_EQ(squared_sensitivity({std::min<std::int64_t>(7 * steps, 1'000'000'000), steps, {1, 1}}),
              static_cast<double>(height));
    steps *= 2;
  }
}

// All leaves of a tree with 2^h of them: 2^h (2^(h+1) - 1); and the bound for many participations is that too.
TEST(TreeSensitivity, OfAllLeavesIsTheSumOverTheWholeTree) {
  for (int h = 0; h <= 20; ++h) {
    const std::int64_t leaves = std::int64_t{1} << h;
    EXPECT_EQ(squared_sensitivity({leaves, 0, {leaves, 1}}), static_cast<double>(leaves * (2 * leaves - 1))) << h;
  }
}

// Beyond what is placed exactly: never below a placement, 0, b, 2b, ..., and close to it.
TEST(TreeSensitivity, OfManyParticipationsIsCloseToAPlacement) {
  for (const std::int64_t separation : {1, 2, 3, 7, 20}) {
    const TreeRun run{3000, 0, {120, separation}};
    Leaves regular;
    for (std::int64_t i = 0; i < 120; ++i) regular.push_back(i * separation);
    const auto placed = static_cast<double>(squares(nodes_of(run), regular));
    EXPECT_GE(squared_sensitivity(run), placed) << separation;
    EXPECT_LE(squared_sensitivity(run), 1.06 * placed) << separation;
  }
}

}  // namespace
}  // namespace renyi::mechanism::tree_sensitivity_test
