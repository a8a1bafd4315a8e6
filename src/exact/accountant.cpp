// Which engine answers: the first that serves, or the one asked for.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "exact/engine.h"
#include "exact/memory.h"
#include "exact/near_one.h"
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

ExactFigure known(double lower, double upper) { return {lower, upper, Engine::closed_form}; }

// delta(0) is the total variation, the same in both directions.
ExactAnswer total_variation(ExactAnswer answer) {
  const double lower = std::max(answer.remove.lower, answer.add.lower);
  const double upper = std::min(answer.remove.upper, answer.add.upper);
  for (ExactFigure* figure : {&answer.worst, &answer.remove, &answer.add}) {
    figure->lower = lower;
    figure->upper = upper;
  }
  return answer;
}

void check_tolerance(double tolerance) {
  if (tolerance > 0 && std::isfinite(tolerance)) return;
  throw InvalidArgument("tolerance", fmt::format("{}", tolerance), "a finite number above 0");
}

// Both hold the truth; the narrower one gives its name.
ExactFigure both_of(const ExactFigure& a, const ExactFigure& b) {
  ExactFigure figure = b.upper - b.lower < a.upper - a.lower ? b : a;
  figure.lower = std::max(a.lower, b.lower);
  figure.upper = std::min(a.upper, b.upper);
  return figure;
}

// The first engine that serves, and the next one too if that is wider than the tolerance; the last one always serves.
template <class Ask, class Width>
ExactFigure first_answer(const ExactOptions& options, const Ask& ask, const Width& width) {
  std::optional<ExactFigure> found;
  for (const EngineRow& row : engines) {
    if (options.engine && *options.engine != row.engine) continue;
    if (found && row.engine == Engine::bounds) break;
    if (const Answer answer = ask(row)) found = found ? both_of(*found, *answer) : *answer;
    if (found && width(*found) <= options.tolerance) break;
  }
  if (found) return *found;
  throw Unsupported("engine", fmt::format("{} does not serve this plan here", to_string(*options.engine)),
                    "let the accountant choose");
}

}  // namespace

std::string_view to_string(Engine engine) noexcept { return engines[static_cast<std::size_t>(engine)].name; }

ExactAccountant::ExactAccountant(const Plan& plan, const ExactOptions& options)
    : steps_(plan.merged()), curve_(compose(steps_)), options_(options), memory_(std::make_shared<exact::Memory>()) {
  check_tolerance(options.tolerance);
  if (curve_->knowledge() == Knowledge::orders) {
    throw Unsupported("steps", "a step is known by bounds on its divergences only, not by a pair of laws",
                      "ask for the Renyi bound");
  }
}

template <class Ask>
ExactAnswer ExactAccountant::both(const Ask& ask) const {
  ExactAnswer answer;
  answer.remove = ask(Question{steps_, *curve_, Direction::remove, options_, *memory_});
  answer.add =
      curve_->is_symmetric() ? answer.remove : ask(Question{steps_, *curve_, Direction::add, options_, *memory_});
  answer.direction = answer.add.upper > answer.remove.upper ? Direction::add : Direction::remove;
  answer.worst = answer.direction == Direction::add ? answer.add : answer.remove;
  answer.worst.lower = std::max(answer.remove.lower, answer.add.lower);
  return answer;
}

ExactAnswer ExactAccountant::delta(double epsilon) const {
  if (!(epsilon >= 0)) {
    throw InvalidArgument("epsilon", fmt::format("{}", epsilon), "a number of at least 0, or inf");
  }
  const double renyi = renyi_delta(*curve_, epsilon).delta;
  const ExactAnswer answer = both([&](const Question& question) {
    if (epsilon >= curve_->max_loss(question.direction).upper()) return known(0, 0);
    const double least = renyi < close_to_one ? 0 : exact::delta_at_least(*curve_, question.direction, epsilon);
    if (least >= all_but_one || renyi < out_of_range) return ExactFigure{least, renyi, Engine::bounds};
    ExactFigure figure = first_answer(
        options_, [&](const EngineRow& row) { return row.delta(question, epsilon); },
        [](const ExactFigure& f) { return f.upper > 0 ? (f.upper - f.lower) / f.upper : 0; });
    if (figure.limited) figure.lower = std::max(figure.lower, exact::bounds_delta(question, epsilon)->lower);
    figure.lower = std::max(figure.lower, least);
    figure.upper = std::min(figure.upper, renyi);
    return figure;
  });
  return epsilon == 0 ? total_variation(answer) : answer;
}

ExactAnswer ExactAccountant::epsilon(double delta) const {
  if (!(delta >= 0 && delta <= 1)) throw InvalidArgument("delta", fmt::format("{}", delta), "a number in [0, 1]");
  const double renyi = renyi_epsilon(*curve_, delta).epsilon;
  return both([&](const Question& question) {
    const Bounded largest = curve_->max_loss(question.direction);
    if (delta == 1 || renyi == 0 || largest.upper() == 0) return known(0, 0);
    if (delta == 0) return known(largest.lower(), largest.upper());
    ExactFigure figure = first_answer(
        options_, [&](const EngineRow& row) { return row.epsilon(question, delta); },
        [](const ExactFigure& f) { return f.upper - f.lower; });
    if (figure.limited) figure.lower = std::max(figure.lower, exact::bounds_epsilon(question, delta)->lower);
    if (delta > close_to_one) {
      figure.lower = std::max(figure.lower, exact::epsilon_at_least(*curve_, question.direction, delta));
    }
    figure.upper = std::min({figure.upper, renyi, largest.upper()});
    return figure;
  });
}

}  // namespace renyi
