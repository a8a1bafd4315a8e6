#include "exact/engine.h"

#include <gtest/gtest.h>

#include <limits>

#include "cost/questions.h"
#include "renyi/cost.h"

namespace renyi::exact::engine_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(Agreed, IsWhatBothSay) {
  const ExactInterval figure =
      intersection_or_hull(ExactInterval{{1, 3}, Engine::contour}, ExactInterval{{2, 5}, Engine::lattice});
  EXPECT_EQ(figure.lower, 2);
  EXPECT_EQ(figure.upper, 3);
  EXPECT_EQ(figure.engine, Engine::contour);
  EXPECT_EQ(figure.contradiction, "");
  EXPECT_EQ(intersection_or_hull(ExactInterval{{0, 9}, Engine::contour}, ExactInterval{{2, 5}, Engine::lattice}).engine,
            Engine::lattice);
}

TEST(Agreed, IntervalsThatTouchMeet) {
  const ExactInterval figure = intersection_or_hull(ExactInterval{{1, 2}, Engine::contour}, {2, 3}, "a bound");
  EXPECT_EQ(figure.lower, 2);
  EXPECT_EQ(figure.upper, 2);
  EXPECT_EQ(figure.contradiction, "");
}

// One of them is wrong: the upper end must hold whichever is right, and no lower end is known to hold.
TEST(Agreed, SaysThatTwoIntervalsDoNotMeet) {
  for (const bool swapped : {false, true}) {
    const ExactInterval low{{1, 2}, Engine::contour}, high{{3, 4}, Engine::lattice};
    const ExactInterval figure = swapped ? intersection_or_hull(high, low) : intersection_or_hull(low, high);
    EXPECT_EQ(figure.lower, 0);
    EXPECT_EQ(figure.upper, 4);
    EXPECT_EQ(figure.contradiction,
              swapped ? "lattice [3, 4] and contour [1, 2]" : "contour [1, 2] and lattice [3, 4]");
  }
}

TEST(Agreed, ALaterIntervalNarrowsTheUpperEndOnly) {
  const ExactInterval both =
      intersection_or_hull(ExactInterval{{1, 2}, Engine::contour}, ExactInterval{{3, 4}, Engine::lattice});
  for (const ExactInterval& figure : {intersection_or_hull(both, {1.5, 3.5}, "the Renyi bound"),
                                      intersection_or_hull(both, ExactInterval{{1.5, 3.5}, Engine::bounds})}) {
    EXPECT_EQ(figure.lower, 0);
    EXPECT_EQ(figure.upper, 3.5);
    EXPECT_EQ(figure.contradiction, both.contradiction);
  }
}

TEST(Agreed, EndsTheWrongWayRoundAreAContradiction) {
  const ExactInterval figure = intersection_or_hull(ExactInterval{{0, 1}, Engine::contour}, {0.5, 0.25}, "a bound");
  EXPECT_EQ(figure.lower, 0);
  EXPECT_EQ(figure.upper, 1);
  EXPECT_EQ(figure.contradiction, "contour [0, 1] and a bound [0.5, 0.25]");
  const ExactInterval alone = with_ordered_ends({{0.5, 0.25}, Engine::lattice});
  EXPECT_EQ(alone.lower, 0);
  EXPECT_EQ(alone.upper, 0.5);
  EXPECT_EQ(alone.contradiction, "lattice [0.5, 0.25] by itself");
  EXPECT_EQ(with_ordered_ends({{1, 1}, Engine::lattice}).contradiction, "");
}

TEST(Agreed, AnEndThatIsNotANumberSaysNothing) {
  EXPECT_FALSE(has_nan({1, 1}));
  EXPECT_TRUE(has_nan({nan, 1}));
  EXPECT_TRUE(has_nan({0, nan}));
}

TEST(Contradiction, IsASentenceOfTheCost) {
  const ExactInterval fine{{0, 1}, Engine::contour};
  EXPECT_EQ(contradiction_of({.worst = fine, .remove = fine, .add = fine}), "");
  const ExactInterval wrong = intersection_or_hull(fine, {2, 3}, "the Renyi bound");
  for (const ExactAnswer& answer : {ExactAnswer{.worst = wrong, .remove = wrong, .add = fine},
                                    ExactAnswer{.worst = wrong, .remove = fine, .add = wrong}}) {
    EXPECT_EQ(
        contradiction_of(answer),
        "two methods gave intervals that do not meet, contour [0, 1] and the Renyi bound [2, 3]: one of them is "
        "wrong, which is a defect of this program. The upper end is the largest of both, and the lower end claims "
        "nothing; please report this");
  }
}

}  // namespace
}  // namespace renyi::exact::engine_test
