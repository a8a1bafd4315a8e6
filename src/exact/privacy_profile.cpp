// Chooses the engine for a question, either the first that supports the plan or the requested one, and the steps that
// it is given.
#include "exact/privacy_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string>

#include "conversion/infinite_loss.h"
#include "conversion/renyi_bound.h"
#include "exact/engine.h"
#include "exact/profile_cache.h"
#include "mechanism/shared_curves.h"
#include "numerics/rounding.h"
#include "plan/analysed_steps.h"
#include "renyi/error.h"
#include "renyi/exact.h"
#include "renyi/extras/custom.h"
#include "renyi/limits.h"
#include "renyi/rdp.h"

namespace renyi {

using exact::EngineQuestion;

namespace privacy_profile_file {
namespace {

using conversion::InfiniteLoss;
using exact::EngineAnswer;
using numerics::next_down;
using numerics::next_up;

// Parallel composition: a record lies in one of the subsets, so the plan is one of several alternatives, and the
// largest value counts. A mechanism that is a run of several steps is replaced by them.

using Run = std::vector<CountedMechanism>;

constexpr std::size_t most_alternatives = 64;

// Returns every choice of one subset for each parallel step. Throws Unsupported for more than most_alternatives.
std::vector<Run> alternatives(const Run& steps);

// The plan's own counts are within the limit, but a step that stands for many others may be repeated too often.
Run repeated(Run run, std::int64_t count) {
  for (CountedMechanism& each : run) {
    if (each.count > std::numeric_limits<std::int64_t>::max() / count) {
      throw Unsupported("steps", "a run of several steps is repeated so often that they are more than 2^63-1",
                        "ask for the Renyi bound");
    }
    each.count *= count;
  }
  return run;
}

// Returns every choice within one step that is run `count` times. A run of several steps is one choice: these steps.
std::vector<Run> choices(const CountedMechanism& step) {
  if (const auto run = plan::run_curve_of(step.mechanism)) return {repeated(run->steps(), step.count)};
  const auto parallel = plan::parallel_curve_of(step.mechanism);
  if (!parallel) return {{step}};
  std::vector<Run> result;
  for (const auto& part : parallel->parts()) {
    for (Run& run : alternatives(part.steps)) result.push_back(repeated(std::move(run), step.count));
  }
  return result;
}

// Returns true if some step stands for others: for one of several parts, or for a run of several steps.
bool has_steps_within(const Run& steps) {
  return std::any_of(steps.begin(), steps.end(), [](const CountedMechanism& step) {
    return plan::parallel_curve_of(step.mechanism) != nullptr || plan::run_curve_of(step.mechanism) != nullptr;
  });
}

std::vector<Run> alternatives(const Run& steps) {
  std::vector<Run> result{{}};
  for (const CountedMechanism& step : steps) {
    std::vector<Run> longer;
    const std::vector<Run> all = choices(step);
    if (all.size() * result.size() > most_alternatives) {
      throw Unsupported("steps", fmt::format("more than {} choices of parallel parts", most_alternatives),
                        "ask for the Renyi bound");
    }
    for (const Run& begun : result) {
      for (const Run& choice : all) {
        longer.push_back(begun);
        longer.back().insert(longer.back().end(), choice.begin(), choice.end());
      }
    }
    result = std::move(longer);
  }
  return result;
}

std::optional<Mechanism> dominating_mechanism(const Mechanism& mechanism) {
  const auto curve = mechanism.curve();
  if (curve->knowledge() != Knowledge::orders) {
    if (!curve->finite_part()) return std::nullopt;
    return mechanism::finite_mechanism(mechanism);
  }
  auto pair = curve->dominating_curve();
  if (!pair) return std::nullopt;  // only bounds on the divergences are known, and engines cannot use these
  return CustomMechanism(std::string(mechanism.summary()), std::move(pair));
}

// The steps of a plan as the engines are given them.
struct DominatingSteps {
  std::vector<CountedMechanism> steps;
  bool changed = false;
};

// Replaces steps by their finite parts, and steps for which only bounds on their divergences are known by dominating
// pairs.
DominatingSteps dominating_steps(std::vector<CountedMechanism> steps) {
  DominatingSteps served{std::move(steps)};
  for (CountedMechanism& step : served.steps) {
    auto seen = dominating_mechanism(step.mechanism);
    if (!seen) continue;
    step.mechanism = *std::move(seen);
    served.changed = true;
  }
  return served;
}

// Exact intervals for a plan whose loss may be infinite, computed from those of its finite part
// (docs/math/infinite-loss.md, "The split").

using AskDirection = std::function<ExactInterval(double at, Direction direction)>;

// The profile of the finite part: delta at an epsilon >= 0, and epsilon at a delta in [0, 1].
struct FiniteProfile {
  AskDirection delta;
  AskDirection epsilon;
};

constexpr double infinity = std::numeric_limits<double>::infinity();
// The number of bisections of the shift: the result is as narrow as the shift itself is known.
constexpr int halvings = 40;

// Returns the profile of the finite part at any epsilon: a negative one is computed from the other direction.
ExactInterval signed_delta(double epsilon, Direction direction, const AskDirection& delta) {
  if (epsilon >= 0) return delta(epsilon, direction);
  ExactInterval figure = delta(-epsilon, opposite(direction));
  figure.lower = conversion::delta_at_negative_epsilon_lower(-epsilon, figure.lower);
  figure.upper = conversion::delta_at_negative_epsilon_upper(-epsilon, figure.upper);
  return figure;
}

// Bisects [-most, 0] for the point where the profile of the finite part falls to the level; it is at most the level at
// 0.
template <class IsAbove>
double crossing_below_zero(double most, bool stay_above, const IsAbove& is_above) {
  double low = -most, high = 0;  // delta is above the level at low, and not at high
  if (!is_above(low)) return low;
  for (int i = 0; i < halvings; ++i) {
    const double middle = 0.5 * (low + high);
    (is_above(middle) ? low : high) = middle;
  }
  return stay_above ? low : high;
}

// Returns an upper bound on the smallest epsilon >= -most at which the delta of the finite part is at most `delta`.
double least_epsilon_upper(double delta, double most, Direction direction, const FiniteProfile& finite,
                           ExactInterval& found) {
  found = finite.epsilon(delta, direction);
  if (found.upper > 0 || !(most > 0)) return found.upper;
  return crossing_below_zero(most, false,
                             [&](double at) { return !(signed_delta(at, direction, finite.delta).upper <= delta); });
}

double least_epsilon_lower(double delta, double most, Direction direction, const FiniteProfile& finite,
                           ExactInterval& found) {
  found = finite.epsilon(delta, direction);
  const double lower = found.lower;
  if (lower > 0 || !(most > 0)) return lower;
  return crossing_below_zero(most, true,
                             [&](double at) { return signed_delta(at, direction, finite.delta).lower > delta; });
}

// Returns the sum rounded outwards; a sum that rounds to 0 is exactly 0.
double moved(double epsilon, double shift, double (*outwards)(double) noexcept) {
  const double sum = epsilon + shift;
  if (shift == 0 || sum <= 0) return std::max(0.0, sum);
  return std::max(0.0, outwards(sum));
}

ExactInterval delta_beside(const InfiniteLoss& infinite_loss, double epsilon, Direction direction,
                           const AskDirection& delta) {
  if (std::isinf(epsilon) || infinite_loss.is_certain())
    return {{infinite_loss.lower, infinite_loss.upper}, Engine::closed_form};
  if (!infinite_loss.has_shift()) return {{infinite_loss.lower, 1}, Engine::bounds};
  const auto at = [&](double shift, double (*outwards)(double) noexcept) {
    return signed_delta(shift == 0 ? epsilon : outwards(epsilon - shift), direction, delta);
  };
  ExactInterval figure = at(infinite_loss.shift_upper, next_down);
  const ExactInterval least =
      infinite_loss.shift_lower == infinite_loss.shift_upper ? figure : at(infinite_loss.shift_lower, next_up);
  exact::add_contradiction(figure, least);
  figure.lower = infinite_loss.with_lower(std::min(least.lower, figure.upper));
  figure.upper = infinite_loss.with_upper(figure.upper);
  return figure;
}

ExactInterval epsilon_beside(const InfiniteLoss& infinite_loss, double delta, Direction direction,
                             const FiniteProfile& finite) {
  if (delta == 1) return {{0, 0}, Engine::closed_form};
  if (delta < infinite_loss.lower || (delta == 0 && infinite_loss.exists))
    return {{infinity, infinity}, Engine::closed_form};
  if (!infinite_loss.has_shift()) return {{0, infinity}, Engine::bounds};
  ExactInterval figure, least;
  const double less = infinite_loss.remaining_delta_lower(delta), more = infinite_loss.remaining_delta_upper(delta);
  const double upper =
      less < 0 ? infinity : least_epsilon_upper(less, infinite_loss.shift_upper, direction, finite, figure);
  const double lower = least_epsilon_lower(more, infinite_loss.shift_upper, direction, finite, least);
  exact::add_contradiction(figure, least);
  figure.lower = moved(lower, infinite_loss.shift_lower, next_down);
  figure.upper = moved(upper, infinite_loss.shift_upper, next_up);
  return figure;
}

// From this delta on, the lower bound for deltas close to 1 is computed as well; if it reaches the second value, it is
// enough.
constexpr double close_to_one = 0.5, all_but_one = 1 - 1e-12;
// No engine resolves deltas this small.
constexpr double out_of_range = 1e-305;

struct EngineRow {
  Engine engine;
  std::string_view name;
  EngineAnswer (*delta)(const EngineQuestion&, double);
  EngineAnswer (*epsilon)(const EngineQuestion&, double);
};

// The engines in the order of preference.
constexpr std::array<EngineRow, 4> engines{{
    {Engine::closed_form, "closed-form", exact::closed_form_delta, exact::closed_form_epsilon},
    {Engine::contour, "contour", exact::contour_delta, exact::contour_epsilon},
    {Engine::lattice, "lattice", exact::lattice_delta, exact::lattice_epsilon},
    {Engine::bounds, "bounds", exact::bounds_delta, exact::bounds_epsilon},
}};

// Raises both bounds of `figure` to those of `other` where these are larger; the engine is that of the larger upper
// bound.
void raise(ExactInterval& figure, const ExactInterval& other) {
  const double lower = std::max(figure.lower, other.lower);
  const ExactInterval before = figure;
  if (other.upper > figure.upper) figure = other;
  figure.lower = lower;
  exact::add_contradiction(figure, before);
  exact::add_contradiction(figure, other);
}

ExactInterval known(double lower, double upper) { return {{lower, upper}, Engine::closed_form}; }

// delta(0) is the total variation, the same in both directions.
ExactAnswer total_variation(ExactAnswer answer) {
  ExactInterval both = exact::intersection_or_hull(answer.remove, answer.add, "the other direction");
  exact::add_contradiction(both, answer.add);
  for (ExactInterval* figure : {&answer.worst, &answer.remove, &answer.add}) {
    figure->lower = both.lower;
    figure->upper = both.upper;
    figure->contradiction = both.contradiction;
  }
  return answer;
}

// The steps rounded optimistically, for lower bounds; empty if no step was rounded.
std::vector<CountedMechanism> rounded_down(const std::vector<CountedMechanism>& steps) {
  const auto is_rounded = [](const CountedMechanism& step) { return step.mechanism.is_rounded(); };
  if (std::none_of(steps.begin(), steps.end(), is_rounded)) return {};
  std::vector<CountedMechanism> least;
  for (const CountedMechanism& step : steps) least.push_back({step.mechanism.optimistic(), step.count});
  return least;
}

ExactAnswer lowered(ExactAnswer answer, const ExactAnswer& least) {
  answer.worst.lower = std::min(answer.worst.lower, least.worst.lower);
  answer.remove.lower = std::min(answer.remove.lower, least.remove.lower);
  answer.add.lower = std::min(answer.add.lower, least.add.lower);
  exact::add_contradiction(answer.worst, least.worst);
  exact::add_contradiction(answer.remove, least.remove);
  exact::add_contradiction(answer.add, least.add);
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

// Caps the interval at the Renyi bound. Where that is below the values of a pair that only dominates the plan, no lower
// bound is known. An engine that was stopped before it narrowed the bounds has computed nothing, and is not named.
ExactInterval capped(ExactInterval figure, double lower, double cap, bool is_dominated) {
  if (is_dominated && cap < std::max(figure.lower, lower)) {
    return {{0, cap}, Engine::bounds, figure.limited, std::move(figure.contradiction)};
  }
  if (figure.limited && figure.lower <= lower && figure.upper >= cap) figure.engine = Engine::bounds;
  return exact::intersection_or_hull(std::move(figure), {lower, cap}, "the Renyi bound");
}

// Returns the answer of the first engine that supports the plan, together with that of the next one if the first is
// wider than the tolerance; the last engine supports every plan. An end that is not a number is not an answer. At a
// limit of time or memory the answer is what was found before.
template <class Ask, class Width>
ExactInterval first_answer(const ExactOptions& options, const Ask& ask, const Width& width) {
  std::optional<ExactInterval> found;
  bool lacks_memory = false;
  for (const EngineRow& row : engines) {
    if (options.engine && *options.engine != row.engine) continue;
    if (found && row.engine == Engine::bounds) break;
    EngineAnswer answer;
    try {
      answer = ask(row);
    } catch (const LimitReached& reached) {
      lacks_memory = reached.limit() == Limit::memory;
      if (lacks_memory && !found) continue;  // the other engines may need less
      if (found) found->limited = true;
      return found.value_or(ExactInterval{{0, HUGE_VAL}, Engine::bounds, true});
    }
    if (answer && !exact::has_nan(*answer)) {
      const ExactInterval figure = exact::with_ordered_ends(*std::move(answer));
      found = found ? exact::intersection_or_hull(*found, figure) : figure;
    }
    if (found && width(*found) <= options.tolerance) break;
  }
  if (found) {
    found->limited = found->limited || lacks_memory;
    return *found;
  }
  if (!options.engine || lacks_memory) return {{0, HUGE_VAL}, Engine::bounds, true};  // only the Renyi bound remains
  throw Unsupported("engine", fmt::format("{} does not serve this plan here", to_string(*options.engine)),
                    "let the accountant choose");
}

// Returns a bound that narrows an answer, or 0 if a limit is reached before it is computed.
template <class Find>
double unless_stopped(const Find& find) {
  try {
    return find();
  } catch (const LimitReached&) {
    return 0;
  }
}

}  // namespace
}  // namespace privacy_profile_file

std::string_view to_string(Engine engine) noexcept {
  return privacy_profile_file::engines[static_cast<std::size_t>(engine)].name;
}

PrivacyProfile::PrivacyProfile(const Analysis& analysis, const ExactOptions& options)
    : PrivacyProfile(analysis.steps(), analysis.curve(), options) {}

PrivacyProfile::PrivacyProfile(std::vector<CountedMechanism> steps, std::shared_ptr<const Curve> curve,
                               const ExactOptions& options)
    : plan_curve_(curve ? std::move(curve) : compose(steps)),
      options_(options),
      cache_(std::make_shared<exact::ProfileCache>()) {
  privacy_profile_file::check_tolerance(options.tolerance);
  if (privacy_profile_file::has_steps_within(steps)) {
    for (auto& choice : privacy_profile_file::alternatives(steps))
      alternatives_.emplace_back(std::move(choice), nullptr, options);
    return;
  }
  if (auto least = privacy_profile_file::rounded_down(steps); !least.empty()) {
    optimistic_ = std::make_shared<const PrivacyProfile>(std::move(least), nullptr, options);
  }
  privacy_profile_file::DominatingSteps served = privacy_profile_file::dominating_steps(std::move(steps));
  steps_ = std::move(served.steps);
  curve_ = served.changed ? compose(steps_) : plan_curve_;
  capping_curve_ = plan_curve_->finite_part() ? plan_curve_->finite_part() : plan_curve_;
  if (curve_->knowledge() == Knowledge::orders) throw privacy_profile_file::no_exact_figures();
}

template <class Ask>
ExactAnswer PrivacyProfile::both(const Ask& ask) const {
  ExactAnswer answer;
  answer.remove = ask(Direction::remove);
  const bool symmetric = curve_->is_symmetric() && plan_curve_->is_symmetric();
  answer.add = symmetric ? answer.remove : ask(Direction::add);
  answer.direction = answer.add.upper > answer.remove.upper ? Direction::add : Direction::remove;
  answer.worst = answer.direction == Direction::add ? answer.add : answer.remove;
  answer.worst.lower = std::max(answer.remove.lower, answer.add.lower);
  answer.worst.contradiction = answer.contradiction();
  return answer;
}

// Returns the largest answer of the alternatives: the record may lie in the subset with the largest cost.
template <class Ask>
ExactAnswer largest(const std::vector<PrivacyProfile>& alternatives, const Ask& ask) {
  ExactAnswer most;
  for (const PrivacyProfile& each : alternatives) {
    const ExactAnswer answer = ask(each);
    if (&each == &alternatives.front()) {
      most = answer;
      continue;
    }
    if (answer.worst.upper > most.worst.upper) most.direction = answer.direction;
    privacy_profile_file::raise(most.worst, answer.worst);
    privacy_profile_file::raise(most.remove, answer.remove);
    privacy_profile_file::raise(most.add, answer.add);
  }
  return most;
}

ExactAnswer PrivacyProfile::delta(double epsilon) const {
  const LimitScope memory(Limits{.memory = options_.memory});
  if (alternatives_.empty()) {
    const ExactAnswer answer = delta_of_one(epsilon);
    return optimistic_ ? privacy_profile_file::lowered(answer, optimistic_->delta(epsilon)) : answer;
  }
  return largest(alternatives_, [&](const PrivacyProfile& each) { return each.delta(epsilon); });
}

ExactAnswer PrivacyProfile::epsilon(double delta) const {
  const LimitScope memory(Limits{.memory = options_.memory});
  if (alternatives_.empty()) {
    const ExactAnswer answer = epsilon_of_one(delta);
    return optimistic_ ? privacy_profile_file::lowered(answer, optimistic_->epsilon(delta)) : answer;
  }
  return largest(alternatives_, [&](const PrivacyProfile& each) { return each.epsilon(delta); });
}

RenyiBound PrivacyProfile::renyi_epsilon(double delta) const {
  return capping_curve_ == plan_curve_ ? cache_->renyi_epsilon(*plan_curve_, delta)
                                       : renyi::renyi_epsilon(*plan_curve_, delta);
}

RenyiBound PrivacyProfile::renyi_delta(double epsilon) const {
  return capping_curve_ == plan_curve_ ? cache_->renyi_delta(*plan_curve_, epsilon)
                                       : renyi::renyi_delta(*plan_curve_, epsilon);
}

ExactAnswer PrivacyProfile::delta_of_one(double epsilon) const {
  if (!(epsilon >= 0)) {
    throw InvalidArgument("epsilon", fmt::format("{}", epsilon), "a number of at least 0, or inf");
  }
  const auto ask = [this](double at, Direction direction) { return finite_delta(at, direction); };
  const ExactAnswer answer = both([&](Direction direction) {
    const conversion::InfiniteLoss infinite_loss = conversion::infinite_loss_of(*plan_curve_, direction);
    if (infinite_loss.is_nothing()) return finite_delta(epsilon, direction);
    return privacy_profile_file::delta_beside(infinite_loss, epsilon, direction, ask);
  });
  return epsilon == 0 ? privacy_profile_file::total_variation(answer) : answer;
}

ExactAnswer PrivacyProfile::epsilon_of_one(double delta) const {
  if (!(delta >= 0 && delta <= 1)) throw InvalidArgument("delta", fmt::format("{}", delta), "a number in [0, 1]");
  const privacy_profile_file::FiniteProfile finite{
      .delta = [this](double at, Direction direction) { return finite_delta(at, direction); },
      .epsilon = [this](double at, Direction direction) { return finite_epsilon(at, direction); }};
  return both([&](Direction direction) {
    const conversion::InfiniteLoss infinite_loss = conversion::infinite_loss_of(*plan_curve_, direction);
    if (infinite_loss.is_nothing()) return finite_epsilon(delta, direction);
    return privacy_profile_file::epsilon_beside(infinite_loss, delta, direction, finite);
  });
}

// The delta of the loss under the condition that it is finite.
ExactInterval PrivacyProfile::finite_delta(double epsilon, Direction direction) const {
  if (epsilon >= curve_->max_loss(direction).upper()) return privacy_profile_file::known(0, 0);
  const RenyiBound bound = cache_->renyi_delta(*capping_curve_, epsilon);
  const EngineQuestion question{steps_, *curve_, direction, options_, *cache_, bound.order};
  const double renyi = bound.upper;
  const double least = renyi < privacy_profile_file::close_to_one ? 0 : privacy_profile_file::unless_stopped([&] {
    return exact::delta_lower_bound(*curve_, direction, epsilon);
  });
  if (least >= privacy_profile_file::all_but_one || renyi < privacy_profile_file::out_of_range) {
    return privacy_profile_file::capped(ExactInterval{{0, 1}, Engine::bounds}, least, renyi, is_dominated());
  }
  const ExactInterval figure = privacy_profile_file::first_answer(
      options_, [&](const privacy_profile_file::EngineRow& row) { return row.delta(question, epsilon); },
      [](const ExactInterval& f) {
        return f.upper > privacy_profile_file::out_of_range ? (f.upper - f.lower) / f.upper : 0;
      });
  const double by_parts = !figure.limited ? 0 : privacy_profile_file::unless_stopped([&] {
    return exact::bounds_delta(question, epsilon)->lower;
  });
  return privacy_profile_file::capped(figure, std::max(least, by_parts), renyi, is_dominated());
}

ExactInterval PrivacyProfile::finite_epsilon(double delta, Direction direction) const {
  const Bounded largest = curve_->max_loss(direction);
  const RenyiBound bound = cache_->renyi_epsilon(*capping_curve_, delta);
  const EngineQuestion question{steps_, *curve_, direction, options_, *cache_, bound.order};
  const double renyi = bound.upper;
  if (delta == 1 || renyi == 0 || largest.upper() == 0) return privacy_profile_file::known(0, 0);
  if (delta == 0) return privacy_profile_file::known(largest.lower(), largest.upper());
  const ExactInterval figure = privacy_profile_file::first_answer(
      options_, [&](const privacy_profile_file::EngineRow& row) { return row.epsilon(question, delta); },
      [](const ExactInterval& f) { return f.upper - f.lower; });
  const double by_parts = !figure.limited ? 0 : privacy_profile_file::unless_stopped([&] {
    return exact::bounds_epsilon(question, delta)->lower;
  });
  const double least = delta <= privacy_profile_file::close_to_one ? 0 : privacy_profile_file::unless_stopped([&] {
    return exact::epsilon_lower_bound(*curve_, direction, delta);
  });
  return privacy_profile_file::capped(figure, std::max(least, by_parts), std::min(renyi, largest.upper()),
                                      is_dominated());
}

bool PrivacyProfile::is_dominated() const { return capping_curve_->knowledge() == Knowledge::orders; }

}  // namespace renyi
