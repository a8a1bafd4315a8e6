// The kernels behind every point of a line, for every instruction set there is, against sums in extended precision.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "mechanism/sampled_gaussian/kernels.h"
#include "numerics/rounding.h"

namespace renyi::test::phase_sums_test {

namespace {

using renyi::simd::Target;
using sampled_gaussian::additions;
using sampled_gaussian::Atoms;
using sampled_gaussian::PhaseSums;

constexpr double ulp = numerics::unit_roundoff;

std::vector<Target> targets() {
  std::vector<Target> all;
  for (const Target target : {Target::baseline, Target::avx2, Target::avx3}) {
    if (target <= renyi::simd::best_target()) all.push_back(target);
  }
  return all;
}

struct Law {
  std::vector<double> loss, weight;

  Law(std::size_t count, double spread, unsigned seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal(0.1, spread);
    std::uniform_real_distribution<double> uniform(0, 2.0 / static_cast<double>(count));
    for (std::size_t i = 0; i < count; ++i) {
      loss.push_back(normal(random));
      weight.push_back(uniform(random));
    }
    std::sort(loss.begin(), loss.end());
  }

  Atoms atoms() const { return {loss.data(), weight.data(), loss.size()}; }
};

// sin x - x without cancellation.
long double sine_less(long double x) {
  if (std::abs(x) > 0.5L) return std::sin(x) - x;
  long double term = x, sum = 0;
  for (int k = 1; k < 16; ++k) {
    term *= -x * x / (2 * k * (2 * k + 1));
    sum += term;
  }
  return sum;
}

long double cosine_less(long double x) {
  const long double half = std::sin(x / 2);
  return -2 * half * half;
}

struct Plain {
  long double re[2] = {0, 0}, im[2] = {0, 0};
  double size = 0;  // size of the terms: sum of w min(x^2/2, 2 + |x|)
};

Plain plain(const Law& law, long double y) {
  Plain sums;
  for (std::size_t i = 0; i < law.loss.size(); ++i) {
    const long double x = y * law.loss[i], w = law.weight[i];
    sums.re[i & 1] += w * cosine_less(x);
    sums.im[i & 1] += w * sine_less(x);
    sums.size += static_cast<double>(w * std::min(x * x / 2, 2 + std::abs(x)));
  }
  return sums;
}

void expect_close(const PhaseSums& sums, const Plain& truth, double allowed, const char* what) {
  for (std::size_t p = 0; p < 2; ++p) {
    EXPECT_NEAR(sums.re[p], static_cast<double>(truth.re[p]), allowed) << what << ", parity " << p;
    EXPECT_NEAR(sums.im[p], static_cast<double>(truth.im[p]), allowed) << what << ", parity " << p;
  }
}

TEST(PhaseSums, KeepTheirRelativeAccuracyAtAnyPhase) {
  for (const Target target : targets()) {
    for (const std::size_t count : {1u, 2u, 3u, 15u, 16u, 17u, 32u, 33u, 255u, 256u, 257u, 1000u}) {
      const Law law(count, 0.7, static_cast<unsigned>(count));
      for (const double y : {1e-150, 1e-9, 1e-3, 0.2, 1.0, 2.5, 40.0, 1e4}) {
        SCOPED_TRACE(testing::Message() << "count " << count << ", y " << y);
        const Plain truth = plain(law, y);
        // 16 for each term, as the nodes' own noise allows for.
        expect_close(phase_sums(target, law.atoms(), y), truth, (additions(count) + 16) * ulp * truth.size, "centred");
      }
    }
  }
}

TEST(PhaseSums, OfNoAtomsAreNothing) {
  for (const Target target : targets()) {
    const PhaseSums sums = phase_sums(target, Atoms{}, 1);
    EXPECT_EQ(sums.re[0] + sums.re[1] + sums.im[0] + sums.im[1], 0);
  }
}

TEST(PhaseSums, TurnedFromPointToPointStayWithinTheirError) {
  for (const Target target : targets()) {
    for (const std::size_t count : {1u, 2u, 31u, 64u, 513u, 2000u}) {
      const Law law(count, 2, static_cast<unsigned>(count) + 1);
      for (std::size_t points = 1; points <= sampled_gaussian::most_rotations; points += 5) {
        const double first = 3.7, step = 0.31;
        std::vector<PhaseSums> sums(points);
        turned_phase_sums(target, law.atoms(), first, step, sums);
        for (std::size_t j = 0; j < points; ++j) {
          SCOPED_TRACE(testing::Message() << "count " << count << ", point " << j << " of " << points);
          const long double y = static_cast<long double>(first) + static_cast<long double>(j) * step;
          Plain truth;
          double mass = 0, first_moment = 0;
          for (std::size_t i = 0; i < count; ++i) {
            truth.re[i & 1] += law.weight[i] * std::cos(y * law.loss[i]);
            truth.im[i & 1] += law.weight[i] * std::sin(y * law.loss[i]);
            mass += law.weight[i];
            first_moment += law.weight[i] * std::abs(law.loss[i]);
          }
          const double allowed =
              (sampled_gaussian::turning_error + additions(count)) * mass + 4 * static_cast<double>(y) * first_moment;
          expect_close(sums[j], truth, allowed * ulp, "turned");
        }
      }
    }
  }
}

}  // namespace

}  // namespace renyi::test::phase_sums_test
