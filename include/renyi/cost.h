// What a plan costs: the one answer that every front end prints.
#pragma once

#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "renyi/account.h"
#include "renyi/analysis.h"
#include "renyi/error.h"
#include "renyi/exact.h"

namespace renyi {

// What is asked for, at the other one.
enum class Figure { epsilon, delta };
std::string_view to_string(Figure figure) noexcept;

struct CostOptions {
  bool renyi = true;
  bool exact = true;
  ConversionOptions conversion{};                 // of the Renyi bound
  std::optional<SampledGaussianMethod> method{};  // how sampled Gaussians enter the Renyi bound; nothing: quadrature
  ExactOptions exactness{};
  bool remark_width = false;  // the tolerance was asked for by name: an interval that is wider says so
};

// The Renyi bound: an epsilon or a delta, whichever is asked for.
struct RenyiBound {
  double upper = 0;
  double order = 1;  // the order that gave it
  Conversion conversion = Conversion::tight;
  double delta_apart = 0;                         // what of delta pays for losses that are infinite
  std::optional<SampledGaussianMethod> method{};  // where one was asked for by name

  RenyiBound() = default;
  explicit RenyiBound(const EpsilonBound& bound)
      : upper(bound.epsilon), order(bound.order), conversion(bound.conversion), delta_apart(bound.delta_apart) {}
  explicit RenyiBound(const DeltaBound& bound)
      : upper(bound.delta), order(bound.order), conversion(bound.conversion), delta_apart(bound.delta_apart) {}
};

// Why a part that was asked for cannot be given.
struct Obstacle {
  ErrorKind kind = ErrorKind::unsupported;  // or not_converged
  std::string why{};
  std::string instead{};       // what to ask for; empty: nothing
  std::exception_ptr error{};  // for those who would rather throw it
};

// What a plan with shuffled epochs would cost if its batches were drawn by Poisson sampling. No bound for the plan.
struct PoissonEstimate {
  std::optional<double> estimate{};
  std::string unavailable{};  // why there is none
};

struct Cost {
  Figure figure = Figure::epsilon;
  double at = 0;                            // the delta, or the epsilon, that was asked about
  std::optional<RenyiBound> renyi{};        // nothing where it is not asked for
  std::optional<ExactAnswer> exact{};       // nothing where it is not asked for, or
  std::optional<Obstacle> obstacle{};       // where this says why there is none
  Standing standing = Standing::dominated;  // of the exact part
  std::string limit{};                      // what keeps the exact part from being as narrow as asked; empty: nothing
  std::vector<Overflow> overflows{};
  std::optional<PoissonEstimate> under_poisson{};

  // The figure itself, never too small: the upper end of the exact interval, or the Renyi bound. One of them must be
  // there.
  double upper() const { return exact ? exact->worst.upper : renyi.value().upper; }
  // Is it that of what was run, to within its interval?
  bool is_attained() const { return is_exact() && standing == Standing::attained; }
  // An engine served it; otherwise it is a bound.
  bool is_exact() const { return exact && exact->worst.engine != Engine::bounds; }
  // What to say beside the figure; empty where there is nothing to say.
  std::string_view note() const { return exact ? note_on(standing) : std::string_view{}; }
  // Why there is no exact part; with what to ask for instead, where no Renyi bound stands beside it. Empty: there is
  // one, or none was asked for.
  std::string unavailable() const;
};

// What keeps an exact answer from being as narrow as asked, in words; empty: nothing.
std::string limit_of(const ExactAnswer& answer, Figure figure, const CostOptions& options);

// Questions about one plan: what was composed for one serves the next.
class CostQuestions {
 public:
  explicit CostQuestions(const Analysis& analysis, const CostOptions& options = {});

  // Both parts, or why not; the plan's overflows and the estimate under Poisson sampling are left out. Throws
  // InvalidArgument for an epsilon, a delta or an option out of range, and what the Renyi bound throws.
  Cost at(Figure figure, double at) const;

 private:
  Analysis analysis_;
  CostOptions options_;
  std::optional<ExactAccountant> accountant_{};
  std::optional<Obstacle> obstacle_{};
};

// One question, and all there is to say of it.
Cost cost(const Analysis& analysis, Figure figure, double at, const CostOptions& options = {});

}  // namespace renyi
