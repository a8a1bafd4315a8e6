// The Renyi bound and the exact interval of one question, from one analysis; and what is to be said beside them.
#include "renyi/cost.h"

#include <fmt/format.h>

namespace renyi {

std::string_view to_string(Figure figure) noexcept { return figure == Figure::epsilon ? "epsilon" : "delta"; }

namespace cost_file {
namespace {

bool is_usual(const ConversionOptions& options) {
  return options.conversion == Conversion::tight && !options.orders.has_value();
}

RenyiBound by_curve(const Curve& curve, Figure figure, double at, const ConversionOptions& options) {
  return figure == Figure::epsilon ? RenyiBound(renyi_epsilon(curve, at, options))
                                   : RenyiBound(renyi_delta(curve, at, options));
}

RenyiBound by_method(const Analysis& analysis, Figure figure, double at, const CostOptions& options) {
  RenyiBound bound = figure == Figure::epsilon
                         ? RenyiBound(renyi_epsilon(analysis, at, *options.method, options.conversion))
                         : RenyiBound(renyi_delta(analysis, at, *options.method, options.conversion));
  bound.method = options.method;
  return bound;
}

// The accountant needs the bound too, to look for its own figure: it is found once.
RenyiBound shared_bound(const ExactAccountant& accountant, Figure figure, double at) {
  return figure == Figure::epsilon ? RenyiBound(accountant.renyi_epsilon(at)) : RenyiBound(accountant.renyi_delta(at));
}

// Of epsilon, or of delta relative to itself, as ExactOptions has it.
double width_of(const ExactFigure& figure, Figure what) {
  if (figure.upper == figure.lower) return 0;
  const double width = figure.upper - figure.lower;
  return what == Figure::epsilon ? width : width / figure.upper;
}

// What `find` returns; nothing, and the reason in `obstacle`, where there is no answer.
template <class Find>
auto attempted(std::optional<Obstacle>& obstacle, const Find& find) -> std::optional<decltype(find())> {
  try {
    return find();
  } catch (const Unsupported& error) {
    obstacle = Obstacle{error.kind(), error.why(), error.instead(), std::current_exception()};
  } catch (const NotConverged& error) {
    obstacle = Obstacle{error.kind(), error.what(), {}, std::current_exception()};
  }
  return std::nullopt;
}

// The same question of the plan with Poisson sampling: exactly where it can be.
std::optional<PoissonEstimate> under_poisson_of(const Plan& plan, Figure figure, double at,
                                                const CostOptions& options) {
  try {
    const auto redrawn = under_poisson(plan);
    if (!redrawn) return std::nullopt;
    CostOptions asked = options;
    if (options.exact) {
      asked.renyi = false;
      const Cost exact = cost(*redrawn, figure, at, asked);
      if (exact.exact) return PoissonEstimate{.estimate = exact.upper()};
    }
    asked.renyi = true;
    asked.exact = false;
    return PoissonEstimate{.estimate = cost(*redrawn, figure, at, asked).upper()};
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

std::string limit_of(const ExactAnswer& answer, Figure figure, const CostOptions& options) {
  if (answer.worst.engine == Engine::bounds) {
    return "no engine serves this run here: the ends are bounds, the upper one that of Renyi";
  }
  if (answer.remove.limited || answer.add.limited) {
    return "the lattice stopped at its cap of work or memory, wider than asked";
  }
  const double width = cost_file::width_of(answer.worst, figure);
  const double tolerance = options.exactness.tolerance;
  if (!options.remark_width || width <= tolerance) return {};
  return fmt::format("wider than the tolerance {}: the {}width is {:.2g}", tolerance,
                     figure == Figure::epsilon ? "" : "relative ", width);
}

CostQuestions::CostQuestions(const Analysis& analysis, const CostOptions& options)
    : analysis_(analysis), options_(options) {
  if (!options.exact) return;
  accountant_ = cost_file::attempted(obstacle_, [&] { return ExactAccountant(analysis, options.exactness); });
}

Cost CostQuestions::at(Figure figure, double at) const {
  Cost cost{.figure = figure, .at = at, .obstacle = obstacle_};
  if (options_.renyi && options_.method) {
    cost.renyi = cost_file::by_method(analysis_, figure, at, options_);
  } else if (options_.renyi) {
    cost.renyi = accountant_ && cost_file::is_usual(options_.conversion)
                     ? cost_file::shared_bound(*accountant_, figure, at)
                     : cost_file::by_curve(*analysis_.curve(), figure, at, options_.conversion);
  }
  if (!accountant_) return cost;
  cost.exact = cost_file::attempted(
      cost.obstacle, [&] { return figure == Figure::epsilon ? accountant_->epsilon(at) : accountant_->delta(at); });
  if (!cost.exact) return cost;
  cost.standing = analysis_.standing();
  cost.limit = limit_of(*cost.exact, figure, options_);
  return cost;
}

Cost cost(const Analysis& analysis, Figure figure, double at, const CostOptions& options) {
  Cost cost = CostQuestions(analysis, options).at(figure, at);
  cost.overflows = overflows(analysis.plan());
  cost.under_poisson = cost_file::under_poisson_of(analysis.plan(), figure, at, options);
  return cost;
}

}  // namespace renyi
