// A user's bound on the divergence of each order, checked at every call.
#pragma once

#include <functional>
#include <string>

#include "mechanism/own/order_curve.h"

namespace renyi::mechanism {

class CallableCurve final : public OrderCurve {
 public:
  CallableCurve(std::string name, std::function<double(double)> divergence);

  bool is_symmetric() const override { return true; }

 private:
  Bounded divergence_of(double order, Direction direction) const override;

  double asked(double order) const;
  double by_chord(double order) const;

  std::string name_;
  std::function<double(double)> divergence_;
};

}  // namespace renyi::mechanism
