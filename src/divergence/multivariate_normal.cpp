// Normal laws of one covariance: along the line through the means they are N(0, 1) and N(d, 1), d the
// Mahalanobis distance, and across it they agree (docs/math/divergences.md, "Several dimensions").
#include <fmt/format.h>

#include <cmath>

#include "divergence/check.h"
#include "divergence/extended.h"
#include "divergence/mahalanobis.h"
#include "divergence/normal_sets.h"
#include "divergence/pair_model.h"
#include "renyi/divergence.h"
#include "renyi/error.h"

namespace renyi {
namespace divergence_detail {
namespace {

class DistancePair final : public PairModel {
 public:
  explicit DistancePair(Bounded squared) : squared_(squared) {}

  // D_a = a d^2 / 2
  Bounded renyi(double z) const override {
    if (squared_.value == 0 && squared_.error == 0) return exactly(0);
    if (std::isinf(z)) return squared_.lower() > 0 ? exactly(infinity) : unknown_finiteness(0);
    const long double half_order = (1 + static_cast<long double>(z)) / 2, value = half_order * squared_.value;
    return to_bounded(value, half_order * squared_.error + 4 * long_epsilon * value);
  }

  // The derivative by d is a normal density, at most 0.4, and d is off by at most error / d or sqrt(error).
  Bounded hockey_stick(double epsilon) const override {
    const long double d = std::sqrt(static_cast<long double>(squared_.value)), error = squared_.error;
    const long double off = d > 0 ? std::min(error / d, std::sqrt(error)) : std::sqrt(error);
    Bounded result = normal_hockey_stick({.b = d}, epsilon);
    if (std::isfinite(epsilon)) result.error += static_cast<double>(0.4L * (off + 2 * long_epsilon * d));
    return result;
  }

  // Only the distance counts.
  std::shared_ptr<const PairModel> swapped() const override { return std::make_shared<DistancePair>(squared_); }

 private:
  Bounded squared_;
};

void check_mean(const std::string& field, const std::vector<double>& mean) {
  for (std::size_t i = 0; i < mean.size(); ++i) check_location(fmt::format("{}[{}]", field, i), mean[i]);
}

}  // namespace
}  // namespace divergence_detail

DistributionPair DistributionPair::multivariate_normal(const std::vector<double>& p_mean,
                                                       const std::vector<double>& q_mean,
                                                       const std::vector<std::vector<double>>& covariance) {
  using namespace divergence_detail;
  constexpr std::size_t most = 1000;
  if (p_mean.empty() || p_mean.size() > most) {
    throw InvalidArgument("p", fmt::format("{} numbers", p_mean.size()), fmt::format("1 to {} numbers", most));
  }
  if (q_mean.size() != p_mean.size()) {
    throw InvalidArgument("q", fmt::format("{} numbers", q_mean.size()),
                          fmt::format("{} numbers, as many as p has", p_mean.size()));
  }
  check_mean("p", p_mean);
  check_mean("q", q_mean);
  std::vector<long double> gap;
  for (std::size_t i = 0; i < p_mean.size(); ++i) gap.push_back(static_cast<long double>(p_mean[i]) - q_mean[i]);
  return DistributionPair(std::make_shared<DistancePair>(squared_mahalanobis(gap, covariance)));
}

}  // namespace renyi
