// Drawing leaves the registers of the processor as the caller expects them: those of long double are empty.
//
// Compilers may move integers of 128 bits through registers of MMX (cmake/RenyiTarget.cmake), which are those of the
// floating-point stack, and what is left in them makes every long double NaN.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "noise/choices.h"
#include "noise/exact/double_double.h"
#include "noise/fair_exponential.h"
#include "noise/half_normal.h"
#include "noise/integer_laws.h"
#include "renyi/clipped_sum.h"
#include "renyi/exact_sum.h"
#include "renyi/noise.h"
#include "support/fixed_bits.h"
#include "support/grid_values.h"

namespace renyi::noise {
namespace registers_test {

#if defined(__x86_64__)
// Two bits for each of the eight registers that long double and MMX share: 3 for an empty one.
bool are_tags_empty() {
  std::array<std::uint32_t, 7> environment{};
  asm volatile("fnstenv %0\n\tfldenv %0" : "+m"(environment));
  return (environment[2] & 0xffffU) == 0xffffU;
}

TEST(Registers, ThatAreUsedAreNoticed) {
  asm volatile("fldz");
  EXPECT_FALSE(are_tags_empty());
  asm volatile("fstp %st(0)");
  EXPECT_TRUE(are_tags_empty());
}
#else
bool are_tags_empty() { return true; }
#endif

// As deep as the stack: eight numbers are there at once.
bool do_long_doubles_work() {
  volatile long double x = 1.5L, two = 2;
  const long double a = x, b = a + x, c = b + x, d = c + x, e = d + x, f = e + x, g = f + x;
  const long double product = a * b * c * d * e * f * g, sum = g + f + e + d + c + b + a;
  return !std::isnan(product) && !std::isnan(sum) && std::log2(static_cast<long double>(x) * 2) > 1 &&
         std::abs(static_cast<double>(std::log(two) * std::sqrt(two)) - std::log(2.0) * std::sqrt(2.0)) <= 1e-15;
}

struct Draw {
  std::string name;
  std::function<void()> run;
};

template <class Number>
std::vector<Draw> draws_on_grid(const std::string& type) {
  const std::vector<Number> values(20'000, 1);
  return {{"gaussian of " + type,
           [=] {
             std::vector<Number> out = values;
             gaussian(out, out, 10);
           }},
          {"laplace of " + type, [=] {
             std::vector<Number> out = values;
             laplace(out, out, 10);
           }}};
}

std::vector<Draw> draws_of_whole_numbers() {
  using Numbers = std::vector<std::int64_t>;
  const auto with = [](const auto& law) {
    return [=] {
      Numbers numbers(20'000);
      law(numbers);
    };
  };
  return {{"discrete gaussian", with([](Numbers& n) { discrete_gaussian(n, n, 10); })},
          {"discrete laplace", with([](Numbers& n) { discrete_laplace(n, n, 10); })},
          {"skellam", with([](Numbers& n) { skellam(n, n, 10); })},
          {"geometric", with([](Numbers& n) { geometric(n, 10); })},
          {"randomized response", with([](Numbers& n) { randomized_response(n, n, 0.3, 3); })}};
}

std::vector<Draw> draws_of_samples() {
  using Flags = std::vector<std::uint8_t>;
  using Places = std::vector<std::uint64_t>;
  const auto flags = [](const auto& law) {
    return [=] {
      Flags out(1000);
      law(out);
    };
  };
  const auto places = [](const auto& law) {
    return [=] {
      Places out(1000);
      law(out);
    };
  };
  return {{"bernoulli", flags([](Flags& out) { bernoulli(out, 1e-30); })},
          {"bernoulli exp", flags([](Flags& out) { bernoulli_exp(out, 0.75); })},
          {"poisson sample", flags([](Flags& out) { poisson_sample(out, 0.3); })},
          {"fixed-size sample", flags([](Flags& out) { fixed_size_sample(out, 300); })},
          {"random allocation", places([](Places& out) { random_allocation(out, 7); })},
          {"shuffle", places([](Places& out) { shuffle(out); })}};
}

std::vector<Draw> draws_of_choices() {
  static const std::vector<double> scores = {0.25, 1.5, -0.75};
  static const Gaps gaps(scores, 0x1p40, 0.7, 0.3);
  const auto slowly = [](const auto& choose) {
    return [=] {
      test::CountedWords words{std::mt19937_64(1)};
      choose(words);
    };
  };
  return {{"exponential", [] { exponential(scores, 1); }},
          {"report noisy max", [] { report_noisy_max(scores, 1); }},
          {"permute and flip", [] { permute_and_flip(scores, 1); }},
          {"exponential, slowly", slowly([](auto& words) { choose_by_weight(words, gaps, {~Wide{0}}); })},
          {"report noisy max, slowly", slowly([](auto& words) { noisy_max_choice(words, gaps, 1e9); })},
          {"permute and flip, slowly", slowly([](auto& words) { permute_and_flip_choice(words, gaps, {~Wide{0}}); })}};
}

std::vector<Draw> draws_about_sums() {
  return {{"gaussian of exact sums",
           [] {
             std::vector<double> out(100);
             gaussian(std::vector<ExactSum>(100, ExactSum(1)), out, 10);
           }},
          {"laplace of exact sums",
           [] {
             std::vector<double> out(100);
             laplace(std::vector<ExactSum>(100, ExactSum(1)), out, 10);
           }},
          {"noise like a clipped sum", [] {
             ClippedSum sum(100, 1);
             sum.add(std::vector<float>(100, 1));
             std::vector<double> out(100);
             noise_like(sum, out, 1.1);
           }}};
}

// The insides of the laws, which are compiled into this program.
std::vector<Draw> draws_with_given_bits() {
  const auto with = [](const auto& law) {
    return [=] {
      test::SeededBits bits(1);
      law(bits);
    };
  };
  const std::vector<double> x(100, 0.3);
  return {
      {"half-normal", with([=](Bits& bits) { test::drawn_on_grid<HalfNormal>(bits, x, Scale::of(7.5, 1)); })},
      {"fair exponential",
       with([=](Bits& bits) { test::drawn_on_grid<FairExponential>(bits, x, Scale::of_binary(7.5, 1)); })},
      {"discrete gaussian inside", with([](Bits& bits) { test::drawn_integers(bits, 100, DiscreteGaussian(7.5)); })},
      {"discrete laplace inside",
       with([](Bits& bits) { test::drawn_integers(bits, 100, DiscreteLaplace(7.5, DiscreteLaplace::Sides::two)); })},
      {"geometric inside",
       with([](Bits& bits) { test::drawn_integers(bits, 100, DiscreteLaplace(7.5, DiscreteLaplace::Sides::one)); })},
      {"fractions", [] {
         Wide sum = 0;
         for (int i = 0; i < 100; ++i) {
           const Fraction fraction = exp_minus_fraction(i, 0x1p-90);
           EXPECT_TRUE(fraction.lower < fraction.upper);
           sum += fraction.upper + enclose(i / 100.0, 0x1p-100).lower;
         }
         EXPECT_TRUE(sum != 0);
         const Fraction fraction = exp_minus_fraction(DoubleDouble(0.75), 0x1p-90);
         EXPECT_TRUE(fraction.lower < fraction.upper);
       }}};
}

TEST(Registers, OfLongDoublesAreEmptyAfterDrawsOfEveryLaw) {
  ASSERT_TRUE(are_tags_empty());
  ASSERT_TRUE(do_long_doubles_work());
  for (const std::vector<Draw>& draws :
       {draws_on_grid<double>("doubles"), draws_on_grid<float>("floats"), draws_of_whole_numbers(), draws_of_samples(),
        draws_of_choices(), draws_about_sums(), draws_with_given_bits()}) {
    for (const Draw& draw : draws) {
      draw.run();
      EXPECT_TRUE(are_tags_empty()) << draw.name;
      EXPECT_TRUE(do_long_doubles_work()) << draw.name;
    }
  }
}

}  // namespace registers_test
}  // namespace renyi::noise
