// Samples as lists of records: every word of 8 bits, the digits of doubles, histograms, bad parameters.
#include "noise/records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <vector>

#include "noise/block_source.h"
#include "renyi/noise.h"
#include "support/chi_square.h"
#include "support/field_of_error.h"
#include "support/fixed_bits.h"
#include "support/word_tree.h"

namespace renyi::noise {
namespace records_test {

using Records = std::vector<std::uint64_t>;
using test::enumerate_words;
using test::field_of;
using test::PrefixSource;

TEST(PoissonRecords, EveryWordOfEightRecords) {
  for (const double p : {0.25, 0.5, 0.75}) {
    const auto masses =
        enumerate_words<Records>([&](PrefixSource& source) { return take_poisson_records(source, 8, p); }, 2);
    EXPECT_EQ(masses.undecided, 0);
    EXPECT_EQ(masses.mass.size(), 256U);
    for (const auto& [records, mass] : masses.mass) {
      const auto size = static_cast<double>(records.size());
      EXPECT_EQ(mass, std::pow(p, size) * std::pow(1 - p, 8 - size)) << p;
    }
  }
}

// The words of a record whose number U has the same first digits as p, and then another one.
struct DigitPath {
  using Word = std::uint8_t;
  double rest = 0;
  int common = 0;
  int used = 0;
  Word next() {
    rest *= 2;
    const bool digit = rest >= 1;
    rest -= digit ? 1 : 0;
    return static_cast<Word>((used++ < common) == digit ? 1 : 0);
  }
};

TEST(PoissonRecords, OneRecordIsTakenWithTheProbabilityThatTheDoubleIs) {
  for (const double p : {0.1, 1 / 3.0, 1e-3, 0x1.fffffffffffffp-1, 5e-9, 0.0}) {
    // The paths on which U leaves the digits of p are all there are, but for U = p.
    double mass = 0;
    for (int common = 0; common < 120; ++common) {
      DigitPath words{p, common};
      const Records records = take_poisson_records(words, 1, p);
      EXPECT_LE(words.used, common + 1);
      if (!records.empty()) mass += std::ldexp(1.0, -(common + 1));
    }
    EXPECT_EQ(mass, p);
  }
}

TEST(PoissonRecords, RecordsOfTheLastWordAreThoseThatThereAre) {
  test::SeededBits bits(5);
  BlockSource source(bits, 100);
  EXPECT_THAT(take_poisson_records(source, 3, 1), testing::ElementsAre(0, 1, 2));
  for (const std::uint64_t count : {0U, 1U, 63U, 64U, 65U, 130U}) {
    EXPECT_EQ(take_poisson_records(source, count, 1).size(), count);
    EXPECT_THAT(take_poisson_records(source, count, 0.9), testing::Each(testing::Lt(count)));
  }
}

TEST(PoissonRecords, HistogramsOfPlacesAndPairsAgree) {
  test::SeededBits bits(6);
  BlockSource source(bits, 1000);
  constexpr std::uint64_t places = 70;
  constexpr int draws = 20'000;
  constexpr double p = 0.3;
  std::vector<std::uint64_t> taken(places);
  std::vector<std::uint64_t> neighbours(4);
  for (int i = 0; i < draws; ++i) {
    unsigned pair = 0;
    for (const std::uint64_t record : take_poisson_records(source, places, p)) {
      ++taken.at(record);
      // The last record of one word and the first of the next one are independent, too.
      if (record == 63) pair += 1;
      if (record == 64) pair += 2;
    }
    ++neighbours[pair];
  }
  const std::vector<double> pairs = {(1 - p) * (1 - p), p * (1 - p), p * (1 - p), p * p};
  EXPECT_GT(test::p_value(neighbours, pairs), 1e-6);
  for (const std::uint64_t count : taken) {
    const std::vector<std::uint64_t> both = {count, draws - count};
    EXPECT_GT(test::p_value(both, std::vector<double>{p, 1 - p}), 1e-7);
  }
}

TEST(FixedSizeRecords, EveryWordOfOneOfThree) {
  const auto masses =
      enumerate_words<Records>([](PrefixSource& source) { return take_fixed_size_records(source, 3, 1); }, 3);
  ASSERT_EQ(masses.mass.size(), 3U);
  for (const auto& [records, mass] : masses.mass) EXPECT_NEAR(mass, 1 / 3.0, masses.undecided + 1e-16);
  EXPECT_LT(masses.undecided, 1e-6);
}

TEST(FixedSizeRecords, EveryChoiceOfPlacesGivesEachSetEquallyOften) {
  // The places are uniform and independent (UniformBelow in samples_test.cpp): all choices of them, for 3 of 6.
  std::map<Records, int> sets;
  const auto inside = [](unsigned place, unsigned n) { return static_cast<std::uint8_t>(place * 256 / n + 1); };
  for (unsigned a = 0; a < 4; ++a) {
    for (unsigned b = 0; b < 5; ++b) {
      for (unsigned c = 0; c < 6; ++c) {
        const std::vector<std::uint8_t> words = {inside(a, 4), 0, inside(b, 5), 0, inside(c, 6), 0};
        PrefixSource source(words);
        ++sets[take_fixed_size_records(source, 6, 3)];
        EXPECT_EQ(source.used(), 6U);
      }
    }
  }
  EXPECT_EQ(sets.size(), 20U);
  for (const auto& [set, times] : sets) EXPECT_EQ(times, 6);
}

TEST(Records, PublicFunctions) {
  const Records poisson = poisson_records(1'000'000, 0.01);
  EXPECT_NEAR(static_cast<double>(poisson.size()), 10'000, 1'000);
  EXPECT_TRUE(std::ranges::is_sorted(poisson));
  EXPECT_EQ(poisson_records(1000, 0).size(), 0U);
  EXPECT_EQ(poisson_records(1000, 1).size(), 1000U);
  EXPECT_NE(poisson_records(1000, 0.5), poisson_records(1000, 0.5));
  const Records fixed = fixed_size_records(1'000'000, 1000);
  EXPECT_EQ(fixed.size(), 1000U);
  EXPECT_EQ(std::ranges::adjacent_find(fixed, std::greater_equal()), fixed.end());
  EXPECT_LT(fixed.back(), 1'000'000U);
  EXPECT_THAT(fixed_size_records(3, 3), testing::ElementsAre(0, 1, 2));
  EXPECT_THAT(fixed_size_records(64, 0), testing::IsEmpty());
}

TEST(Records, BadParametersAreNamed) {
  for (const double q : {-1.0, 1.5, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(field_of([&] { (void)poisson_records(5, q); }), "sampling_rate") << q;
  }
  EXPECT_EQ(field_of([] { (void)fixed_size_records(5, 6); }), "sample_size");
  EXPECT_EQ(field_of([] { (void)poisson_records(~std::uint64_t{0}, 0.5); }), "records");
  EXPECT_EQ(field_of([] { (void)fixed_size_records(~std::uint64_t{0}, 1); }), "records");
}

}  // namespace records_test
}  // namespace renyi::noise
