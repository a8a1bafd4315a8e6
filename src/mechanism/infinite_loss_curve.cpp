#include "mechanism/infinite_loss_curve.h"

#include <string>

#include "renyi/error.h"
#include "renyi/own.h"

namespace renyi::mechanism {

ComplexLogMoment InfiniteLossCurve::at(std::complex<double>) const {
  throw Unsupported("z", "the loss is infinite with some probability, so K is infinite", "ask for the finite part");
}

Mechanism finite_mechanism(const Mechanism& mechanism) {
  const auto curve = mechanism.curve();
  if (const auto* known = dynamic_cast<const InfiniteLossCurve*>(curve.get())) return known->finite();
  auto finite = curve->finite_part();
  return finite ? Mechanism(Own(std::string(mechanism.summary()), std::move(finite))) : mechanism;
}

}  // namespace renyi::mechanism
