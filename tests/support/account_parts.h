// The parts of what a running account costs, each by itself.
#pragma once

#include <exception>

#include "conversion/renyi_bound.h"
#include "renyi/accountant.h"

namespace renyi {

inline RenyiBound renyi_epsilon(const Accountant& account, double delta, const ConversionOptions& conversion = {}) {
  return *account.epsilon(delta, {.exact = false, .conversion = conversion}).renyi;
}

inline RenyiBound renyi_delta(const Accountant& account, double epsilon, const ConversionOptions& conversion = {}) {
  return *account.delta(epsilon, {.exact = false, .conversion = conversion}).renyi;
}

// The exact part; where there is none, the reason is thrown.
inline ExactAnswer exact_part(const Cost& cost) {
  if (cost.obstacle) std::rethrow_exception(cost.obstacle->error);
  return cost.exact.value();
}

inline ExactAnswer exact_epsilon(const Accountant& account, double delta) {
  return exact_part(account.epsilon(delta, {.renyi = false}));
}

inline ExactAnswer exact_delta(const Accountant& account, double epsilon) {
  return exact_part(account.delta(epsilon, {.renyi = false}));
}

}  // namespace renyi
