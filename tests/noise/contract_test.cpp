// What is drawn is what is accounted for: every mechanism that the accountant and the samplers both know.
//
// The step that a release names is read as a plan, and draws about neighbouring inputs are compared with the delta that
// the accountant computes for this plan.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include "noise/block_source.h"
#include "noise/choices.h"
#include "noise/coins.h"
#include "noise/fair_exponential.h"
#include "noise/half_normal.h"
#include "noise/integer_laws.h"
#include "noise/skellam.h"
#include "renyi/cost.h"
#include "renyi/mechanism.h"
#include "renyi/noise.h"
#include "renyi/plan.h"
#include "support/fixed_bits.h"
#include "support/grid_values.h"
#include "support/step_of_release.h"

namespace renyi::noise {
namespace contract_test {

using Numbers = std::vector<std::int64_t>;

// A mechanism that both know: a release of the public function, the same mechanism as a value, draws with given bits
// about an input of 0 or of the sensitivity, and epsilons to look at.
struct Shared {
  Mechanism mechanism;
  std::function<Release()> release;
  std::function<Numbers(Bits&, std::int64_t x, std::size_t count)> draw;
  std::int64_t sensitivity;
  std::vector<double> epsilons;
  std::size_t draws = 200000;
  bool is_attained = true;  // the two inputs are the worst ones for the accountant
};

template <class Law>
Numbers moved(Bits& bits, std::int64_t x, std::size_t count, const Law& law) {
  Numbers drawn = test::drawn_integers(bits, count, law);
  for (std::int64_t& n : drawn) n += x;
  return drawn;
}

// Choices between two options: the better one changes, because both scores move by 1.
using Choose = std::function<std::size_t(BlockSource&, const Gaps&)>;
Numbers choices_of(Bits& bits, bool is_first_better, std::size_t count, double numerator, double denominator,
                   const Choose& choose) {
  const std::vector<double> scores = is_first_better ? std::vector<double>{1, 0} : std::vector<double>{0, 1};
  const Gaps gaps(scores, 0x1p40, numerator, denominator);
  Numbers chosen(count);
  for (std::int64_t& index : chosen) {
    BlockSource source(bits, 6);
    index = static_cast<std::int64_t>(choose(source, gaps));
  }
  return chosen;
}

std::vector<Shared> shared_choices() {
  std::vector<Shared> all;
  const Numbers answers(3, 1);
  const std::vector<double> scores{0.5, 1, 0};
  all.push_back({RandomizedResponse{0.8, 3},
                 [=] {
                   Numbers out(answers.size());
                   return randomized_response(answers, out, 0.8, 3);
                 },
                 [](Bits& bits, std::int64_t x, std::size_t count) {
                   Numbers out(count);
                   respond_all(bits, Numbers(count, x), out, 0.8, 3);
                   return out;
                 },
                 1,
                 {0.0, 0.5, 1.0}});
  all.push_back({Exponential{1},
                 [=] { return exponential(scores, 1).release; },
                 [](Bits& bits, std::int64_t x, std::size_t count) {
                   return choices_of(bits, x == 0, count, 1, 2, [](BlockSource& source, const Gaps& gaps) {
                     return choose_by_weight(source, gaps);
                   });
                 },
                 1,
                 {0.0},  // at other epsilons, another distance of the scores is the worst one
                 100000});
  all.push_back({PermuteAndFlip{1},
                 [=] { return permute_and_flip(scores, 1).release; },
                 [](Bits& bits, std::int64_t x, std::size_t count) {
                   return choices_of(bits, x == 0, count, 1, 2, [](BlockSource& source, const Gaps& gaps) {
                     return permute_and_flip_choice(source, gaps);
                   });
                 },
                 1,
                 {0.0, 0.4, 0.8},
                 100000,
                 false});
  all.push_back({ReportNoisyMax{.score_scale = 2},
                 [=] { return report_noisy_max(scores, 2).release; },
                 [](Bits& bits, std::int64_t x, std::size_t count) {
                   return choices_of(bits, x == 0, count, 1, 2, [](BlockSource& source, const Gaps& gaps) {
                     return noisy_max_choice(source, gaps);
                   });
                 },
                 1,
                 {0.0, 0.4},
                 100000,
                 false});
  return all;
}

std::vector<Shared> shared() {
  std::vector<Shared> all;
  // In units of the grid, so that the release has a sensitivity of 1 and a grid of 1/64.
  const std::vector<double> numbers(3, 0.25);
  all.push_back({Gaussian{1.5, 1},
                 [=] {
                   std::vector<double> out(numbers.size());
                   return gaussian(numbers, out, 1.5, {.grid = 0x1p-6, .range = {}});
                 },
                 [](Bits& bits, std::int64_t x, std::size_t count) {
                   return test::drawn_on_grid<HalfNormal>(bits, std::vector<double>(count, static_cast<double>(x)),
                                                          Scale::of(1.5, 0x1p-6));
                 },
                 64,
                 {0.0, 0.5, 1.0}});
  all.push_back({Laplace{1.25, 1},
                 [=] {
                   std::vector<double> out(numbers.size());
                   return laplace(numbers, out, 1.25, {.grid = 0x1p-6, .range = {}});
                 },
                 [](Bits& bits, std::int64_t x, std::size_t count) {
                   return test::drawn_on_grid<FairExponential>(bits, std::vector<double>(count, static_cast<double>(x)),
                                                               Scale::of_binary(1.25, 0x1p-6));
                 },
                 64,
                 {0.0, 0.3, 0.6}});
  const Numbers whole(3, 7);
  all.push_back(
      {renyi::DiscreteGaussian{2.5, 2},
       [=] {
         Numbers out(whole.size());
         return discrete_gaussian(whole, out, 2.5, 2);
       },
       [](Bits& bits, std::int64_t x, std::size_t count) { return moved(bits, x, count, DiscreteGaussian(2.5)); },
       2,
       {0.0, 0.5, 1.0}});
  all.push_back({renyi::DiscreteLaplace{3, 2},
                 [=] {
                   Numbers out(whole.size());
                   return discrete_laplace(whole, out, 3, 2);
                 },
                 [](Bits& bits, std::int64_t x, std::size_t count) {
                   return moved(bits, x, count, DiscreteLaplace(3, DiscreteLaplace::Sides::two));
                 },
                 2,
                 {0.0, 0.2, 0.5}});
  all.push_back({Skellam{4, 1},
                 [=] {
                   Numbers out(whole.size());
                   return skellam(whole, out, 4, 1);
                 },
                 [](Bits& bits, std::int64_t x, std::size_t count) {
                   Numbers drawn(count);
                   skellam(bits, drawn, 4);
                   for (std::int64_t& n : drawn) n += x;
                   return drawn;
                 },
                 1,
                 {0.0, 0.3, 0.6},
                 60000});
  const std::vector<Shared> choices = shared_choices();
  all.insert(all.end(), choices.begin(), choices.end());
  return all;
}

TEST(NoiseContract, TheStepOfAReleaseIsTheMechanismThatWasDrawn) {
  for (const Shared& one : shared()) {
    const Release release = one.release();
    SCOPED_TRACE(release.step);
    EXPECT_EQ(release.mechanism, one.mechanism.kind());
    EXPECT_EQ(test::step_of(release), one.mechanism);
    EXPECT_GT(release.draws, 0U);
    EXPECT_GT(release.timing_delta, 0);
    EXPECT_LE(release.timing_delta, 3 * 0x1p-60);
  }
}

// The frequency of numbers up to a limit.
double frequency(const Numbers& sorted, std::int64_t limit) {
  return static_cast<double>(std::upper_bound(sorted.begin(), sorted.end(), limit) - sorted.begin()) /
         static_cast<double>(sorted.size());
}

// How far the frequency of {N <= limit} exceeds exp(epsilon) times that under the other input. The laws are symmetric
// and their likelihood ratio is monotone, so that the best of these events has the probability that delta is about. The
// limit is chosen on other draws than those on which it is measured.
struct Measured {
  double delta, error;
};

// Draws about both inputs, in order: to choose limits, and to measure.
class Neighbours {
 public:
  Neighbours(const Shared& one, std::size_t draws) {
    test::SeededBits bits(20);
    for (Pair* pair : {&choice_, &measure_}) {
      pair->p = one.draw(bits, 0, draws);
      pair->q = one.draw(bits, one.sensitivity, draws);
      std::sort(pair->p.begin(), pair->p.end());
      std::sort(pair->q.begin(), pair->q.end());
    }
  }

