#include "renyi/extras/own.h"

#include "divergence/discrete.h"
#include "mechanism/own/discrete_curve.h"
#include "mechanism/own/order_curve.h"
#include "renyi/error.h"

namespace renyi {

Own::Own(std::string name, std::shared_ptr<const Curve> curve) : name_(std::move(name)), curve_(std::move(curve)) {
  if (!curve_) throw InvalidArgument("curve", "none", "a curve");
}

Mechanism own_curve(std::string name, std::function<double(double order)> divergence) {
  auto curve = std::make_shared<mechanism::CallableCurve>(name, std::move(divergence));
  return Own(std::move(name), std::move(curve));
}

Mechanism own_pair(std::string name, DistributionPair pair) {
  const auto* discrete = dynamic_cast<const divergence_detail::DiscreteModel*>(&pair.model());
  if (discrete != nullptr) return Own(std::move(name), std::make_shared<mechanism::DiscreteCurve>(*discrete));
  return Own(std::move(name), std::make_shared<mechanism::PairCurve>(std::move(pair)));
}

}  // namespace renyi
