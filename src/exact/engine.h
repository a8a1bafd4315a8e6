// The interface of all engines, which answer for one direction at a time, and the intersection of two of their answers.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "renyi/exact.h"
#include "renyi/plan.h"

namespace renyi::exact {

class ProfileCache;

// The plan as it is passed to an engine.
struct EngineQuestion {
  const std::vector<CountedMechanism>& steps;
  const Curve& curve;
  Direction direction = Direction::remove;
  const ExactOptions& options;
  ProfileCache& memory;
  double order = 0;  // the best Renyi order for the question, where a search may start; 0: not known
};

// The answer is std::nullopt where the engine does not support the plan at that point. Engines are called with 0 <
// epsilon < largest loss or epsilon = 0, and with 0 < delta < 1.
using EngineAnswer = std::optional<ExactInterval>;

EngineAnswer closed_form_delta(const EngineQuestion& question, double epsilon);
EngineAnswer closed_form_epsilon(const EngineQuestion& question, double delta);

EngineAnswer contour_delta(const EngineQuestion& question, double epsilon);
EngineAnswer contour_epsilon(const EngineQuestion& question, double delta);

EngineAnswer lattice_delta(const EngineQuestion& question, double epsilon);
EngineAnswer lattice_epsilon(const EngineQuestion& question, double delta);

// These always have an answer: the Renyi bound as the upper bound, and parts of the plan for the lower bound.
EngineAnswer bounds_delta(const EngineQuestion& question, double epsilon);
EngineAnswer bounds_epsilon(const EngineQuestion& question, double delta);

// A lower bound on delta(epsilon) where delta is close to 1 and the engines lose 1 - delta in rounding; 0 where it
// gives no bound.
double delta_lower_bound(const Curve& curve, Direction direction, double epsilon);
// The corresponding lower bound on epsilon(delta).
double epsilon_lower_bound(const Curve& curve, Direction direction, double delta);

// Returns true if an end is not a number: then the interval says nothing.
[[nodiscard]] bool has_nan(const Interval& ends);

// Returns the interval itself. Ends the wrong way round are a contradiction: the result then says so, and is from 0 to
// the larger end.
[[nodiscard]] ExactInterval with_ordered_ends(ExactInterval figure);

// Returns the intersection of two intervals for one number, labelled with the engine of the first. Where they have
// nothing in common, one of the methods is wrong and it is unknown which: the result is then the interval from 0 to the
// largest of their ends, which contains the exact value if either does, and says so in `contradiction`. The same holds
// where the ends of one of them are the wrong way round. `method` names what gave the second one.
[[nodiscard]] ExactInterval intersection_or_hull(ExactInterval figure, const Interval& other, std::string_view method);
// The result is labelled with the engine of the narrower interval.
[[nodiscard]] ExactInterval intersection_or_hull(const ExactInterval& a, const ExactInterval& b);

// Takes over the contradiction of another interval that the first one was computed from, unless it has its own.
void add_contradiction(ExactInterval& figure, const ExactInterval& from);

}  // namespace renyi::exact
