#include "sampling/analyse/densities.h"

#include "mechanism/own/pair_curve.h"
#include "renyi/error.h"
#include "renyi/own.h"

namespace renyi::sampling {

namespace {

const mechanism::PairCurve* pair_curve_of(const Mechanism& inner) {
  const auto* own = inner.get_if<Own>();
  return own == nullptr ? nullptr : dynamic_cast<const mechanism::PairCurve*>(own->curve().get());
}

// Laws of a family that lie beyond what a quadrature can see have bounds all the same.
std::optional<DistributionPair> mixed(const DistributionPair& pair, double rate) {
  try {
    return pair.mixed(rate);
  } catch (const InvalidArgument&) {
    return std::nullopt;
  } catch (const NotConverged&) {
    return std::nullopt;
  }
}

}  // namespace

// H_t((1-g) A + g B || A) = g H_s(B || A), s = 1 + (t-1)/g, and likewise the other way: where (P, Q) dominates (B, A),
// ((1-g) Q + g P, Q) dominates the step on a Poisson sample of rate g.
std::shared_ptr<const Curve> densities_curve(const Mechanism& inner, const Inclusion& inclusion) {
  const auto* given = pair_curve_of(inner);
  const bool one_record = inclusion.shape == Shape::one_sided && inclusion.distance == Distance::presence &&
                          inclusion.copies == 1 && inclusion.group == 1;
  if (given == nullptr || !one_record) return nullptr;
  auto pair = mixed(given->pair(), inclusion.rate);
  return pair ? std::make_shared<mechanism::PairCurve>(*std::move(pair)) : nullptr;
}

}  // namespace renyi::sampling
