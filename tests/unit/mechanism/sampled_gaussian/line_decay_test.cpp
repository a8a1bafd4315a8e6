// Bounds on the decay of a line, and nodes above the real axis, against sums over a fine lattice.
#include "mechanism/sampled_gaussian/line_decay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

#include "mechanism/sampled_gaussian/curve.h"
#include "mechanism/sampled_gaussian/line.h"
#include "mechanism/sampled_gaussian/quadrature.h"
#include "mechanism/sampled_gaussian/shifted_nodes.h"

namespace renyi::test::line_decay_test {

using namespace sampled_gaussian;

namespace {

struct Case {
  double q, s, c;
  Direction direction;
};

const std::vector<Case> cases{{0.01024, 0.6, 2, Direction::remove}, {0.01024, 0.6, 19, Direction::add},
                              {4e-5, 0.53, 5, Direction::remove},   {0.005, 4.3, 200, Direction::remove},
                              {0.3, 1.2, 3, Direction::remove},     {0.3, 1.2, 3, Direction::add},
                              {0.001, 1.04, 14, Direction::remove}, {0.9, 2, 1.5, Direction::add}};

// The characteristic function by a lattice that is far finer than its phases need.
class Reference {
 public:
  explicit Reference(const Case& at)
      : params_(at.q, at.s),
        lattice_(params_, std::ldexp(1.0, std::ilogb(at.s * std::min(at.s, 1.0)) - 9)),
        log_mass_(moment_on(lattice_, at.c, at.direction).value),
        nodes_(tilted_nodes(lattice_, at.c, at.direction, log_mass_)) {}

  std::complex<double> phi(double y) const {
    std::complex<double> sum;
    for (std::size_t i = 0; i < nodes_.loss.size(); ++i) sum += std::polar(nodes_.weight[i], y * nodes_.loss[i]);
    return sum;
  }
  const Params& params() const { return params_; }
  double log_mass() const { return log_mass_; }
  const TiltedNodes& nodes() const { return nodes_; }

 private:
  Params params_;
  Lattice lattice_;
  double log_mass_;
  TiltedNodes nodes_;
};

TEST(SplitLoss, BoundsEveryPointOfAZone) {
  for (const Case& at : cases) {
    const Reference reference(at);
    ASSERT_FALSE(reference.nodes().loss.empty());
    const SplitLoss split(reference.nodes(), at.direction);
    const double spread = std::sqrt(reference.nodes().moment[2]);
    bool says_something = false;
    for (double y = 0.1 / spread; y < 200 * std::max(1.0, at.s); y *= 1.7) {
      const Zone zone{y, 1.09 * y};
      const double bound = split.decay(zone);
      // In some zone the bound has most of the true decay.
      says_something = says_something || bound < 0.8 * std::log(std::abs(reference.phi(y)));
      for (int i = 0; i <= 8; ++i) {
        const double v = zone.first + (zone.last - zone.first) * i / 8;
        EXPECT_GE(bound, std::log(std::abs(reference.phi(v))) - 1e-11) << at.q << " " << at.s << " " << v;
      }
    }
    EXPECT_TRUE(says_something);
  }
}

TEST(ShiftedNodes, AgreeWithTheRealAxis) {
  for (const Case& at : cases) {
    const Reference reference(at);
    for (const double angle : {std::min(1.0, 1 / at.s), 0.3 * std::min(1.0, 1 / at.s)}) {
      const ShiftedNodes nodes(reference.params(), at.c, at.direction, reference.log_mass(), angle);
      ASSERT_FALSE(nodes.empty()) << at.q << " " << at.s << " " << angle;
      EXPECT_GE(nodes.mass(), 1 - 1e-9);
      double before = 0;
      for (double y = 1; y < 200 * std::max(1.0, at.s); y *= 2.3) {
        ShiftedNodes::Value values[3];
        nodes.phis(y, 0.1, values);
        for (int j = 0; j < 3; ++j) {
          const std::complex<double> phi = reference.phi(y + 0.1 * j);
          // The reference sums a hundred thousand roundings at most.
          EXPECT_LE(std::abs(values[j].phi - phi), values[j].error + 1e-12) << at.q << " " << at.s << " " << y;
          EXPECT_LT(values[j].error, 1e-9);
        }
        const double bound = nodes.decay_beyond(y);
        EXPECT_LE(bound, before);
        before = bound;
        for (const double v : {y, 1.3 * y, 2.9 * y})
          EXPECT_GE(bound, std::log(std::abs(reference.phi(v))) - 1e-11) << at.q << " " << at.s << " " << v;
      }
    }
  }
}

TEST(Line, IsTheSameByEitherNodes) {
  const SampledGaussianCurve curve(0.01024, 0.6);
  const auto line = curve.line(2, Direction::remove);
  const Reference reference({0.01024, 0.6, 2, Direction::remove});
  std::vector<ComplexLogMoment> row(20);
  line->log_phis(30, 7, row);
  for (std::size_t j = 0; j < row.size(); ++j) {
    const double y = 30 + 7 * static_cast<double>(j);
    EXPECT_LE(std::abs(std::exp(row[j].value) - reference.phi(y)), row[j].error + 1e-12) << y;
    EXPECT_GE(mechanism::close_decay(*line, y), row[j].value.real() - row[j].error);
  }
}

}  // namespace

}  // namespace renyi::test::line_decay_test
