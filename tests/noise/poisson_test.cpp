// Poisson variables: every word enumerated, enclosures against ball arithmetic, histograms.
#include "noise/poisson.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include "certify/ball/ball.h"
#include "noise/stirling.h"
#include "support/chi_square.h"
#include "support/fixed_bits.h"
#include "support/word_tree.h"

namespace renyi::noise {
namespace poisson_test {

using certify::Ball;
using test::CountedWords;
using test::PrefixSource;

double mass(double mean, std::int64_t k) {
  const certify::Precision bits(200);
  Ball log_factorial;
  const Ball argument = Ball(k) + Ball(1);
  arb_lgamma(log_factorial.raw(), argument.raw(), 200);
  return exp(Ball(k) * log(Ball(mean)) - Ball(mean) - log_factorial).about();
}

struct Setting {
  double mean;
  double widening;
};

class EveryWord : public ::testing::TestWithParam<Setting> {};

TEST_P(EveryWord, GivesEachNumberItsExactProbability) {
  const auto [mean, widening] = GetParam();
  const Poisson poisson(mean, widening);
  // The stages of an attempt: what is proposed, and whether it is accepted, for each proposal once.
  using Proposal = std::tuple<std::int64_t, std::int64_t, bool>;
  const auto proposals = test::enumerate_words<Proposal>(
      [&](PrefixSource& words) {
        const Poisson::Candidate candidate = poisson.candidate(words);
        return Proposal(candidate.value, candidate.cell, candidate.is_far);
      },
      4);
  std::map<std::int64_t, double> accepted;
  double undecided = proposals.undecided, total = 0, slow = 0;
  for (const auto& [proposal, proposal_mass] : proposals.mass) {
    if (proposal_mass < 1e-7) {
      undecided += proposal_mass;
      continue;
    }
    const auto [value, cell, is_far] = proposal;
    const Poisson::Candidate candidate{value, cell, is_far};
    const Fraction fraction = poisson.acceptance(candidate);
    const auto decisions = test::enumerate_words<std::pair<bool, bool>>(
        [&, &threshold_of = candidate](PrefixSource& words) {
          auto u = Uniform<std::uint8_t>::drawn(words);
          const bool below = is_below(words, u, fraction, [&] { return poisson.acceptance_ball(threshold_of); });
          const bool is_fast = u.lower() + u.width() <= fraction.lower || u.lower() > fraction.upper;
          return std::pair(below, !is_fast);
        },
        3);
    undecided += proposal_mass * decisions.undecided;
    for (const auto& [decision, decision_mass] : decisions.mass) {
      if (decision.first) accepted[value] += proposal_mass * decision_mass;
      if (decision.second) slow += proposal_mass * decision_mass;
    }
  }
  for (const auto& [value, sum] : accepted) {
    EXPECT_GE(value, 0);
    total += sum;
  }
  EXPECT_LT(undecided / total, 1e-4);
  double listed = 0;
  for (const auto& [value, sum] : accepted) {
    const double exact = mass(mean, value);
    listed += exact;
    EXPECT_NEAR(sum / total, exact, 2 * undecided / total + 1e-12) << value;
  }
  EXPECT_GT(listed, 1 - 1e-4);
  EXPECT_LE(1 / (total + undecided), poisson.attempts());
  EXPECT_GE(1 / total, poisson.attempts() * (1 - 1e-4));
  // Widened enclosures do take the slow tier, others hardly: only where words of 8 bits are too short.
  if (widening > 0) {
    EXPECT_GT(slow, widening / 4);
  } else {
    EXPECT_LT(slow, 0x1p-14);
  }
}

INSTANTIATE_TEST_SUITE_P(Poisson, EveryWord,
                         ::testing::Values(Setting{0.0005, 0}, Setting{0.5, 0}, Setting{1, 0}, Setting{3.7, 0},
                                           Setting{40, 0}, Setting{0.5, 0x1p-6}, Setting{3.7, 0x1p-6}));

TEST(Poisson, AnAttemptOfTheSamplerIsProposalAndDecision) {
  // The whole attempt with words of 8 bits, on a tree cut where a proposal is rare.
  const Poisson poisson(0.25);
  const auto decided = test::enumerate_words<std::int64_t>(
      [&](PrefixSource& words) {
        const Poisson::Candidate candidate{1, 1, false};
        return poisson.accepts(words, candidate) ? 1 : 0;
      },
      3);
  const certify::Precision bits(100);
  EXPECT_NEAR(decided.mass.at(1), poisson.acceptance_ball({1, 1, false}).about(), 0x1p-16);
}

TEST(Poisson, FractionsEncloseTheProbabilityOfAcceptance) {
  const certify::Precision bits(400);
  std::mt19937_64 random(1);
  for (const double mean :
       {0.0005, 0.05, 0.5, 0.9999, 1.0, 2.5, 16.0, 31.7, 1000.0, 65535.5, 1e6, 0x1.234567p30, 0x1p39}) {
    const Poisson poisson(mean);
    CountedWords words{std::mt19937_64(random())};
    for (int i = 0; i < 300; ++i) {
      // Numbers of all cells: the first word has as many zeros as are wanted.
      struct Chosen {
        using Word = std::uint64_t;
        std::uint64_t first = 0;
        CountedWords& rest;
        bool is_used = false;
        Word next() { return std::exchange(is_used, true) ? rest.next() : first; }
      };
      Chosen chosen{std::uint64_t{1} << (i % 5 == 0 ? static_cast<unsigned>(i) % 64U : static_cast<unsigned>(i) % 7U),
                    words};
      const Poisson::Candidate candidate = poisson.candidate(chosen);
      ASSERT_FALSE(candidate.is_far);
      const Ball exact = poisson.acceptance_ball(candidate);
      // At the mode the ball has the midpoint 1, and a radius.
      const Ball slack(0x1p-300);
      EXPECT_TRUE(surely_at_most(exact, Ball(1) + slack)) << mean << " " << candidate.value;
      const Fraction fraction = poisson.acceptance(candidate);
      const auto part = [](Wide value) {
        return (Ball(std::ldexp(static_cast<double>(high_word(value) >> 32U), 96)) +
                Ball(std::ldexp(static_cast<double>(high_word(value) & 0xffffffffU), 64)) +
                Ball(std::ldexp(static_cast<double>(low_word(value) >> 32U), 32)) +
                Ball(static_cast<double>(low_word(value) & 0xffffffffU))) *
               Ball(0x1p-128);
      };
      EXPECT_TRUE(surely_at_most(part(fraction.lower), exact + slack)) << mean << " " << candidate.value;
      EXPECT_TRUE(surely_at_most(exact, part(fraction.upper) + Ball(0x1p-128) + slack))
          << mean << " " << candidate.value;
      EXPECT_LT((part(fraction.upper) - part(fraction.lower)).about(), 0x1p-70) << mean << " " << candidate.value;
    }
  }
}

TEST(Poisson, NumbersBelowZeroAndFarOutAreDecidedByBalls) {
  const certify::Precision bits(200);
  const Poisson poisson(2.5);
  EXPECT_EQ(poisson.acceptance_ball({-3, 2, false}).about(), 0);
  EXPECT_TRUE(poisson.acceptance({-3, 2, false}).lower == 0);
  EXPECT_LT(poisson.acceptance({-3, 2, false}).upper >> 8U, Wide{1});
  // A first word of 64 zeros: the cell is beyond those of the tier of fixed cost.
  struct Zeros {
    using Word = std::uint64_t;
    int given = 0;
    Word next() { return given++ == 0 ? 0 : 1; }
  } zeros;
  const Poisson::Candidate far = poisson.candidate(zeros);
  EXPECT_TRUE(far.is_far);
  EXPECT_TRUE(poisson.acceptance(far).lower == 0 && poisson.acceptance(far).upper == ~Wide{0});
}

TEST(Poisson, SlowTiersAreRareAndAttemptsFew) {
  for (double mean = Poisson::smallest_mean; mean <= Poisson::largest_mean; mean *= 1.7) {
    const Poisson poisson(mean);
    EXPECT_LE(2 * poisson.slow_probability(), 0x1p-61) << mean;
    EXPECT_LE(poisson.attempts(), 3.3) << mean;
    EXPECT_GE(poisson.attempts(), 1) << mean;
  }
}

// P(X <= k), by the incomplete gamma function; for large means by Edgeworth's expansion, whose error is of order
// 1/mean.
double mass_up_to(double mean, double k) {
  if (mean <= 1e6) return boost::math::gamma_q(k + 1, mean);
  const double z = (k + 0.5 - mean) / std::sqrt(mean);
  const double density = std::exp(-z * z / 2) / std::sqrt(2 * M_PI);
  return std::erfc(-z / M_SQRT2) / 2 - (z * z - 1) * density / (6 * std::sqrt(mean));
}

// Numbers in 40 classes between -4 and 4 standard deviations.
TEST(Poisson, HistogramsFollowTheLaw) {
  constexpr int draws = 100'000;
  for (const double mean : {0.01, 0.7, 5.0, 123.25, 40'000.0, 0x1p39}) {
    const Poisson poisson(mean);
    CountedWords words{std::mt19937_64(20)};
    std::vector<double> edges;  // a class is all k <= edge that are in no class before
    for (double z = -4; z <= 4; z += 0.2) {
      const double edge = std::floor(mean + z * std::sqrt(mean));
      if (edge >= 0 && (edges.empty() || edge > edges.back())) edges.push_back(edge);
    }
    std::vector<std::uint64_t> counts(edges.size() + 1);
    std::vector<double> probabilities;
    double before = 0;
    for (const double edge : edges) {
      const double up_to = mass_up_to(mean, edge);
      probabilities.push_back(up_to - before);
      before = up_to;
    }
    probabilities.push_back(1 - before);
    for (int i = 0; i < draws; ++i) {
      const auto value = static_cast<double>(poisson.draw(words));
      ++counts[static_cast<std::size_t>(std::lower_bound(edges.begin(), edges.end(), value) - edges.begin())];
    }
    EXPECT_GT(test::p_value(counts, probabilities), 1e-4) << mean;
    // An attempt takes at most four words.
    EXPECT_LT(static_cast<double>(words.count) / draws, 4 * poisson.attempts() * 1.02) << mean;
  }
}

TEST(Stirling, RemainderAgreesWithTheFactorial) {
  const certify::Precision bits(400);
  std::mt19937_64 random(3);
  for (int i = 0; i < 2000; ++i) {
    const auto n = static_cast<std::int64_t>(i < 200 ? 16 + i : 16 + (random() >> (12 + random() % 48)));
    const Ball x(n);
    Ball log_factorial;
    const Ball argument = x + Ball(1);
    arb_lgamma(log_factorial.raw(), argument.raw(), 400);
    const Ball exact = log_factorial - (x + Ball(0.5)) * log(x) + x - log(Ball(2) * Ball::pi()) / Ball(2);
    const DoubleDouble value = stirling_remainder(static_cast<double>(n));
    EXPECT_LE(abs(Ball(value.high) + Ball(value.low) - exact).upper().about(), stirling::remainder_error) << n;
  }
}

}  // namespace poisson_test
}  // namespace renyi::noise
