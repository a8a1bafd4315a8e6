// Selection mechanisms on a few scores: every neighbour, every outcome (docs/math/selection.md).
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>

#include "renyi/mechanism.h"
#include "support/discrete_pair.h"
#include "worlds/selection_outputs.h"

namespace renyi::worlds::selection_test {
namespace {

using Output = std::function<Outcomes(const Scores&)>;

// The largest loss found, as a share of the one that the curve allows.
long double share(const renyi::Mechanism& mechanism, const std::vector<Scores>& worlds, bool monotonic,
                  const Output& output) {
  const double allowed = rdp(*mechanism.curve(), std::numeric_limits<double>::infinity()).upper();
  long double most = 0;
  for (const Scores& scores : worlds) {
    const Outcomes p = output(scores);
    EXPECT_NEAR(static_cast<double>(std::accumulate(p.begin(), p.end(), 0.0L)), 1, 1e-9);
    for (const Scores& moved : neighbours_of(scores, monotonic)) most = std::max(most, largest_loss(p, output(moved)));
  }
  EXPECT_LE(most, allowed * (1 + 1e-9L)) << mechanism.kind();
  return most / allowed;
}

TEST(SelectionWorlds, ReportNoisyMax) {
  const Output output = [](const Scores& scores) { return report_noisy_max(scores, 2); };
  const std::vector<Scores> worlds{{0, 0, 0}, {3, 1, 0}, {1, -40}, {0, 0, -60}};
  EXPECT_GT(share(make_mechanism("report-noisy-max", {{"score_scale", 2}}), worlds, false, output), 0.96L);
  // All scores up together changes nothing; the winner alone has half the effect.
  const renyi::Mechanism monotonic = make_mechanism("report-noisy-max", {{"score_scale", 2}, {"monotonic", 1}});
  EXPECT_GT(share(monotonic, worlds, true, output), 0.96L);
  EXPECT_GT(share(monotonic, {{1, -40}}, true, output), 0.9L);
}

TEST(SelectionWorlds, PermuteAndFlip) {
  const Output output = [](const Scores& scores) { return permute_and_flip(scores, 0.7L); };
  const std::vector<Scores> worlds{{0, 0, 0, 0}, {4, 3, 1, 0}, {20, 0}, {30, 30, 30, 0}};
  EXPECT_GT(share(make_mechanism("permute-and-flip", {{"epsilon", 0.7}}), worlds, false, output), 0.98L);
  // Monotonic scores with twice the exponent: the same epsilon, as the notes say.
  const Output twice = [](const Scores& scores) { return permute_and_flip(scores, 1.4L); };
  EXPECT_GT(share(make_mechanism("permute-and-flip", {{"epsilon", 0.7}}), worlds, true, twice), 0.98L);
}

TEST(SelectionWorlds, SparseVector) {
  const std::vector<Scores> one{{20, 20, 20, 20, -30}};
  const auto output = [](long double threshold_scale, long double query_scale, int cutoff) -> Output {
    return [=](const Scores& queries) { return sparse_vector(queries, threshold_scale, query_scale, cutoff); };
  };
  const auto run = [](double threshold_scale, double query_scale, double cutoff, double monotonic) {
    return make_mechanism("sparse-vector", {{"threshold_scale", threshold_scale},
                                            {"query_scale", query_scale},
                                            {"cutoff", cutoff},
                                            {"monotonic", monotonic}});
  };
  EXPECT_GT(share(run(4, 4, 1, 0), one, false, output(4, 4, 1)), 0.999L);
  EXPECT_GT(share(run(4, 4, 1, 1), one, true, output(4, 4, 1)), 0.99L);
  EXPECT_GT(share(run(4, 6, 2, 0), {{20, 20, 20, -40, -40}}, false, output(4, 6, 2)), 0.89L);
  EXPECT_GT(share(run(2, 4, 1, 0), {{1, 0, -2}, {12, 12, 12, -20}}, false, output(2, 4, 1)), 0.9L);
}

// No divergence of enumerated datasets lies above the curve; two answers attain it if their distance suits the order.
TEST(SelectionWorlds, ExponentialMechanism) {
  for (const double epsilon : {0.2, 1.0, 5.0}) {
    const auto curve = make_mechanism("exponential", {{"epsilon", epsilon}}).curve();
    std::vector<Scores> worlds{{0, 0, 0}, {5, 1, 0, 0}};
    for (long double logit = -8; logit <= 8; logit += 0.05L) worlds.push_back({2 * logit / epsilon, 0});
    for (const double order : {1.0, 1.5, 2.0, 8.0, 64.0}) {
      const double allowed = rdp(*curve, order).upper();
      long double most = 0;
      for (const Scores& scores : worlds) {
        const Outcomes p = exponential_mechanism(scores, epsilon);
        for (const Scores& moved : neighbours_of(scores, false)) {
          most = std::max(most, test::direct_renyi({p, exponential_mechanism(moved, epsilon)}, order));
        }
      }
      EXPECT_LE(most, allowed * (1 + 1e-12L)) << epsilon << ' ' << order;
      EXPECT_GT(most, allowed * (1 - 1e-3L)) << epsilon << ' ' << order;
    }
  }
}

// Scores that only rise, with twice the weight's exponent: the same epsilon, as the notes say.
TEST(SelectionWorlds, MonotonicScoresMayHaveTwiceTheExponent) {
  const auto curve = make_mechanism("exponential", {{"epsilon", 0.8}}).curve();
  for (const Scores& scores : {Scores{0, 0, 0}, {3, 1, 0, 0}, {1, 0}}) {
    for (const Scores& moved : neighbours_of(scores, true)) {
      const test::DiscretePair pair{exponential_mechanism(scores, 1.6L), exponential_mechanism(moved, 1.6L)};
      for (const double order : {1.5, 4.0, 32.0}) {
        EXPECT_LE(test::direct_renyi(pair, order), rdp(*curve, order).upper() * (1 + 1e-12L));
      }
    }
  }
}

}  // namespace
}  // namespace renyi::worlds::selection_test
