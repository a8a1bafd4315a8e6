// Densities with edges, jumps, poles and ripples that nobody named: the answer is within its error of the truth,
// infinite where the truth is, or refused by a typed error.
#include <gtest/gtest.h>

#include <cmath>

#include "renyi/error.h"
#include "support/density_families.h"

namespace renyi::test::density_families_property_test {
namespace {

// The rounding error of the closed forms themselves, in extended precision.
long double slack(long double truth, long double order) {
  return 1e-17L * (1 + std::abs(truth)) * (order == 1 ? 1 : 1 + order / std::abs(order - 1));
}

void expect_honest(const Bounded& got, long double truth, long double truth_error) {
  if (std::isinf(truth)) {
    EXPECT_EQ(got.upper(), infinity);
    return;
  }
  EXPECT_TRUE(std::isfinite(got.upper())) << "the truth is " << static_cast<double>(truth);
  EXPECT_LE(std::abs(got.value - truth), got.error + truth_error)
      << static_cast<double>(truth) << " got as " << got.value << " within " << got.error;
}

double random_order(RandomInputs& random) {
  if (random.chance(0.5)) return random.chance(0.2) ? 1 : 2;
  return random.chance(0.3) ? random.uniform(0.05, 0.99) : 1 + random.log_uniform(1e-3, 100);
}

// Reasons for which a pair may be refused: mass that the scan missed, poles or tails beyond the resolution of double.
class Tally {
 public:
  template <class Ask>
  void count(const Ask& ask) {
    ++asked_;
    try {
      ask();
    } catch (const Error&) {
      ++refused_;
    }
  }

  void expect_refused_at_most(double share) const {
    RecordProperty("asked", asked_);
    RecordProperty("refused", refused_);
    EXPECT_LE(refused_, std::ceil(share * asked_)) << "of " << asked_;
  }

 private:
  static void RecordProperty(const char* key, int value) { testing::Test::RecordProperty(key, value); }

  int asked_ = 0, refused_ = 0;
};

template <class Make>
void expect_honest_family(double refusals, const Make& make) {
  Tally tally;
  for_random_cases(0.04, [&](RandomInputs& random) {
    const KnownPair known = make(random);
    const double order = random_order(random);
    SCOPED_TRACE(fmt::format("{}, order {}", known.name, order));
    tally.count([&] {
      const DistributionPair pair = DistributionPair::densities(known.densities);
      if (known.variation) expect_honest(total_variation(pair), *known.variation, 1e-17L);
      if (const auto truth = known.renyi(order)) {
        expect_honest(renyi_divergence(pair, order), *truth, slack(*truth, order));
      }
    });
  });
  tally.expect_refused_at_most(refusals);
}

TEST(DensityFamilies, TruncatedNormals) { expect_honest_family(0.02, cut_normal); }
TEST(DensityFamilies, Uniforms) { expect_honest_family(0.3, uniforms); }
TEST(DensityFamilies, Steps) { expect_honest_family(0.05, steps); }
TEST(DensityFamilies, Triangles) { expect_honest_family(0.1, triangles); }
TEST(DensityFamilies, Exponentials) { expect_honest_family(0.1, exponentials); }
TEST(DensityFamilies, Ripples) { expect_honest_family(0.05, ripples); }

TEST(DensityFamilies, GammasWithoutPoles) {
  expect_honest_family(0.1, [](RandomInputs& random) { return gammas(random, 1); });
}
TEST(DensityFamilies, GammasWithPoles) {
  expect_honest_family(0.1, [](RandomInputs& random) { return gammas(random, 0.1); });
}
TEST(DensityFamilies, BetasWithoutPoles) {
  expect_honest_family(0.2, [](RandomInputs& random) { return betas(random, 1); });
}
// At 1 a pole (1-x)^(b-1) hides (1e-16)^b of the mass between 1 and its neighbour: b below 0.4 is refused.
TEST(DensityFamilies, BetasWithPoles) {
  expect_honest_family(0.7, [](RandomInputs& random) { return betas(random, 0.2); });
}

}  // namespace
}  // namespace renyi::test::density_families_property_test
