#include "renyi/extras/own.h"

#include "divergence/discrete.h"
#include "mechanism/model.h"
#include "mechanism/own/discrete_curve.h"
#include "mechanism/own/order_curve.h"
#include "renyi/error.h"

namespace renyi {

namespace own_file {
namespace {

struct OwnStep {
  Own own;

  static constexpr std::string_view kind = "own";
  static constexpr std::string_view summary = "a mechanism of one's own";
  static std::span<const Parameter> parameters() { return {}; }
  static constexpr auto fields = std::tuple<>{};
  std::string_view name() const { return own.name(); }
  const void* identity() const { return own.curve().get(); }
  std::shared_ptr<const Curve> curve() const { return own.curve(); }
  const Own& held() const { return own; }
  bool operator==(const OwnStep&) const = default;
};

}  // namespace
}  // namespace own_file

Mechanism::Mechanism(const Own& own) : Mechanism(mechanism::made(own_file::OwnStep{own})) {}

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
