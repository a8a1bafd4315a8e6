// Exact figures of a plan whose loss may be infinite, from those of its finite part (docs/math/infinite-loss.md, "The
// split").
#pragma once

#include <functional>

#include "account/apart.h"
#include "renyi/exact.h"

namespace renyi::exact {

using AskDirection = std::function<ExactFigure(double at, Direction direction)>;

// Of the finite part: delta at an epsilon >= 0, epsilon at a delta in [0, 1].
struct FiniteProfile {
  AskDirection delta;
  AskDirection epsilon;
};

ExactFigure delta_beside(const account::Apart& apart, double epsilon, Direction direction, const AskDirection& delta);
ExactFigure epsilon_beside(const account::Apart& apart, double delta, Direction direction, const FiniteProfile& finite);

}  // namespace renyi::exact
