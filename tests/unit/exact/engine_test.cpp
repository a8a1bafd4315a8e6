#include "exact/engine.h"

#include <gtest/gtest.h>

#include <limits>

namespace renyi::exact::engine_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(Agreed, IsWhatBothSay) {
  const ExactFigure figure = agreed(ExactFigure{1, 3, Engine::contour}, ExactFigure{2, 5, Engine::lattice});
  EXPECT_EQ(figure.lower, 2);
  EXPECT_EQ(figure.upper, 3);
  EXPECT_EQ(figure.engine, Engine::contour);
  EXPECT_EQ(agreed(ExactFigure{0, 9, Engine::contour}, ExactFigure{2, 5, Engine::lattice}).engine, Engine::lattice);
}

// One of them is wrong: the answer must hold whichever is right.
TEST(Agreed, IsTheHullOfWhatContradicts) {
  for (const bool swapped : {false, true}) {
    const ExactFigure low{1, 2, Engine::contour}, high{3, 4, Engine::lattice};
    const ExactFigure figure = swapped ? agreed(high, low) : agreed(low, high);
    EXPECT_EQ(figure.lower, 1);
    EXPECT_EQ(figure.upper, 4);
  }
}

TEST(Agreed, TakesEndsThatContradictEachOtherInOrder) {
  const ExactFigure figure = agreed(ExactFigure{0, 1}, 0.5, 0.25);
  EXPECT_EQ(figure.lower, 0.25);
  EXPECT_EQ(figure.upper, 0.5);
}

TEST(Agreed, OnlyOrderedEndsAreAnInterval) {
  EXPECT_TRUE(is_interval(ExactFigure{1, 1}));
  EXPECT_FALSE(is_interval(ExactFigure{1, 0.5}));
  EXPECT_FALSE(is_interval(ExactFigure{nan, 1}));
  EXPECT_FALSE(is_interval(ExactFigure{0, nan}));
}

}  // namespace
}  // namespace renyi::exact::engine_test