  [[nodiscard]] Measured delta(double epsilon) const {
    const double factor = std::exp(epsilon);
    const auto excess = [&](std::int64_t limit) {
      return frequency(choice_.p, limit) - factor * frequency(choice_.q, limit);
    };
    std::int64_t best = choice_.p.front();
    for (std::int64_t limit = best; limit <= choice_.p.back(); ++limit)
      if (excess(limit) > excess(best)) best = limit;
    const double a = frequency(measure_.p, best), b = frequency(measure_.q, best);
    const auto draws = static_cast<double>(measure_.p.size());
    return {a - factor * b, std::sqrt((a * (1 - a) + factor * factor * b * (1 - b)) / draws)};
  }

 private:
  struct Pair {
    Numbers p, q;
  };
  Pair choice_, measure_;
};

TEST(NoiseContract, DrawsAboutNeighboursHaveTheDeltaOfTheAccountant) {
  for (const Shared& one : shared()) {
    const Neighbours neighbours(one, one.draws);
    for (const double epsilon : one.epsilons) {
      SCOPED_TRACE(testing::Message() << one.mechanism.kind() << ", epsilon " << epsilon);
      Plan plan;
      plan.add(one.mechanism);
      const Cost cost = renyi::delta(plan, epsilon);
      ASSERT_TRUE(cost.is_exact());
      const Measured measured = neighbours.delta(epsilon);
      std::cout << one.mechanism.kind() << " at epsilon " << epsilon << ": delta " << cost.upper() << ", measured "
                << measured.delta << " +- " << measured.error << "\n";
      EXPECT_LE(measured.delta - 5 * measured.error, cost.upper());
      // Rounding to the grid and the choice of the limit lose less than 0.002.
      if (one.is_attained) {
        EXPECT_GE(measured.delta + 5 * measured.error + 0.002, cost.exact->worst.lower);
      }
      EXPECT_GT(cost.upper(), 10 * measured.error);  // or it would say little
    }
  }
}

}  // namespace contract_test
}  // namespace renyi::noise
