// What a plan costs: the epsilon at a delta, the delta at an epsilon, and the whole privacy profile.
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

struct CostOptions {
  bool renyi = true;
  bool exact = true;
  ConversionOptions conversion{};                 // of the Renyi bound
  std::optional<SampledGaussianMethod> method{};  // how sampled Gaussians enter the Renyi bound; nothing: quadrature
  ExactOptions exactness{};
  bool report_excess_width = false;  // the tolerance was asked for by name: an interval that is wider says so
};

// Why a part that was asked for cannot be given.
struct Obstacle {
  ErrorKind kind = ErrorKind::unsupported;  // or not_converged
  std::string why{};
  std::string instead{};       // what to ask for; empty: nothing
  std::exception_ptr error{};  // for those who would rather throw it
};

// What a plan with shuffled epochs would cost if its batches were drawn by Poisson sampling. It is no bound for the
// plan.
struct PoissonEstimate {
  std::optional<double> estimate{};
  std::string unavailable{};  // why there is none
};

// Which of the two numbers of (epsilon, delta)-DP was asked for, at a value of the other.
enum class Quantity { epsilon, delta };
[[nodiscard]] std::string_view to_string(Quantity quantity) noexcept;

// The one answer to "what does it cost", which every front end prints.
struct Cost {
  Quantity quantity = Quantity::epsilon;
  double at = 0;                            // the delta, or the epsilon, that was asked about
  std::optional<RenyiBound> renyi{};        // nothing where it is not asked for
  std::optional<ExactAnswer> exact{};       // nothing where it is not asked for, or
  std::optional<Obstacle> obstacle{};       // where this says why there is none
  Standing standing = Standing::dominated;  // whether what was run attains the exact part
  std::string limit{};                      // what keeps the exact part from being as narrow as asked; empty: nothing
  std::vector<Overflow> overflows{};
  std::optional<PoissonEstimate> under_poisson{};

  // This is the figure itself, never too small: the upper end of the exact interval, or the Renyi bound. One of them
  // must be there.
  [[nodiscard]] double upper() const { return exact ? exact->worst.upper : renyi.value().upper; }
  // The exact part is that of what was run, to within its interval.
  [[nodiscard]] bool is_attained() const { return is_exact() && standing == Standing::attained; }
  // An engine served it; otherwise it is a bound.
  [[nodiscard]] bool is_exact() const { return exact && exact->worst.engine != Engine::bounds; }
  // What to say beside the figure; empty where there is nothing to say.
  [[nodiscard]] std::string_view note() const { return exact ? standing_note(standing) : std::string_view{}; }
  // Why there is no exact part; with what to ask for instead, where no Renyi bound stands beside it. It is empty where
  // there is one, or none was asked for.
  [[nodiscard]] std::string unavailable() const;
};

// The epsilon of the plan at a delta in [0, 1]. Throws InvalidArgument for a delta or an option out of range. Where the
// exact part cannot be given, the answer says why.
//
//     const renyi::Cost cost = renyi::epsilon(plan, 1e-5);
//     cost.upper();             // the epsilon to report
//     cost.exact->worst.lower;  // what no analysis can go below
//     cost.renyi->order;        // the order that gave the Renyi bound
[[nodiscard]] Cost epsilon(const Analysis& analysis, double delta, const CostOptions& options = {});

// The delta of the plan at an epsilon in [0, inf].
//
//     renyi::delta(plan, 2.0).upper();
[[nodiscard]] Cost delta(const Analysis& analysis, double epsilon, const CostOptions& options = {});

// The privacy profile, as points: the delta at each of some epsilons, the epsilon at each of some deltas.
struct Profile {
  std::vector<Cost> at_epsilons;
  std::vector<Cost> at_deltas;
};

struct ProfilePoints {
  std::vector<double> epsilons{};
  std::vector<double> deltas{};
};

// Many points cost little more than one, because what the engines set up for one serves the next. Without any points,
// the epsilons are about ten that are evenly spaced by a round number, from 0 to where delta has surely fallen to
// 1e-10: only 0 where the plan costs nothing, and up to 10 where it costs infinitely much.
//
//     for (const renyi::Cost& point : renyi::profile(plan).at_epsilons) {
//       std::cout << point.at << " " << point.upper() << "\n";
//     }
[[nodiscard]] Profile profile(const Analysis& analysis, const ProfilePoints& points = {},
                              const CostOptions& options = {});

}  // namespace renyi
