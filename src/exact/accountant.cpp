// Which engine answers: the first that serves, or the one asked for.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "account/apart.h"
#include "exact/agreed.h"
#include "exact/alternatives.h"
#include "exact/beside.h"
#include "exact/engine.h"
#include "exact/memory.h"
#include "exact/near_one.h"
#include "exact/served.h"
#include "renyi/account.h"
#include "renyi/error.h"
#include "renyi/exact.h"

namespace renyi {

namespace {

using exact::Answer;
using exact::Question;

// From here on the distance to 1 is asked for as well, and where only this is left it is enough.
constexpr double close_to_one = 0.5, all_but_one = 1 - 1e-12;
// No engine resolves deltas this small.
constexpr double out_of_range = 1e-305;

struct EngineRow {
  Engine engine;
  std::string_view name;
  Answer (*delta)(const Question&, double);
  Answer (*epsilon)(const Question&, double);
};

// In the order of preference.
constexpr std::array<EngineRow, 4> engines{{
    {Engine::closed_form, "closed-form", exact::closed_form_delta, exact::closed_form_epsilon},
    {Engine::contour, "contour", exact::contour_delta, exact::contour_epsilon},
    {Engine::lattice, "lattice", exact::lattice_delta, exact::lattice_epsilon},
    {Engine::bounds, "bounds", exact::bounds_delta, exact::bounds_epsilon},
}};

// The larger of two figures, end by end; it is as the one with the larger upper end was found.
void raise(ExactFigure& figure, const ExactFigure& other) {
  const double lower = std::max(figure.lower, other.lower);
  if (other.upper > figure.upper) figure = other;
  figure.lower = lower;
}

ExactFigure known(double lower, double upper) { return {lower, upper, Engine::closed_form}; }

// delta(0) is the total variation, the same in both directions.
ExactAnswer total_variation(ExactAnswer answer) {
  const ExactFigure both = exact::agreed(answer.remove, answer.add.lower, answer.add.upper);
  for (ExactFigure* figure : {&answer.worst, &answer.remove, &answer.add}) {
    figure->lower = both.lower;
    figure->upper = both.upper;
  }
  return answer;
}

// The steps as they are at least; nothing if none of them was rounded up.
std::vector<CountedMechanism> rounded_down(const std::vector<CountedMechanism>& steps) {
  const auto is_rounded = [](const CountedMechanism& step) { return step.mechanism.is_rounded(); };
  if (std::none_of(steps.begin(), steps.end(), is_rounded)) return {};
  std::vector<CountedMechanism> least;
  for (const CountedMechanism& step : steps) least.push_back({step.mechanism.at_least(), step.count});
  return least;
}

ExactAnswer lowered(ExactAnswer answer, const ExactAnswer& least) {
  answer.worst.lower = std::min(answer.worst.lower, least.worst.lower);
  answer.remove.lower = std::min(answer.remove.lower, least.remove.lower);
  answer.add.lower = std::min(answer.add.lower, least.add.lower);
  return answer;
}

void check_tolerance(double tolerance) {
  if (tolerance > 0 && std::isfinite(tolerance)) return;
  throw InvalidArgument("tolerance", fmt::format("{}", tolerance), "a finite number above 0");
}

Unsupported no_exact_figures() {
  return {"steps", "a step enters by bounds on its divergences only, not by the law of its loss",
          "ask for the Renyi bound"};
}

// The Renyi bound on top. Where it is below what a pair gives that only dominates the plan, nothing is known from
// below.
ExactFigure capped(ExactFigure figure, double lower, double cap, bool is_dominated) {
  if (is_dominated && cap < std::max(figure.lower, lower)) return {0, cap, Engine::bounds, figure.limited};
  return exact::agreed(figure, lower, cap);
}

// The first engine that serves, and the next one too if that is wider than the tolerance; the last one always serves.
// Ends that contradict each other are no answer.
template <class Ask, class Width>
ExactFigure first_answer(const ExactOptions& options, const Ask& ask, const Width& width) {
  std::optional<ExactFigure> found;
  for (const EngineRow& row : engines) {
    if (options.engine && *options.engine != row.engine) continue;
    if (found && row.engine == Engine::bounds) break;
    const Answer answer = ask(row);
    if (answer && exact::is_interval(*answer)) found = found ? exact::agreed(*found, *answer) : *answer;
    if (found && width(*found) <= options.tolerance) break;
  }
  if (found) return *found;
  if (!options.engine) return {0, HUGE_VAL, Engine::bounds, true};  // the Renyi bound is left
  throw Unsupported("engine", fmt::format("{} does not serve this plan here", to_string(*options.engine)),
                    "let the accountant choose");
}

}  // namespace

std::string_view to_string(Engine engine) noexcept { return engines[static_cast<std::size_t>(engine)].name; }

ExactAccountant::ExactAccountant(const Plan& plan, const ExactOptions& options)
    : ExactAccountant(plan.analysed(), nullptr, options) {}

ExactAccountant::ExactAccountant(std::vector<CountedMechanism> steps, std::shared_ptr<const Curve> curve,
                                 const ExactOptions& options)
    : whole_(curve ? std::move(curve) : compose(steps)), options_(options), memory_(std::make_shared<exact::Memory>()) {
  check_tolerance(options.tolerance);
  if (exact::has_parallel(steps)) {
    for (auto& choice : exact::alternatives(steps)) alternatives_.emplace_back(std::move(choice), nullptr, options);
    return;
  }
  if (auto least = rounded_down(steps); !least.empty()) {
    least_ = std::make_shared<const ExactAccountant>(std::move(least), nullptr, options);
  }
  exact::Served served = exact::served_by_engines(std::move(steps));
  steps_ = std::move(served.steps);
  curve_ = served.changed ? compose(steps_) : whole_;
  cap_ = whole_->finite_part() ? whole_->finite_part() : whole_;
  if (curve_->knowledge() == Knowledge::orders) throw no_exact_figures();
}

template <class Ask>
ExactAnswer ExactAccountant::both(const Ask& ask) const {
  ExactAnswer answer;
  answer.remove = ask(Direction::remove);
  const bool symmetric = curve_->is_symmetric() && whole_->is_symmetric();
  answer.add = symmetric ? answer.remove : ask(Direction::add);
  answer.direction = answer.add.upper > answer.remove.upper ? Direction::add : Direction::remove;
  answer.worst = answer.direction == Direction::add ? answer.add : answer.remove;
  answer.worst.lower = std::max(answer.remove.lower, answer.add.lower);
  return answer;
}

// The record lies in whichever part costs most.
template <class Ask>
ExactAnswer largest(const std::vector<ExactAccountant>& alternatives, const Ask& ask) {
  ExactAnswer most;
  for (const ExactAccountant& each : alternatives) {
    const ExactAnswer answer = ask(each);
    if (&each == &alternatives.front()) {
      most = answer;
      continue;
    }
    if (answer.worst.upper > most.worst.upper) most.direction = answer.direction;
    raise(most.worst, answer.worst);
    raise(most.remove, answer.remove);
    raise(most.add, answer.add);
  }
  return most;
}

ExactAnswer ExactAccountant::delta(double epsilon) const {
  if (alternatives_.empty()) {
    const ExactAnswer answer = delta_of_one(epsilon);
    return least_ ? lowered(answer, least_->delta(epsilon)) : answer;
  }
  return largest(alternatives_, [&](const ExactAccountant& each) { return each.delta(epsilon); });
}

ExactAnswer ExactAccountant::epsilon(double delta) const {
  if (alternatives_.empty()) {
    const ExactAnswer answer = epsilon_of_one(delta);
    return least_ ? lowered(answer, least_->epsilon(delta)) : answer;
  }
  return largest(alternatives_, [&](const ExactAccountant& each) { return each.epsilon(delta); });
}

ExactAnswer ExactAccountant::delta_of_one(double epsilon) const {
  if (!(epsilon >= 0)) {
    throw InvalidArgument("epsilon", fmt::format("{}", epsilon), "a number of at least 0, or inf");
  }
  const auto ask = [this](double at, Direction direction) { return finite_delta(at, direction); };
  const ExactAnswer answer = both([&](Direction direction) {
    const account::Apart apart = account::apart_of(*whole_, direction);
    if (apart.is_nothing()) return finite_delta(epsilon, direction);
    return exact::delta_beside(apart, epsilon, direction, ask);
  });
  return epsilon == 0 ? total_variation(answer) : answer;
}

ExactAnswer ExactAccountant::epsilon_of_one(double delta) const {
  if (!(delta >= 0 && delta <= 1)) throw InvalidArgument("delta", fmt::format("{}", delta), "a number in [0, 1]");
  const exact::FiniteProfile finite{
      .delta = [this](double at, Direction direction) { return finite_delta(at, direction); },
      .epsilon = [this](double at, Direction direction) { return finite_epsilon(at, direction); }};
  return both([&](Direction direction) {
    const account::Apart apart = account::apart_of(*whole_, direction);
    if (apart.is_nothing()) return finite_epsilon(delta, direction);
    return exact::epsilon_beside(apart, delta, direction, finite);
  });
}

// Of the loss given that it is finite.
ExactFigure ExactAccountant::finite_delta(double epsilon, Direction direction) const {
  if (epsilon >= curve_->max_loss(direction).upper()) return known(0, 0);
  const DeltaBound bound = memory_->renyi_delta(*cap_, epsilon);
  const Question question{steps_, *curve_, direction, options_, *memory_, bound.order};
  const double renyi = bound.delta;
  const double least = renyi < close_to_one ? 0 : exact::delta_at_least(*curve_, direction, epsilon);
  if (least >= all_but_one || renyi < out_of_range) {
    return capped(ExactFigure{0, 1, Engine::bounds}, least, renyi, is_dominated());
  }
  const ExactFigure figure = first_answer(
      options_, [&](const EngineRow& row) { return row.delta(question, epsilon); },
      [](const ExactFigure& f) { return f.upper > 0 ? (f.upper - f.lower) / f.upper : 0; });
  const double by_parts = figure.limited ? exact::bounds_delta(question, epsilon)->lower : 0;
  return capped(figure, std::max(least, by_parts), renyi, is_dominated());
}

ExactFigure ExactAccountant::finite_epsilon(double delta, Direction direction) const {
  const Bounded largest = curve_->max_loss(direction);
  const EpsilonBound bound = memory_->renyi_epsilon(*cap_, delta);
  const Question question{steps_, *curve_, direction, options_, *memory_, bound.order};
  const double renyi = bound.epsilon;
  if (delta == 1 || renyi == 0 || largest.upper() == 0) return known(0, 0);
  if (delta == 0) return known(largest.lower(), largest.upper());
  const ExactFigure figure = first_answer(
      options_, [&](const EngineRow& row) { return row.epsilon(question, delta); },
      [](const ExactFigure& f) { return f.upper - f.lower; });
  const double by_parts = figure.limited ? exact::bounds_epsilon(question, delta)->lower : 0;
  const double least = delta > close_to_one ? exact::epsilon_at_least(*curve_, direction, delta) : 0;
  return capped(figure, std::max(least, by_parts), std::min(renyi, largest.upper()), is_dominated());
}

bool ExactAccountant::is_dominated() const { return cap_->knowledge() == Knowledge::orders; }

}  // namespace renyi
