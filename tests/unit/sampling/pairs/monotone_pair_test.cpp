// Properties of every monotone pair: slopes, inverse, tails.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "renyi/error.h"
#include "sampling/pairs/gaussian_pair.h"
#include "sampling/pairs/laplace_pair.h"
#include "support/line_pair.h"

namespace renyi::test::monotone_pair_test {
namespace {

using monotone::MonotonePair;
using monotone::PairPoint;
using monotone::Reading;
using sampling::gaussian_pair;
using sampling::laplace_pair;
using sampling::opposite_gaussian_pair;

struct Case {
  std::shared_ptr<const MonotonePair> pair;
  LinePair line;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const double q : {0.01, 0.4, 0.98}) {
    for (const double s : {0.35, 1.0, 12.0}) {
      all.push_back({gaussian_pair({q, s, 1}, Reading::one_sided), normal_group(q, s, 1, 3)});
      all.push_back({gaussian_pair({q, s, 7}, Reading::one_sided), normal_group(q, s, 7, 3)});
      LinePair apart = opposite_group(q, s, 4, 3);
      apart.cuts.front() = -apart.cuts.back();
      all.push_back({opposite_gaussian_pair({q, s, 4}), apart});
      all.push_back({laplace_pair(q, s, Reading::one_sided), laplace_line(q, s)});
    }
  }
  return all;
}

std::vector<double> points(const MonotonePair& pair) {
  std::vector<double> xs;
  const double low = std::max(pair.first(), -4 * pair.scale()), high = std::min(pair.last(), 8 + 4 * pair.scale());
  for (int i = 0; i <= 40; ++i) xs.push_back(low + (high - low) * i / 40);
  return xs;
}

TEST(MonotonePairs, HaveTheDensitiesTheyAreMadeOf) {
  for (const Case& c : cases()) {
    for (const double x : points(*c.pair)) {
      const PairPoint point = c.pair->at(x);
      const Real log_q = c.line.log_q(x), log_p = c.line.log_p(x);
      EXPECT_LE(std::abs(point.log_q - log_q), point.log_q_error + 1e-18L * std::abs(log_q));
      EXPECT_LE(std::abs(point.log_p - log_p), point.log_p_error + 1e-18L * std::abs(log_p));
      EXPECT_LE(std::abs(point.loss - (log_p - log_q)), point.loss_error + 1e-17L * (1 + std::abs(log_q)));
      EXPECT_LE(point.loss_error, 1e-12);
    }
  }
}

TEST(MonotonePairs, RiseAtTheSlopesTheyState) {
  for (const Case& c : cases()) {
    const auto xs = points(*c.pair);
    for (std::size_t i = 0; i + 1 < xs.size(); ++i) {
      const PairPoint a = c.pair->at(xs[i]), b = c.pair->at(xs[i + 1]);
      EXPECT_LE(a.up, b.up * (1 + 1e-13));
      EXPECT_LE(b.down, a.down * (1 + 1e-13));
      EXPECT_LE(b.base, a.base);
      EXPECT_LE(a.loss, b.loss);
      // Means of the slopes lie within their bounds.
      const double width = xs[i + 1] - xs[i], slope = (b.loss - a.loss) / width, fall = (b.log_q - a.log_q) / width;
      const double slack = 1e-11 * (1 + std::abs(a.loss) + std::abs(a.log_q)) / width;
      EXPECT_GE(slope, a.up + b.down - slack);
      EXPECT_LE(slope, b.up + a.down + slack);
      EXPECT_GE(fall, b.base - a.down - slack);
      EXPECT_LE(fall, a.base - b.down + slack);
    }
  }
}

TEST(MonotonePairs, FindThePointOfALoss) {
  for (const Case& c : cases()) {
    EXPECT_NEAR(c.pair->loss(c.pair->zero()), 0, 1e-13);
    for (const double x : points(*c.pair)) {
      const PairPoint point = c.pair->at(x);
      if (point.up + point.down < 1e-6) continue;  // hardly any slope, so any x will do
      const double back = c.pair->x_at(point.loss);
      EXPECT_NEAR(c.pair->loss(back), point.loss, 1e-12 * (1 + std::abs(point.loss)));
    }
    // Losses there are none of lie at the ends.
    if (std::isfinite(c.pair->last())) {
      EXPECT_EQ(c.pair->x_at(1e9), c.pair->last());
    }
    if (std::isfinite(c.pair->largest_fall().value)) {
      EXPECT_EQ(c.pair->x_at(-1e9), c.pair->first());
    }
  }
}

TEST(MonotonePairs, BoundTheirTails) {
  for (const Case& c : cases()) {
    const auto xs = points(*c.pair);
    for (std::size_t i = 0; i < xs.size(); i += 8) {
      const double x = xs[i];
      LinePair above = c.line, below = c.line;
      above.cuts = {x};
      below.cuts.clear();
      for (const Real cut : c.line.cuts) {
        (cut > x ? above : below).cuts.push_back(cut);
      }
      below.cuts.push_back(x);
      const auto mass = [](const LinePair& part, const Density& density) {
        return std::log(part.integral<Real>([&](Real y) { return std::exp(density(y)); }, 40));
      };
      const auto expect_above = [](double bound, Real truth) {
        if (truth < -300) return;
        EXPECT_GE(bound, truth - 1e-13L);
        EXPECT_LE(bound, truth + 1e-3L + 0.02L * std::abs(truth));
      };
      expect_above(c.pair->log_q_above(x), mass(above, c.line.log_q));
      expect_above(c.pair->log_p_above(x), mass(above, c.line.log_p));
      expect_above(c.pair->log_q_below(x), mass(below, c.line.log_q));
      expect_above(c.pair->log_p_below(x), mass(below, c.line.log_p));
    }
  }
}

TEST(MonotonePairs, OfLaplaceNoiseHaveAtomsAtTheirEnds) {
  const auto pair = laplace_pair(0.2, 0.5, Reading::one_sided);
  EXPECT_EQ(pair->first(), 0);
  EXPECT_EQ(pair->last(), 1);
  EXPECT_NEAR(std::exp(pair->log_mass_below()), 0.5, 1e-16);
  EXPECT_NEAR(std::exp(pair->log_mass_above()), 0.5 * std::exp(-2.0), 1e-16);
  // Too small for a double, and known all the same.
  const auto sharp = laplace_pair(0.2, 1e-4, Reading::one_sided);
  EXPECT_NEAR(sharp->log_mass_above(), -1e4 - std::log(2.0), 1e-9);
  EXPECT_TRUE(sharp->has_atom_above() && sharp->has_atom_below());
  EXPECT_NEAR(pair->largest_loss().value, std::log(0.8 + 0.2 * std::exp(2.0)), 1e-15);
  EXPECT_NEAR(pair->largest_fall().value, -std::log(0.8 + 0.2 * std::exp(-2.0)), 1e-15);
  EXPECT_EQ(pair->x_at(10), 1);
  EXPECT_EQ(pair->x_at(-10), 0);
  EXPECT_THROW(laplace_pair(0, 1, Reading::one_sided), InvalidArgument);
  EXPECT_THROW(laplace_pair(0.5, 1e-13, Reading::one_sided), InvalidArgument);
  EXPECT_THROW(laplace_pair(0.5, std::nan(""), Reading::one_sided), InvalidArgument);
}

}  // namespace
}  // namespace renyi::test::monotone_pair_test
