// Histograms of every vector law at many scales against exact probabilities, with fixed seeds.
//
// RENYI_NOISE_DRAWS says how many draws each histogram has, RENYI_NOISE_SEEDS from how many seeds p-values are taken,
// and RENYI_NOISE_SEED is the first of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include "noise/fair_exponential.h"
#include "noise/half_normal.h"
#include "noise/integer_laws.h"
#include "support/fixed_bits.h"
#include "support/grid_values.h"
#include "support/law_histogram.h"
#include "support/random_inputs.h"

namespace renyi::noise {
namespace histogram_test {

using test::Below;
using test::Bins;

// A law that can be drawn, and its exact distribution.
struct Drawn {
  std::string name;
  std::function<std::vector<std::int64_t>(Bits&, std::size_t)> draw;
  Below below;
  double middle = 0;
};

// In units of the grid.
constexpr double x = 0.3;

std::vector<Drawn> laws(double scale) {
  const auto at = [](std::int64_t n) { return static_cast<double>(n) - 0.5 - x; };
  return {{"gaussian",
           [=](Bits& bits, std::size_t count) {
             return test::drawn_on_grid<HalfNormal>(bits, std::vector<double>(count, x), Scale::of(scale, 1));
           },
           [=](std::int64_t n) { return test::normal_below(at(n) / scale); }},
          {"laplace",
           [=](Bits& bits, std::size_t count) {
             return test::drawn_on_grid<FairExponential>(bits, std::vector<double>(count, x),
                                                         Scale::of_binary(scale, 1));
           },
           [=](std::int64_t n) { return test::laplace_below(at(n) / scale); }},
          {"discrete-gaussian",
           [=](Bits& bits, std::size_t count) { return test::drawn_integers(bits, count, DiscreteGaussian(scale)); },
           test::discrete_gaussian_below(scale)},
          {"discrete-laplace",
           [=](Bits& bits, std::size_t count) {
             return test::drawn_integers(bits, count, DiscreteLaplace(scale, DiscreteLaplace::Sides::two));
           },
           test::discrete_laplace_below(scale)},
          {"geometric",
           [=](Bits& bits, std::size_t count) {
             return test::drawn_integers(bits, count, DiscreteLaplace(scale, DiscreteLaplace::Sides::one));
           },
           test::geometric_below(scale), scale}};
}

void fill(const Drawn& law, std::uint64_t seed, std::uint64_t draws, Bins& bins) {
  test::SeededBits bits(seed);
  bins.clear();
  for (std::uint64_t done = 0; done < draws;) {
    const std::vector<std::int64_t> part = law.draw(bits, std::min<std::uint64_t>(draws - done, 1U << 16U));
    bins.count(part);
    done += part.size();
  }
}

// Not by name of the law, so that another law has other words.
std::uint64_t seed_of(std::uint64_t number) { return 1000003 * test::environment("RENYI_NOISE_SEED", 1) + number; }

TEST(Histograms, EveryLawAtEveryScaleFitsItsExactProbabilities) {
  const std::uint64_t draws = test::environment("RENYI_NOISE_DRAWS", 100000);
  std::uint64_t number = 0;
  for (const double scale : {0.3, 1.0, 7.5, 1000.0, 0x1p20, 0x1p40}) {
    for (const Drawn& law : laws(scale)) {
      SCOPED_TRACE(law.name + " " + std::to_string(scale));
      Bins bins(law.below, law.middle, scale, 1e-3);
      ASSERT_GT(bins.size(), 2U);
      fill(law, seed_of(++number), draws, bins);
      const double p = bins.p_value();
      // Thirty tests with this limit fail once in 30 million seeds.
      EXPECT_GT(p, 1e-9);
      std::cout << law.name << " at " << scale << ": " << draws << " draws in " << bins.size() << " bins, p = " << p
                << "\n";
    }
  }
}

TEST(Histograms, AWrongScaleDoesNotFit) {
  for (const double scale : {0.3, 7.5, 0x1p40}) {
    const std::vector<Drawn> right = laws(scale), wrong = laws(1.03 * scale);
    for (std::size_t i = 0; i < right.size(); ++i) {
      SCOPED_TRACE(right[i].name + " " + std::to_string(scale));
      Bins bins(wrong[i].below, wrong[i].middle, scale, 1e-3);
      fill(right[i], 1, 100000, bins);
      EXPECT_LT(bins.p_value(), 1e-4);
    }
  }
}

TEST(Histograms, PValuesOfManySeedsAreUniform) {
  const std::uint64_t seeds = test::environment("RENYI_NOISE_SEEDS", 20);
  const std::uint64_t draws =
      std::clamp<std::uint64_t>(test::environment("RENYI_NOISE_DRAWS", 100000) / 10, 10000, 1000000);
  for (const double scale : {1.0, 1000.0}) {
    for (const Drawn& law : laws(scale)) {
      SCOPED_TRACE(law.name + " " + std::to_string(scale));
      Bins bins(law.below, law.middle, scale, 5e-3);
      std::vector<double> p_values;
      for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        fill(law, seed_of(1000 + seed), draws, bins);
        p_values.push_back(bins.p_value());
      }
      const double p = test::uniformity(p_values);
      EXPECT_GT(p, 1e-7);
      std::cout << law.name << " at " << scale << ": p-values of " << seeds << " seeds are uniform with p = " << p
                << "\n";
    }
  }
}

}  // namespace histogram_test
}  // namespace renyi::noise
