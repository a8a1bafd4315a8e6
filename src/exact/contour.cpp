// The contour engine: it computes delta by the integral of the loss along one line, and epsilon from delta on the same
// line.
#include "loss/contour.h"

#include <algorithm>
#include <cmath>

#include "exact/engine.h"
#include "exact/invert.h"
#include "exact/rare_components.h"
#include "numerics/rounding.h"

namespace renyi::exact {

using loss::Contour;
using loss::Kernel;

namespace contour_file {
namespace {

// An answer with a relative width above this is left to other engines.
constexpr double widest = 1e-3;
// Where the interval is at most this wide, as a multiple of the line's accuracy, another line would not improve it.
constexpr double narrow_enough = 100;

double relative_width(const Interval& ends) { return (ends.upper - ends.lower) / ends.upper; }

std::optional<Interval> epsilon_on(const Contour& line, double delta, double largest) {
  return epsilon_where(line, delta, line.t(), largest);
}

// Returns where the search for the line's position starts: the order with the best Renyi bound lies near its saddle
// point.
double start_at(const EngineQuestion& question, double otherwise) {
  const double c = question.order - 1;
  return c > 0 && std::isfinite(c) ? c : otherwise;
}

EngineAnswer whole_delta(const EngineQuestion& question, double epsilon) {
  const auto interval =
      loss::contour_integral(question.curve, question.direction, epsilon, Kernel::delta, start_at(question, 1));
  if (!interval) return std::nullopt;
  return ExactInterval{{interval->lower, interval->upper}, Engine::contour};
}

// One line is enough for the whole search, because K on it does not depend on epsilon. If epsilon turns out to be where
// the line does not fit well, another line is placed there. The upper bound is that at delta minus `lost`.
EngineAnswer epsilon_beside(const EngineQuestion& question, double delta, double lost) {
  const double largest = question.curve.max_loss(question.direction).upper();
  auto line =
      Contour::for_value(question.curve, question.direction, Kernel::delta, std::log(delta), start_at(question, 0));
  std::optional<Interval> found;
  for (int i = 0; i < 2 && line; ++i) {
    found = epsilon_on(*line, delta, largest);
    if (found && lost > 0) {
      const auto upper = epsilon_on(*line, numerics::next_down(delta - lost), largest);
      if (!upper) return std::nullopt;
      found->upper = std::max(found->upper, upper->upper);
    }
    if (!found || found->upper == 0 || relative_width(*found) < narrow_enough * line->accuracy()) break;
    line = Contour::for_t(question.curve, question.direction, Kernel::delta, 0.5 * (found->lower + found->upper),
                          line->c());
  }
  if (!found || (found->upper > 0 && !(relative_width(*found) < widest))) return std::nullopt;
  return ExactInterval{{found->lower, found->upper}, Engine::contour};
}

// The share of delta that rare large losses may take, and what they may take of a delta that is not known yet, where
// the second number is for large delta.
constexpr double tail_share = 1e-10;
constexpr double first_tails[] = {1e-16, 1e-12};
// The relative width from which on an answer is worth another one without rare large losses.
constexpr double wide = 1e-8;

EngineAnswer epsilon_without_rare(const EngineQuestion& question, double delta) {
  if (const auto kept = without_rare(question.steps, rare_share * delta))
    return epsilon_beside(question_without(question, *kept), delta, kept->lost);
  return epsilon_beside(question, delta, 0);
}

}  // namespace
}  // namespace contour_file

EngineAnswer contour_delta(const EngineQuestion& question, double epsilon) {
  using namespace contour_file;
  auto found = delta_without_rare(question, [&](const EngineQuestion& kept) { return whole_delta(kept, epsilon); });
  if (question.direction == Direction::add || (found && relative_width(*found) < wide)) return found;
  for (const double most : first_tails) {
    auto kept = without_tails(question.steps, most);
    if (!kept) return found;
    auto answer = whole_delta(question_without(question, *kept), epsilon);
    if (answer && kept->lost > tail_share * answer->lower) {
      kept = without_tails(question.steps, 0.5 * tail_share * answer->lower);
      if (kept) answer = whole_delta(question_without(question, *kept), epsilon);
    }
    if (!answer || !kept) continue;
    answer->upper = std::min(1.0, numerics::next_up(answer->upper + kept->lost));
    return found ? intersection_or_hull(*found, *answer) : answer;
  }
  return found;
}

EngineAnswer contour_epsilon(const EngineQuestion& question, double delta) {
  using namespace contour_file;
  auto answer = epsilon_without_rare(question, delta);
  if (question.direction == Direction::add) return answer;
  if (answer && (answer->upper == 0 || relative_width(*answer) < wide)) return answer;
  const auto kept = without_tails(question.steps, tail_share * delta);
  if (!kept) return answer;
  const auto cut = epsilon_beside(question_without(question, *kept), delta, kept->lost);
  return answer && cut ? intersection_or_hull(*answer, *cut) : cut ? cut : answer;
}

}  // namespace renyi::exact
