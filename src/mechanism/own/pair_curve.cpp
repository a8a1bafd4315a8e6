#include "mechanism/own/pair_curve.h"

#include <cmath>
#include <limits>

#include "renyi/error.h"

namespace renyi::mechanism {

namespace {

constexpr Bounded unknown{std::numeric_limits<double>::infinity(), 0};
// A search asks for a few dozen orders, a supremum for thousands.
constexpr std::size_t most_kept = 100'000;

// Where a quadrature has no answer the order is of no use; others may be.
Bounded bound_of(const DistributionPair& pair, double order) {
  try {
    const Bounded d = renyi_divergence(pair, order);
    return std::isfinite(d.upper()) ? d : unknown;
  } catch (const Unsupported&) {
    return unknown;
  } catch (const NotConverged&) {
    return unknown;
  }
}

}  // namespace

PairCurve::PairCurve(DistributionPair pair) : add_(pair.swapped()), remove_(std::move(pair)) {}

Bounded PairCurve::divergence_of(double order, Direction direction) const {
  const auto key = std::pair(order, direction);
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
  }
  // Not under the lock: the densities are the user's functions, and may ask this curve again.
  const Bounded d = bound_of(direction == Direction::remove ? remove_ : add_, order);
  const std::lock_guard lock(mutex_);
  if (known_.size() >= most_kept) known_.clear();
  known_.emplace(key, d);
  return d;
}

}  // namespace renyi::mechanism
