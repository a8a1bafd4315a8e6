// A pair of laws known by its divergences, each of which may take a quadrature: they are remembered.
#pragma once

#include <map>
#include <mutex>
#include <utility>

#include "mechanism/own/order_curve.h"
#include "renyi/divergence.h"

namespace renyi::mechanism {

class PairCurve final : public OrderCurve {
 public:
  explicit PairCurve(DistributionPair pair);

  const DistributionPair& pair() const noexcept { return remove_; }

 private:
  Bounded divergence_of(double order, Direction direction) const override;

  DistributionPair add_;
  DistributionPair remove_;
  mutable std::mutex mutex_;
  mutable std::map<std::pair<double, Direction>, Bounded> known_;  // by order
};

}  // namespace renyi::mechanism
