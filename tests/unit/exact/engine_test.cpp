#include "exact/engine.h"

#include <gtest/gtest.h>

#include <limits>

namespace renyi::exact::engine_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(Agreed, IsWhatBothSay) {
  const ExactInterval figure =
      intersection_or_hull(ExactInterval{1, 3, Engine::contour}, ExactInterval{2, 5, Engine::lattice});
  EXPECT_EQ(figure.lower, 2);
  EXPECT_EQ(figure.upper, 3);
  EXPECT_EQ(figure.engine, Engine::contour);
  EXPECT_EQ(intersection_or_hull(ExactInterval{0, 9, Engine::contour}, ExactInterval{2, 5, Engine::lattice}).engine,
            Engine::lattice);
}

// One of them is wrong: the answer must hold whichever is right.
TEST(Agreed, IsTheHullOfWhatContradicts) {
  for (const bool swapped : {false, true}) {
    const ExactInterval low{1, 2, Engine::contour}, high{3, 4, Engine::lattice};
    const ExactInterval figure = swapped ? intersection_or_hull(high, low) : intersection_or_hull(low, high);
    EXPECT_EQ(figure.lower, 1);
    EXPECT_EQ(figure.upper, 4);
  }
}

TEST(Agreed, TakesEndsThatContradictEachOtherInOrder) {
  const ExactInterval figure = intersection_or_hull(ExactInterval{0, 1}, 0.5, 0.25);
  EXPECT_EQ(figure.lower, 0.25);
  EXPECT_EQ(figure.upper, 0.5);
}

TEST(Agreed, OnlyOrderedEndsAreAnInterval) {
  EXPECT_TRUE(is_interval(ExactInterval{1, 1}));
  EXPECT_FALSE(is_interval(ExactInterval{1, 0.5}));
  EXPECT_FALSE(is_interval(ExactInterval{nan, 1}));
  EXPECT_FALSE(is_interval(ExactInterval{0, nan}));
}

}  // namespace
}  // namespace renyi::exact::engine_test
