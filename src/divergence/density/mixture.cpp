#include "divergence/density/mixture.h"

#include <algorithm>
#include <cmath>

#include "divergence/density/integrands.h"
#include "numerics/mixed_loss.h"
#include "numerics/rounding.h"

namespace renyi::divergence_detail {
namespace {

constexpr double nothing = -INFINITY;
}  // namespace

LogPair mixed_pair(const LogPair& given, double rate) {
  if (given.q == nothing) return {given.p == nothing ? nothing : given.p + std::log(rate), nothing};
  const double l = given.p - given.q, loss = numerics::mixed_loss(rate, l);
  const double of_l = given.p == nothing ? 0 : rounding_of(given.p) + rounding_of(given.q);
  // exp(l) is off by a factor of 1 +- of_l, counted twice for the share above l.
  const double rounding = 2 * numerics::mixed_loss_slope(rate, l) * of_l + 8 * numerics::unit_roundoff * std::abs(loss);
  return {given.q + loss, given.q, loss, rounding};
}

}  // namespace renyi::divergence_detail
