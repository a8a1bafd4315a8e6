// Divergences of two probability laws P and Q: Renyi of every order, Kullback-Leibler,
// total variation, hockey-stick (docs/math/divergences.md).
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "renyi/interval.h"

namespace renyi {

namespace divergence_detail {
class PairModel;
}

// Means from -1e50 to 1e50; standard deviations and scales from 1e-50 to 1e50.
struct NormalLaw {
  double mean = 0;
  double stddev = 1;
};
struct LaplaceLaw {
  double location = 0;
  double scale = 1;
};

// Whether numbers that do not add up to 1 are meant: counts, or weights.
enum class Normalize { no, yes };

// Two densities on one interval of the real line, by their natural logarithms
// (-infinity: no density there). The functions are called from the thread that asks.
struct LogDensities {
  std::function<double(double)> log_p{};
  std::function<double(double)> log_q{};
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  // Where mass lies or a function is not smooth, if known. Narrow peaks far from 0 and
  // from each other are found only if the logarithms rise towards them, or by this list.
  std::vector<double> points{};
};

// A pair (P, Q). Immutable and cheap to copy.
class DistributionPair {
 public:
  static DistributionPair normal(NormalLaw p, NormalLaw q);
  // One covariance matrix for both, row by row; symmetric and positive definite.
  static DistributionPair multivariate_normal(const std::vector<double>& p_mean, const std::vector<double>& q_mean,
                                              const std::vector<std::vector<double>>& covariance);
  static DistributionPair laplace(LaplaceLaw p, LaplaceLaw q);
  // The probabilities of 1.
  static DistributionPair bernoulli(double p, double q);
  // The laws proportional to these numbers. They must add up to 1 within 1e-9 unless
  // Normalize::yes says that they need not.
  static DistributionPair discrete(const std::vector<double>& p, const std::vector<double>& q,
                                   Normalize normalize = Normalize::no);
  // By adaptive quadrature: errors are estimates that count what could be seen.
  // Throws InvalidArgument unless both integrate to 1 within 1e-8.
  static DistributionPair densities(LogDensities densities);

  // (Q, P)
  DistributionPair swapped() const;
  // ((1-rate) Q + rate P, Q), 0 < rate < 1: what Poisson sampling makes of the pair. Nothing for discrete and
  // multivariate laws.
  std::optional<DistributionPair> mixed(double rate) const;

  const divergence_detail::PairModel& model() const noexcept { return *model_; }

 private:
  explicit DistributionPair(std::shared_ptr<const divergence_detail::PairModel> model) : model_(std::move(model)) {}
  std::shared_ptr<const divergence_detail::PairModel> model_;
};

inline constexpr double smallest_divergence_order = 1e-100;
inline constexpr double largest_divergence_order = 1e100;

// D_order(P||Q), order in [1e-100, 1e100] or infinity; 1 is Kullback-Leibler. May be infinite.
// An error of infinity means that rounding hides whether the divergence is finite.
// Densities have no answer at infinity (Unsupported).
Bounded renyi_divergence(const DistributionPair& pair, double order);
// E_P[ln(P/Q)]
Bounded kl_divergence(const DistributionPair& pair);
// sup over events S of P(S) - exp(epsilon) Q(S), epsilon in [0, inf].
Bounded hockey_stick(const DistributionPair& pair, double epsilon);
// The same at epsilon = 0; it is symmetric in P and Q.
Bounded total_variation(const DistributionPair& pair);

}  // namespace renyi
