// Lines made of nodes: points against the quadrature of each point by itself, and the decay against sampled points.
#include "mechanism/monotone/line.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "sampling/pairs/gaussian_pair.h"
#include "sampling/pairs/laplace_pair.h"

namespace renyi::monotone::line_test {
namespace {

using sampling::emptied_gaussian_pair;
using sampling::gaussian_pair;
using sampling::laplace_pair;
using sampling::opposite_gaussian_pair;

struct Case {
  const char* name;
  std::vector<WeightedPair> pairs;
};

std::vector<Case> cases() {
  const auto copies = [](double q, double s, Reading reading) {
    return std::vector<WeightedPair>{{0.95, gaussian_pair({q, s, 1}, reading)},
                                     {0.04, gaussian_pair({q, s / 2, 1}, reading)},
                                     {0.01, gaussian_pair({q, s / 3, 1}, reading)}};
  };
  return {{"group of 3", {{1, gaussian_pair({0.02, 1.3, 3}, Reading::one_sided)}}},
          {"group of 8", {{1, gaussian_pair({1e-4, 0.6, 8}, Reading::one_sided)}}},
          {"symmetric", {{1, gaussian_pair({0.01, 0.7, 1}, Reading::symmetric)}}},
          {"tiny rate", {{1, gaussian_pair({1e-11, 0.9, 1}, Reading::symmetric)}}},
          {"opposite", {{1, opposite_gaussian_pair({0.03, 0.8, 1})}}},
          {"opposite group", {{1, opposite_gaussian_pair({0.1, 2.0, 4})}}},
          {"emptied", {{1, emptied_gaussian_pair(0.02, 1.1), gaussian_pair({0.02, 1.1, 1}, Reading::symmetric)}}},
          {"copies", copies(0.01, 1.5, Reading::one_sided)},
          {"symmetric copies", copies(0.05, 2.5, Reading::symmetric)},
          {"Laplace", {{1, laplace_pair(0.1, 1.2, Reading::one_sided)}}},
          {"symmetric Laplace", {{1, laplace_pair(0.02, 0.8, Reading::symmetric)}}}};
}

TEST(NodeLine, PointsAreThoseOfTheCurveAndBelowTheDecay) {
  int compared = 0;
  for (const Case& each : cases()) {
    const PairsCurve curve(each.pairs, Knowledge::loss);
    for (const Direction direction : {Direction::remove, Direction::add}) {
      for (const double c : {0.02, 1.0, 6.0}) {
        SCOPED_TRACE(testing::Message() << each.name << ' ' << to_string(direction) << ' ' << c);
        const LogMoment base = curve.log_moment(c, direction);
        const auto line = node_line(parts_of(each.pairs, direction), c, direction, base);
        ASSERT_NE(line, nullptr);
        for (const double y : {0.05, 1.0, 9.0, 60.0}) {
          const ComplexLogMoment phi = line->log_phi(y);
          // Where |phi| is tiny its digits are lost, and so are those of the curve.
          if (!(phi.error < 1e-9 && phi.value.real() > -10)) continue;
          ++compared;
          EXPECT_LE(phi.value.real() - phi.error, line->decay_beyond(y)) << y;
          const ComplexLogMoment k = curve.log_moment({c, y}, direction);
          const double error = phi.error + y * line->shift_error() + k.error + base.error + 1e-14 * std::abs(k.value);
          EXPECT_LE(std::abs(phi.value.real() - (k.value.real() - base.value)), error) << y;
          EXPECT_LE(std::abs(std::remainder(phi.value.imag() - k.value.imag(), 2 * std::numbers::pi)), error) << y;
          for (const double v : {1.0, 1.4, 2.0}) {
            EXPECT_LE(line->log_phi(v * y).value.real() - line->log_phi(v * y).error, line->decay(y)) << y << ' ' << v;
          }
        }
      }
    }
  }
  EXPECT_GE(compared, 150);
}

TEST(NodeLine, TurnedPhasesAreThoseOfSinglePoints) {
  for (const Case& each : cases()) {
    SCOPED_TRACE(each.name);
    const PairsCurve curve(each.pairs, Knowledge::loss);
    const auto line = node_line(parts_of(each.pairs, Direction::remove), 2, Direction::remove,
                                curve.log_moment(2, Direction::remove));
    ASSERT_NE(line, nullptr);
    std::array<ComplexLogMoment, 40> row;
    line->log_phis(3, 0.7, row);
    for (std::size_t j = 0; j < row.size(); ++j) {
      const ComplexLogMoment one = line->log_phi(3 + 0.7 * static_cast<double>(j));
      EXPECT_LE(std::abs(row[j].value.real() - one.value.real()), row[j].error + one.error) << j;
      EXPECT_LE(std::abs(std::remainder(row[j].value.imag() - one.value.imag(), 2 * std::numbers::pi)),
                row[j].error + one.error)
          << j;
    }
  }
}

TEST(NodeLine, IsRefusedWhereTheMomentIsNotThatOfTheNodes) {
  const std::vector<WeightedPair> pairs{{1, gaussian_pair({0.02, 1.3, 3}, Reading::one_sided)}};
  LogMoment base = PairsCurve(pairs, Knowledge::loss).log_moment(1, Direction::remove);
  base.curvature *= 1.01;
  EXPECT_EQ(node_line(parts_of(pairs, Direction::remove), 1, Direction::remove, base), nullptr);
}

}  // namespace
}  // namespace renyi::monotone::line_test
