#include "renyi/extras/custom.h"

#include "divergence/discrete.h"
#include "mechanism/custom/discrete_curve.h"
#include "mechanism/custom/order_curve.h"
#include "mechanism/model.h"
#include "renyi/error.h"

namespace renyi {

namespace custom_file {
namespace {

struct OwnStep {
  CustomMechanism own;

  static constexpr std::string_view kind = "own";
  static constexpr std::string_view summary = "a custom mechanism";
  static std::span<const Parameter> parameters() { return {}; }
  static constexpr auto fields = std::tuple<>{};
  std::string_view name() const { return own.name(); }
  const void* identity() const { return own.curve().get(); }
  std::shared_ptr<const Curve> curve() const { return own.curve(); }
  const CustomMechanism& held() const { return own; }
  bool operator==(const OwnStep&) const = default;
};

}  // namespace
}  // namespace custom_file

Mechanism::Mechanism(const CustomMechanism& own) : Mechanism(mechanism::made(custom_file::OwnStep{own})) {}

CustomMechanism::CustomMechanism(std::string name, std::shared_ptr<const Curve> curve)
    : name_(std::move(name)), curve_(std::move(curve)) {
  if (!curve_) throw InvalidArgument("curve", "none", "a curve");
}

Mechanism custom_curve(std::string name, std::function<double(double order)> divergence) {
  auto curve = std::make_shared<mechanism::CallableCurve>(name, std::move(divergence));
  return CustomMechanism(std::move(name), std::move(curve));
}

Mechanism custom_pair(std::string name, DistributionPair pair) {
  const auto* discrete = dynamic_cast<const divergence_detail::DiscreteModel*>(&pair.model());
  if (discrete != nullptr)
    return CustomMechanism(std::move(name), std::make_shared<mechanism::DiscreteCurve>(*discrete));
  return CustomMechanism(std::move(name), std::make_shared<mechanism::PairCurve>(std::move(pair)));
}

}  // namespace renyi
