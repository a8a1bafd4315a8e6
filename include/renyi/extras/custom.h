// Mechanisms of one's own, for plans beside the built-in ones (docs/math/custom-mechanisms.md).
// Each call makes a new mechanism, equal to its copies only: adding one twice counts it twice.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "renyi/extras/divergence.h"
#include "renyi/mechanism.h"

namespace renyi {

// `divergence(order)` is an upper bound on the Renyi divergence of each order in [1, inf], in both directions; inf
// where nothing is known. It is called from the thread that asks; what it throws passes through. NaN and negative
// values become InvalidArgument. Where it is inf between two whole orders at which it is not, the chord is used.
[[nodiscard]] Mechanism custom_curve(std::string name, std::function<double(double order)> divergence);

// Any pair of laws: remove is (P, Q), add is (Q, P). Discrete laws are known completely, and exact accounting serves
// them, with outcomes that one law lacks too (docs/math/infinite-loss.md); of several steps, an interval may be wide,
// or begin at 0, where the true delta is as small as the rounding of larger terms. Other pairs enter by bounds on their
// divergences.
[[nodiscard]] Mechanism custom_pair(std::string name, DistributionPair pair);

// What these two make: a name and a curve.
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
