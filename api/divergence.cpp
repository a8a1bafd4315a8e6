#include "api/divergence.h"

#include <algorithm>
#include <limits>

namespace renyi::api {

namespace divergence_file {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

// The upper bound of a probability is at most `most`.
Interval ends_of(const Bounded& bounded, double most) {
  return {std::min(most, bounded.lower()), std::min(most, bounded.upper())};
}

}  // namespace
}  // namespace divergence_file

DivergenceAnswer answer(const DivergenceRequest& asked) {
  const DistributionPair& pair = asked.pair;
  const DistributionPair swapped = pair.swapped();
  // Computes the same divergence in both directions.
  const auto both = [&](double most, const auto& ask) {
    return BothDivergences{divergence_file::ends_of(ask(pair), most), divergence_file::ends_of(ask(swapped), most)};
  };
  DivergenceAnswer answer;
  for (const double order : asked.orders) {
    const auto of_order = [&](const DistributionPair& which) { return renyi_divergence(which, order); };
    answer.renyi.push_back({order, both(divergence_file::unbounded, of_order)});
  }
  answer.kl = both(divergence_file::unbounded, kl_divergence);
  answer.total_variation = divergence_file::ends_of(total_variation(pair), 1);
  for (const double epsilon : asked.epsilons) {
    const auto at_epsilon = [&](const DistributionPair& which) { return hockey_stick(which, epsilon); };
    answer.hockey_stick.push_back({epsilon, both(1, at_epsilon)});
  }
  return answer;
}

}  // namespace renyi::api
