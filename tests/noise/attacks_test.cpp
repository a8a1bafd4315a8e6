// Published attacks on noise in floating point: they succeed against textbook samplers, and fail against ours.
//
// Each one is a distinguisher: it sees answers about one of two inputs, and says which. All numbers are in units of the
// grid, the noise has the scale 2^20, and the inputs differ by so little that ideal noise hides them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iostream>
#include <numbers>
#include <random>
#include <vector>

#include "noise/fair_exponential.h"
#include "noise/grid.h"
#include "noise/half_normal.h"
#include "support/fixed_bits.h"
#include "support/grid_values.h"

namespace renyi::noise {
namespace attacks_test {

constexpr double scale = 0x1p20;
constexpr double inputs[2] = {0, 1000.37};

using Answers = std::vector<double>;
// Answers about x; and how unlikely they are under x, in the attacker's opinion.
using Sampler = std::function<Answers(double x, std::size_t count)>;
using Suspicion = std::function<double(const Answers&, double x)>;

// How often the attacker is right.
double success_rate(const Sampler& sampler, const Suspicion& suspicion, std::size_t answers) {
  std::mt19937_64 coins(7);
  const int trials = 2000;
  int right = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const std::size_t truth = coins() >> 63U;
    const Answers seen = sampler(inputs[truth], answers);
    const double first = suspicion(seen, inputs[0]), second = suspicion(seen, inputs[1]);
    const std::size_t said = first == second ? coins() >> 63U : (first < second ? 0 : 1);
    right += said == truth ? 1 : 0;
  }
  return static_cast<double>(right) / trials;
}

// What differential privacy allows at most, (1 + tanh(epsilon/2))/2, and five standard deviations of the rate.
double allowed(double epsilon) { return 0.5 + std::tanh(epsilon / 2) / 2 + 5 * 0.5 / std::sqrt(2000.0); }

// Ours, with fixed bits.
template <class Law>
Sampler exact_sampler(Scale (*scale_of)(double, double), test::SeededBits& bits) {
  return [&bits, scale_of](double x, std::size_t count) {
    const auto out = test::drawn_on_grid<Law>(bits, std::vector<double>(count, x), scale_of(scale, 1));
    return Answers(out.begin(), out.end());
  };
}

// A sampler that makes one or more answers of each random word.
template <class Answer>
Sampler by_words(std::mt19937_64& random, const Answer& answer) {
  return [&random, answer](double x, std::size_t count) {
    Answers answers;
    while (answers.size() < count) answer(x, random(), answers);
    return answers;
  };
}

// The attack that works on the naive sampler fails on ours, whose answers have this epsilon at most.
template <class Law>
void expect_only_naive_reveals(const char* attack, std::uint64_t seed, Sampler (*naive)(std::mt19937_64&),
                               Scale (*scale_of)(double, double), const Suspicion& suspicion, std::size_t answers,
                               double epsilon) {
  std::mt19937_64 random(seed);
  test::SeededBits bits(seed);
  const double against_naive = success_rate(naive(random), suspicion, answers);
  const double against_ours = success_rate(exact_sampler<Law>(scale_of, bits), suspicion, answers);
  std::cout << attack << ": right in " << against_naive << " (naive), " << against_ours << " (ours)\n";
  EXPECT_GT(against_naive, 0.99);
  EXPECT_LT(against_ours, allowed(epsilon));
  EXPECT_GT(against_ours, 1 - allowed(0));
}

// The textbook's Laplace noise: a sign, and the logarithm of a uniform double of 53 bits.
double laplace_answer(double x, std::uint64_t uniform, bool is_negative) {
  const double noise = -scale * std::log(std::ldexp(static_cast<double>(uniform), -53));
  return is_negative ? x - noise : x + noise;
}
Sampler textbook_laplace(std::mt19937_64& random) {
  return by_words(random, [](double x, std::uint64_t word, Answers& answers) {
    answers.push_back(laplace_answer(x, (word >> 11U) + 1, (word & 1U) != 0));
  });
}

// Mironov, "On significance of the least significant bits for differential privacy" (2012): from most inputs, most
// doubles cannot be reached. Counts the answers that x cannot give.
double low_bits(const Answers& answers, double x) {
  double unreachable = 0;
  for (const double y : answers) {
    const double about = std::ldexp(std::exp(-std::abs(y - x) / scale), 53);
    bool is_reachable = false;
    for (int step = -6; step <= 6; ++step) {
      const double uniform = std::round(about) + step;
      if (uniform < 1 || uniform > 0x1p53) continue;
      is_reachable |= laplace_answer(x, static_cast<std::uint64_t>(uniform), y < x) == y;
    }
    unreachable += is_reachable ? 0 : 1;
  }
  return unreachable;
}

TEST(Attacks, LowBitsRevealTheInputOfATextbookSamplerOnly) {
  expect_only_naive_reveals<FairExponential>("low bits", 1, textbook_laplace, Scale::of_binary, low_bits, 32,
                                             32 * inputs[1] / scale);
}

// A sampler that rounds to the grid, by inverting the distribution function at a uniform number of 24 bits.
Sampler rounded_inverse(std::mt19937_64& random) {
  return by_words(random, [](double x, std::uint64_t word, Answers& answers) {
    const double noise = -scale * std::log(std::ldexp(static_cast<double>((word >> 40U) + 1), -24));
    answers.push_back(std::round((word & 1U) != 0 ? x - noise : x + noise));
  });
}

// The interval of uniform numbers that lead from x to the answer is known: the attacker refines it to the numbers that
// the sampler can draw, whose count is the probability of the answer. (Haney et al. 2022 attack such samplers where
// none is left.)
double interval_surprise(const Answers& answers, double x) {
  double surprise = 0;
  for (const double y : answers) {
    const double size = std::abs(y - x);
    const double lower = std::ldexp(std::exp(-(size + 0.5) / scale), 24);
    const double upper = std::ldexp(std::exp(-std::max(size - 0.5, 0.0) / scale), 24);
    const double count = std::floor(upper) - std::ceil(lower) + 1;
    // An impossible answer counts much, but not infinitely, because ends were rounded.
    surprise -= count > 0 ? std::log(count) : -20;
  }
  return surprise;
}

TEST(Attacks, RefinedIntervalsRevealTheInputOfARoundedInverseOnly) {
  expect_only_naive_reveals<FairExponential>("refined intervals", 2, rounded_inverse, Scale::of_binary,
                                             interval_surprise, 160, 160 * inputs[1] / scale);
}

// Box and Muller's pairs of Gaussian variables, with uniform numbers of 32 bits and arithmetic of doubles.
Sampler box_muller(std::mt19937_64& random) {
  return by_words(random, [](double x, std::uint64_t word, Answers& answers) {
    const double radius = std::sqrt(-2 * std::log(std::ldexp(static_cast<double>((word >> 32U) + 1), -32)));
    const double angle = 2 * std::numbers::pi * std::ldexp(static_cast<double>(word & 0xffffffffU), -32);
    answers.push_back(x + scale * (radius * std::cos(angle)));
    answers.push_back(x + scale * (radius * std::sin(angle)));
  });
}

// A pair of answers gives the first uniform number away: for the right x it is a multiple of 2^-32.
double radius_misfit(const Answers& answers, double x) {
  double misfit = 0;
  for (std::size_t i = 0; i + 1 < answers.size(); i += 2) {
    const double a = (answers[i] - x) / scale, b = (answers[i + 1] - x) / scale;
    const double uniform = std::ldexp(std::exp(-(a * a + b * b) / 2), 32);
    misfit += std::abs(uniform - std::round(uniform));
  }
  return misfit;
}

TEST(Attacks, PairsRevealTheInputOfBoxAndMullerOnly) {
  // Sixteen answers are one of a Gaussian with a distance of 4 inputs[1]/scale: the advantage is below half of it.
  expect_only_naive_reveals<HalfNormal>("pairs", 3, box_muller, Scale::of, radius_misfit, 16, 4 * inputs[1] / scale);
}

}  // namespace attacks_test
}  // namespace renyi::noise
