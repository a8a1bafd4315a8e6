// Divergences of two probability distributions P and Q: the Renyi divergence of every order, the Kullback-Leibler
// divergence, the total variation and the hockey-stick divergence (docs/math/divergences.md).
//
//     const auto pair = renyi::DistributionPair::normal({.mean = 0, .stddev = 1}, {.mean = 1, .stddev = 1});
//     renyi::renyi_divergence(pair, 2).value;  // 1
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

// A normal and a Laplace distribution. Means and locations are from -1e50 to 1e50; standard deviations and scales are
// from 1e-50 to 1e50.
struct NormalLaw {
  double mean = 0;
  double stddev = 1;
};
struct LaplaceLaw {
  double location = 0;
  double scale = 1;
};

// Whether the numbers of a discrete distribution need not add up to 1, as for counts or weights.
enum class Normalize { no, yes };

// Two densities on one interval of the real line, given by their natural logarithms (-infinity where a density is 0).
// The functions are called in the thread that computes a divergence.
struct LogDensities {
  std::function<double(double)> log_p{};
  std::function<double(double)> log_q{};
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  // Points at which much mass lies or at which a function is not smooth, if they are known. Narrow peaks far from 0 and
  // from each other are found only if the logarithms rise towards them, or if they are in this list.
  std::vector<double> points{};
};

// A pair of distributions (P, Q). It is immutable and cheap to copy. The functions throw InvalidArgument if a number is
// out of range.
class DistributionPair {
 public:
  static DistributionPair normal(NormalLaw p, NormalLaw q);
  // Both distributions have the same covariance matrix, which is given row by row and must be symmetric and positive
  // definite.
  static DistributionPair multivariate_normal(const std::vector<double>& p_mean, const std::vector<double>& q_mean,
                                              const std::vector<std::vector<double>>& covariance);
  static DistributionPair laplace(LaplaceLaw p, LaplaceLaw q);
  // `p` and `q` are the probabilities of the outcome 1 under P and Q.
  static DistributionPair bernoulli(double p, double q);
  // The distributions are proportional to these numbers, which must add up to 1 within 1e-9 unless `normalize` is
  // Normalize::yes.
  //
  //     const auto pair = renyi::DistributionPair::discrete({0.5, 0.3, 0.2}, {0.4, 0.4, 0.2});
  static DistributionPair discrete(const std::vector<double>& p, const std::vector<double>& q,
                                   Normalize normalize = Normalize::no);
  // Divergences of densities are computed by adaptive quadrature. Their errors are estimates, which cannot account for
  // features of the densities that no evaluated point shows. Throws InvalidArgument unless both densities integrate to
  // 1 within 1e-8.
  static DistributionPair densities(LogDensities densities);

  // Returns the pair (Q, P).
  [[nodiscard]] DistributionPair swapped() const;
  // Returns the pair ((1-rate) Q + rate P, Q) for 0 < rate < 1, which is the pair under Poisson sampling. Returns
  // std::nullopt for discrete and multivariate distributions.
  [[nodiscard]] std::optional<DistributionPair> mixed(double rate) const;

  // Returns the implementation, for use inside the library.
  [[nodiscard]] const divergence_detail::PairModel& model() const noexcept { return *model_; }

 private:
  explicit DistributionPair(std::shared_ptr<const divergence_detail::PairModel> model) : model_(std::move(model)) {}
  std::shared_ptr<const divergence_detail::PairModel> model_;
};

// The orders of renyi_divergence are between these two numbers, or infinite.
inline constexpr double smallest_divergence_order = 1e-100;
inline constexpr double largest_divergence_order = 1e100;

// Returns the Renyi divergence D_order(P||Q) at an order in [1e-100, 1e100] or infinity. Order 1 is the
// Kullback-Leibler divergence. The result may be infinite. An infinite error means that rounding errors hide whether
// the divergence is finite. Throws Unsupported for densities at order infinity.
[[nodiscard]] Bounded renyi_divergence(const DistributionPair& pair, double order);
// Returns the Kullback-Leibler divergence E_P[ln(P/Q)].
[[nodiscard]] Bounded kl_divergence(const DistributionPair& pair);
// Returns the hockey-stick divergence, the supremum of P(S) - exp(epsilon) Q(S) over all events S, for epsilon in
// [0, inf]. It is the smallest delta at this epsilon, in the direction (P, Q).
//
//     renyi::hockey_stick(renyi::DistributionPair::laplace({.location = 0}, {.location = 1}), 0.5).upper();
[[nodiscard]] Bounded hockey_stick(const DistributionPair& pair, double epsilon);
// Returns the total variation distance, which is the hockey-stick divergence at epsilon 0. It is symmetric in P and Q.
[[nodiscard]] Bounded total_variation(const DistributionPair& pair);

}  // namespace renyi
