// Functions for the cost of a plan: the epsilon at a delta, the delta at an epsilon, and the whole privacy profile.
#pragma once

#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "renyi/error.h"
#include "renyi/exact.h"
#include "renyi/plan.h"
#include "renyi/rdp.h"

namespace renyi {

// Options of `epsilon`, `delta` and `profile`.
//
//     renyi::epsilon(plan, 1e-5, {.exact = false});                     // the Renyi bound only, which is faster
//     renyi::epsilon(plan, 1e-5, {.exactness = {.tolerance = 1e-8}});  // a narrower exact interval
struct CostOptions {
  bool renyi = true;                              // compute the Renyi bound
  bool exact = true;                              // compute the exact interval
  ConversionOptions conversion{};                 // how the Renyi bound is converted to (epsilon, delta)
  std::optional<SampledGaussianMethod> method{};  // how the divergences of sampled Gaussians are computed for the Renyi
                                                  // bound; quadrature if not set
  ExactOptions exactness{};
  bool report_excess_width = false;  // Cost::limit reports an interval that is wider than the tolerance
};

// The reason why a requested part of an answer is not available.
struct Obstacle {
  ErrorKind kind = ErrorKind::unsupported;  // or not_converged
  std::string why{};
  std::string instead{};       // what to request instead; empty if there is no suggestion
  std::exception_ptr error{};  // the same reason as an exception, for callers who want to rethrow it
};

// An estimate of what a plan with shuffled epochs would cost if its batches were drawn by Poisson sampling. It is not a
// bound on the cost of the plan.
struct PoissonEstimate {
  std::optional<double> estimate{};
  std::string unavailable{};  // the reason why there is no estimate; empty if there is one
};

// The number of (epsilon, delta)-DP that is computed; the other number is given.
enum class Quantity { epsilon, delta };
// Returns "epsilon" or "delta".
[[nodiscard]] std::string_view to_string(Quantity quantity) noexcept;

// The cost of a plan: one of epsilon and delta, at a given value of the other. All front ends print this answer.
struct Cost {
  Quantity quantity = Quantity::epsilon;
  double at = 0;                            // the given delta if epsilon was computed, else the given epsilon
  std::optional<RenyiBound> renyi{};        // not set if it was not requested
  std::optional<ExactAnswer> exact{};       // not set if it was not requested or is not available
  std::optional<Obstacle> obstacle{};       // the reason why the requested exact interval is not available
  Standing standing = Standing::dominated;  // what the exact interval is exact for
  std::string limit{};                      // why the answer is wider than requested; empty if it is not
  bool limited = false;                     // a limit of time or memory (renyi/limits.h) ended the computation
  // Set if two methods gave intervals for the exact value that do not meet, which is a defect of this library: a
  // sentence that says which, and asks to report it.
  std::string contradiction{};
  // The following members are not filled in by `profile`: the steps of truncated Poisson sampling, and an estimate for
  // plans with shuffled epochs.
  std::vector<Overflow> overflows{};
  std::optional<PoissonEstimate> under_poisson{};

  // Returns the number to report, which is never too small: the upper bound of the exact interval or, if there is none,
  // the Renyi bound. Throws std::bad_optional_access if there is neither.
  [[nodiscard]] double upper() const { return exact ? exact->worst.upper : renyi.value().upper; }
  // Returns whether the exact cost of the plan itself lies in the exact interval.
  [[nodiscard]] bool is_attained() const { return is_exact() && standing == Standing::attained; }
  // Returns whether an engine computed the exact interval; otherwise `exact` contains only bounds or is not set.
  [[nodiscard]] bool is_exact() const { return exact && exact->worst.engine != Engine::bounds; }
  // Returns a note to print with the exact interval (see standing_note); empty if no note is needed.
  [[nodiscard]] std::string_view note() const { return exact ? standing_note(standing) : std::string_view{}; }
  // Returns the reason why the exact interval is not available, followed by what to request instead if there is no
  // Renyi bound either. Returns an empty text if the interval is available or was not requested.
  [[nodiscard]] std::string unavailable() const;
};

// Computes the epsilon of the plan at a delta in [0, 1]. Throws InvalidArgument if delta or an option is out of range.
// If the exact interval is not available, Cost::obstacle gives the reason.
//
//     const renyi::Cost cost = renyi::epsilon(plan, 1e-5);
//     cost.upper();       // the epsilon to report
//     cost.renyi->upper;  // the Renyi bound, and cost.renyi->order the order at which it is smallest
//     if (cost.exact) {
//       cost.exact->worst.lower;  // a lower bound on the exact epsilon
//     } else {
//       std::cout << cost.unavailable();  // why there is no exact interval
//     }
[[nodiscard]] Cost epsilon(const Analysis& analysis, double delta, const CostOptions& options = {});

// Computes the delta of the plan at an epsilon in [0, inf]. Throws in the same cases as `epsilon`.
//
//     renyi::delta(plan, 2.0).upper();
[[nodiscard]] Cost delta(const Analysis& analysis, double epsilon, const CostOptions& options = {});

// Points of the privacy profile.
struct Profile {
  std::vector<Cost> at_epsilons{};  // the delta at each epsilon
  std::vector<Cost> at_deltas{};    // the epsilon at each delta
};

// The epsilons and deltas at which `profile` evaluates the privacy profile.
struct ProfilePoints {
  std::vector<double> epsilons{};
  std::vector<double> deltas{};
};

// Computes the privacy profile at the given points. Many points take little more time than one, because the engines
// reuse their intermediate results. If no points are given, the delta is computed at about ten epsilons that are
// multiples of a round number, from 0 to an epsilon at which delta has certainly fallen to 1e-10. The only epsilon is
// then 0 if the plan costs nothing, and the largest is 10 if its epsilon is infinite.
//
//     for (const renyi::Cost& point : renyi::profile(plan).at_epsilons) {
//       std::cout << point.at << " " << point.upper() << "\n";
//     }
[[nodiscard]] Profile profile(const Analysis& analysis, const ProfilePoints& points = {},
                              const CostOptions& options = {});

}  // namespace renyi
