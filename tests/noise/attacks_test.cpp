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

// The textbook's Laplace noise: a sign, and the logarithm of a uniform double of 53 bits.
double laplace_answer(double x, std::uint64_t uniform, bool is_negative) {
  const double noise = -scale * std::log(std::ldexp(static_cast<double>(uniform), -53));
  return is_negative ? x - noise : x + noise;
}
Sampler textbook_laplace(std::mt19937_64& random) {
  return [&random](double x, std::size_t count) {
    Answers answers;
    while (answers.size() < count) {
      const std::uint64_t word = random();
      answers.push_back(laplace_answer(x, (word >> 11U) + 1, (word & 1U) != 0));
    }
    return answers;
  };
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
  std::mt19937_64 random(1);
  test::SeededBits bits(1);
  const std::size_t answers = 32;
  const double naive = success_rate(textbook_laplace(random), low_bits, answers);
  const double ours = success_rate(exact_sampler<FairExponential>(Scale::of_binary, bits), low_bits, answers);
  std::cout << "low bits: right in " << naive << " (textbook), " << ours << " (ours)\n";
  EXPECT_GT(naive, 0.99);
  EXPECT_LT(ours, allowed(answers * inputs[1] / scale));
  EXPECT_GT(ours, 1 - allowed(0));
}

// A sampler that rounds to the grid, by inverting the distribution function at a uniform number of 24 bits.
Sampler rounded_inverse(std::mt19937_64& random) {
  return [&random](double x, std::size_t count) {
    Answers answers;
    while (answers.size() < count) {
      const std::uint64_t word = random();
      const double noise = -scale * std::log(std::ldexp(static_cast<double>((word >> 40U) + 1), -24));
      answers.push_back(std::round((word & 1U) != 0 ? x - noise : x + noise));
    }
    return answers;
  };
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
  std::mt19937_64 random(2);
  test::SeededBits bits(2);
  const std::size_t answers = 160;
  const double naive = success_rate(rounded_inverse(random), interval_surprise, answers);
  const double ours = success_rate(exact_sampler<FairExponential>(Scale::of_binary, bits), interval_surprise, answers);
  std::cout << "refined intervals: right in " << naive << " (rounded inverse), " << ours << " (ours)\n";
  EXPECT_GT(naive, 0.99);
  EXPECT_LT(ours, allowed(answers * inputs[1] / scale));
  EXPECT_GT(ours, 1 - allowed(0));
}

// Box and Muller's pairs of Gaussian variables, with uniform numbers of 32 bits and arithmetic of doubles.
Sampler box_muller(std::mt19937_64& random) {
  return [&random](double x, std::size_t count) {
    Answers answers;
    while (answers.size() < count) {
      const std::uint64_t word = random();
      const double radius = std::sqrt(-2 * std::log(std::ldexp(static_cast<double>((word >> 32U) + 1), -32)));
      const double angle = 2 * std::numbers::pi * std::ldexp(static_cast<double>(word & 0xffffffffU), -32);
      answers.push_back(x + scale * (radius * std::cos(angle)));
      answers.push_back(x + scale * (radius * std::sin(angle)));
    }
    return answers;
  };
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
  std::mt19937_64 random(3);
  test::SeededBits bits(3);
  const std::size_t answers = 16;
  const double naive = success_rate(box_muller(random), radius_misfit, answers);
  const double ours = success_rate(exact_sampler<HalfNormal>(Scale::of, bits), radius_misfit, answers);
  std::cout << "pairs: right in " << naive << " (Box and Muller), " << ours << " (ours)\n";
  EXPECT_GT(naive, 0.99);
  // Sixteen answers are one of a Gaussian with a distance of 4 inputs[1]/scale: the advantage is below half of it.
  EXPECT_LT(ours, allowed(4 * inputs[1] / scale));
  EXPECT_GT(ours, 1 - allowed(0));
}

}  // namespace attacks_test
}  // namespace renyi::noise
