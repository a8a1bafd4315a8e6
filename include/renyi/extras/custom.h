// Custom mechanisms, which the user defines by Renyi divergences or by a pair of distributions
// (docs/math/custom-mechanisms.md). They can be added to plans like the built-in ones. Each call makes a new mechanism
// that is equal only to its copies. Adding the same one twice counts it twice.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "renyi/extras/divergence.h"
#include "renyi/mechanism.h"

namespace renyi {

// Makes a mechanism from upper bounds on its Renyi divergences. `divergence(order)` must be an upper bound at each
// order in [1, inf] and in both directions; it is infinity where no bound is known. It is called in the thread that
// computes an answer, and its exceptions are passed on. NaN and negative values cause InvalidArgument. If it is
// infinite between two consecutive whole orders at which it is finite, K is bounded by the chord between them. The
// bound must hold under the neighbouring relation of the plan that the mechanism is added to. Such a plan can be
// neither written to a file nor certified: for a bound of the form rho * order use Zcdp, and for a table of orders use
// Rdp.
//
//     plan.add(renyi::custom_curve("my noise", [](double order) { return 0.01 * order; }), 100);
[[nodiscard]] Mechanism custom_curve(std::string name, std::function<double(double order)> divergence);

// Makes a mechanism from a pair of distributions: the direction `remove` is (P, Q), and `add` is (Q, P). Exact
// accounting supports discrete distributions, also if an outcome is possible under only one of them
// (docs/math/infinite-loss.md). For several steps an exact interval may be wide, or have the lower bound 0, if the
// exact delta is as small as the rounding error of larger terms. Pairs that are not discrete are analysed by bounds on
// their divergences only.
//
//     plan.add(renyi::custom_pair("my response", renyi::DistributionPair::bernoulli(0.6, 0.4)), 10);
[[nodiscard]] Mechanism custom_pair(std::string name, DistributionPair pair);

// The content of a Mechanism that one of these two functions made: a name and a curve.
class CustomMechanism {
 public:
  CustomMechanism(std::string name, std::shared_ptr<const Curve> curve);

  [[nodiscard]] std::string_view name() const { return name_; }
  [[nodiscard]] std::shared_ptr<const Curve> curve() const { return curve_; }
  bool operator==(const CustomMechanism& other) const { return curve_ == other.curve_; }

 private:
  std::string name_;
  std::shared_ptr<const Curve> curve_;
};

}  // namespace renyi
