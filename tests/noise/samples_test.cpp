// Uniform whole numbers, samples, allocations and permutations: every word of 8 bits, histograms, bad parameters.
#include "noise/samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "noise/block_source.h"
#include "renyi/noise.h"
#include "support/chi_square.h"
#include "support/field_of_error.h"
#include "support/fixed_bits.h"
#include "support/word_tree.h"

namespace renyi::noise {
namespace samples_test {

using test::enumerate_words;
using test::field_of;
using test::PrefixSource;

TEST(UniformBelow, EveryWord) {
  for (const std::uint64_t n : {1U, 2U, 3U, 5U, 7U, 100U, 256U, 257U}) {
    auto masses = enumerate_words<std::uint64_t>([&](PrefixSource& source) { return uniform_below(source, n); }, 3);
    EXPECT_LE(masses.undecided, static_cast<double>(n - 1) * 0x1p-24) << n;
    EXPECT_LT(masses.undecided, 1e-4);
    ASSERT_EQ(masses.mass.size(), n);
    for (const auto& [value, mass] : masses.mass) {
      EXPECT_NEAR(mass, 1 / static_cast<double>(n), masses.undecided + 1e-16) << n << " " << value;
    }
  }
}

TEST(UniformBelow, LargeNumbersOfWordsOf64Bits) {
  struct Words {
    using Word = std::uint64_t;
    std::vector<Word> words;
    std::size_t used = 0;
    Word next() { return words.at(used++); }
  };
  const std::uint64_t most = ~std::uint64_t{0};
  // U = 1 - 2^-128: U n = n - n 2^-128. The whole part is n - 1.
  Words top{{most, most}};
  EXPECT_EQ(uniform_below(top, 1), 0U);
  Words open{{most, most, 0}};
  EXPECT_EQ(uniform_below(open, most), most - 1);
  // n = 3, U = 0.0101...b up to 128 bits lies in a cell with 1/3, which is 0.0101... as well: decided by the third
  // word.
  const std::uint64_t third = most / 3;
  Words below{{third, third, third - 1}}, above{{third, third, third + 1}}, further{{third, third, third, third, most}};
  EXPECT_EQ(uniform_below(below, 3), 0U);
  EXPECT_EQ(uniform_below(above, 3), 1U);
  EXPECT_EQ(uniform_below(further, 3), 1U);
  EXPECT_EQ(further.used, 5U);
}

TEST(QuotientComparison, EveryWordOfEveryQuotientUpToSix) {
  for (std::uint64_t denominator = 1; denominator <= 6; ++denominator) {
    for (std::uint64_t numerator = 0; numerator <= denominator; ++numerator) {
      auto masses = enumerate_words<bool>(
          [&](PrefixSource& source) { return is_below_quotient(source, numerator, denominator); }, 2);
      EXPECT_LE(masses.undecided, 0x1p-16);
      const double p = static_cast<double>(numerator) / static_cast<double>(denominator);
      EXPECT_LE(masses.mass[true], p + 1e-16);
      EXPECT_GE(masses.mass[true] + masses.undecided, p - 1e-16);
      EXPECT_EQ(masses.mass[true] + masses.mass[false] + masses.undecided, 1);
    }
  }
}

TEST(FixedSizeSample, EveryWordOfTwoOfThree) {
  auto masses = enumerate_words<std::array<std::uint8_t, 3>>(
      [](PrefixSource& source) {
        std::array<std::uint8_t, 3> taken{};
        take_fixed_size(source, 2, taken);
        return taken;
      },
      3);
  // A record that is open after its first word needs a fourth word in all.
  EXPECT_LE(masses.undecided, 2.0 / 256);
  ASSERT_EQ(masses.mass.size(), 3U);
  for (const auto& [taken, mass] : masses.mass) {
    EXPECT_EQ(taken[0] + taken[1] + taken[2], 2);
    EXPECT_LE(mass, 1 / 3.0);
    EXPECT_GE(mass, 1 / 3.0 - masses.undecided);
  }
}

TEST(FixedSizeSample, EveryWordOfEveryRecordOfTwoOfFive) {
  // Runs that have taken the same records are one state: masses of sets, and what is undecided, record by record.
  std::map<std::vector<bool>, double> sets = {{{}, 1.0}};
  double undecided = 0;
  for (std::uint64_t left = 5; left > 0; --left) {
    std::map<std::vector<bool>, double> longer;
    for (const auto& [set, mass] : sets) {
      const auto needed = static_cast<std::uint64_t>(2 - std::ranges::count(set, true));
      const auto masses = enumerate_words<bool>(
          [&, left = left](PrefixSource& source) { return is_below_quotient(source, needed, left); }, 3);
      for (const auto& [taken, part] : masses.mass) {
        std::vector<bool> next = set;
        next.push_back(taken);
        longer[next] += mass * part;
      }
      undecided += mass * masses.undecided;
    }
    sets = longer;
  }
  EXPECT_LT(undecided, 1e-4);
  EXPECT_EQ(sets.size(), 10U);
  for (const auto& [set, mass] : sets) EXPECT_NEAR(mass, 0.1, undecided + 1e-15);
}

// Draws by the words of a seed: so many outcomes come, and all of them equally often. Returns them.
template <class Number, class Draw>
std::set<std::vector<Number>> equally_likely(std::uint64_t seed, std::size_t size, std::size_t outcomes,
                                             const Draw& draw) {
  std::map<std::vector<Number>, std::uint64_t> counts;
  test::SeededBits bits(seed);
  BlockSource source(bits, 1000);
  std::vector<Number> drawn(size);
  for (int i = 0; i < 100'000; ++i) {
    draw(source, drawn);
    ++counts[drawn];
  }
  std::set<std::vector<Number>> distinct;
  std::vector<std::uint64_t> histogram;
  for (const auto& [outcome, count] : counts) {
    distinct.insert(outcome);
    histogram.push_back(count);
  }
  EXPECT_EQ(histogram.size(), outcomes);
  const std::vector<double> probabilities(histogram.size(), 1 / static_cast<double>(outcomes));
  EXPECT_GT(test::p_value(histogram, probabilities), 1e-6);
  return distinct;
}

TEST(FixedSizeSample, AllSetsAreEquallyLikely) {
  const auto sets = equally_likely<std::uint8_t>(
      3, 5, 10, [](BlockSource& source, std::vector<std::uint8_t>& taken) { take_fixed_size(source, 2, taken); });
  for (const auto& set : sets) EXPECT_EQ(std::accumulate(set.begin(), set.end(), 0), 2);
}

TEST(RandomAllocation, HistogramAgrees) {
  test::SeededBits bits(4);
  BlockSource source(bits, 200'000);
  std::vector<std::uint64_t> steps(100'000);
  allocate(source, 7, steps);
  std::vector<std::uint64_t> histogram(7);
  for (const std::uint64_t step : steps) ++histogram.at(step);
  EXPECT_GT(test::p_value(histogram, std::vector<double>(7, 1 / 7.0)), 1e-6);
}

TEST(Shuffle, EveryPermutationComesFromOneChoiceOfPlaces) {
  // The places are uniform and independent (UniformBelow above), and there are as many choices of them as permutations.
  std::set<std::vector<std::uint64_t>> permutations;
  for (unsigned a = 0; a < 4; ++a) {
    for (unsigned b = 0; b < 3; ++b) {
      for (unsigned c = 0; c < 2; ++c) {
        const auto inside = [](unsigned place, unsigned n) { return static_cast<std::uint8_t>(place * 256 / n + 1); };
        const std::vector<std::uint8_t> words = {inside(a, 4), 0, inside(b, 3), 0, inside(c, 2), 0};
        PrefixSource source(words);
        std::vector<std::uint64_t> order(4);
        permute(source, order);
        EXPECT_EQ(source.used(), 6U);
        EXPECT_THAT(order, testing::UnorderedElementsAre(0, 1, 2, 3));
        permutations.insert(order);
      }
    }
  }
  EXPECT_EQ(permutations.size(), 24U);
}

TEST(Shuffle, HistogramAgrees) {
  equally_likely<std::uint64_t>(8, 4, 24,
                                [](BlockSource& source, std::vector<std::uint64_t>& order) { permute(source, order); });
}

TEST(Samples, PublicFunctions) {
  std::vector<std::uint8_t> taken(10'000, 7);
  const Release poisson = poisson_sample(taken, 0x1.1p-40);
  EXPECT_EQ(poisson.draws, taken.size());
  EXPECT_EQ(poisson.step, "");
  EXPECT_EQ(poisson.timing_delta, 0);
  EXPECT_EQ(poisson_sample(taken, 1e-30).timing_delta, 10'000 * 0x1p-64);
  poisson_sample(taken, 0.25);
  EXPECT_THAT(taken, testing::Each(testing::AnyOf(0, 1)));
  EXPECT_NEAR(std::accumulate(taken.begin(), taken.end(), 0), 2500, 300);

  const Release fixed = fixed_size_sample(taken, 1234);
  EXPECT_EQ(std::accumulate(taken.begin(), taken.end(), 0), 1234);
  EXPECT_EQ(fixed.timing_delta, 10'000 * 0x1p-64);
  fixed_size_sample(taken, taken.size());
  EXPECT_THAT(taken, testing::Each(1));
  fixed_size_sample(taken, 0);
  EXPECT_THAT(taken, testing::Each(0));

  std::vector<std::uint64_t> order(1000);
  shuffle(order);
  EXPECT_FALSE(std::ranges::is_sorted(order));
  std::ranges::sort(order);
  for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], i);

  EXPECT_LT(random_allocation(order, 10).timing_delta, 1e-30);
  EXPECT_THAT(order, testing::Each(testing::Lt(10U)));
  random_allocation(order, 1);
  EXPECT_THAT(order, testing::Each(0U));
  shuffle({});
  fixed_size_sample({}, 0);
}

TEST(Samples, BadParametersAreNamedAndNothingIsWritten) {
  std::vector<std::uint8_t> taken(5, 7);
  for (const double q : {-1.0, 1.5, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(field_of([&] { poisson_sample(taken, q); }), "sampling_rate") << q;
  }
  EXPECT_EQ(field_of([&] { fixed_size_sample(taken, 6); }), "sample_size");
  EXPECT_THAT(taken, testing::Each(7));
  std::vector<std::uint64_t> steps(5, 7);
  EXPECT_EQ(field_of([&] { random_allocation(steps, 0); }), "steps");
  EXPECT_THAT(steps, testing::Each(7U));
}

}  // namespace samples_test
}  // namespace renyi::noise
