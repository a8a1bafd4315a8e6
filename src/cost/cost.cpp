// Computes the Renyi bound and the exact interval for one question from one analysis, and the notes that are reported
// with them.
#include "renyi/cost.h"

#include <fmt/format.h>

#include "conversion/renyi_bound.h"
#include "cost/questions.h"
#include "exact/privacy_profile.h"
#include "renyi/limits.h"

namespace renyi {

std::string_view to_string(Quantity quantity) noexcept { return quantity == Quantity::epsilon ? "epsilon" : "delta"; }

namespace cost_file {
namespace {

bool is_usual(const ConversionOptions& options) {
  return options.conversion == Conversion::tight && !options.orders.has_value();
}

RenyiBound by_curve(const Curve& curve, Quantity quantity, double at, const ConversionOptions& options) {
  return quantity == Quantity::epsilon ? renyi_epsilon(curve, at, options) : renyi_delta(curve, at, options);
}

RenyiBound by_method(const Analysis& analysis, Quantity quantity, double at, const CostOptions& options) {
  RenyiBound bound = quantity == Quantity::epsilon ? renyi_epsilon(analysis, at, *options.method, options.conversion)
                                                   : renyi_delta(analysis, at, *options.method, options.conversion);
  bound.method = options.method;
  return bound;
}

// The profile also needs the bound, as a start for its own interval, so the bound is computed once.
RenyiBound shared_bound(const PrivacyProfile& profile, Quantity quantity, double at) {
  return quantity == Quantity::epsilon ? profile.renyi_epsilon(at) : profile.renyi_delta(at);
}

// Returns the width of epsilon, or the width of delta relative to delta, as ExactOptions::tolerance defines it.
double width_of(const ExactInterval& interval, Quantity quantity) {
  const double width = interval.width();
  return width == 0 || quantity == Quantity::epsilon ? width : width / interval.upper;
}

// Returns the result of `find`, or std::nullopt if there is no answer; the reason is then stored in `obstacle`.
template <class Find>
auto attempted(std::optional<Obstacle>& obstacle, const Find& find) -> std::optional<decltype(find())> {
  try {
    return find();
  } catch (const Unsupported& error) {
    obstacle = Obstacle{error.kind(), error.why(), error.instead(), std::current_exception()};
  } catch (const NotConverged& error) {
    obstacle = Obstacle{error.kind(), error.what(), {}, std::current_exception()};
  } catch (const LimitReached& error) {
    obstacle = Obstacle{error.kind(), error.why(), error.instead(), std::current_exception()};
  }
  return std::nullopt;
}

// Answers the same question for the plan with Poisson sampling, with an exact interval if possible.
std::optional<PoissonEstimate> under_poisson_of(const Plan& plan, Quantity quantity, double at,
                                                const CostOptions& options) {
  try {
    const auto redrawn = under_poisson(plan);
    if (!redrawn) return std::nullopt;
    CostOptions asked = options;
    if (options.exact) {
      asked.renyi = false;
      const Cost exact = cost(*redrawn, quantity, at, asked);
      if (exact.exact) return PoissonEstimate{.estimate = exact.upper()};
    }
    asked.renyi = true;
    asked.exact = false;
    return PoissonEstimate{.estimate = cost(*redrawn, quantity, at, asked).upper()};
  } catch (const Error& error) {
    return PoissonEstimate{.unavailable = error.what()};
  }
}

}  // namespace
}  // namespace cost_file

std::string Cost::unavailable() const {
  if (!obstacle) return {};
  const bool alone = !renyi && !obstacle->instead.empty();
  return alone ? fmt::format("{}; {}", obstacle->why, obstacle->instead) : obstacle->why;
}

std::string limit_of(const ExactAnswer& answer, Quantity quantity, const CostOptions& options) {
  if (const std::string reached = reached_limit(); !reached.empty() && answer.worst.limited) {
    return reached + ": the interval is the best until then, wider than asked";
  }
  if (answer.worst.engine == Engine::bounds) {
    return "no engine serves this run here: the ends are bounds, the upper one that of Renyi";
  }
  if (answer.remove.limited || answer.add.limited) {
    return "the lattice stopped at its cap of work or memory, wider than asked";
  }
  const double width = cost_file::width_of(answer.worst, quantity);
  const double tolerance = options.exactness.tolerance;
  if (!options.report_excess_width || width <= tolerance) return {};
  return fmt::format("wider than the tolerance {}: the {}width is {:.2g}", tolerance,
                     quantity == Quantity::epsilon ? "" : "relative ", width);
}

std::string contradiction_of(const ExactAnswer& answer) {
  const std::string& found = answer.contradiction();
  if (found.empty()) return {};
  return fmt::format(
      "two methods gave intervals that do not meet, {}: one of them is wrong, which is a defect of this program. The "
      "upper end is the largest of both, and the lower end claims nothing; please report this",
      found);
}

CostQuestions::CostQuestions(const Analysis& analysis, const CostOptions& options)
    : analysis_(analysis), options_(options) {
  if (!options.exact) return;
  profile_ = cost_file::attempted(obstacle_, [&] { return PrivacyProfile(analysis, options.exactness); });
}

Cost CostQuestions::at(Quantity quantity, double at) const {
  const LimitScope question(Limits{.memory = options_.exactness.memory});
  Cost found = without_scope(quantity, at);
  found.limited = question.was_reached();
  if (found.limited && found.limit.empty())
    found.limit = reached_limit() + ": more time or memory may narrow the answer";
  return found;
}

Cost CostQuestions::without_scope(Quantity quantity, double at) const {
  Cost cost{.quantity = quantity, .at = at, .obstacle = obstacle_};
  if (options_.renyi && options_.method) {
    cost.renyi = cost_file::by_method(analysis_, quantity, at, options_);
  } else if (options_.renyi) {
    cost.renyi = profile_ && cost_file::is_usual(options_.conversion)
                     ? cost_file::shared_bound(*profile_, quantity, at)
                     : cost_file::by_curve(*analysis_.curve(), quantity, at, options_.conversion);
  }
  if (!profile_) return cost;
  cost.exact = cost_file::attempted(
      cost.obstacle, [&] { return quantity == Quantity::epsilon ? profile_->epsilon(at) : profile_->delta(at); });
  if (!cost.exact) return cost;
  cost.standing = analysis_.standing();
  cost.limit = limit_of(*cost.exact, quantity, options_);
  cost.contradiction = contradiction_of(*cost.exact);
  return cost;
}

Cost cost(const Analysis& analysis, Quantity quantity, double at, const CostOptions& options) {
  Cost cost = CostQuestions(analysis, options).at(quantity, at);
  cost.overflows = overflows(analysis.plan());
  cost.under_poisson = cost_file::under_poisson_of(analysis.plan(), quantity, at, options);
  return cost;
}

Cost epsilon(const Analysis& analysis, double delta, const CostOptions& options) {
  return cost(analysis, Quantity::epsilon, delta, options);
}

Cost delta(const Analysis& analysis, double epsilon, const CostOptions& options) {
  return cost(analysis, Quantity::delta, epsilon, options);
}

}  // namespace renyi
