#include "apps/cli/plot/axes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace renyi::cli::plot::axes_test {
namespace {

using api::figure::Rule;

const Axis linear{.from = 0, .to = 10};
const Axis logarithmic{.log = true, .from = 1e-6, .to = 10};

TEST(Pieces, EndWhereNothingCanBeDrawn) {
  const double inf = std::numeric_limits<double>::infinity();
  const auto pieces = pieces_of({{1, 2, 3, 4, 5}, {2, inf, inf, 5, 6}}, linear, linear);
  ASSERT_EQ(pieces.size(), 2U);
  EXPECT_EQ(pieces[0], (Piece{{1, 2}}));
  EXPECT_EQ(pieces[1].front(), std::pair(4.0, 5.0));
  EXPECT_EQ(pieces[1].back(), std::pair(5.0, 6.0));
}

TEST(Pieces, FollowSteps) {
  EXPECT_EQ(pieces_of({{1, 2}, {3, 5}, Rule::next}, linear, linear).at(0), (Piece{{1, 3}, {1, 5}, {2, 5}}));
  EXPECT_EQ(pieces_of({{1, 2}, {3, 5}, Rule::previous}, linear, linear).at(0), (Piece{{1, 3}, {2, 3}, {2, 5}}));
}

// Straight lines between the values of the rule stay within a thousandth of the plot of it, on every scale.
TEST(Pieces, FollowTheRuleOnEveryScale) {
  for (const Rule rule : api::figure::all_rules) {
    if (is_step(rule)) continue;
    const bool probability = rule == Rule::log_log_complement;
    const Curve curve{{0.01, 0.9}, {probability ? 0.9 : 8, 1e-4}, rule};
    for (const Axis& x : {linear, Axis{.log = true, .from = 0.01, .to = 10}}) {
      for (const Axis& y : {linear, logarithmic}) {
        const Scale across(x, 0, 1), up(y, 0, 1);
        const Piece piece = pieces_of(curve, x, y).at(0);
        for (std::size_t i = 1; i < piece.size(); ++i) {
          const auto& [x0, y0] = piece[i - 1];
          const auto& [x1, y1] = piece[i];
          for (const double part : {0.25, 0.5, 0.75}) {
            const double at = x0 + part * (x1 - x0);
            const double along = (across.at(at) - across.at(x0)) / (across.at(x1) - across.at(x0));
            const double drawn = up.at(y0) + along * (up.at(y1) - up.at(y0));
            // Where the curve is steep, what counts is how far it is to the side.
            const double aside = 1e-4 * (curve.x[1] - curve.x[0]);
            const double left = up.at(value_at(curve, std::max(curve.x[0], at - aside)));
            const double right = up.at(value_at(curve, std::min(curve.x[1], at + aside)));
            EXPECT_GT(drawn, std::min(left, right) - 1e-3) << to_string(rule) << " at " << at;
            EXPECT_LT(drawn, std::max(left, right) + 1e-3) << to_string(rule) << " at " << at;
          }
        }
      }
    }
  }
}

// The end of a curve that falls to 0 is below the frame, not in a gap.
TEST(Pieces, FallOutOfALogarithmicAxis) {
  const auto pieces = pieces_of({{1, 2, 3}, {0.5, 0, 0}}, linear, logarithmic);
  ASSERT_EQ(pieces.size(), 1U);
  EXPECT_LT(pieces[0].back().second, *logarithmic.from);
  EXPECT_EQ(pieces[0].back().first, 2);
}

}  // namespace
}  // namespace renyi::cli::plot::axes_test
