// Every mechanism a plan can name: one row each.
#include <array>

#include "renyi/mechanism.h"

namespace renyi {

std::span<const Mechanism> all_mechanisms() {
  static const std::array<Mechanism, 10> table{
      Gaussian{},        Laplace{},          RandomizedResponse{},    PureDp{},
      SampledGaussian{}, ZeroConcentrated{}, TruncatedConcentrated{}, Concentrated{},
      GaussianDp{},      Moments{},
  };
  return table;
}

const Mechanism* find_mechanism(std::string_view kind) {
  for (const Mechanism& mechanism : all_mechanisms()) {
    if (mechanism.kind() == kind) return &mechanism;
  }
  return nullptr;
}

}  // namespace renyi
